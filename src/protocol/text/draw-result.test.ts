/** Results of any shape, as authors write them. */
import assert from 'node:assert/strict';
import { inEnglish } from './text.ts';
import { cardDrawing, drawResult, wholeDrawing } from './draw-result.ts';
import { drawnInText } from './drawn-text.ts';
import { DrawnResult, OutputView } from './output-view.ts';

const items = [
	{ file: 'src/a.ts', line: 3, tag: 'TODO', text: 'mend' },
	{ file: 'src/b.ts', line: 'x', tag: 'FIXME', text: null },
];
const card = (output: OutputView | undefined, result: unknown) => drawResult(output, result, cardDrawing);
const whyOf = (drawn: DrawnResult) => ('why' in drawn && drawn.why !== undefined ? inEnglish(drawn.why) : undefined);

describe('a drawn result', () => {
	it('that does not fit its view is JSON, and says why', () => {
		for (const [output, result, why] of [
			[{ view: 'table', from: 'rows' }, { items }, /no "rows"/],
			[{ view: 'table', from: 'rows' }, null, /no "rows"/],
			[{ view: 'places', from: 'items.0' }, { items }, /no "items.0"/],
			[{ view: 'table' }, 'words', /no list/],
			[{ view: 'places' }, { a: 1 }, /no list/],
			[{ view: 'places' }, [items[0], 7], /Entry 2/],
			[{ view: 'places' }, ['a\u0000b'], /Entry 1/],
			[{ view: 'checklist' }, [{ text: 'a', done: 'yes' }], /Entry 1/],
			[{ view: 'diff' }, [{ path: 'a' }], /Entry 1/],
			[{ view: 'markdown', from: 'text' }, { text: [1] }, /no text/],
			[{ view: 'table', from: '__proto__' }, {}, /no "__proto__"/],
			[{ view: 'table', from: 'constructor' }, {}, /no "constructor"/],
		] as const) {
			const drawn = card(OutputView.parse(output), result);
			assert.match(whyOf(drawn) ?? '', why, JSON.stringify(output));
			assert.ok(drawn.view === 'json' || drawn.view === 'text');
			DrawnResult.parse(drawn);
		}
	});

	it('is bounded, however much there is, and says how much', () => {
		const many = Array.from({ length: 10_000 }, (_, n) => ({ file: `a${n}.ts`, line: n + 1, text: 'x'.repeat(1_000) }));
		const wide = [Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`c${n}`, n]))];
		for (const view of ['table', 'places'] as const) {
			const drawn = card({ view }, many);
			assert.ok('rows' in drawn && drawn.rows.length <= 100 && drawn.total === 10_000);
			assert.ok(JSON.stringify(drawn).length < 60_000);
		}
		const table = card({ view: 'table' }, wide);
		assert.equal(table.view === 'table' && table.columns.length, cardDrawing.columns);
		const long = card(undefined, 'y'.repeat(1_000_000));
		assert.ok(long.view === 'text' && long.isCut && long.text.length === cardDrawing.chars);
		const lines = drawResult({ view: 'places' }, [{ file: 'a', lines: many.map((_, n) => n + 1) }], wholeDrawing);
		assert.ok(lines.view === 'places' && lines.rows.length === wholeDrawing.rows && lines.total === 10_000);
	});

	it('links the places that it names, with their facts beside them', () => {
		const drawn = card(
			{ view: 'places', from: 'items' },
			{ total: 2, counts: { TODO: 1, FIXME: 1 }, items, deep: [1], empty: {} },
		);
		assert.deepEqual(drawn, {
			view: 'places',
			rows: [
				{ place: { path: 'src/a.ts', line: 3 }, text: 'TODO · mend' },
				{ place: { path: 'src/b.ts' }, text: 'FIXME' },
			],
			total: 2,
			facts: [
				{ name: 'total', text: '2' },
				{ name: 'counts', text: 'TODO: 1, FIXME: 1' },
			],
		});
	});

	it('of no entries, of null and of an entry without a file is drawn all the same', () => {
		assert.deepEqual(card({ view: 'table' }, []), { view: 'table', columns: ['1'], rows: [], total: 0 });
		const nothing = card({ view: 'markdown', from: 'entry' }, { entry: null, why: 'nothing' });
		assert.deepEqual(nothing, { view: 'markdown', text: '', isCut: false, facts: [{ name: 'why', text: 'nothing' }] });
		const failed = card({ view: 'places' }, [{ name: 'adds', file: null, line: null }]);
		assert.deepEqual(failed, { view: 'places', rows: [{ text: 'adds' }], total: 1 });
	});

	it('as a table has a cell for each column, whatever the rows are', () => {
		const drawn = card({ view: 'table' }, [{ a: 1, file: 'x.ts', line: 2 }, { b: { c: 1 } }, 'words', [1], null]);
		assert.ok(drawn.view === 'table');
		assert.deepEqual(drawn.columns, ['a', 'file', 'line', 'b']);
		assert.deepEqual(
			drawn.rows.map((row) => row.map(({ text }) => text)),
			[
				['1', 'x.ts', '2', ''],
				['', '', '', '{"c":1}'],
				['words', '', '', ''],
				['1', '', '', ''],
				['', '', '', ''],
			],
		);
		assert.deepEqual(drawn.rows[0]?.[1]?.place, { path: 'x.ts', line: 2 });
		const moved = card({ view: 'table' }, [{ file: 'new.ts', path: 'old.ts' }]);
		assert.ok(moved.view === 'table');
		assert.deepEqual(
			moved.rows[0]?.map(({ place }) => place?.path),
			['new.ts', 'old.ts'],
		);
	});

	it('in a terminal is aligned, with ticks, and what would act on the terminal is shown', () => {
		const show = (text: string) => text.replaceAll('\u001b', '\\e');
		assert.equal(
			drawnInText(
				card({ view: 'table' }, [
					{ name: 'a', n: 10 },
					{ name: 'long\u001b[2J', n: 2 },
				]),
				show,
			),
			'name       n\na          10\nlong\\e[2J  2',
		);
		assert.equal(
			drawnInText(
				card({ view: 'checklist' }, [
					{ text: 'one', done: true },
					{ text: 'two', done: false },
				]),
				show,
			),
			'✔ one\n☐ two',
		);
		const cut = drawnInText(
			card(
				{ view: 'places' },
				Array.from({ length: 300 }, () => 'a.ts'),
			),
			show,
		);
		assert.match(cut, /100 of 300 shown/);
		assert.match(drawnInText(card({ view: 'diff' }, '+'.repeat(cardDrawing.chars + 1)), show), /… shortened;/);
	});
});
