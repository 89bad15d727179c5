/** The level *Auto* as a person has it: commands in the sandbox run unasked, what leaves it is asked by name. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
			settings: { 'prowess.approvals.autonomy': 'auto', 'prowess.tools.bubblewrapPath': bubblewrap },
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
