import assert from 'node:assert/strict';
import { mayNameOffers, namedOffers } from './named-offers.ts';

const servers = ['docs', 'git.tools'];

describe('What a prompt names of MCP servers', () => {
	it('is nothing of a server that is not configured, and nothing that merely looks like it', () => {
		for (const prompt of ['@other:a://b', 'mail a@docs:x', '/other:review', 'see /docs:review', '/docs:', '@docs:']) {
			assert.deepEqual(namedOffers(prompt, servers), [], prompt);
		}
		assert.equal(mayNameOffers('Change @src/a.ts, and read /etc/hosts.'), false);
	});

	it('is each resource once, without the end of the sentence', () => {
		assert.deepEqual(namedOffers('Compare @docs:a://b/c.md (@docs:a://d), @docs:a://b/c.md.', servers), [
			{ kind: 'resource', server: 'docs', uri: 'a://b/c.md', name: '' },
			{ kind: 'resource', server: 'docs', uri: 'a://d', name: '' },
		]);
	});

	it('is a prompt at the beginning, with the values that follow it', () => {
		assert.deepEqual(namedOffers('/git.tools:review branch=main about="two words" please now=not', servers), [
			{ kind: 'prompt', server: 'git.tools', name: 'review', arguments: { branch: 'main', about: 'two words' } },
		]);
		assert.deepEqual(namedOffers('/docs:all', servers), [
			{ kind: 'prompt', server: 'docs', name: 'all', arguments: {} },
		]);
	});
});
