/** Real Chromium: results of capabilities below their cards, as their views draw them. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { cardDrawing, drawResult } from '../../src/protocol/text/draw-result.ts';
import type { DrawnResult } from '../../src/protocol/text/output-view.ts';
import { newId } from '../../src/protocol/rpc/ids.ts';
import type { ToolItem } from '../../src/protocol/thread/items.ts';
import { AT } from './support/fake-thread.ts';
import { HOSTILE } from './support/hostile-markdown.ts';
import { useViews } from './support/suite.ts';
import { THEME_NAMES } from './support/themes.ts';
import { showTheme, violations } from './support/violations.ts';
import { only, withThread } from './support/with-thread.ts';

const artifacts = fileURLToPath(new URL('../../artifacts/', import.meta.url));

describe('webview: the result of a run', function () {
	this.timeout(60_000);
	const views = useViews();
	before(() => mkdirSync(artifacts, { recursive: true }));

	async function openWith(drawn: DrawnResult | undefined, given: Partial<ToolItem> = {}, width = 300) {
		const opened = await views.open({ width, ...withThread });
		const thread = only(opened.extension);
		const item: ToolItem = {
			...{ id: newId('itm'), turnId: thread.begin('go on'), at: AT, kind: 'tool', opId: newId('op') },
			...{ tool: 'capability_start', title: 'Run skill todo-report', input: { name: 'todo-report' } },
			...{ status: 'done', output: '{"items": 1}\n[skill todo-report completed]', outputTruncated: false },
			durationMs: 12,
			...(drawn === undefined ? {} : { drawn }),
			...given,
		};
		thread.emit({ type: 'item.start', item });
		const result = opened.page.getByRole('group', { name: 'Result of Run skill todo-report' });
		return { ...opened, item, result };
	}

	it('of odd texts stays text in every view, and the page within its rules', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const turnId = thread.begin('go on');
		const text = `${HOSTILE.join('\n')}<script>alert(1)</script>\u202e\u0000`;
		const rows = [{ file: text, line: 1, text, done: true, patch: text }];
		const results = (['table', 'places', 'checklist', 'diff'] as const).map((view) =>
			drawResult({ view }, rows, cardDrawing),
		);
		results.push(
			drawResult({ view: 'markdown' }, text, cardDrawing),
			drawResult({ view: 'table' }, { [text]: text }, cardDrawing),
		);
		for (const drawn of results) {
			thread.emit({
				type: 'item.start',
				item: {
					...{
						id: newId('itm'),
						turnId,
						at: AT,
						kind: 'tool',
						opId: newId('op'),
						tool: 'capability_start',
						title: 'Run it',
					},
					...{ input: 7, status: 'done', output: '', outputTruncated: false, drawn },
				},
			});
		}
		await page.getByRole('group', { name: 'Result of Run it' }).nth(5).waitFor();
		assert.equal(await page.locator('.drawn :is(script, iframe, img, form, a[href], style, [onerror])').count(), 0);
		assert.deepEqual(await violations(page), []);
	});

	it('that failed says why in words for people, and nothing of what the model was told', async () => {
		const error = { code: 'EXECUTION_FAILED' as const, message: 'no such folder', facts: {} };
		const output = '[skill todo-report failed] EXECUTION_FAILED: no such folder';
		const { page } = await openWith(undefined, { status: 'failed', error, output });
		await page.getByRole('button', { name: /^Run skill todo-report/ }).click();
		await page.locator('.detail-error').waitFor();
		assert.equal(await page.getByText('[skill todo-report').count(), 0);
	});

	it('of places opens each at its line, shows more on request, and is what people see of it', async () => {
		const items = Array.from({ length: 300 }, (_, at) => ({
			file: `src/file-${at}.ts`,
			line: at + 1,
			tag: 'TODO',
			text: 'mend this',
		}));
		const drawn = drawResult({ view: 'places', from: 'items' }, { total: 300, truncated: false, items }, cardDrawing);
		const { page, extension, item, result } = await openWith(drawn);
		await result.getByText('TODO · mend this').first().waitFor();
		assert.equal(await result.getByRole('listitem').count(), 8);
		const opened = extension.called('view/openFile');
		await result.getByRole('link', { name: 'src/file-2.ts:3' }).press('Enter');
		assert.deepEqual((await opened).params, { path: 'src/file-2.ts', line: 3 });
		await result.getByRole('button', { name: 'Show all 100 rows' }).click();
		assert.equal(await result.getByRole('listitem').count(), 100);
		await result.getByText('100 of 300 rows are shown.').waitFor();
		await page.getByRole('button', { name: /^Run skill todo-report/ }).click();
		await page.getByText('"name": "todo-report"').waitFor();
		assert.equal(await page.getByText('completed]').count(), 0);
		const acts = page.getByRole('group', { name: 'Actions for Run skill todo-report' });
		for (const [name, act] of [
			['Open the run', 'open'],
			['Run again', 'again'],
			['Change inputs', 'ask'],
			['Keep as script', 'script'],
		] as const) {
			const asked = extension.called('view/runAct');
			await acts.getByRole('button', { name }).press('Enter');
			assert.deepEqual((await asked).params, { opId: item.opId, act });
		}
	});

	it('of one long change shows all of it on request, and says what was cut before', async () => {
		const patch = ['@@ -1 +1 @@', ...Array.from({ length: 200 }, (_, at) => `+line ${at} of the change`)].join('\n');
		const { result } = await openWith(drawResult({ view: 'diff' }, patch, cardDrawing));
		await result.getByText('+line 0 of the change').waitFor();
		assert.equal(await result.getByText('+line 199 of the change').count(), 0);
		await result.getByRole('button', { name: 'Show more' }).click();
		await result.getByText('+line 199 of the change').waitFor();
		const cut = await openWith(drawResult({ view: 'diff' }, '+'.repeat(cardDrawing.chars + 1), cardDrawing));
		await cut.result.getByRole('button', { name: 'Show more' }).click();
		await cut.result.getByText('Shortened.').waitFor();
	});

	it('is drawn as a table, a checklist and Markdown in every theme, narrow and wide', async () => {
		const results = [
			drawResult(
				{ view: 'table', columns: ['name', 'file', 'tests'] },
				[
					{ name: 'api', file: 'api/index.ts', line: 4, tests: 12 },
					{ name: 'web', tests: { passed: 3 } },
				],
				cardDrawing,
			),
			drawResult(
				{ view: 'checklist', from: 'steps' },
				{
					release: '1.2',
					steps: [
						{ done: true, text: 'Bump the version' },
						{ done: false, text: 'Tag it', file: 'CHANGELOG.md', line: 3 },
					],
				},
				cardDrawing,
			),
			drawResult({ view: 'markdown', from: 'entry' }, { entry: '- **Fixed**: `sum` adds', by: 'sonnet' }, cardDrawing),
			drawResult({ view: 'diff' }, '--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\n', cardDrawing),
			drawResult({ view: 'table', from: 'rows' }, { count: 2 }, cardDrawing),
		];
		for (const width of [300, 900]) {
			const { page, extension, close } = await views.open({ width, ...withThread });
			const thread = only(extension);
			const turnId = thread.begin('go on');
			for (const drawn of results) {
				thread.emit({
					type: 'item.start',
					item: {
						...{
							id: newId('itm'),
							turnId,
							at: AT,
							kind: 'tool',
							opId: newId('op'),
							tool: 'capability_start',
							title: 'Run it',
						},
						...{ input: { name: 'it' }, status: 'done', output: '', outputTruncated: false, drawn },
					},
				});
			}
			await page.getByText('The result has no "rows", so all of it is shown as JSON.').waitFor();
			assert.equal(await page.getByRole('columnheader').count(), 3);
			await page.getByRole('listitem').filter({ hasText: 'not done: Tag it CHANGELOG.md:3' }).waitFor();
			assert.deepEqual(await violations(page), []);
			for (const theme of THEME_NAMES) {
				await showTheme(page, theme);
				await page.screenshot({ path: join(artifacts, `run-results-${width}-${theme}.png`) });
			}
			await close();
		}
	});
});
