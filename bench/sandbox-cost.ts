/** The shortest command there is, in the sandbox and beside it, in turns. Started by itself, it writes what that took as JSON. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandSandbox } from '../src/machine/sandbox/command-sandbox.ts';
import { bubblewrapCandidates } from '../src/machine/sandbox/sandbox.ts';
import { CommandRunner } from '../src/machine/shell/command-runner.ts';
import { paired } from './measure.ts';

const ROUNDS = 40;

/** Medians, in milliseconds. */
export interface SandboxCost {
	readonly bare: number;
	readonly inside: number;
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
		return { bare: bare?.value ?? Number.NaN, inside: inside?.value ?? Number.NaN };
	} finally {
		await commands.close();
		rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	}
}

async function timed(commands: CommandRunner, cwd: string, isSandboxed: boolean): Promise<number> {
	const startedAt = performance.now();
	const request = {
		steps: [{ join: ';' as const, programs: [{ argv: ['true'], file: '/bin/true' }] }],
		cwd,
		timeoutMs: undefined,
		threadId: null,
		isSandboxed,
		reach: { read: [], write: [] },
		mayWrite: true,
		onlyReads: false,
	};
	await commands.run(request, () => undefined, new AbortController().signal);
	return performance.now() - startedAt;
}

if (process.argv[1] === import.meta.filename) {
	process.stdout.write(JSON.stringify((await sandboxCost(process.argv[2] ?? '')) ?? null));
}
