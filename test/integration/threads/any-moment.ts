/**
 * Ends the CLI at moments of a turn that nobody chose, politely or not, and looks at what is left: no process, no effect done
 * twice, a ledger that verifies, and a thread that goes on. The same seed gives the same moments.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Script, startModelServer } from '../../support/model-server.ts';
import { seeded } from '../../support/seeded.ts';
import { processTree, waitUntilGone } from '../../support/processes.ts';
import { User } from '../cli/cli-process.ts';

const turn: Script = [
	{ toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }] },
	{ toolCalls: [{ name: 'fs_edit', input: { path: 'a.txt', edits: [{ find: 'one', replace: 'two' }] } }] },
	{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', 'effect.cjs'] } }] },
	{ chunks: ['All ', 'is ', 'done.'], delayMs: 20 },
];

export async function endAtAnyMoment(count: number, seed: number): Promise<void> {
	const random = seeded(seed);
	const wholeMs = await untouchedTurn();
	for (let n = 0; n < count; n += 1) {
		const signal = random() < 0.5 ? 'SIGTERM' : 'SIGKILL';
		const afterMs = Math.round(random() * wholeMs);
		await endAfter(afterMs, signal, `moment ${n} of seed ${seed}: ${signal} after ${afterMs} ms`);
	}
}

function prepared(): User {
	const user = new User();
	user.writes('a.txt', 'one\n');
	user.writes('effect.cjs', "require('node:fs').appendFileSync('effects.txt', 'x')");
	return user;
}

/** Measures a turn that is left alone, in milliseconds. */
async function untouchedTurn(): Promise<number> {
	const server = await startModelServer(turn);
	try {
		const from = performance.now();
		const { code, stderr } = await prepared().promptsApart(server.baseUrl, 'x', ['--approve', 'auto']).ended;
		assert.equal(code, 0, stderr);
		return performance.now() - from;
	} finally {
		await server.close();
	}
}

async function endAfter(afterMs: number, signal: 'SIGTERM' | 'SIGKILL', moment: string): Promise<void> {
	const user = prepared();
	const server = await startModelServer(turn);
	try {
		const cli = user.promptsApart(server.baseUrl, 'x', ['--approve', 'auto']);
		// Not a wait for something: the moment itself.
		await new Promise((resolve) => setTimeout(resolve, afterMs));
		// Held still, so that it starts nothing between the look and the signal.
		cli.child.kill('SIGSTOP');
		const pids = processTree(cli.pid).map(({ pid }) => pid);
		cli.child.kill(signal);
		cli.child.kill('SIGCONT');
		await cli.ended;
		await waitUntilGone(pids);
	} finally {
		await server.close();
	}
	assert.equal((await user.runsApart(['ledger', 'verify'])).code, 0, moment);
	const before = effectsOf(user);
	assert.ok(before.length <= 1, `${moment}: the command ran ${before.length} times`);
	await goesOn(user, moment);
	assert.equal(effectsOf(user), before, `${moment}: going on ran it again`);
}

async function goesOn(user: User, moment: string): Promise<void> {
	const { stdout: listed } = await user.runsApart(['thread', 'list', '--json']);
	const thread = /thr_[\w-]+/.exec(listed)?.[0];
	const server = await startModelServer([{ text: 'Here I am.' }]);
	try {
		const words = thread === undefined ? [] : ['--thread', thread];
		const { code, stdout, stderr } = await user.promptsApart(server.baseUrl, 'Are you there, after all that?', words)
			.ended;
		assert.equal(code, 0, `${moment}: ${stderr}`);
		assert.match(stdout, /Here I am\./, moment);
	} finally {
		await server.close();
	}
}

function effectsOf(user: User): string {
	const file = join(user.workspace, 'effects.txt');
	return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
