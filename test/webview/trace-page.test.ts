/** Real Chromium with the extension's policy: the page of how a turn went, from what the extension tells it. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { newId } from '../../src/protocol/rpc/ids.ts';
import { tracePageNotifications } from '../../src/protocol/pages/trace-page.ts';
import { second, tracedTurn } from './support/fake-traces.ts';
import { HOSTILE } from './support/hostile-markdown.ts';
import { waitFor } from '../support/wait-for.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';

describe('webview: the page of a trace', function () {
	this.timeout(60_000);
	const views = useViews();
	const open = (prepare: NonNullable<Parameters<typeof views.open>[0]>['prepare'], width = 900) =>
		views.open({ face: 'trace', width, ...(prepare === undefined ? {} : { prepare }) });
	const rows = (page: Page) =>
		page
			.getByRole('row')
			.filter({ has: page.getByRole('cell') })
			.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent?.trim())));
	const step = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

	it('runs, requests and follows nothing, whatever was called', async () => {
		const { page, offences } = await open((fake) => {
			const items = HOSTILE.map((text) => ({
				at: second(1),
				kind: 'tool' as const,
				text,
				status: text,
				error: text,
				model: text,
			}));
			const stages = HOSTILE.map((text) => ({
				stage: text,
				startedAt: second(0),
				durationMs: 1,
				outcome: text,
				facts: { [text]: text },
			}));
			fake.traces.turns = [tracedTurn({ items, stages, modelId: HOSTILE[0] ?? '' })];
		});
		await page.getByRole('row').nth(3).waitFor();
		await page.locator('.ledger-open').first().press('Enter');
		assert.deepEqual(offences, []);
		assert.equal(await page.locator('script:not([nonce]), iframe, img, a[href], [onerror]').count(), 0);
	});

	it('says that nothing was asked yet, that nothing was kept of a turn, and why nothing can be read', async () => {
		const { page, extension } = await open(undefined);
		await page.getByText('Nothing has been asked in this thread yet.').waitFor();
		extension.traces.turns = [tracedTurn({ status: 'interrupted', stages: [], items: [] })];
		extension.peer.notify(tracePageNotifications.changed, {});
		await page.getByText('Nothing was kept of this turn before it ended.').waitFor();
		extension.traces.read = () => {
			throw new Error('the server does not answer');
		};
		extension.peer.notify(tracePageNotifications.changed, {});
		await page.getByRole('alert').waitFor();
	});

	it('shows each stage, request, call, cut and verdict with when, how long and how it ended', async () => {
		const { page } = await open((fake) => {
			fake.traces.turns = [tracedTurn()];
		});
		await page.getByRole('table', { name: 'Timeline' }).waitFor();
		assert.deepEqual(await rows(page), [
			['Find the model', 'after 0 ms', '5 ms', 'Done'],
			['Ask the model and run its calls', 'after 100 ms', '3.8 s', 'Done'],
			['Request to test/scripted', 'after 200 ms', '1.0 s', 'Done'],
			['Read src/cart.ts', 'after 1.3 s', '12 ms', 'Done'],
			['Repeated call: Read src/cart.ts', 'after 1.4 s', '', 'The model was warned'],
			['Request to test/scripted for a summary', 'after 1.5 s', '900 ms', 'Done'],
			['12 older messages left', 'after 2.5 s', '', ''],
			['Read b.ts', 'after 2.6 s', '', 'FailedNOT_FOUND'],
			['Request to test/scripted', 'after 2.7 s', '1.0 s', 'Done'],
			['End the turn', 'after 3.9 s', '1 ms', 'Done'],
		]);
		const outcome = page.getByRole('status', { name: 'Outcome' });
		for (const text of ['Done', 'test/scripted', '4.0 s', '1,220', '15', '$0.25']) {
			await outcome.getByText(text, { exact: true }).waitFor();
		}
		const [first, last] = await page.locator('.trace-span').evaluateAll((bars) => {
			const places = bars.map((bar) => Number(bar.getAttribute('x')));
			return [places[0], places.at(-1)];
		});
		assert.ok(first === 0 && last !== undefined && last > 900, `${first} ${last}`);
	});

	it('shows how long a call waited for the user apart from its own time, and no code of a denial', async () => {
		const { page } = await open((fake) => {
			const call = { kind: 'tool' as const, text: 'Run npm test', opId: newId('op'), durationMs: 7, waitedMs: 99_000 };
			const denied = { ...call, at: second(1), status: 'denied', error: 'DENIED_BY_USER' };
			fake.traces.turns = [tracedTurn({ endedAt: second(101), items: [denied] })];
		});
		await page.getByRole('table', { name: 'Timeline' }).waitFor();
		const row = (await rows(page)).find(([title]) => title === 'Run npm test');
		assert.deepEqual(row, ['Run npm test', 'after 1.0 s', '7 mswaited for you: 1 min 39 s', 'Denied']);
		assert.equal(await page.locator('.trace-wait').count(), 1);
	});

	it('opens by the keyboard what else is known of a row: tokens, attempts, and the way to the ledger', async () => {
		const steps = [
			{ from: 'Idle', event: 'Start', to: 'Selecting' },
			{ from: 'Attempting', event: 'RetryableError', to: 'Retrying', about: 'PROVIDER_OVERLOADED' },
		];
		const turn = tracedTurn({ status: 'failed', error: { code: 'PROVIDER_AUTH', message: 'no', facts: {} } });
		const [auth, execute, end] = turn.stages;
		assert.ok(auth !== undefined && execute !== undefined && end !== undefined);
		turn.stages = [auth, { ...execute, outcome: 'PROVIDER_AUTH', facts: { failovers: [steps] } }, end];
		const { page, extension } = await open((fake) => {
			fake.traces.turns = [turn];
		});
		await step(page, 'Ask the model and run its calls').press('Enter');
		await page.getByRole('heading', { name: 'A request that took 2 steps' }).waitFor();
		await page.getByText('Attempting ─RetryableError→ Retrying · PROVIDER_OVERLOADED').waitFor();
		await page.getByRole('status', { name: 'Outcome' }).getByText('(PROVIDER_AUTH)').waitFor();
		await step(page, 'Read src/cart.ts').first().press('Enter');
		assert.equal(await step(page, 'Ask the model and run its calls').getAttribute('aria-expanded'), 'false');
		await step(page, 'Show in Ledger').press('Enter');
		assert.deepEqual((await extension.called('tracePage/showRecorded', 0)).params, { opId: turn.items[1]?.opId });
		await step(page, 'Copy as Text').press('Enter');
		assert.deepEqual((await extension.called('tracePage/copyText', 0)).params, { turnId: turn.turnId });
	});

	it('shows another turn where one is chosen, keeps which, and follows what another place wants to see', async () => {
		const [newest, older] = [tracedTurn({ modelId: 'test/newest' }), tracedTurn({ modelId: 'test/older' })];
		const { page, extension } = await open((fake) => {
			fake.traces.turns = [newest, older];
		});
		await page.getByText('test/newest', { exact: true }).waitFor();
		await page.getByRole('combobox', { name: 'Turn' }).selectOption({ index: 1 });
		await page.getByText('test/older', { exact: true }).waitFor();
		const { threadId } = extension.traces.shown;
		await page.waitForFunction(
			(kept) => sessionStorage.getItem('state') === kept,
			JSON.stringify({ threadId, turnId: older.turnId }),
		);
		extension.peer.notify(tracePageNotifications.show, { threadId, turnId: newest.turnId });
		await page.getByText('test/newest', { exact: true }).waitFor();
	});

	it('shows the turn that was chosen last, also when a running one is read again meanwhile', async () => {
		const running = tracedTurn({ status: 'running', endedAt: null, modelId: 'test/running' });
		const older = tracedTurn({ modelId: 'test/older' });
		const { page, extension } = await open((fake) => {
			fake.traces.turns = [running, older];
		});
		await page.getByText('test/running', { exact: true }).waitFor();
		const read = extension.traces.read.bind(extension.traces);
		const asked: (string | null)[] = [];
		extension.traces.read = (shown) => {
			asked.push(shown.turnId);
			if (asked.length === 1) throw new Error('no answer');
			return read(shown);
		};
		await page.getByRole('combobox', { name: 'Turn' }).selectOption({ index: 1 });
		await waitFor('the next request', () => asked.length > 1);
		assert.deepEqual(new Set(asked), new Set([older.turnId]));
		await page.getByText('test/older', { exact: true }).waitFor();
	});

	it('reads a running turn again until it has ended', async () => {
		const running = tracedTurn({ status: 'running', endedAt: null });
		const { page, extension } = await open((fake) => {
			fake.traces.turns = [running];
		});
		await page.getByRole('status', { name: 'Outcome' }).getByText('Running').waitFor();
		extension.traces.turns = [{ ...running, status: 'stopped', endedAt: second(4) }];
		await page.getByRole('status', { name: 'Outcome' }).getByText('Stopped').waitFor();
	});

	for (const width of [300, 900]) {
		it(`is a table without anything that axe finds and without a scroll bar across, ${width} px wide`, async () => {
			const { page } = await open((fake) => {
				const { items } = tracedTurn();
				fake.traces.turns = [
					tracedTurn({
						items: [...items, { at: second(3), kind: 'tool', text: `Run ${'x'.repeat(400)}`, status: 'running' }],
					}),
				];
			}, width);
			await step(page, 'Ask the model and run its calls').click();
			await page.getByText('Execute', { exact: true }).waitFor();
			assert.equal(await page.getByRole('columnheader').count(), 4);
			const overflow = await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth);
			assert.equal(overflow, 0);
			assert.deepEqual(await violations(page), []);
		});
	}

	describe('replays a turn', () => {
		const replay = (page: Page) => page.getByRole('button', { name: 'Replay This Turn' });

		it('only where it is recorded, and otherwise records the next one', async () => {
			const turn = tracedTurn();
			const { page, extension } = await open((fake) => {
				fake.traces.turns = [turn];
			});
			const record = page.getByRole('button', { name: 'Record the Next Turn' });
			await record.click();
			await page.getByText('The next turn of this thread is recorded', { exact: false }).waitFor();
			assert.equal(await record.count(), 0);
			assert.equal(await replay(page).count(), 0);
			extension.traces.replayed = 'waits';
			extension.peer.notify(tracePageNotifications.changed, {});
			await replay(page).waitFor();
			assert.equal(await page.getByText('recorded', { exact: false }).count(), 0);
			extension.traces.turns = [tracedTurn({ status: 'running', endedAt: null })];
			extension.peer.notify(tracePageNotifications.changed, {});
			await replay(page).waitFor({ state: 'detached' });
		});

		it('until it is stopped, and says why a replay cannot be made', async () => {
			const { page, extension } = await open((fake) => {
				fake.traces.turns = [tracedTurn()];
				fake.traces.replayed = 'waits';
			});
			await replay(page).click();
			await page.getByText('Runs the turn again, without a network and without effects…').waitFor();
			await page.getByRole('button', { name: 'Stop Replay' }).click();
			await replay(page).waitFor();
			await waitFor('the end of the replay', () => extension.traces.isReplayStopped);
			assert.equal(await page.getByRole('alert').count(), 0);
			extension.traces.replayed = undefined;
			await replay(page).click();
			await page.getByRole('alert').waitFor();
		});

		it('and shows that it came to the same, or the first difference, of which nothing acts', async () => {
			const counts = { requests: 3, ops: 7 };
			const { page, extension, offences } = await open((fake) => {
				fake.traces.turns = [tracedTurn()];
				fake.traces.replayed = { ...counts, end: 'whole', chain: 'a'.repeat(64) };
			});
			await replay(page).click();
			await page.getByText('Same to the end: 3 requests to models and 7 ops were the same.').waitFor();
			await page.getByText('a'.repeat(64)).waitFor();
			assert.deepEqual(await violations(page), []);
			extension.traces.replayed = { ...counts, end: 'cut' };
			await replay(page).click();
			await page.getByText('Same as far as the recording goes: 3 requests to models and 7 ops.').waitFor();
			const lines = ['  same', '- 1 needle', '+ 1 nettle', ...HOSTILE.map((text) => `+ ${text}`)];
			const what = `the request to ${HOSTILE[0] ?? ''}`;
			const difference = { step: 20, what, path: 'request.messages[2].text', lines };
			extension.traces.replayed = { ...counts, end: 'whole', difference };
			await replay(page).click();
			await page.locator('.diff-line.removed', { hasText: '- 1 needle' }).waitFor();
			await page.locator('.diff-line.added', { hasText: '+ 1 nettle' }).waitFor();
			await page.getByText('request.messages[2].text').waitFor();
			assert.deepEqual(offences, []);
			assert.deepEqual(await violations(page), []);
			assert.equal(await page.locator('script:not([nonce]), iframe, img, a[href], [onerror]').count(), 0);
		});
	});
});
