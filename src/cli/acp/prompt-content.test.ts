import assert from 'node:assert/strict';
import { patchDiffs } from './patch-diffs.ts';
import { availableCommands, expandCommand, readPromptContent } from './prompt-content.ts';

const folder = { real: '/home/me/work', named: '/home/me/work' };

describe('The content of a prompt', () => {
	it('becomes words, references of the folder, pasted text and pictures', () => {
		const { text, context, images } = readPromptContent(
			[
				{ type: 'text', text: 'Look at ' },
				{ type: 'resource_link', name: 'a b.ts', uri: 'file:///home/me/work/src/a%20b.ts' },
				{ type: 'resource', resource: { uri: 'file:///home/me/work/c.ts', text: 'one\ntwo' } },
				{ type: 'resource', resource: { uri: 'zed://thread/1', text: 'words' } },
				{ type: 'image', data: 'AAAA', mimeType: 'image/png' },
			],
			folder,
		);
		assert.equal(text, 'Look at @src/a b.ts@c.ts [zed://thread/1]');
		assert.deepEqual(context, [
			{ kind: 'file', path: 'src/a b.ts' },
			{ kind: 'selection', path: 'c.ts', startLine: 1, endLine: 2, text: 'one\ntwo' },
			{ kind: 'pasted', text: 'zed://thread/1\nwords' },
		]);
		assert.deepEqual(images, [{ data: 'AAAA' }]);
	});

	it('opens nothing that a link names beyond the folder', () => {
		const uris = [
			'file:///home/me/work/../secret',
			'file:///home/me/worker/x',
			'file://elsewhere/home/me/work/x',
			'file:///home/me/work/%2e%2e/secret',
			'https://example.org/x',
			'no address',
		];
		for (const uri of uris) {
			const { context, text } = readPromptContent([{ type: 'resource_link', name: 'x', uri }], folder);
			assert.deepEqual(context, [], uri);
			assert.equal(text, `[x](${uri})`);
		}
	});

	it('is refused where no message takes it', () => {
		const refused = [
			[],
			[{ type: 'text', text: ' ' }],
			[{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }],
			[{ type: 'resource', resource: { uri: 'file:///x', blob: 'AAAA' } }],
			[{ type: 'resource', resource: { uri: 'file:///x', text: 'x'.repeat(200_001) } }],
			Array.from({ length: 101 }, (_, n) => ({
				type: 'resource_link',
				name: 'x',
				uri: `file:///home/me/work/${n}`,
			})),
		] as Parameters<typeof readPromptContent>[0][];
		for (const blocks of refused) {
			assert.throws(() => readPromptContent(blocks, folder), { code: -32_602 });
		}
	});

	it('begins with a command of the chat that is a prompt, or stays as it is', () => {
		assert.match(expandCommand('/fix the login'), /^Find what is wrong here and fix it\. the login$/);
		assert.equal(expandCommand('/compact'), '/compact');
		assert.equal(expandCommand('/etc/passwd is odd'), '/etc/passwd is odd');
		assert.equal(expandCommand('/settings'), '/settings');
		const names = availableCommands().map(({ name }) => name);
		assert.ok(names.includes('review') && !names.includes('settings'), names.join(' '));
	});
});

describe('The diffs of a patch', () => {
	const patch = '--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n same\n-old\n+new\n@@ -9,1 +9,2 @@\n end\n+more\n';

	it('are the old and the new lines of each hunk', () => {
		assert.deepEqual(patchDiffs({ path: 'a.txt', patch, created: false }, '/w/a.txt'), [
			{ type: 'diff', path: '/w/a.txt', oldText: 'same\nold', newText: 'same\nnew' },
			{ type: 'diff', path: '/w/a.txt', oldText: 'end', newText: 'end\nmore' },
		]);
	});

	it('have no old text for a new file', () => {
		const created = '--- a.txt\n+++ a.txt\n@@ -0,0 +1,1 @@\n+new\n';
		assert.deepEqual(patchDiffs({ path: 'a.txt', patch: created, created: true }, '/w/a.txt'), [
			{ type: 'diff', path: '/w/a.txt', oldText: null, newText: 'new' },
		]);
	});
});
