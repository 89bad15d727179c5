/**
 * Cards of calls: where a title is cut, what a command or a capability that runs shows and lets its user do, and what
 * stays of one that was stopped.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { newId, type TurnId } from '../../src/protocol/rpc/ids.ts';
import { inEnglish, text } from '../../src/protocol/text/text.ts';
import type { ToolItem } from '../../src/protocol/thread/items.ts';
import { MAX_STEPS_KEPT, type RunStep } from '../../src/protocol/turn/run-steps.ts';
import { AT, type FakeThread } from './support/fake-thread.ts';
import { useViews } from './support/suite.ts';
import { THEME_NAMES } from './support/themes.ts';
import { showTheme, violations } from './support/violations.ts';
import { only, withThread } from './support/with-thread.ts';

const artifacts = fileURLToPath(new URL('../../artifacts', import.meta.url));

describe('webview: the card of a call', function () {
	this.timeout(60_000);
	const views = useViews();
	before(() => mkdirSync(artifacts, { recursive: true }));

	function call(thread: FakeThread, turnId: TurnId, given: Partial<ToolItem> = {}): ToolItem {
		const item: ToolItem = {
			id: newId('itm'),
			turnId,
			at: AT,
			kind: 'tool',
			opId: newId('op'),
			tool: 'shell_run',
			title: 'Run npm run watch',
			input: { argv: ['npm', 'run', 'watch'] },
			status: 'running',
			output: '',
			outputTruncated: false,
			startedAt: new Date().toISOString(),
			...given,
		};
		thread.emit({ type: 'item.start', item });
		return item;
	}

	it('says which mode leaves it out, and leads to the one that has it', async () => {
		const { page, extension } = await views.open({ width: 255, ...withThread });
		const thread = only(extension);
		await page.getByRole('log').getByText('The first answer').waitFor();
		const reason = text('In the mode Ask the agent only reads and answers.');
		const error = { code: 'DENIED_BY_RULE' as const, message: 'for the model', facts: { mode: 'ask', reason } };
		call(thread, thread.begin('go on'), { status: 'failed', title: 'Run npm test', error });
		await page.getByText('Not allowed. In the mode Ask the agent only reads and answers.').waitFor();
		assert.deepEqual(await violations(page), []);
		for (const theme of THEME_NAMES) {
			await showTheme(page, theme);
			await page.screenshot({ path: join(artifacts, `refused-255-${theme}.png`) });
		}
		const set = extension.called('thread/set');
		await page.getByRole('button', { name: 'Switch to Agent' }).click();
		assert.deepEqual((await set).params, { threadId: thread.id, mode: 'agent' });
	});

	it('that waits for its user is not shown as work, and is again once they have answered', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		await page.getByRole('log').getByText('The first answer').waitFor();
		const { id } = call(thread, thread.begin('go on'));
		const working = page.getByRole('log').getByText('Working…');
		await working.waitFor();
		thread.emit({ type: 'item.tool', itemId: id, patch: { status: 'waiting' } });
		await working.waitFor({ state: 'detached' });
		thread.emit({ type: 'item.tool', itemId: id, patch: { status: 'running' } });
		await working.waitFor();
	});

	it('says until when it waits for room in a minute, and no more once it runs', async () => {
		const { page, extension } = await views.open({ width: 255, ...withThread });
		const thread = only(extension);
		const until = new Date(Date.now() + 30_000);
		const { id } = call(thread, thread.begin('go on'), { status: 'pending', startedAt: undefined });
		await page.getByText('pending', { exact: true }).waitFor();
		thread.emit({ type: 'item.tool', itemId: id, patch: { paced: { limit: 60, until: until.toISOString() } } });
		await page.getByText('waits', { exact: true }).waitFor();
		await page.getByText(/It continues at .*\d:\d\d:\d\d/).waitFor();
		const why = page.getByText(
			'This thread made 60 tool calls within a minute, the limit of prowess.quotas.toolCallsPerMinute.',
		);
		await why.waitFor();
		assert.deepEqual(await violations(page), []);
		for (const theme of THEME_NAMES) {
			await showTheme(page, theme);
			await page.screenshot({ path: join(artifacts, `paced-255-${theme}.png`) });
		}
		thread.emit({ type: 'item.tool', itemId: id, patch: { status: 'running', startedAt: new Date().toISOString() } });
		await why.waitFor({ state: 'detached' });
	});

	it('has buttons only for a command that runs, here, for a while', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const turnId = thread.begin('watch it');
		const since = new Date(Date.now() - 60_000).toISOString();
		call(thread, turnId, { tool: 'http_get', title: 'Get a page', startedAt: since });
		call(thread, turnId, { title: 'Run it', status: 'waiting', startedAt: since });
		call(thread, turnId, { title: 'Run an ended one', status: 'done', exitCode: 0, durationMs: 60_000 });
		const stop = page.getByRole('button', { name: 'Stop this command' });
		await page.getByText('Run an ended one').waitFor();
		assert.equal(await stop.count(), 0);
		call(thread, turnId);
		await stop.waitFor();
		assert.equal(await stop.count(), 1);
		thread.emit({ type: 'thread.changed', info: { ...thread.snapshot.info, heldBy: 'cli' } });
		await stop.waitFor({ state: 'detached' });
	});

	for (const width of [255, 900]) {
		it(`lets one command be stopped, go on and be looked at, at ${width} px`, async () => {
			const { page, extension } = await views.open({ width, ...withThread });
			const thread = only(extension);
			const { opId, title, id } = call(thread, thread.begin('watch it'));
			for (const [name, method, params] of [
				['Show in terminal', 'view/showInTerminal', { opId, title }],
				['Continue in background', 'view/continueInBackground', { opId }],
				['Stop this command', 'view/stopCommand', { opId }],
			] as const) {
				const asked = extension.called(method);
				await page.getByRole('button', { name }).click();
				assert.deepEqual((await asked).params, params);
			}
			assert.deepEqual(await violations(page), []);
			for (const theme of ['light', 'dark'] as const) {
				await showTheme(page, theme);
				await page.screenshot({ path: join(artifacts, `card-running-${width}-${theme}.png`) });
			}
			thread.emit({ type: 'item.tool', itemId: id, patch: { status: 'done', inBackground: true, exitCode: null } });
			await page.getByText('in the background', { exact: true }).waitFor();
			assert.equal(await page.getByRole('button', { name: 'Stop this command' }).count(), 0);
			await page.getByRole('button', { name: /^Run npm run watch/ }).click();
			await page.getByRole('button', { name: 'Stop this command' }).waitFor();
			assert.equal(await page.getByRole('button', { name: 'Continue in background' }).count(), 0);
		});
	}

	it('keeps what a command had said when it was stopped, apart from what the agent was told', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const turnId = thread.begin('watch it');
		const error = { code: 'CANCELLED' as const, message: 'shell.run was stopped', facts: {} };
		call(thread, turnId, {
			title: 'Run a',
			status: 'cancelled',
			error,
			told: 'CANCELLED: stopped',
			output: 'tick 7\n',
		});
		call(thread, turnId, { title: 'Run b', status: 'cancelled', exitCode: null, output: 'tock 3\n[stopped]' });
		thread.end(turnId);
		await page.getByRole('button', { name: /^Run a/ }).click();
		await page.getByLabel('Output').getByText('tick 7').waitFor();
		assert.equal(await page.getByText('CANCELLED: stopped').count(), 0);
		await page.getByRole('button', { name: 'What the agent was told' }).click();
		await page.getByText('CANCELLED: stopped').waitFor();
		await page.getByRole('button', { name: /^Run b/ }).click();
		await page.getByText('You stopped this command. The agent went on with what it had said.').waitFor();
		assert.deepEqual(await violations(page), []);
	});

	it('opens the whole of an output that is shortened, once it has ended', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const turnId = thread.begin('watch it');
		const { id, opId } = call(thread, turnId, { output: 'a part', outputTruncated: true });
		await page.getByRole('button', { name: /^Run npm run watch/ }).click();
		await page.getByText('Output shortened.').waitFor();
		const open = page.getByRole('button', { name: 'Open full output' });
		assert.equal(await open.count(), 0);
		thread.emit({ type: 'item.tool', itemId: id, patch: { status: 'done', exitCode: 0 } });
		const asked = extension.called('view/showOutput');
		await open.click();
		assert.deepEqual((await asked).params, { opId });
	});

	it('shows what the user answered to a question', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const asked = { tool: 'user_ask', title: 'Ask: Which currency?', input: { question: 'Which currency?' } };
		call(thread, thread.begin('go'), { ...asked, status: 'done', output: 'Euro (€)', durationMs: 4_000 });
		await page.getByText('You: Euro (€)').waitFor();
	});

	it('shows no plan, which stands above the input, while it is stored', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const turnId = thread.begin('go');
		call(thread, turnId, { tool: 'todo_write', title: 'Plan: 0 of 2 done' });
		call(thread, turnId, { tool: 'todo_write', title: 'Plan: bad', status: 'failed' });
		await page.getByText('Plan: bad').waitFor();
		assert.equal(await page.getByText('Plan: 0 of 2 done').count(), 0);
	});

	it('cuts folders of a long path, not the name at its end', async () => {
		const { page, extension } = await views.open({ width: 255, ...withThread });
		const thread = only(extension);
		const turnId = thread.begin('go');
		const path = 'packages/application/src/components/transcript/tool-card.tsx';
		const read = { tool: 'fs_read', title: `Read ${path}`, input: { path }, status: 'done' as const, durationMs: 9 };
		call(thread, turnId, read);
		const long = `src/${'a-very-long-name-of-a-file-'.repeat(4)}.ts`;
		call(thread, turnId, { ...read, title: `Read ${long}`, input: { path: long } });
		const name = page.locator('.title-name');
		await name.nth(1).waitFor();
		const isCut = (element: Element) => element.scrollWidth > element.clientWidth;
		const end = page.locator('.title-end');
		assert.equal(`${await name.first().innerText()}${await end.first().innerText()}`, 'tool-card.tsx');
		assert.equal(await name.first().evaluate(isCut), false);
		assert.equal(await end.nth(1).innerText(), 'a-file-.ts');
		assert.equal(await end.nth(1).evaluate(isCut), false);
		assert.equal(await page.locator('.title-folders').first().evaluate(isCut), true);
		assert.equal(await name.nth(1).evaluate(isCut), true);
		assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
		await page.screenshot({ path: join(artifacts, 'card-paths-255.png') });
	});
});

describe('webview: the card of a running capability', function () {
	this.timeout(60_000);
	const views = useViews();
	before(() => mkdirSync(artifacts, { recursive: true }));

	const power = (turnId: TurnId, given: Partial<ToolItem> = {}): ToolItem => ({
		id: newId('itm'),
		turnId,
		at: AT,
		kind: 'tool',
		opId: newId('op'),
		tool: 'capability_start',
		title: 'Run power code-review',
		said: text('Run {what}', { what: 'power code-review' }),
		input: { name: 'code-review' },
		status: 'running',
		output: '',
		outputTruncated: false,
		startedAt: new Date().toISOString(),
		...given,
	});
	const step = (id: number, given: Partial<RunStep> = {}): RunStep => {
		const said = text('Read {path}', { path: `src/shop/checkout/total-of-basket-${id}.ts` });
		const at = new Date().toISOString();
		return {
			id,
			kind: 'op',
			at,
			status: 'done',
			title: inEnglish(said),
			said,
			op: 'fs.read',
			durationMs: 12,
			...given,
		};
	};
	const sample: readonly RunStep[] = [
		step(1),
		step(2, {
			kind: 'model',
			title: 'Ask sonnet',
			said: text('Ask {model}', { model: 'sonnet' }),
			words: 'I look at the totals first.',
			durationMs: 4_200,
		}),
		step(3, {
			kind: 'report',
			title: 'Read \u202e12 of 40 files',
			said: undefined,
			fraction: 0.3,
			durationMs: undefined,
		}),
		step(4, { status: 'failed', error: { code: 'NOT_FOUND', message: 'not there', facts: { path: 'src/gone.ts' } } }),
		step(5, {
			from: 'skill todo-report',
			title: 'Run npm test',
			said: text('Run {command}', { command: 'npm test' }),
			status: 'waiting',
			durationMs: undefined,
		}),
		step(6, {
			kind: 'model',
			title: 'Ask sonnet',
			said: text('Ask {model}', { model: 'sonnet' }),
			status: 'running',
			durationMs: undefined,
		}),
	];

	it('cuts the words of its title, not the name at its end', async () => {
		const { page, extension } = await views.open({ width: 300, ...withThread });
		const thread = only(extension);
		const turnId = thread.begin('go');
		const given = { status: 'cancelled', durationMs: 4_000, input: { name: 'power/code-review' } } as const;
		const title = 'Run capability power/code-review';
		thread.emit({ type: 'item.start', item: power(turnId, { ...given, title, said: undefined }) });
		const name = page.locator('.title-name', { hasText: 'code-review' });
		await name.waitFor();
		const isCut = (element: Element) => element.scrollWidth > element.clientWidth;
		assert.equal(await name.evaluate(isCut), false);
		assert.equal(await page.locator('.title-folders').evaluate(isCut), true);
	});

	for (const width of [300, 900]) {
		it(`shows the last steps while it runs, all on request, one line at its end, at ${width} px`, async () => {
			const { page, extension } = await views.open({ width, ...withThread });
			const thread = only(extension);
			const item = power(thread.begin('Review my changes'));
			thread.emit({ type: 'item.start', item });
			for (const each of sample) thread.emit({ type: 'item.step', itemId: item.id, step: each });
			const list = page.getByRole('list', { name: 'Steps of Run power code-review' });
			const lines = list.getByRole('listitem');
			await list.getByText('Waits for your answer').waitFor();
			assert.equal(await lines.count(), 4);
			assert.match((await lines.first().textContent()) ?? '', /^Read \\u\{202e\}12 of 40 files30 %/);
			const all = page.getByRole('button', { name: '6 steps' });
			await all.click();
			assert.equal(await lines.count(), 6);
			assert.match((await list.getByText('sonnet').first().textContent()) ?? '', /I look at the totals first/);
			assert.deepEqual(await violations(page), []);
			for (const theme of THEME_NAMES) {
				await showTheme(page, theme);
				await page.screenshot({ path: join(artifacts, `run-steps-${width}-${theme}.png`) });
			}
			await all.click();
			const asked = extension.called('view/stopRun');
			await page.getByRole('button', { name: 'Stop this run' }).click();
			assert.deepEqual((await asked).params, { opId: item.opId });
			thread.emit(
				{ type: 'item.step', itemId: item.id, step: step(6, { kind: 'model', status: 'cancelled' }) },
				{ type: 'item.tool', itemId: item.id, patch: { status: 'cancelled', durationMs: 9_000 } },
			);
			await list.waitFor({ state: 'detached' });
			assert.equal(await page.getByRole('button', { name: 'Stop this run' }).count(), 0);
			await page.getByRole('button', { name: /^Run power code-review/ }).click();
			await page.getByText('You stopped this run. The agent went on without its result.').waitFor();
		});
	}

	it('has the words of a step in whole lines where the chat is narrow, and its state below them', async () => {
		const { page, extension } = await views.open({ width: 200, ...withThread });
		const thread = only(extension);
		const title = 'Run a sub-turn: Carry out the power';
		const steps = [step(1), step(2, { title, said: undefined, status: 'interrupted' })];
		thread.emit({ type: 'item.start', item: power(thread.begin('go'), { status: 'interrupted', steps }) });
		await page.getByRole('button', { name: '2 steps' }).click();
		const line = page.locator('.step.interrupted');
		const words = await line.locator('.step-text').boundingBox();
		const state = await line.locator('.step-state').boundingBox();
		assert.ok(words && state && state.y >= words.y + words.height);
		assert.ok(words.width > 0.7 * ((await line.boundingBox())?.width ?? Infinity));
		await page.screenshot({ path: join(artifacts, 'run-steps-200.png') });
	});

	it('has its steps again in a new page, without a stop of what is over or runs elsewhere', async () => {
		const { page } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				const thread = only(fake);
				const turnId = thread.begin('Review my changes');
				const over = { status: 'interrupted' as const, durationMs: undefined };
				thread.emit({
					type: 'item.start',
					item: power(turnId, { status: 'interrupted', steps: [step(1), step(2, over)] }),
				});
				const end = step(3, { kind: 'end', said: text('The run was not followed to its end'), status: 'unfollowed' });
				const left = power(turnId, {
					status: 'done',
					inBackground: true,
					title: 'Run it',
					said: text('Run it'),
					steps: [end],
				});
				thread.emit({ type: 'item.start', item: left });
			},
		});
		await page.getByRole('button', { name: '2 steps' }).click();
		await page.getByRole('list', { name: 'Steps of Run power code-review' }).getByText('interrupted').waitFor();
		await page.getByRole('button', { name: '3 steps' }).click();
		await page.getByText('2 earlier steps are not kept.').waitFor();
		await page.getByText('not followed further').waitFor();
		assert.equal(await page.getByRole('button', { name: 'Stop this run' }).count(), 0);
	});

	it('can be stopped while it has shown nothing yet, and in the background until it has ended', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const turnId = thread.begin('Review my changes');
		const since = new Date(Date.now() - 60_000).toISOString();
		const silent = power(turnId, { startedAt: since });
		thread.emit({ type: 'item.start', item: silent });
		const stop = page.getByRole('button', { name: 'Stop this run' });
		await stop.waitFor();
		thread.emit(
			{ type: 'item.step', itemId: silent.id, step: step(1, { status: 'running' }) },
			{ type: 'item.tool', itemId: silent.id, patch: { status: 'done', inBackground: true } },
		);
		await page.getByText('in the background', { exact: true }).waitFor();
		assert.equal(await stop.count(), 1);
		thread.emit({ type: 'item.step', itemId: silent.id, step: step(2, { kind: 'end' }) });
		await stop.waitFor({ state: 'detached' });
		thread.emit({ type: 'item.start', item: power(turnId, { startedAt: since }) });
		await stop.waitFor();
		thread.emit({ type: 'thread.changed', info: { ...thread.snapshot.info, heldBy: 'cli' } });
		await stop.waitFor({ state: 'detached' });
	});

	it('draws a fixed number of lines however much it reports', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const item = power(thread.begin('Review my changes'));
		thread.emit({ type: 'item.start', item });
		for (let batch = 0; batch < 20; batch += 1) {
			const steps = Array.from({ length: MAX_STEPS_KEPT }, (_, at) => step(batch * MAX_STEPS_KEPT + at + 1));
			thread.emit(...steps.map((each) => ({ type: 'item.step' as const, itemId: item.id, step: each })));
		}
		await page.getByRole('button', { name: '2000 steps' }).click();
		assert.equal(await page.locator('.run-steps li').count(), MAX_STEPS_KEPT);
		await page.getByText('1900 earlier steps are not kept.').waitFor();
	});
});
