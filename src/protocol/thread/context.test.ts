import assert from 'node:assert/strict';
import { newId } from '../rpc/ids.ts';
import { ContextRef, contextLabel } from './context.ts';

describe('ContextRef', () => {
	for (const ref of [
		{ kind: 'url', path: 'x' },
		{ kind: 'file' },
		{ kind: 'file', path: '' },
		{ kind: 'page', url: 'ftp://example.org/a' },
		{ kind: 'page', url: 'https:' },
		{ kind: 'commit', hash: 'HEAD', subject: '' },
		{ kind: 'commit', hash: '--output=a', subject: '' },
		{ kind: 'symbol', name: 'a', path: 'a.ts', startLine: 0, endLine: 1 },
		{ kind: 'thread', threadId: 'a', title: 'b' },
		{ kind: 'capability', type: 'skill', name: '' },
		{ kind: 'resource', server: 'a b', uri: 'x:y', name: '' },
		{ kind: 'prompt', server: 'a', name: '' },
		{ kind: 'selection', path: 'a', startLine: 0, endLine: 1, text: '' },
	]) {
		it(`refuses ${JSON.stringify(ref)}`, () => {
			assert.equal(ContextRef.safeParse(ref).success, false);
		});
	}

	it('is labelled by its target', () => {
		const labels = [
			{ kind: 'file', path: 'src/a.ts' },
			{ kind: 'folder', path: 'src' },
			{ kind: 'selection', path: 'a.ts', startLine: 2, endLine: 5, text: 'x' },
			{ kind: 'selection', path: 'a.ts', startLine: 2, endLine: 2, text: 'x' },
			{ kind: 'problems' },
			{ kind: 'problems', path: 'a.ts' },
			{ kind: 'changes' },
			{ kind: 'pasted', text: 'a' },
			{ kind: 'pasted', text: 'a\nb' },
			{ kind: 'hook', by: 'guard.json, Stop', text: 'a' },
			{ kind: 'terminal', name: 'bash', text: 'a' },
			{ kind: 'test', name: 'adds up', text: 'a' },
			{ kind: 'commit', hash: '0123456789abcdef', subject: 'feat: a' },
			{ kind: 'symbol', name: 'total', path: 'a.ts', startLine: 2, endLine: 4 },
			{ kind: 'page', url: 'https://example.org/a' },
			{ kind: 'thread', threadId: newId('thr'), title: 'Fix the sum' },
			{ kind: 'capability', type: 'skill', name: 'todo-report' },
			{ kind: 'resource', server: 'docs', uri: 'docs://a', name: 'A' },
			{ kind: 'resource', server: 'docs', uri: 'docs://b', name: '' },
			{ kind: 'prompt', server: 'docs', name: 'ask' },
		].map((ref) => contextLabel(ContextRef.parse(ref)));
		assert.deepEqual(labels, [
			...['src/a.ts', 'src/', 'a.ts:2-5', 'a.ts:2', 'problems', 'problems of a.ts'],
			...['changes', 'pasted text (1 line)', 'pasted text (2 lines)'],
			...[
				'hook guard.json, Stop',
				'terminal bash',
				'failed test adds up',
				'commit 01234567',
				'total',
				'https://example.org/a',
			],
			...['thread Fix the sum', 'skill todo-report', 'docs A', 'docs docs://b', 'docs/ask'],
		]);
	});
});
