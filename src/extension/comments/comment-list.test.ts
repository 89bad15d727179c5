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

type Place = readonly [line: number, character: number];

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
			list.takeUnsent(10).refs.map(({ name, startLine, endLine, text }) => [name, startLine, endLine, text]),
			[
				['c1', 3, 5, 'why?\n\nand since when?'],
				['c2', 9, 9, 'rename this'],
			],
		);
		assert.deepEqual(list.takeUnsent(10).refs, []);
		list.add('c2', told('renamed'), true);
		assert.equal(list.get('c2')?.isResolved, true);
		list.add('c2', said('not everywhere'));
		assert.equal(list.get('c2')?.isResolved, false);
		assert.deepEqual(
			list.takeUnsent(10).refs.map(({ name, text }) => [name, text]),
			[['c2', 'not everywhere']],
		);
	});

	it('leave for the next message what one cannot take along', () => {
		const list = new CommentList(undefined);
		for (const line of [1, 2, 3]) list.begin(at(line), said(`at ${line}`));
		assert.deepEqual(
			[list.takeUnsent(2), list.takeUnsent(2)].map(({ refs }) => refs.map(({ text }) => text)),
			[['at 1', 'at 2'], ['at 3']],
		);
	});

	it('have names that are never used again, also in the next window', () => {
		const list = new CommentList(undefined);
		list.begin(at(1), said('a'));
		list.remove('c1');
		assert.equal(new CommentList(list.kept).begin(at(1), said('b')).name, 'c2');
	});

	it('are sent again where the message did not go, unless they were removed meanwhile', () => {
		const list = new CommentList(undefined);
		list.begin(at(1), said('a'));
		list.add('c1', said('b'));
		list.begin(at(2), said('c'));
		const { giveBack } = list.takeUnsent(10);
		list.add('c1', told('meanwhile'), true);
		list.remove('c2');
		giveBack();
		assert.equal(list.get('c1')?.isResolved, false);
		assert.deepEqual(
			list.takeUnsent(10).refs.map(({ name, text }) => [name, text]),
			[['c1', 'a\n\nb']],
		);
	});

	it('lose no word of a long one, neither on its way nor for the next window', () => {
		const list = new CommentList(undefined);
		const words = `${'x'.repeat(3_999)}y${'z'.repeat(5_000)}`;
		list.begin(at(1), said(words));
		list.add('c1', said('more'));
		const again = new CommentList(list.kept);
		const { refs } = again.takeUnsent(10);
		assert.deepEqual(
			refs.map((ref) => ContextRef.safeParse(ref).success),
			[true, true, true],
		);
		assert.equal(refs.map(({ text }) => text).join(''), `${words}\n\nmore`);
		assert.deepEqual(again.takeUnsent(10).refs, []);
	});

	it('stay open, and so make no room, while the agent does not know what was said', () => {
		const list = new CommentList(undefined);
		for (let line = 1; line <= 300; line += 1) list.begin(at(line), told('a flaw'));
		list.add('c5', said('why is it one?'));
		assert.equal(list.add('c5', told('mended'), true).isResolved, false);
		assert.throws(() => list.begin(at(301), told('a flaw')), { code: 'INVALID_STATE' });
	});

	/** A change of `/app/src/a.ts` from one place to another, each as line and character from 0. */
	const changed = (list: CommentList, [from, to]: readonly [Place, Place], text: string) =>
		list.shift('/app/src/a.ts', {
			start: { line: from[0] },
			end: { line: to[0], character: to[1] },
			text,
		});
	const linesOf = (list: CommentList) => list.all.map(({ startLine, endLine }) => [startLine, endLine]);

	it('move with the text of their file, and with no other', () => {
		const list = new CommentList(undefined);
		list.begin(at(3, 5), said('a'));
		list.begin(at(1), said('b'));
		list.begin(at(8, 8, 'src/b.ts'), said('c'));
		const moved = changed(
			list,
			[
				[1, 2],
				[1, 2],
			],
			'\n\n\n\n',
		);
		assert.deepEqual(
			moved.map(({ name }) => name),
			['c1'],
		);
		assert.deepEqual(linesOf(list), [
			[7, 9],
			[1, 1],
			[8, 8],
		]);
	});

	it('move with a line before which another one is put, and from which the one above is taken', () => {
		const list = new CommentList(undefined);
		list.begin(at(5), said('a'));
		changed(
			list,
			[
				[4, 0],
				[4, 0],
			],
			'new\n',
		);
		assert.deepEqual(linesOf(list), [[6, 6]]);
		changed(
			list,
			[
				[4, 0],
				[5, 0],
			],
			'',
		);
		assert.deepEqual(linesOf(list), [[5, 5]]);
		changed(
			list,
			[
				[4, 3],
				[4, 3],
			],
			'\n',
		);
		assert.deepEqual(linesOf(list), [[5, 5]]);
	});

	it('grow and shrink with their lines, and stand where their lines were when these are gone', () => {
		const list = new CommentList(undefined);
		list.begin(at(3, 5), said('a'));
		changed(
			list,
			[
				[3, 0],
				[3, 0],
			],
			'one\ntwo\n',
		);
		assert.deepEqual(linesOf(list), [[3, 7]]);
		changed(
			list,
			[
				[3, 0],
				[5, 0],
			],
			'',
		);
		assert.deepEqual(linesOf(list), [[3, 5]]);
		changed(
			list,
			[
				[1, 0],
				[9, 4],
			],
			'one',
		);
		assert.deepEqual(linesOf(list), [[2, 2]]);
	});

	it('are references that a message takes, however long the lines are', () => {
		const list = new CommentList(undefined);
		list.begin({ ...at(1, 9_000), code: 'x'.repeat(500_000) }, said('too long?'));
		const [ref] = list.takeUnsent(1).refs;
		assert.equal(ContextRef.safeParse(ref).success, true);
		assert.equal(list.refTo('c1')?.text, 'too long?');
		assert.equal(list.refTo('c2'), undefined);
	});
});
