import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptEntry } from '../../support/model-server.ts';
import { processTree, waitUntilGone } from '../../support/processes.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Chat } from '../harness/chat.ts';
import { moveChatToPanel } from '../harness/move-chat.ts';
import { openScriptedChat, type ScriptedChat, toldIn } from '../harness/scripted-chat.ts';
import type { Workbench } from '../harness/workbench.ts';

const interrupted = /^warning: .*interrupted/i;
/** Notes that it ran, and stays. */
const staying =
	"require('node:fs').appendFileSync('ran.txt', 'x'); console.log('under way'); setInterval(() => {}, 1000)";
const run: ScriptEntry = { toolCalls: [{ name: 'shell_run', input: { argv: ['node', '-e', staying] } }] };
const words = Array.from({ length: 60 }, (_, index) => `word${index}.`);
const slowly: ScriptEntry = { chunks: words.map((word) => `${word} `), delayMs: 50 };
const runTitle = `Run node -e ${JSON.stringify(staying)}`;

const folder = '.prowess/capabilities/power/inspect';
const files = {
	'notes.txt': 'one\ntwo\n',
	[`${folder}/capability.yaml`]:
		'name: inspect\ntype: power\nversion: 1.0.0\ndescription: Inspects\nlevel: MONITORED\npermissions: [workspace.read, llm]\ntools: [fs.read]\n',
	[`${folder}/POWER.md`]: '# Inspect\n\nRead the notes and say what they hold.\n',
};
/** A power that is halfway: its model has answered once, and is asked again. */
const halfway: readonly ScriptEntry[] = [
	{ toolCalls: [{ name: 'capability_start', input: { name: 'power/inspect' } }] },
	{ text: 'I read the notes first.', toolCalls: [{ name: 'fs_read', input: { path: 'notes.txt' } }] },
	{ chunks: ['They hold'], then: 'stall' },
	{ text: 'I go on without it.' },
];

