/**
 * The chat used at random: asked, answered, stopped, hidden, loaded again, its server and its extension host killed. Whatever
 * happened, it comes to rest when it is told to, shows a thread, and leaves nothing running.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import { type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { processTree, runningProcesses, waitUntilGone } from '../../support/processes.ts';
import { programs } from '../../support/programs.ts';
import { below, pick, seeded } from '../../support/seeded.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type Chat, chatIn } from '../harness/chat.ts';
import { modelSettings } from '../harness/scripted-chat.ts';
import { openWorkbench, type Workbench } from '../harness/workbench.ts';

/** Options of an attempt; an element that does not appear in time is passed over. */
const attempt = { timeout: 1_500 };
const limitsMs = { rest: 60_000, chat: 60_000 } as const;
const actsBetweenRests = 15;
/** VS Code gives an extension host up that ends three times within five minutes. */
const mostHostsKilled = 2;
/** Found again among the processes. */
const endless = 'setInterval(() => {}, 60_017)';

interface Play {
	readonly acts: number;
	readonly seed: number;
	/** Also kills the extension host, which takes VS Code seconds to start again. */
	readonly killsHosts: boolean;
}

export async function playChat({ acts, seed, killsHosts }: Play): Promise<void> {
	const random = seeded(seed);
	// Answers have a random sequence of their own: how often the model is asked depends on the machine.
	const answers = seeded(seed + 1);
	const model = await startModelServer(() => answer(answers));
	const workbench = await openWorkbench({ settings: modelSettings(model) });
	try {
		const chat = chatIn(workbench);
		await chat.focus();
		const all = actsOn(workbench, chat, random, killsHosts ? mostHostsKilled : 0);
		const done: string[] = [];
		for (let n = 1; n <= acts; n += 1) {
			const act = pick(random, all);
			const isDone = await act.do().then(
				() => true,
				() => false,
			);
			done.push(isDone ? act.name : `(${act.name})`);
			if (n % actsBetweenRests === 0 || n === acts) {
				await rest(workbench, chat).catch(async (error: unknown) => {
					await workbench.screenshot('chat-at-any-moment');
					throw new Error(`after ${done.slice(-2 * actsBetweenRests).join(' ')}`, { cause: error });
				});
			}
		}
		await leavesNothing(workbench);
	} finally {
		await workbench.close();
		await model.close();
	}
}

function answer(random: () => number): ScriptEntry {
	const call = (name: string, input: object): ScriptEntry => ({ toolCalls: [{ name, input }] });
	const path = `made-${below(random, 3)}.txt`;
	return pick<() => ScriptEntry>(random, [
		() => ({ text: 'Done.' }),
		() => ({ text: 'Done.' }),
		() => ({ chunks: Array.from({ length: 40 }, (_, at) => `word${at} `), delayMs: 60 }),
		() => ({ text: 'Half', then: 'stall' }),
		() => ({ text: 'Half', then: 'cut' }),
		() => ({ text: 'Half', then: 'garbage' }),
		() => ({ error: 500, message: 'it is broken' }),
		() => call('fs_read', { path: 'package.json' }),
		() => call('fs_write', { path, content: `${random()}` }),
		() => call('fs_write', { path, content: `${random()}` }),
		() => call('shell_run', { argv: ['node', '-e', endless] }),
	])();
}

interface Act {
	readonly name: string;
	do(): Promise<unknown>;
}

