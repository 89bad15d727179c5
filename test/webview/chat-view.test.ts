/** The flows a user goes through, in a real Chromium against a fake extension. */
import assert from 'node:assert/strict';
import { viewNotifications } from '../../src/protocol/pages/chat-view.ts';
import type { ModelInfo } from '../../src/protocol/turn/models.ts';
import { ProwessError } from '../../src/protocol/errors/errors.ts';
import { NOTICE_TEXTS } from '../../src/protocol/text/notice-texts.ts';
import { newId, type TurnId } from '../../src/protocol/rpc/ids.ts';
import type { NoticeAction } from '../../src/protocol/thread/items.ts';
import { AT } from './support/fake-thread.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';
import { only, withThread } from './support/with-thread.ts';

describe('webview: chat view', function () {
	this.timeout(30_000);
	const views = useViews();

	it('streams Markdown: finished blocks keep their elements, code is coloured when it is finished', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const id = thread.startText(thread.begin('code'), '# Title\n\nA paragraph.\n\n');
		thread.delta(id, '```ts\nconst a = 1;\n');
		const heading = page.getByRole('heading', { name: 'Title' });
		await heading.waitFor();
		await heading.evaluate((element) => element.setAttribute('data-same', 'yes'));
		assert.equal(await page.locator('.hljs-keyword').count(), 0);
		thread.delta(id, '```\n\nThe end');
		await page.locator('.hljs-keyword').waitFor();
		assert.equal(await heading.getAttribute('data-same'), 'yes');
		const copied = extension.called('view/copy');
		await page.getByRole('button', { name: 'Copy code' }).click();
		assert.deepEqual((await copied).params, { text: 'const a = 1;' });
	});

	it('says above an answer that another model gave it, also where its name holds what is no text', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const turnId = thread.begin('which model are you?');
		const served = { asked: 'gpt-5', by: '<img src=x>-mini' };
		const item = { id: newId('itm'), turnId, at: AT, kind: 'text' as const, text: 'A small one.', done: true, served };
		thread.emit({ type: 'item.start', item });
		thread.startText(turnId, 'And again.');
		await page.getByText('And again.').waitFor();
		const notes = await page.locator('.message-note').allTextContents();
		assert.deepEqual(notes, ['The endpoint answered with the model <img src=x>-mini; gpt-5 was asked.']);
		assert.equal(await page.locator('.message-note img').count(), 0);
	});

	it('keeps the message when it cannot be sent, and says why', async () => {
		const { page, extension } = await views.open();
		await page.locator('.empty-state').waitFor();
		extension.promptFailure = new ProwessError('NO_MODEL', 'no model is connected');
		await page.locator('.composer-field').fill('do it');
		await page.keyboard.press('Enter');
		await page.getByRole('alert').filter({ hasText: 'No model is connected yet.' }).waitFor();
		assert.equal(await page.locator('.composer-field').inputValue(), 'do it');
		extension.promptFailure = undefined;
		const prompted = extension.called('thread/prompt');
		await page.keyboard.press('Enter');
		assert.equal(((await prompted).params as { text: string }).text, 'do it');
		await page.waitForFunction(() => document.querySelector('textarea')?.value === '');
		assert.equal(extension.calls.filter(({ method }) => method === 'thread/create').length, 1);
	});

	it('counts down to the next try, offers the next model meanwhile, and says afterwards what was done', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const turnId = thread.begin('go on');
		const error = {
			code: 'PROVIDER_RATE_LIMITED' as const,
			message: 'slow down',
			facts: { provider: 'p', said: 'slow down' },
		};
		const notice = { turnId, kind: 'notice' as const, level: 'info' as const, text: 'In English.', actions: [] };
		const at = new Date().toISOString();
		thread.emit({
			type: 'item.start',
			item: { ...notice, id: newId('itm'), at, attempt: { error, waitMs: 50_000, next: 'p1/m' } },
		});
		await page.getByText(/Trying again in \d+ s\./).waitFor();
		const skipped = extension.called('thread/useNext');
		await page.getByRole('button', { name: 'Use p1/m now' }).click();
		assert.deepEqual((await skipped).params, { threadId: thread.id });
		const attempt = { error, failed: 'p0/m', next: 'p1/m' };
		thread.emit({ type: 'item.start', item: { ...notice, id: newId('itm'), at, attempt } });
		await page.getByText(/^Note: p0\/m: .* p1\/m answers now\.$/).waitFor();
		assert.equal(await page.getByText(/Trying again|Tried again/).count(), 0);
		const unusable = { error, failed: 'p2/m' };
		thread.emit({ type: 'item.start', item: { ...notice, id: newId('itm'), at, attempt: unusable } });
		await page.getByText(/^Note: p2\/m: The rate limit[^.]*\.$/).waitFor();
		const passedOver = { provider: 'p0', faults: 4, next: 'p1/m' };
		thread.emit({ type: 'item.start', item: { ...notice, id: newId('itm'), at, passedOver } });
		await page.getByText('Note: p0 is paused after 4 faults; p1/m answers.').waitFor();
		const last = { error, waitMs: 50_000, next: 'p1/m' };
		thread.emit({ type: 'item.start', item: { ...notice, id: newId('itm'), at, attempt: last } });
		await page.getByText(/Trying again in \d+ s\./).waitFor();
		thread.emit({ type: 'turn.end', turnId, outcome: 'done', durationMs: 1 });
		await page.getByText(/Tried again after 50 s\./).waitFor();
		assert.equal(await page.getByRole('button', { name: 'Use p1/m now' }).count(), 0);
	});

	it('lists the instructions that the model was told, opens one, and names what was left out', async () => {
		const { page, extension } = await views.open(withThread);
		const turnId = only(extension).begin('go on');
		const item = {
			id: newId('itm'),
			turnId,
			at: AT,
			kind: 'instructions' as const,
			files: [
				{ path: 'AGENTS.md', omitted: 0 },
				{ path: 'web/CLAUDE\u202e.md', omitted: 7 },
			],
			left: [{ path: 'GEMINI.md', reason: 'outside' as const }],
		};
		only(extension).emit({ type: 'item.start', item });
		await page.getByRole('button', { name: 'Instructions: AGENTS.md and 1 more' }).click();
		const list = page.locator('.told-files');
		await list.getByText('web/CLAUDE\\u{202e}.md without its last 7 characters').waitFor();
		await list.getByText('GEMINI.md was left out: it lies outside of the workspace').waitFor();
		const opened = extension.called('view/openFile');
		await list.getByRole('button', { name: 'AGENTS.md' }).click();
		assert.deepEqual((await opened).params, { path: 'AGENTS.md' });
	});

	it('says how many messages have left for the model, and opens what it is told of them', async () => {
		const { page, extension } = await views.open(withThread);
		const turnId = only(extension).begin('/compact');
		const text = '**Decided:** the shop sells tea. <img src=x onerror=alert(1)>';
		const item = { id: newId('itm'), turnId, at: AT, kind: 'compaction' as const, messages: 42, text, model: 'p1/m' };
		only(extension).emit({ type: 'item.start', item });
		await page.getByRole('button', { name: '42 older messages were summarized for the model' }).click();
		await page.getByText('The model reads this summary by p1/m. You can still read the messages above.').waitFor();
		await page.locator('.item.compaction strong').getByText('Decided:').waitFor();
		assert.equal(await page.locator('.item.compaction img').count(), 0);
	});

	it('tells the model which file the user looks at, until the user keeps it to himself', async () => {
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.activeFile = { path: 'src/a.ts' };
			},
		});
		const chip = page.getByRole('button', { name: /^Tell the model that you look at src\/a\.ts/ });
		await chip.waitFor();
		assert.equal(await chip.getAttribute('aria-pressed'), 'true');
		extension.peer.notify(viewNotifications.activeFile, { path: 'src/a.ts', startLine: 3, endLine: 7 });
		await page.getByRole('button', { name: 'Tell the model that you look at src/a.ts:3-7' }).waitFor();
		const field = page.locator('.composer-field');
		const first = extension.called('thread/prompt');
		await field.fill('What is this?');
		await field.press('Enter');
		const active = { kind: 'active', path: 'src/a.ts', startLine: 3, endLine: 7 };
		assert.deepEqual(((await first).params as { context: unknown }).context, [active]);
		only(extension).end(only(extension).snapshot.turnId as TurnId);
		await chip.click();
		await page.locator('.chip-toggle[aria-pressed="false"]').waitFor();
		const second = extension.called('thread/prompt');
		await field.fill('And this?');
		await field.press('Enter');
		assert.deepEqual(((await second).params as { context: unknown }).context, []);
		extension.peer.notify(viewNotifications.activeFile, null);
		await chip.waitFor({ state: 'detached' });
	});

	it('stops the turn with Escape in the input', async () => {
		const { page, extension } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		only(extension).begin('go on');
		await page.getByRole('button', { name: 'Stop' }).waitFor();
		await page.locator('.composer-field').focus();
		const stopped = extension.called('thread/stop');
		await page.keyboard.press('Escape');
		await stopped;
		await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
	});

	it('adds context with @ and sends what a / command means', async () => {
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.suggestions = [{ ref: { kind: 'file', path: 'src/add.ts' }, label: 'add.ts', detail: 'src' }];
			},
		});
		const field = page.locator('.composer-field');
		await field.focus();
		await page.keyboard.type('/fix');
		await page.getByRole('option').first().waitFor();
		await page.keyboard.press('Tab');
		await page.keyboard.type('the sum in @add');
		await page.getByRole('option', { name: /add\.ts/ }).waitFor();
		await page.keyboard.press('Enter');
		await page.locator('.composer .chip').waitFor();
		assert.equal(await field.inputValue(), '/fix the sum in @src/add.ts ');
		const prompted = extension.called('thread/prompt');
		await page.keyboard.press('Enter');
		assert.deepEqual((await prompted).params, {
			threadId: only(extension).id,
			text: 'Find what is wrong here and fix it. the sum in @src/add.ts',
			context: [{ kind: 'file', path: 'src/add.ts' }],
		});
	});

	it('sends with Ctrl+Enter where that is set, and brings earlier messages back with the up arrow', async () => {
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.settings = { sendWith: 'ctrlEnter', tellsActiveFile: true };
			},
		});
		await page.getByRole('log').getByText('The first answer').waitFor();
		await page.locator('.composer-field').focus();
		await page.keyboard.press('ArrowUp');
		assert.equal(await page.locator('.composer-field').inputValue(), 'hello');
		await page.keyboard.press('End');
		await page.keyboard.press('Enter');
		await page.keyboard.type('twice');
		const prompted = extension.called('thread/prompt');
		await page.keyboard.press('Control+Enter');
		assert.equal(((await prompted).params as { text: string }).text, 'hello\ntwice');
	});

	it('edits a message and sends it again', async () => {
		const { page, extension } = await views.open(withThread);
		await page.getByRole('log').getByText('The first answer').waitFor();
		await page.getByRole('button', { name: 'Edit and send again' }).focus();
		await page.keyboard.press('Enter');
		await page.getByLabel('Edit the message').fill('hello again');
		const rerun = extension.called('thread/rerun');
		await page.keyboard.press('Control+Enter');
		assert.equal(((await rerun).params as { text: string }).text, 'hello again');
		await page.getByRole('log').getByText('The first answer').waitFor({ state: 'detached' });
	});

	it('renames, searches and deletes threads', async () => {
		const { page, extension } = await views.open(withThread);
		extension.addThread({ title: 'Another one' });
		await page.getByRole('button', { name: /^Fix the failing test/ }).click();
		await page.getByLabel('Title of the thread').fill('My title');
		await page.keyboard.press('Enter');
		await page.getByRole('button', { name: 'Threads', exact: true }).click();
		await page.getByLabel('Search threads').fill('another');
		await page.locator('.title-button', { hasText: 'My title' }).waitFor();
		await page.locator('.thread-row').filter({ hasText: 'My title' }).waitFor({ state: 'detached' });
		await page.locator('.thread-row').filter({ hasText: 'Another one' }).hover();
		await page.getByRole('button', { name: 'Delete Another one' }).click();
		const deleted = extension.called('thread/delete');
		await page.getByRole('button', { name: 'Delete', exact: true }).click();
		await deleted;
		await page.getByText('No thread matches').waitFor();
		assert.equal(only(extension).snapshot.info.title, 'My title');
	});

	it('says of a thread where it was begun, when that is another folder', async () => {
		const { page } = await views.open({
			prepare(fake) {
				fake.addThread({ title: 'From here' });
				fake.addThread({ title: 'From there', workspace: '/srv/shop' });
			},
		});
		const folderIn = (list: string, title: string) =>
			page.locator(`${list} li`, { hasText: title }).locator('.thread-folder');
		await folderIn('.recent', 'From there').getByText('shop', { exact: true }).waitFor();
		assert.equal(await folderIn('.recent', 'From here').count(), 0);
		await page.getByRole('button', { name: 'Threads', exact: true }).click();
		await folderIn('.thread-list', 'From there').getByText('shop', { exact: true }).waitFor();
		assert.equal(await folderIn('.thread-list', 'From here').count(), 0);
		const shown = page.locator('.title-row .thread-folder');
		await page.locator('.thread-open', { hasText: 'From there' }).click();
		await shown.getByText('shop', { exact: true }).waitFor();
		await page.getByRole('button', { name: 'Threads', exact: true }).click();
		await page.locator('.thread-open', { hasText: 'From here' }).click();
		await shown.waitFor({ state: 'detached' });
	});

	it('begins the tour in a new thread with its own prompt and its script, whatever else answers there', async () => {
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.workspace = { trusted: true, folders: ['/srv/sample'], isSample: true };
			},
		});
		await page.locator('.composer-field').waitFor();
		const [created, prompted] = [extension.called('thread/create'), extension.called('thread/prompt')];
		extension.peer.notify(viewNotifications.takeTour, {});
		const { modelId, mode } = (await created).params as { modelId: string; mode: string };
		assert.deepEqual([modelId, mode], ['tour/sample', 'agent']);
		assert.equal(((await prompted).params as { text: string }).text, 'Find the failing test and fix it');
		const next = extension.called('thread/create');
		await page.getByRole('button', { name: 'New thread', exact: true }).last().click();
		// Waits for the new thread: each has an input of its own.
		await page.locator('.empty-state').waitFor();
		await page.locator('.composer-field').fill('Go on');
		// Enter does nothing while the message of the tour is on its way. The button says so, and a click waits for it.
		await page.getByRole('button', { name: 'Send', exact: true }).click();
		assert.equal(((await next).params as { modelId: string | null }).modelId, null);
	});

	for (const isSample of [true, false]) {
		it(`offers the tour and a model where there is none, ${isSample ? 'in the sample' : 'in any folder'}`, async () => {
			const { page, extension } = await views.open({
				width: 255,
				prepare(fake) {
					fake.workspace = { trusted: true, folders: ['/srv/sample'], isSample };
					fake.models = fake.models.filter(({ source }) => source === 'scripted');
				},
			});
			for (const [name, command] of [
				['Take the tour (2 minutes, no model)', 'takeTour'],
				['Connect a model', 'connectModel'],
			] as const) {
				const asked = extension.called('view/command');
				await page.getByRole('button', { name }).click();
				assert.deepEqual((await asked).params, { command });
			}
			assert.equal(await page.getByRole('button', { name: /project is structured/ }).count(), isSample ? 0 : 1);
			assert.deepEqual(await violations(page), []);
		});
	}

	it('offers a model at the end of the tour until one is connected, and goes on with it where a key failed', async () => {
		const connected: ModelInfo[] = [];
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				connected.push(...fake.models);
				fake.models = fake.models.filter(({ source }) => source === 'scripted');
			},
		});
		const thread = only(extension);
		const item = { turnId: thread.begin('go'), at: AT, kind: 'notice' } as const;
		const actions: NoticeAction[] = ['connectModel'];
		const error = { code: 'PROVIDER_AUTH', message: 'invalid api key', facts: {} } as const;
		thread.emit(
			{
				type: 'item.start',
				item: { ...item, actions, id: newId('itm'), level: 'error', text: 'invalid api key', error },
			},
			{
				type: 'item.start',
				item: { ...item, actions, id: newId('itm'), level: 'info', text: 'Connect a model to begin.' },
			},
		);
		const offers = page.getByRole('button', { name: 'Connect a model' });
		await offers.nth(1).waitFor();
		extension.setModels(connected);
		await page.getByText('Connect a model to begin.').waitFor({ state: 'detached' });
		assert.equal(await offers.count(), 1);
	});

	it('says what a failure means to a person, and below it what exactly failed', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const error = { code: 'PROVIDER_AUTH' as const, message: 'local answered 401 to POST /v1', facts: {} };
		const notice = { kind: 'notice', level: 'error', text: 'Local answered 401 to POST /v1.' } as const;
		const turnId = thread.begin('more');
		const item = { id: newId('itm'), turnId, at: '2026-01-01T00:00:00.000Z', ...notice, actions: [], error };
		thread.emit({ type: 'item.start', item });
		const note = page.getByRole('note');
		await note.getByText('The provider does not accept this key.').waitFor();
		await note.getByText('local answered 401 to POST /v1. PROVIDER_AUTH').waitFor();
	});

	it('says in words why the agent was stopped, and lets the user go on anyway', async () => {
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare?.(fake);
				fake.strings = {
					'Stopped, because the agent got nowhere: {why}': 'Angehalten, weil der Agent nicht weiterkam: {why}',
					'it made too many calls': 'Er machte zu viele Aufrufe',
					'Go on anyway': 'Trotzdem weiter',
				};
			},
		});
		const thread = only(extension);
		const turnId = thread.begin('more');
		const facts = { why: { template: 'it made too many calls', args: {} } };
		const error = { code: 'GOING_IN_CIRCLES' as const, message: 'stopped: it made too many calls', facts };
		const notice = {
			kind: 'notice',
			level: 'error',
			text: 'In English.',
			actions: ['continue', 'switchModel'],
		} as const;
		const at = '2026-01-01T00:00:00.000Z';
		thread.emit({
			type: 'item.start',
			item: { id: newId('itm'), turnId, at, ...notice, actions: [...notice.actions], error },
		});
		thread.emit({ type: 'turn.end', turnId, outcome: 'failed', error, durationMs: 1 });
		const note = page.getByRole('note');
		await note.getByText('Angehalten, weil der Agent nicht weiterkam: Er machte zu viele Aufrufe.').waitFor();
		const prompted = extension.called('thread/prompt');
		await note.getByRole('button', { name: 'Trotzdem weiter' }).click();
		assert.equal(((await prompted).params as { text: string }).text, 'Continue.');
	});

	for (const { what, text, action, label, strategy } of [
		{
			what: 'stops a turn with a strategy and has its message answered directly, with one click',
			text: NOTICE_TEXTS.goal,
			action: 'answerDirectly',
			label: 'Answer directly',
			strategy: 'DIRECT_RESPONSE',
		},
		{
			what: 'stops a turn and has its message worked on as a goal, with one click beside the answer',
			text: NOTICE_TEXTS.mayPlan,
			action: 'workAsGoal',
			label: 'Work on this as a goal',
			strategy: 'GOAL',
		},
	] as const) {
		it(`${what}, and offers it no more once the turn has ended`, async () => {
			const { page, extension } = await views.open(withThread);
			const thread = only(extension);
			const turnId = thread.begin('First this, then that, finally those');
			const at = '2026-01-01T00:00:00.000Z';
			const item = { id: newId('itm'), turnId, at, kind: 'notice', level: 'info', text } as const;
			thread.emit({ type: 'item.start', item: { ...item, actions: [action] } });
			const stopped = extension.called('thread/stop');
			const again = extension.called('thread/rerun');
			await page.getByRole('note').getByRole('button', { name: label }).click();
			await stopped;
			const { params } = await again;
			assert.deepEqual(params, { threadId: thread.id, turnId, strategy });
			thread.emit({ type: 'turn.end', turnId, outcome: 'done', durationMs: 1 });
			await page.getByRole('note').waitFor({ state: 'detached' });
		});
	}

	it('shows on the card of a denied call what the user said, and what the agent was told only to those who ask', async () => {
		const { page, extension } = await views.open({
			prepare(fake) {
				withThread.prepare?.(fake);
				fake.strings = { 'You denied this: {reason}': 'Sie haben das abgelehnt: {reason}' };
			},
		});
		const thread = only(extension);
		const turnId = thread.begin('Install it');
		const facts = { reason: 'Use pnpm, not npm' };
		const denied = { code: 'DENIED_BY_USER' as const, message: 'the user said no to this shell.run', facts };
		const told = { output: 'DENIED_BY_USER: the user said no', outputTruncated: false, status: 'denied' as const };
		const call = {
			opId: newId('op'),
			tool: 'shell_run',
			title: 'Run npm install',
			input: { argv: ['npm', 'install'] },
		};
		const item = { id: newId('itm'), turnId, at: '2026-01-01T00:00:00.000Z', kind: 'tool' as const };
		thread.emit({ type: 'item.start', item: { ...item, ...call, ...told, error: denied } });
		const card = page.locator('.item.tool.denied');
		await card.getByRole('button', { name: /Run npm install/ }).click();
		await card.getByText('Sie haben das abgelehnt: Use pnpm, not npm.').waitFor();
		assert.equal(await card.getByText('DENIED_BY_USER').count(), 0);
		await card.getByRole('button', { name: 'What the agent was told' }).click();
		await card.getByText('DENIED_BY_USER: the user said no').waitFor();
	});

	it('names the rule that let a tool call through', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const turnId = thread.begin('test');
		const allowedBy = { kind: 'rules' as const, rules: [{ rule: 'shell.run npm test', scope: 'project' as const }] };
		thread.emit({
			type: 'item.start',
			item: {
				id: newId('itm'),
				turnId,
				at: '2026-01-01T00:00:00.000Z',
				kind: 'tool',
				opId: newId('op'),
				tool: 'shell_run',
				title: 'Run npm test',
				input: { argv: ['npm', 'test'] },
				status: 'done',
				output: 'ok',
				outputTruncated: false,
				allowedBy,
			},
		});
		const text = 'Allowed by your rule for this project: shell.run npm test';
		await page.getByRole('img', { name: text }).waitFor();
		await page.getByRole('button', { name: /Run npm test/ }).click();
		await page.getByText(text).waitFor();
	});

	it('draws code without stripes, and what a diff adds in another colour than what it removes', async () => {
		const { page, extension } = await views.open(withThread);
		only(extension).say('diff', '```diff\n-old\n+new\n```\n\n```ts\nconst a = 1;\n```\n');
		await page.locator('.hljs-keyword').waitFor();
		const look = await page.evaluate(() => {
			const style = (selector: string) => getComputedStyle(document.querySelector(selector) ?? document.body);
			const stripes = [...document.querySelectorAll('.code-block code')].map((code) => getComputedStyle(code));
			return {
				stripes: stripes.map(({ backgroundColor, padding }) => `${backgroundColor} ${padding}`),
				added: style('.hljs-addition').color,
				removed: style('.hljs-deletion').color,
				text: style('.hljs-string').color,
			};
		});
		assert.deepEqual(new Set(look.stripes), new Set(['rgba(0, 0, 0, 0) 0px']));
		assert.equal(new Set([look.added, look.removed]).size, 2);
		const [red = 0, green = 0] = (/(\d+), (\d+)/.exec(look.added) ?? []).slice(1).map(Number);
		assert.ok(green > red, look.added);
	});

	it('is translated by the table it is given', async () => {
		const { page } = await views.open({
			prepare(fake) {
				fake.strings = { 'New thread': 'Neuer Faden', Send: 'Senden' };
			},
		});
		await page.getByRole('heading', { name: 'Neuer Faden' }).waitFor();
		await page.getByRole('button', { name: 'Senden' }).waitFor();
	});
});