describe('A turn that is interrupted', () => {
	let scripted: ScriptedChat;
	let workbench: Workbench;
	let chat: Chat;
	before(async () => {
		scripted = await openScriptedChat({ workspace: files });
		({ workbench, chat } = scripted);
		await chat.focus();
	});
	after(() => scripted?.close());
	const inWorkspace = (path: string) => join(workbench.workspace, path);

	it('by a reload while it streams keeps what was said, asks nothing again, and goes on when told to', async () => {
		await scripted.begin('Tell me', [{ chunks: ['Some words', ' and more'], then: 'stall' }, { text: 'The rest.' }]);
		await chat.answers.filter({ hasText: 'Some words and more' }).waitFor();
		await workbench.reload();
		await chat.notices.waitFor();
		const [user, text, notice = ''] = await chat.transcript();
		assert.deepEqual([user, text], ['user: Tell me', 'text: Some words and more']);
		assert.match(notice, interrupted);
		assert.equal(scripted.requests().length, 1);
		await workbench.screenshot('interruption-1-stream-reloaded');

		await chat.notices.getByRole('button', { name: 'Continue' }).click();
		await chat.answers.filter({ hasText: 'The rest.' }).waitFor();
		assert.equal(scripted.requests().length, 2);
		assert.match(toldIn(scripted.requests()[1]), /Tell me.*Some words and more.*Continue/s);
	});

	it('by a reload while it asks has done nothing, and its question is gone', async () => {
		await scripted.begin('Write it', [
			{ toolCalls: [{ name: 'fs_write', input: { path: 'asked.txt', content: 'no' } }] },
			{ text: 'As you like.' },
		]);
		await chat.asked('Write asked.txt');
		await workbench.reload();
		await chat.notices.waitFor();
		const [, tool, notice = ''] = await chat.transcript();
		assert.match(tool ?? '', /^tool (interrupted|cancelled): Write asked.txt$/);
		assert.match(notice, interrupted);
		assert.equal(await chat.dock.count(), 0);
		assert.equal(existsSync(inWorkspace('asked.txt')), false);
		assert.equal(scripted.requests().length, 1);
		await workbench.screenshot('interruption-2-question-reloaded');
	});

	it('by a reload while a power is at work keeps its steps, and none of them runs on', async () => {
		await scripted.begin('Inspect it', halfway);
		await chat.press('Run the power inspect 1.0.0', '1');
		const card = chat.view.getByRole('list', { name: 'Steps of Run capability power/inspect' });
		await card.getByText('I read the notes first.').waitFor();
		await card.getByText('Read notes.txt').waitFor();
		await card.locator('.model.running').waitFor();
		await workbench.screenshot('interruption-4-power-halfway');
		await workbench.reload();
		await chat.notices.waitFor();
		await chat.view.getByRole('button', { name: '4 steps' }).click();
		await card.locator('.model.interrupted').waitFor();
		assert.equal(await card.locator('.running, .waiting').count(), 0);
		assert.equal(await card.getByText('Read notes.txt').count(), 1);
		await workbench.screenshot('interruption-4-power-reloaded');
	});

	it('in one power by its user goes on without its result', async () => {
		await scripted.begin('Inspect it', halfway);
		await chat.press('Run the power inspect 1.0.0', '1');
		const card = chat.view.getByRole('list', { name: 'Steps of Run capability power/inspect' });
		await card.locator('.model.running').waitFor();
		await chat.view.getByRole('button', { name: 'Stop this run' }).click();
		await chat.answers.filter({ hasText: 'I go on without it.' }).waitFor();
		assert.match((await chat.transcript())[1] ?? '', /^tool cancelled: Run capability power\/inspect/);
		assert.match(toldIn(scripted.requests().at(-1)), /power inspect was stopped by the user/);
		await workbench.screenshot('interruption-4-power-stopped');
	});

	it('by a reload while a command runs ends the command and does not run it again', async () => {
		rmSync(inWorkspace('ran.txt'), { force: true });
		await scripted.begin('Run it', [run]);
		await chat.press(runTitle, '1');
		const command = await running();
		await workbench.reload();
		await waitUntilGone(command);
		await chat.notices.waitFor();
		await workbench.screenshot('interruption-3-command-reloaded');
		const [, tool = '', notice = ''] = await chat.transcript();
		assert.match(tool, /^tool (interrupted|inDoubt|cancelled): Run node/);
		assert.match(notice, interrupted);
		assert.equal(readFileSync(inWorkspace('ran.txt'), 'utf8'), 'x');
		assert.equal(scripted.requests().length, 1);
	});

	it('by nothing but its view being hidden loses nothing', async () => {
		await scripted.begin('Tell me slowly', [slowly]);
		await chat.answers.filter({ hasText: 'word3.' }).waitFor();
		await chat.input.fill('Not sent yet');
		await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
		await chat.input.waitFor({ state: 'detached' });
		await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
		await chat.answers.filter({ hasText: words.at(-1) ?? '' }).waitFor();
		await chat.rested();
		assert.deepEqual(await chat.transcript(), ['user: Tell me slowly', `text: ${words.join(' ')}`]);
		assert.equal(await chat.input.inputValue(), 'Not sent yet');
		assert.equal(scripted.requests().length, 1);
	});

	it('by the death of the server says so, and the next message is answered', async () => {
		await scripted.begin('Tell me', [slowly, { text: 'Whole.' }]);
		// The stored text lags at most a second behind the stream.
		await chat.answers.filter({ hasText: 'word40.' }).waitFor();
		process.kill(agentServer(workbench), 'SIGKILL');
		await chat.notices.waitFor();
		const [, text = '', notice = ''] = await chat.transcript();
		assert.match(text, /^text: word0\. word1\. word2\. /);
		assert.match(notice, interrupted);
		assert.equal(scripted.requests().length, 1);
		await workbench.screenshot('interruption-4-server-killed');
		await chat.ask('And now?');
		await chat.answers.filter({ hasText: 'Whole.' }).waitFor();
	});

	it('by the death of the server while it asks has done nothing, and asks once more when it is told to go on', async () => {
		const writing = { toolCalls: [{ name: 'fs_write', input: { path: 'asked-again.txt', content: 'once' } }] };
		await scripted.begin('Write it once', [writing, writing, { text: 'Written.' }]);
		await chat.asked('Write asked-again.txt');
		process.kill(agentServer(workbench), 'SIGKILL');
		await chat.notices.waitFor();
		await chat.dock.waitFor({ state: 'detached' });
		const [, tool] = await chat.transcript();
		assert.match(tool ?? '', /^tool (interrupted|cancelled): Write asked-again.txt$/);
		assert.equal(existsSync(inWorkspace('asked-again.txt')), false);
		assert.equal(scripted.requests().length, 1);
		await chat.ask('Go on');
		await chat.press('Write asked-again.txt', '1');
		await chat.answers.filter({ hasText: 'Written.' }).waitFor();
		assert.equal(readFileSync(inWorkspace('asked-again.txt'), 'utf8'), 'once');
		assert.equal(scripted.requests().length, 3);
	});

	it('by a server that dies while it starts says nothing of its insides, and is answered by the next', async () => {
		await scripted.begin('Tell me', [{ text: 'Here.' }, { text: 'And here.' }]);
		await chat.rested();
		const first = agentServer(workbench);
		process.kill(first, 'SIGKILL');
		const second = await waitFor('the next server', () => startedServer(workbench, first));
		process.kill(second, 'SIGKILL');
		await waitFor('the one after it', () => startedServer(workbench, second));
		await chat.ask('Tell me more');
		await chat.answers.filter({ hasText: 'And here.' }).waitFor();
		assert.deepEqual(await workbench.page.locator('.notification-toast').allInnerTexts(), []);
	});

	it('by a server that keeps dying leaves threads to be read, and goes on after a restart', async () => {
		await scripted.begin('Tell me of the harbour', [{ text: 'Ships lie there.' }]);
		await chat.rested();
		await scripted.begin('Tell me of the hills', [{ text: 'Sheep graze there.' }, { text: 'And goats.' }]);
		await chat.rested();
		const banner = chat.view.locator('.banner.error', { hasText: 'The agent is not running' });
		for (let server: number | undefined = agentServer(workbench); server !== undefined;) {
			const killed: number = server;
			process.kill(killed, 'SIGKILL');
			server = await waitFor(
				'the next server, or the end of them',
				async () => ((await banner.count()) > 0 ? { next: undefined } : nextServer(workbench, killed)),
				20_000,
			).then(({ next }) => next);
		}
		await chat.view.getByRole('button', { name: 'Threads', exact: true }).click();
		await chat.view.locator('.threads-panel').getByText('Tell me of the harbour').click();
		await chat.answers.filter({ hasText: 'Ships lie there.' }).waitFor();
		await workbench.screenshot('interruption-5-read-without-server');
		await chat.view.getByRole('button', { name: 'Threads', exact: true }).click();
		await chat.view.locator('.threads-panel').getByText('Tell me of the hills').click();
		await chat.answers.filter({ hasText: 'Sheep graze there.' }).waitFor();
		await chat.input.fill('And what else?');
		await chat.input.press('Enter');
		await chat.view.locator('.problem').waitFor();

		await banner.getByRole('button', { name: 'Restart' }).click();
		await banner.waitFor({ state: 'detached' });
		await chat.view.locator('.problem').waitFor({ state: 'detached' });
		assert.equal(await chat.input.inputValue(), 'And what else?');
		await chat.input.press('Enter');
		await chat.answers.filter({ hasText: 'And goats.' }).waitFor();
	});

	it('by the death of the extension host leaves no process behind and shows what happened', async () => {
		rmSync(inWorkspace('ran.txt'), { force: true });
		await scripted.begin('Run it', [run]);
		await chat.press(runTitle, '1');
		const command = await running();
		await chat.input.fill('Then the tests');
		await chat.input.press('Enter');
		await chat.input.fill('half a thought');
		await waitFor('what was typed to be kept', () => keptTexts().includes('half a thought'));
		const host = extensionHost(workbench);
		const server = agentServer(workbench);
		process.kill(host, 'SIGKILL');
		await waitUntilGone([host, server, ...command]);
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
		// Typed and not sent: it waits for the user.
		assert.deepEqual(await chat.view.locator('.queued-text').allTextContents(), ['Then the tests']);
		assert.equal(await chat.input.inputValue(), 'half a thought');
	});

	it('by nothing but its view being moved to the panel loses nothing', async () => {
		await scripted.begin('Tell me slowly', [slowly]);
		await chat.answers.filter({ hasText: 'word3.' }).waitFor();
		await moveChatToPanel(workbench);
		await workbench.runCommand('Prowess: Focus Chat');
		await chat.answers.filter({ hasText: words.at(-1) ?? '' }).waitFor();
		await chat.rested();
		assert.deepEqual(await chat.transcript(), ['user: Tell me slowly', `text: ${words.join(' ')}`]);
		assert.equal(scripted.requests().length, 1);
		await workbench.screenshot('interruption-6-panel');
	});

	/** Texts that the host keeps for the next page. */
	function keptTexts(): string {
		const windows = join(workbench.home, '.prowess/windows');
		const kept = readdirSync(windows).filter((name) => name.endsWith('.typed.json'));
		return kept.map((name) => readFileSync(join(windows, name), 'utf8')).join();
	}

	/** The process of the command, and those of its sandbox where there is one, after it has written. */
	async function running(): Promise<readonly number[]> {
		await waitFor('the command', () => existsSync(inWorkspace('ran.txt')));
		const found = processesBelow(workbench, 'node -e require');
		assert.ok(found.length > 0);
		return found;
	}
});

const extensionHost = (workbench: Workbench) => processBelow(workbench, '--type=extensionHost');
const agentServer = (workbench: Workbench) => processBelow(workbench, 'dist/server.mjs');

function processBelow(workbench: Workbench, words: string): number {
	const [found = 0, ...others] = processesBelow(workbench, words);
	assert.ok(found > 0 && others.length === 0, `one process with ${words}`);
	return found;
}

function processesBelow({ serverPid }: Workbench, words: string): readonly number[] {
	return processTree(serverPid).flatMap(({ pid, commandLine }) => (commandLine.includes(words) ? [pid] : []));
}

function nextServer(workbench: Workbench, ended: number): { readonly next: number } | undefined {
	const next = startedServer(workbench, ended);
	return next === undefined ? undefined : { next };
}

/** A server of the window other than the one that has ended. */
function startedServer({ serverPid }: Workbench, ended: number): number | undefined {
	const servers = processTree(serverPid).filter(({ commandLine }) => commandLine.includes('dist/server.mjs'));
	return servers.find(({ pid }) => pid !== ended)?.pid;
}
