import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { OP_NAMES } from '../../../protocol/op-table/ops.ts';
import { inEnglish } from '../../../protocol/text/text.ts';
import { readCall } from './read-call.ts';

const offered = { ops: new Set(OP_NAMES), declarations: [], refusal: () => 'is not offered' };

function read(tool: string, input: object) {
	return readCall({ kind: 'toolCall', callId: 'call_1', tool, inputText: JSON.stringify(input) }, offered);
}

function editsOf(tool: string, input: object): unknown {
	const call = read(tool, input);
	assert.equal(call.kind, 'op', call.kind === 'bad' ? call.message : '');
	assert.match((call as { mended: string }).mended, /the patch as a list of edits/);
	return (call as { params: unknown }).params;
}

const UPDATE = `*** Begin Patch
*** Update File: src/a.ts
@@ function a() {
 one
-two
+2

 three
@@
-gone
+come
*** End Patch
`;

const EDITS = [
	{ find: 'one\ntwo\n\nthree', replace: 'one\n2\n\nthree', all: false },
	{ find: 'gone', replace: 'come', all: false },
];

describe('A patch in place of edits', () => {
	it('is read as edits of its file, by the tool of edits and by the one that some models were taught', () => {
		for (const [tool, input] of [
			['apply_patch', { input: UPDATE }],
			['apply_patch', { patch: UPDATE.replaceAll('\n', '\r\n') }],
			['functions.apply_patch', { input: UPDATE }],
			['fs_edit', { path: 'src/a.ts', patch: UPDATE }],
			['fs_edit', { path: 'src/a.ts', edits: UPDATE }],
		] as const) {
			assert.deepEqual(editsOf(tool, input), { path: 'src/a.ts', edits: EDITS });
		}
		const call = read('apply_patch', { input: UPDATE });
		assert.equal(inEnglish('title' in call ? call.title : ''), 'Edit src/a.ts (2 edits)');
	});

	it('is read from a unified diff, whatever its line numbers, and keeps the path that the call names', () => {
		const patch = '--- a/b.txt\n+++ b/b.txt\n@@ -90,3 +90,3 @@\n one\n-two\n+2\n@@ -99 +98,0 @@\n-last\n';
		assert.deepEqual(editsOf('fs_edit', { path: '/w/b.txt', diff: patch }), {
			path: '/w/b.txt',
			edits: [
				{ find: 'one\ntwo', replace: 'one\n2', all: false },
				{ find: 'last\n', replace: '', all: false },
			],
		});
	});

	it('is refused, with what to do, where it is no list of edits of one file', () => {
		const two = `${UPDATE}*** Update File: src/b.ts\n-x\n+y\n`;
		for (const [input, said] of [
			[{ input: two }, /changes 2 files: send one call for each/],
			[{ input: '*** Begin Patch\n*** Add File: n.ts\n+x\n*** End Patch' }, /fs_write, fs_move and fs_delete/],
			[{ input: '*** Begin Patch\n*** Delete File: n.ts\n*** End Patch' }, /fs_write, fs_move and fs_delete/],
			[{ diff: '--- /dev/null\n+++ b/n.ts\n@@ -0,0 +1 @@\n+x\n' }, /fs_write, fs_move and fs_delete/],
			[
				{ input: '*** Begin Patch\n*** Update File: a.ts\n@@\n+x\n*** End Patch' },
				/part 1 .* no line that is there before/,
			],
			[{ input: '*** Begin Patch\n*** Update File: a.ts\n*** End Patch' }, /no line that is there before/],
			[{ path: 'src/other.ts', input: UPDATE }, /the patch changes src\/a\.ts, another file/],
		] as const) {
			const call = read('apply_patch', input);
			assert.equal(call.kind === 'bad' ? call.code : call.kind, 'INVALID_PARAMS');
			assert.match(call.kind === 'bad' ? call.message : '', said);
		}
	});

	it('is no patch where an edit only writes one', () => {
		const edits = [{ find: 'x', replace: UPDATE }];
		const call = read('fs_edit', { path: 'a.diff', edits });
		assert.deepEqual('params' in call && call.params, { path: 'a.diff', edits: [{ ...edits[0], all: false }] });
	});
});