function actsOn(workbench: Workbench, chat: Chat, random: () => number, hosts: number): readonly Act[] {
	const { view } = chat;
	const { page } = workbench;
	let hostsLeft = hosts;
	const press = (name: string | RegExp) => view.getByRole('button', { name }).first().click(attempt);
	const threads = async (selector: string): Promise<Locator> => {
		await press(/^Threads$/);
		const rows = view.locator(selector);
		await rows.first().waitFor(attempt);
		return rows.nth(below(random, await rows.count()));
	};
	const ask: Act = {
		name: 'ask',
		async do() {
			await chat.input.fill('Go on', attempt);
			await chat.input.press('Enter', attempt);
		},
	};
	const allow: Act = { name: 'allow', do: () => press('Allow once') };
	return [
		...Array.from({ length: 6 }, () => ask),
		...Array.from({ length: 3 }, () => allow),
		{ name: 'deny', do: () => press(/^Deny$/) },
		{ name: 'new', do: () => press(/^New thread$/) },
		{ name: 'stop', do: () => press(/^Stop$/) },
		{ name: 'continue', do: () => press(/^(Continue|Try again)$/) },
		{ name: 'undo', do: () => press(/^Undo/) },
		{ name: 'open', do: async () => (await threads('.thread-open')).click(attempt) },
		{
			name: 'delete',
			async do() {
				const row = await threads('.thread-row');
				await row.hover(attempt);
				await row.getByRole('button', { name: /^Delete/ }).click(attempt);
				await press(/^Delete$/);
			},
		},
		{
			name: 'hide',
			async do() {
				await page.keyboard.press('Control+Alt+b');
				await chat.input.waitFor({ ...attempt, state: 'detached' });
				await page.keyboard.press('Control+Alt+b');
			},
		},
		{ name: 'reload', do: () => workbench.reload() },
		{ name: 'kill the server', do: async () => kill(workbench, 'dist/server.mjs') },
		{
			name: 'kill the host',
			async do() {
				if (hostsLeft > 0) {
					hostsLeft -= 1;
					kill(workbench, '--type=extensionHost');
				}
			},
		},
	];
}

function kill(workbench: Workbench, program: string): void {
	const found = processTree(workbench.serverPid).find(({ commandLine }) => commandLine.includes(program));
	if (found !== undefined) process.kill(found.pid, 'SIGKILL');
}

/** Answers and stops all there is, in every thread. */
async function rest(workbench: Workbench, chat: Chat): Promise<void> {
	const { view } = chat;
	if (!(await isThere(chat.input))) await workbench.runCommand('Prowess: Focus Chat');
	await chat.input.waitFor({ timeout: limitsMs.chat });
	const elsewhere = view.locator('.elsewhere');
	const running = view.locator('.thread-row', { hasText: 'running' }).locator('.thread-open');
	const stop = view.getByRole('button', { name: 'Stop', exact: true });
	const list = (isOpen: boolean) => view.locator(`button[aria-label="Threads"][aria-expanded="${isOpen}"]`);
	await waitFor(
		'the chat to come to rest',
		async () => {
			if (await isThere(elsewhere)) return pressed(elsewhere);
			if (await isThere(chat.dock)) return pressed(chat.dock.getByRole('button', { name: 'Deny', exact: true }));
			if (await isThere(stop)) return pressed(stop);
			if (await isThere(list(false))) await pressed(list(false));
			if (await isThere(running)) return pressed(running);
			await pressed(list(true));
			return isThere(view.getByRole('button', { name: 'Send', exact: true }));
		},
		limitsMs.rest,
	);
	assert.equal(await view.getByText('Could not open the thread').count(), 0);
	assert.equal(await view.locator('[aria-busy="true"]').count(), 0);
}

async function isThere(locator: Locator): Promise<boolean> {
	return (await locator.count()) > 0;
}

/** Looks again whatever came of it. */
async function pressed(locator: Locator): Promise<false> {
	await locator
		.first()
		.click(attempt)
		.catch(() => undefined);
	return false;
}

async function leavesNothing(workbench: Workbench): Promise<void> {
	// Among all: what a host that was killed leaves has another parent.
	const commands = runningProcesses().filter(({ commandLine }) => commandLine.includes(endless));
	await waitUntilGone(commands.map(({ pid }) => pid));
	const env = { PATH: process.env['PATH'], HOME: workbench.home };
	const cli = (...words: string[]) => promisify(execFile)(process.execPath, [programs.cli, ...words], { env });
	assert.match((await cli('ledger', 'verify')).stdout, /^intact/);
	const { stdout } = await cli('thread', 'list', '--json');
	assert.doesNotMatch(stdout, /"running": ?true/);
}
