/** The shortest command there is, in the sandbox and beside it, in turns. Started by itself, it writes what that took as JSON. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandSandbox } from '../src/machine/sandbox/command-sandbox.ts';
import { bubblewrapCandidates } from '../src/machine/sandbox/sandbox.ts';
import { CommandRunner } from '../src/machine/shell/command-runner.ts';
import { median, paired } from './measure.ts';

const ROUNDS = 40;
const STOPS = 5;

/** Medians, in milliseconds. */
export interface SandboxCost {
	readonly bare: number;
	readonly inside: number;
	/** From the wish to stop to the end of a sandboxed command that ignores SIGTERM. */
	readonly deafStop: number;
}

/** Undefined where no sandbox works. */
export async function sandboxCost(bubblewrap: string): Promise<SandboxCost | undefined> {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'prowess-bench-')));
	const workspace = join(folder, 'workspace');
	mkdirSync(workspace);
	const sandbox = new CommandSandbox({
		home: join(folder, 'home'),
		folders: () => [workspace],
		bubblewrapCandidates: () => bubblewrapCandidates(bubblewrap),
	});
	const commands = new CommandRunner(process.env, sandbox);
	try {
		if (!(await commands.sandboxState()).works) {
			return undefined;
		}
		const { bare, inside } = await paired(ROUNDS, {
			bare: () => timed(commands, workspace, false),
			inside: () => timed(commands, workspace, true),
		});
		const stops: number[] = [];
		for (let at = 0; at < STOPS; at += 1) stops.push(await timeDeafStop(commands, workspace));
		return { bare: bare?.value ?? Number.NaN, inside: inside?.value ?? Number.NaN, deafStop: median(stops) };
	} finally {
		await commands.close();
		rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	}
}

async function timed(commands: CommandRunner, cwd: string, isSandboxed: boolean): Promise<number> {
	const startedAt = performance.now();
	const request = createRequest(cwd, { argv: ['true'], file: '/bin/true' }, isSandboxed);
	await commands.run(request, () => undefined, new AbortController().signal);
	return performance.now() - startedAt;
}

async function timeDeafStop(commands: CommandRunner, cwd: string): Promise<number> {
	const argv = ['sh', '-c', 'trap "" TERM; echo up; while :; do sleep 1; done'];
	const stop = new AbortController();
	let stoppedAt = Number.NaN;
	const onOutput = () => {
		stoppedAt = performance.now();
		stop.abort(new Error('the bench goes on'));
	};
	await commands.run(createRequest(cwd, { argv, file: '/bin/sh' }, true), onOutput, stop.signal).catch(() => undefined);
	return performance.now() - stoppedAt;
}

function createRequest(cwd: string, program: { argv: string[]; file: string }, isSandboxed: boolean) {
	return {
		steps: [{ join: ';' as const, programs: [program] }],
		cwd,
		timeoutMs: undefined,
		threadId: null,
		isSandboxed,
		reach: { read: [], write: [] },
		mayWrite: true,
		onlyReads: false,
	};
}

if (process.argv[1] === import.meta.filename) {
	process.stdout.write(JSON.stringify((await sandboxCost(process.argv[2] ?? '')) ?? null));
}
