/** Real Chromium with the extension's policy: the page of the ledger, from what the extension tells it. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ledgerPageNotifications, NO_LEDGER_FILTER } from '../../src/protocol/pages/ledger-page.ts';
import { ledgerRow } from './support/fake-ledger.ts';
import { HOSTILE } from './support/hostile-markdown.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';

describe('webview: the page of the ledger', function () {
	this.timeout(60_000);
	const views = useViews();
	const open = (prepare: NonNullable<Parameters<typeof views.open>[0]>['prepare'], width = 900) =>
		views.open({ face: 'ledger', width, ...(prepare === undefined ? {} : { prepare }) });
	const cells = (page: Page) =>
		page
			.getByRole('row')
			.filter({ has: page.getByRole('cell') })
			.evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent?.trim())));

	it('runs, requests and follows nothing, whatever was recorded', async () => {
		const { page, offences } = await open((fake) => {
			fake.ledger.rows = HOSTILE.map((text, index) =>
				ledgerRow(HOSTILE.length - index, {
					what: text,
					doer: text,
					thread: { id: text.slice(0, 100), title: text, isOfScript: false },
				}),
			);
		});
		await page.getByRole('row').nth(3).waitFor();
		assert.deepEqual(offences, []);
		assert.equal(await page.locator('script:not([nonce]), iframe, img, a[href], [onerror]').count(), 0);
	});

	it('has its magnifier before what is typed, not on it', async () => {
		const { page } = await open(undefined);
		const search = page.getByRole('searchbox', { name: 'Search the ledger' });
		const text = await search.evaluate(
			(field) => field.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(field).paddingInlineStart),
		);
		const icon = await page.locator('.search-row .codicon').boundingBox();
		assert.ok(icon !== null && icon.x + icon.width <= text, JSON.stringify({ icon, text }));
	});

	it('says that there is nothing yet or nothing that fits, why a filter cannot be read, and why nothing can be read', async () => {
		const { page, extension } = await open(undefined);
		await page.getByText('Nothing is recorded yet.').waitFor();
		const search = page.getByRole('searchbox', { name: 'Search the ledger' });
		await search.fill('rare words');
		await page.getByText('Nothing is recorded that fits.').waitFor();
		await search.fill('kind:denied');
		await page.getByText('kind: takes intent, outcome; got "denied"').waitFor();
		assert.equal(await search.getAttribute('aria-invalid'), 'true');
		extension.ledger.read = () => {
			throw new Error('the ledger does not answer');
		};
		await search.fill('');
		await page.getByRole('alert').waitFor();
	});

	it('shows time, act, result, who decided and the thread in a table, one row for each effect', async () => {
		const { page, extension } = await open((fake) => {
			fake.ledger.rows = [
				ledgerRow(4, { thread: { id: 'thr_script', title: null, isOfScript: true } }),
				ledgerRow(3, { what: 'Run npm test', end: 'failed', result: 'Exit code 3', decidedBy: 'You, once' }),
				ledgerRow(2, { doer: 'skill/greet', thread: { id: 'thr_gone', title: null, isOfScript: false } }),
				ledgerRow(1, { doer: 'user', what: 'disable skill greet', thread: null }),
			];
		});
		await page.getByRole('table', { name: 'Ledger' }).waitFor();
		const shown = await cells(page);
		assert.match(shown[0]?.[0] ?? '', /11\/20\/26, \d+:00:00/);
		assert.deepEqual(
			shown.map((row) => row.slice(1)),
			[
				['Read file-4.ts', 'Done', 'No question needed', 'Script'],
				['Run npm test', 'Exit code 3', 'You, once', 'Fix the failing test'],
				['Read file-2.tsby skill/greet', 'Done', 'No question needed', 'Deleted thread'],
				['disable skill greetby you', 'Done', 'No question needed', ''],
			],
		);
		assert.equal(await page.locator('time').first().getAttribute('title'), '2026-11-20 12:00:00.000 UTC');
		await page.getByRole('button', { name: 'Fix the failing test' }).press('Enter');
		assert.deepEqual((await extension.called('ledger/openThread', 0)).params, { threadId: 'thr_1' });
	});

	it('opens all that is recorded of a row by the keyboard, its hashes behind a line of their own', async () => {
		const { page, extension } = await open((fake) => {
			fake.ledger.rows = [ledgerRow(1)];
			fake.ledger.entries.set('op_1', [
				{
					title: 'Before it began',
					facts: [{ label: 'Decision', text: 'allow (level): so it is' }],
					hashes: [{ label: 'Hash of the row', text: 'abc123' }],
				},
			]);
		});
		const opener = page.getByRole('button', { name: 'Read file-1.ts' });
		await opener.press('Enter');
		await page.getByText('allow (level): so it is').waitFor();
		assert.equal(await opener.getAttribute('aria-expanded'), 'true');
		assert.equal(await page.getByText('abc123').count(), 0);
		await page.getByRole('button', { name: 'Hashes' }).press('Enter');
		await page.getByText('abc123').waitFor();
		await page.getByRole('button', { name: 'Copy Hash of the row' }).click();
		assert.deepEqual((await extension.called('ledger/copy', 0)).params, { text: 'abc123' });
		await opener.press('Enter');
		assert.equal(await page.getByText('abc123').count(), 0);
	});

	it('asks for what is chosen, keeps it for its next start, and clears it', async () => {
		const { page, extension } = await open((fake) => {
			fake.ledger.rows = [ledgerRow(2, { end: 'denied', result: 'Denied', doer: 'skill/greet' }), ledgerRow(1)];
		});
		await page.getByRole('combobox', { name: 'Result' }).selectOption({ label: 'Denied' });
		await page.getByRole('button', { name: 'Read file-1.ts' }).waitFor({ state: 'detached' });
		await page.getByRole('combobox', { name: 'Done by' }).selectOption({ label: 'skill/greet' });
		await page.getByRole('combobox', { name: 'Thread' }).selectOption({ label: 'Fix the failing test' });
		await page.getByRole('checkbox', { name: 'Show housekeeping' }).check();
		await page.getByRole('searchbox').fill('file-2');
		await page.getByRole('combobox', { name: 'Result' }).selectOption({ label: 'Failed' });
		await page.getByRole('combobox', { name: 'Result' }).selectOption({ label: 'Denied' });
		const wanted = { line: 'file-2', threadId: 'thr_1', doer: 'skill/greet', end: 'denied', withHousekeeping: true };
		await page.waitForFunction((expected) => sessionStorage.getItem('state') === expected, JSON.stringify(wanted));
		assert.deepEqual(extension.calls.at(-1), { method: 'ledger/rows', params: { filter: wanted, before: null } });
		await page.getByRole('button', { name: 'Clear filters' }).click();
		await page.getByRole('button', { name: 'Read file-1.ts' }).waitFor();
		assert.deepEqual(extension.calls.at(-1)?.params, { filter: NO_LEDGER_FILTER, before: null });
	});

	it('asks for what was chosen last, whichever of words and choices a busy page comes to first', async () => {
		const { page, extension } = await open((fake) => {
			fake.ledger.rows = [ledgerRow(2, { end: 'denied', result: 'Denied' }), ledgerRow(1)];
		});
		const result = page.getByRole('combobox', { name: 'Result' });
		const search = page.getByRole('searchbox');
		await result.selectOption({ label: 'Denied' });
		await page.getByRole('button', { name: 'Read file-1.ts' }).waitFor({ state: 'detached' });
		await search.fill('file');
		await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
		await result.evaluate((select: HTMLSelectElement, busyMs) => {
			select.value = '';
			select.dispatchEvent(new Event('change', { bubbles: true }));
			const until = performance.now() + busyMs;
			while (performance.now() < until) continue;
		}, 500);
		await page.getByRole('button', { name: 'Read file-1.ts' }).waitFor();
		assert.deepEqual(extension.calls.at(-1)?.params, { filter: { ...NO_LEDGER_FILTER, line: 'file' }, before: null });
		assert.equal(await search.inputValue(), 'file');
	});

	it('keeps what is typed while the filter of before is drawn', async () => {
		const { page } = await open((fake) => {
			fake.ledger.rows = [ledgerRow(1)];
		});
		const search = page.getByRole('searchbox');
		await search.fill('file');
		await search.evaluate(async (field: HTMLInputElement) => {
			// The change takes the typed words with it at once, and is drawn, but not painted, when the next letter comes.
			document.querySelector<HTMLInputElement>('.ledger-filters input[type="checkbox"]')?.click();
			await Promise.resolve();
			field.value = 'file-1';
			field.dispatchEvent(new Event('input', { bubbles: true }));
		});
		await page.waitForFunction(() => sessionStorage.getItem('state')?.includes('"line":"file-1"'));
		assert.equal(await search.inputValue(), 'file-1');
	});

	it('holds so many rows of 100,000, and asks for older ones page by page', async () => {
		const { page, extension } = await open((fake) => {
			fake.ledger.rows = Array.from({ length: 100_000 }, (_, n) => ledgerRow(100_000 - n));
		});
		await page.getByText('100 rows shown').waitFor();
		assert.equal(await page.locator('tbody tr').count(), 100);
		await page.getByRole('button', { name: 'Show older' }).click();
		await page.getByText('200 rows shown').waitFor();
		assert.deepEqual(
			extension.calls.filter(({ method }) => method === 'ledger/rows').map(({ params }) => params),
			[null, 99_901].map((before) => ({ filter: NO_LEDGER_FILTER, before })),
		);
	});

	it('follows what is recorded while it is open, and keeps the row that is open', async () => {
		const { page, extension } = await open((fake) => {
			fake.ledger.rows = [ledgerRow(1, { end: 'open', result: 'No result recorded' })];
			fake.ledger.entries.set('op_1', [{ title: 'Before it began', facts: [], hashes: [] }]);
		});
		await page.getByRole('button', { name: 'Read file-1.ts' }).click();
		extension.ledger.rows = [ledgerRow(2), ledgerRow(1)];
		extension.peer.notify(ledgerPageNotifications.recorded, {});
		await page.getByRole('button', { name: 'Read file-2.ts' }).waitFor();
		assert.equal(await page.getByText('No result recorded', { exact: true }).locator('visible=true').count(), 0);
		await page.getByRole('heading', { name: 'Before it began' }).waitFor();
	});

	it('shows what another place wants to see, with the keyboard in its field', async () => {
		const { page, extension } = await open((fake) => {
			fake.ledger.rows = [ledgerRow(2), ledgerRow(1)];
		});
		await page.getByRole('button', { name: 'Read file-1.ts' }).waitFor();
		extension.peer.notify(ledgerPageNotifications.filter, { filter: { ...NO_LEDGER_FILTER, line: 'file-2' } });
		await page.getByRole('button', { name: 'Read file-1.ts' }).waitFor({ state: 'detached' });
		extension.peer.notify(ledgerPageNotifications.search, {});
		await page.locator('input[type=search]:focus').waitFor();
		assert.equal(await page.getByRole('searchbox').inputValue(), 'file-2');
	});

	it('says what is damaged and what to do, and checks again once that is acknowledged', async () => {
		const { page } = await open((fake) => {
			fake.ledger.verdict = {
				state: 'damaged',
				text: 'The ledger is damaged. Rows: 7. Chains: 1.',
				problems: ['Chain host_a, row 5: its content does not match its hash'],
				advice: 'Export the ledger and compare it with a copy you trust.',
				canAcknowledge: true,
			};
		});
		await page.getByText('Chain host_a, row 5: its content does not match its hash').waitFor();
		await page.getByText('compare it with a copy you trust').waitFor();
		await page.getByRole('button', { name: 'Acknowledge…' }).press('Enter');
		await page.getByText('Verified: no row was changed').waitFor();
		assert.equal(await page.getByRole('button', { name: 'Acknowledge…' }).count(), 0);
	});

	for (const width of [300, 900]) {
		it(`is a table without anything that axe finds and without a scroll bar across, ${width} px wide`, async () => {
			const { page } = await open((fake) => {
				fake.ledger.rows = [
					ledgerRow(3, { end: 'failed', result: 'Exit code 3' }),
					ledgerRow(2, { what: `Run ${'x'.repeat(400)}`, doer: 'skill/greet' }),
					ledgerRow(1, { thread: null }),
				];
				fake.ledger.entries.set('op_3', [
					{ title: 'Outcome', facts: [{ label: 'Result', text: 'y'.repeat(300) }], hashes: [] },
				]);
			}, width);
			await page.getByRole('button', { name: 'Read file-3.ts' }).click();
			await page.getByRole('heading', { name: 'Outcome' }).waitFor();
			assert.equal(await page.getByRole('columnheader').count(), 5);
			assert.equal(await page.getByRole('row').count(), 5);
			const overflow = await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth);
			assert.equal(overflow, 0);
			assert.deepEqual(await violations(page), []);
		});
	}
});
