import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptEntry } from '../../support/model-server.ts';
import { processTree, waitUntilGone } from '../../support/processes.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Chat } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';
import type { Workbench } from '../harness/workbench.ts';

const interrupted = /^warning: .*interrupted/i;
/** Notes that it ran, and stays. */
const staying =
	"require('node:fs').appendFileSync('ran.txt', 'x'); console.log('under way'); setInterval(() => {}, 1000)";
const run: ScriptEntry = { toolCalls: [{ name: 'shell_run', input: { argv: ['node', '-e', staying] } }] };
const runTitle = `Run node -e ${JSON.stringify(staying)}`;

/** A workbench of its own: after the view was hidden and the server killed in it, the chat was not rebuilt, for a reason not yet known. */
describe('A turn whose extension host is killed', () => {
	let scripted: ScriptedChat;
	let workbench: Workbench;
	let chat: Chat;
	before(async () => {
		scripted = await openScriptedChat();
		({ workbench, chat } = scripted);
		await chat.focus();
	});
	after(() => scripted?.close());
	const inWorkspace = (path: string) => join(workbench.workspace, path);

	it('leaves no process behind and shows what happened', async () => {
		rmSync(inWorkspace('ran.txt'), { force: true });
		await scripted.begin('Run it', [run]);
		await chat.press(runTitle, '1');
		const command = await running();
		const host = extensionHost(workbench);
		const server = agentServer(workbench);
		process.kill(host, 'SIGKILL');
		await waitUntilGone([host, server, command], 2_000);
		// VS Code starts the host anew, and the host the chat.
		await chat.notices.waitFor({ timeout: 60_000 });
		await workbench.screenshot('interruption-5-host-killed');
		const [, tool, notice = ''] = await chat.transcript();
		assert.equal(tool, `tool inDoubt: ${runTitle}`);
		// Nobody knows how long it ran.
		assert.equal(await chat.card('Run node').locator('.card-time').count(), 0);
		assert.match(notice, interrupted);
		assert.equal(readFileSync(inWorkspace('ran.txt'), 'utf8'), 'x');
		assert.equal(scripted.requests().length, 1);
	});

	/** The process of the command, after it has written. */
	async function running(): Promise<number> {
		await waitFor('the command', () => existsSync(inWorkspace('ran.txt')));
		return processBelow(workbench, 'node -e require');
	}
});

const extensionHost = (workbench: Workbench) => processBelow(workbench, '--type=extensionHost');
const agentServer = (workbench: Workbench) => processBelow(workbench, 'dist/server.mjs');

function processBelow({ serverPid }: Workbench, words: string): number {
	const found = processTree(serverPid).filter(({ commandLine }) => commandLine.includes(words));
	assert.equal(found.length, 1, `one process with ${words}`);
	return found[0]?.pid ?? 0;
}
