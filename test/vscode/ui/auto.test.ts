/** Permission levels as a person has them: what *Auto* asks and what not, and how the level of a thread is seen and changed. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ScriptEntry } from '../../support/model-server.ts';
import { inOrder } from '../../support/shuffled-specs.ts';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';

const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';

const commands: readonly (readonly string[])[] = [
	['mkdir', '-p', 'out'],
	['sh', '-c', 'printf "pear\\napple\\n" > out/names.txt'],
	['sort', '-o', 'out/names.txt', 'out/names.txt'],
	['cp', 'out/names.txt', 'out/copy.txt'],
	['sed', '-i', 's/pear/plum/', 'out/copy.txt'],
	['node', '-e', 'require("fs").writeFileSync("out/node.txt", String(6 * 7))'],
	['npm', 'run', 'greet'],
	['find', 'out', '-type', 'f'],
	['mv', 'out/node.txt', 'out/answer.txt'],
	['cat', 'out/copy.txt', 'out/answer.txt'],
];

const call = (argv: readonly string[]): ScriptEntry => ({ toolCalls: [{ name: 'shell_run', input: { argv } }] });

describe('The level Auto', function () {
	inOrder(this);
	let scripted: ScriptedChat;
	before(async function () {
		if (!existsSync(bubblewrap)) this.skip();
		scripted = await openScriptedChat({
			workspace: {
				'package.json': JSON.stringify({ scripts: { greet: 'node -e "console.log(\'hello from npm\')"' } }),
				'.env': 'TOKEN=not-for-commands\n',
			},
			settings: { 'prowess.approvals.level': 'auto', 'prowess.tools.bubblewrapPath': bubblewrap },
		});
		await scripted.chat.focus();
	});
	after(() => scripted?.close());

	it('asks nothing in a task of ten commands that stay in the sandbox', async () => {
		const { chat, workbench } = scripted;
		await scripted.begin('Make the lists', [...commands.map(call), { text: 'All lists are made.' }]);
		// A question would stop the turn, and nobody here answers one.
		await chat.answers.filter({ hasText: 'All lists are made.' }).waitFor();
		await chat.rested();
		assert.equal(await chat.dock.count(), 0);
		assert.equal(scripted.requests().length, commands.length + 1);
		const text = (name: string) => readFileSync(join(workbench.workspace, 'out', name), 'utf8');
		assert.deepEqual(
			[text('names.txt'), text('copy.txt'), text('answer.txt')],
			['apple\npear\n', 'apple\nplum\n', '42'],
		);
		await workbench.screenshot('auto-1-ten-commands');
	});

	it('keeps secret files from a command, and its card says that it was sandboxed', async () => {
		const { chat } = scripted;
		await scripted.begin('Read it', [call(['sh', '-c', 'cat .env; echo end']), { text: 'There was nothing.' }]);
		await chat.answers.filter({ hasText: 'There was nothing.' }).waitFor();
		await chat.rested();
		const card = chat.card('Run sh -c');
		await chat.unfold(card);
		await card.getByText('Sandboxed', { exact: true }).waitFor();
		assert.doesNotMatch(await card.innerText(), /not-for-commands/);
	});

	it('asks by name when a command connects to a host', async () => {
		const { chat, workbench } = scripted;
		const connect = ['node', '-e', 'fetch("http://example.org/").then((r) => console.log("status", r.status))'];
		await scripted.begin('Fetch it', [call(connect), { text: 'It was refused.' }]);
		const dock = chat.dock.filter({ hasText: 'example.org' });
		await dock.waitFor();
		assert.match(await dock.innerText(), /Connect to example\.org/);
		await workbench.screenshot('auto-2-asks-for-a-host');
		await dock.and(chat.view.locator('[data-settled="true"]')).waitFor();
		await dock.getByRole('button', { name: 'Deny' }).click();
		await chat.answers.filter({ hasText: 'It was refused.' }).waitFor();
	});

	it('asks when a command is to run outside of the sandbox, and says that nothing keeps it in', async () => {
		const { chat, workbench } = scripted;
		const input = { argv: ['node', '-e', '0'], needs: { noSandbox: true } };
		await scripted.begin('Leave it', [{ toolCalls: [{ name: 'shell_run', input }] }, { text: 'It ran.' }]);
		const dock = await chat.asked('Run node -e 0');
		assert.match(await dock.innerText(), /Not sandboxed/);
		await workbench.screenshot('auto-3-outside');
		await chat.press('Run node -e 0', '1');
		await chat.answers.filter({ hasText: 'It ran.' }).waitFor();
	});
});

describe('The permission level', function () {
	inOrder(this);
	let scripted: ScriptedChat;
	const policy = () => join(scripted.workbench.workspace, '.prowess/policy.yaml');
	const writing = (path: string): ScriptEntry => ({
		toolCalls: [{ name: 'fs_write', input: { path, content: 'x\n' } }],
	});
	const button = () => scripted.chat.view.getByRole('button', { name: /^Permission level: / });
	const menu = () => scripted.chat.view.getByRole('menu', { name: 'Permission level' });
	const inHeader = (name: string) =>
		scripted.chat.view.locator('header').getByRole('img', { name: `Permission level: ${name}` });
	const inStatusBar = () => scripted.workbench.page.locator('.statusbar-item[id$="prowess.level"]');
	const dialog = () => scripted.workbench.page.locator('.monaco-dialog-box', { hasText: 'without asking' });
	async function pick(name: string): Promise<void> {
		await button().click();
		await menu().getByRole('menuitemradio', { name, exact: false }).first().click();
	}
	async function isAt(name: string): Promise<void> {
		await scripted.chat.view.getByRole('button', { name: `Permission level: ${name}` }).waitFor();
	}
	before(async () => {
		scripted = await openScriptedChat({ workspace: { 'a.txt': 'a\n' } });
		await scripted.chat.focus();
	});
	after(() => scripted?.close());

	it('asks at Ask, and is shown beside the mode alone', async () => {
		const { chat } = scripted;
		await isAt('Ask first');
		await scripted.begin('Write it', [writing('asked.txt'), { text: 'Asked.' }]);
		await chat.press('Write asked.txt', '1');
		await chat.answers.filter({ hasText: 'Asked.' }).waitFor();
		await chat.rested();
		assert.equal(await inStatusBar().isVisible(), false);
	});

	it('chosen for a new thread holds in it from its first message, and is shown in three places', async () => {
		const { chat, workbench } = scripted;
		await chat.newThread();
		await pick('Edit freely');
		await isAt('Edit freely');
		scripted.follow([writing('free.txt'), { text: 'Written.' }]);
		await chat.ask('Write it freely');
		await chat.answers.filter({ hasText: 'Written.' }).waitFor();
		await chat.rested();
		assert.equal(readFileSync(join(workbench.workspace, 'free.txt'), 'utf8'), 'x\n');
		await inHeader('Edit freely').waitFor();
		assert.match(await inStatusBar().innerText(), /Edit freely/);
		const card = chat.card('Write free.txt');
		await card.getByRole('img', { name: 'Allowed by the permission level Edit freely.' }).waitFor();
		await workbench.screenshot('level-1-edit-freely');
	});

	it('is Full only after the dialog of the editor, and red', async () => {
		const { workbench } = scripted;
		await pick('Full');
		await dialog().waitFor();
		await workbench.screenshot('level-2-dialog');
		await dialog().getByRole('button', { name: 'Cancel' }).click();
		await dialog().waitFor({ state: 'detached' });
		await isAt('Edit freely');
		await pick('Full');
		await dialog().getByRole('button', { name: 'Use Full' }).click();
		await isAt('Full');
		await inHeader('Full').waitFor();
		assert.match((await inStatusBar().getAttribute('class')) ?? '', /error-kind/);
		await workbench.screenshot('level-3-full');
	});

	it('is that of its thread: the next one begins at Ask, and it is still there after a reload', async () => {
		const { chat, workbench } = scripted;
		await chat.newThread();
		await isAt('Ask first');
		await inStatusBar().waitFor({ state: 'hidden' });
		await chat.view.getByRole('button', { name: 'Write it freely' }).first().click();
		await isAt('Full');
		await workbench.reload();
		await chat.focus();
		await isAt('Full');
		await inHeader('Full').waitFor();
	});

	it('cannot be wider than the policy of the workspace permits, and the menu says whose rule it is', async () => {
		const { workbench } = scripted;
		mkdirSync(dirname(policy()), { recursive: true });
		writeFileSync(policy(), 'widestLevel: edit\n');
		await button().click();
		const auto = menu().getByRole('menuitemradio', { name: /^Auto/ });
		await auto.and(scripted.chat.view.locator('[aria-disabled="true"]')).waitFor();
		assert.match(await auto.innerText(), /\.prowess\/policy\.yaml:1:1 permits no wider level\./);
		await workbench.screenshot('level-5-forbidden');
		await scripted.chat.view.locator('.choice-menu').press('Escape');
		await isAt('Edit freely');
		await inStatusBar().filter({ hasText: 'Edit freely' }).waitFor();
	});
});
