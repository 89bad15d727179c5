import assert from 'node:assert/strict';
import { ContextRef } from '../../protocol/thread/context.ts';
import { type CommentedPlace, CommentList, type SaidInComment } from './comment-list.ts';

const at = (startLine: number, endLine = startLine, path = 'src/a.ts'): CommentedPlace => ({
	absolutePath: `/app/${path}`,
	path,
	startLine,
	endLine,
	code: `line ${startLine}`,
});
const said = (text: string): SaidInComment => ({ by: 'user', text, isSent: false });
const told = (text: string): SaidInComment => ({ by: 'agent', text, isSent: true });

describe('Comments on lines', () => {
	it('are none where another window left what cannot be read, and keep what can', () => {
		assert.deepEqual(new CommentList('nonsense').all, []);
		const kept = new CommentList(undefined);
		kept.begin(at(3), said('why?'));
		const odd = [{ name: 'c9' }, null, { ...kept.all[0], name: 'x' }];
		const again = new CommentList({ ...kept.kept, comments: [...kept.all, ...odd] });
		assert.deepEqual(again.all, kept.all);
	});

	it('name those that there are where the agent answers one that is not there', () => {
		const list = new CommentList(undefined);
		assert.throws(() => list.add('c1', told('done')), { code: 'NOT_FOUND', message: /there are: none/ });
		list.begin(at(1), said('why?'));
		assert.throws(() => list.add('c7', told('done')), { code: 'NOT_FOUND', message: /there are: c1/ });
	});

	it('are no more than have room where the agent finds without end, and resolved ones make room', () => {
		const list = new CommentList(undefined);
		for (let line = 1; line <= 300; line += 1) list.begin(at(line), told('a flaw'));
		assert.throws(() => list.begin(at(301), told('a flaw')), { code: 'INVALID_STATE' });
		assert.equal(list.begin(at(301), said('the user may')).name, 'c301');
		list.add('c5', told('mended'), true);
		list.remove('c300');
		assert.equal(list.begin(at(302), told('a flaw')).name, 'c302');
		assert.equal(list.get('c5'), undefined);
	});

	it('take no answer of the agent beyond the hundredth, and still the words of the user', () => {
		const list = new CommentList(undefined);
		const { name } = list.begin(at(1), told('a flaw'));
		for (let n = 2; n <= 100; n += 1) list.add(name, told('again'));
		assert.throws(() => list.add(name, told('again')), { code: 'INVALID_STATE' });
		assert.equal(list.add(name, said('enough')).said.length, 101);
	});

	it('are sent once, each with what was said since the agent last heard of it', () => {
		const list = new CommentList(undefined);
		list.begin(at(3, 5), said('why?'));
		list.begin(at(9), said('rename this'));
		list.add('c1', said('and since when?'));
		assert.deepEqual(
			list.takeUnsent(10).map(({ name, startLine, endLine, text }) => [name, startLine, endLine, text]),
			[
				['c1', 3, 5, 'why?\n\nand since when?'],
				['c2', 9, 9, 'rename this'],
			],
		);
		assert.deepEqual(list.takeUnsent(10), []);
		list.add('c2', told('renamed'), true);
		assert.equal(list.get('c2')?.isResolved, true);
		list.add('c2', said('not everywhere'));
		assert.equal(list.get('c2')?.isResolved, false);
		assert.deepEqual(
			list.takeUnsent(10).map(({ name, text }) => [name, text]),
			[['c2', 'not everywhere']],
		);
	});

	it('leave for the next message what one cannot take along', () => {
		const list = new CommentList(undefined);
		for (const line of [1, 2, 3]) list.begin(at(line), said(`at ${line}`));
		assert.deepEqual(
			[list.takeUnsent(2), list.takeUnsent(2)].map((refs) => refs.map(({ text }) => text)),
			[['at 1', 'at 2'], ['at 3']],
		);
	});

	it('have names that are never used again, also in the next window', () => {
		const list = new CommentList(undefined);
		list.begin(at(1), said('a'));
		list.remove('c1');
		assert.equal(new CommentList(list.kept).begin(at(1), said('b')).name, 'c2');
	});

	it('move with the text of their file, and with no other', () => {
		const list = new CommentList(undefined);
		list.begin(at(3, 5), said('a'));
		list.begin(at(1), said('b'));
		list.begin(at(8, 8, 'src/b.ts'), said('c'));
		assert.deepEqual(
			list.shift('/app/src/a.ts', 2, 4).map(({ name, startLine, endLine }) => [name, startLine, endLine]),
			[['c1', 7, 9]],
		);
		assert.deepEqual(
			list.all.map(({ startLine }) => startLine),
			[7, 1, 8],
		);
		list.shift('/app/src/a.ts', 0, -20);
		assert.equal(list.get('c1')?.startLine, 1);
	});

	it('are references that a message takes, however long the lines are', () => {
		const list = new CommentList(undefined);
		list.begin({ ...at(1, 9_000), code: 'x'.repeat(500_000) }, said('too long?'));
		const [ref] = list.takeUnsent(1);
		assert.equal(ContextRef.safeParse(ref).success, true);
		assert.equal(list.refTo('c1')?.text, 'too long?');
		assert.equal(list.refTo('c2'), undefined);
	});
});
