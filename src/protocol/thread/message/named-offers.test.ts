import assert from 'node:assert/strict';
import type { ContextRef } from '../context.ts';
import { withNamedOffers } from './named-offers.ts';

const contextOf = async (text: string, context: readonly ContextRef[] = []) => {
	const message = await withNamedOffers({ text, context }, () => Promise.resolve(['docs', 'git.tools']));
	return message.context;
};

describe('What a prompt names of MCP servers', () => {
	it('is nothing of a server that is not configured, and nothing that merely looks like it', async () => {
		for (const prompt of ['@other:a://b', 'mail a@docs:x', '/other:review', 'see /docs:review', '/docs:', '@docs:']) {
			assert.deepEqual(await contextOf(prompt), [], prompt);
		}
		const asksNobody = () => Promise.reject(new Error('nobody needs to know the servers'));
		await withNamedOffers({ text: 'Change @src/a.ts, and read /etc/hosts.', context: [] }, asksNobody);
	});

	it('is each resource once, without the end of the sentence', async () => {
		assert.deepEqual(await contextOf('Compare @docs:a://b/c.md (@docs:a://d), @docs:a://b/c.md.'), [
			{ kind: 'resource', server: 'docs', uri: 'a://b/c.md', name: '' },
			{ kind: 'resource', server: 'docs', uri: 'a://d', name: '' },
		]);
	});

	it('is a prompt at the beginning, with the values that follow it', async () => {
		assert.deepEqual(await contextOf('/git.tools:review branch=main about="two words" please now=not'), [
			{ kind: 'prompt', server: 'git.tools', name: 'review', arguments: { branch: 'main', about: 'two words' } },
		]);
		assert.deepEqual(await contextOf('/docs:all'), [{ kind: 'prompt', server: 'docs', name: 'all', arguments: {} }]);
	});

	it('is not added to what was chosen already, and gives a chosen prompt its values', async () => {
		const resource = { kind: 'resource', server: 'docs', uri: 'a://b', name: 'B' } as const;
		const prompt = { kind: 'prompt', server: 'docs', name: 'all' } as const;
		assert.deepEqual(await contextOf('/docs:all of=it about @docs:a://b', [prompt, resource, { kind: 'changes' }]), [
			{ ...prompt, arguments: { of: 'it' } },
			resource,
			{ kind: 'changes' },
		]);
	});
});
