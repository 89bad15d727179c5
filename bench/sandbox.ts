/** What the sandbox costs a command: the shortest program there is, in it and beside it, in the same run. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandSandbox } from '../src/capability-host/machine/sandbox/command-sandbox.ts';
import { bubblewrapCandidates } from '../src/capability-host/machine/sandbox/sandbox.ts';
import { CommandRunner } from '../src/capability-host/machine/shell/command-runner.ts';
import { ensureBubblewrap } from '../scripts/setup/bubblewrap.mjs';
import { type Figure, ms, paired } from './measure.ts';

const ROUNDS = 40;
const BAR_MS = 15;

export async function sandboxFigures(): Promise<Figure[]> {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'prowess-bench-')));
	const figure = {
		goal: 'sandbox',
		what: 'cost of the sandbox per command, above the bare one',
		bar: `<= ${BAR_MS} ms`,
	};
	const workspace = join(folder, 'workspace');
	mkdirSync(workspace);
	const bubblewrap = (await ensureBubblewrap()) ?? '';
	const sandbox = new CommandSandbox({
		home: join(folder, 'home'),
		folders: () => [workspace],
		bubblewrapCandidates: () => bubblewrapCandidates(bubblewrap),
	});
	const commands = new CommandRunner(process.env, sandbox);
	try {
		const state = await commands.sandboxState();
		if (!state.works) {
			return [{ ...figure, measured: 'not measured: no sandbox works here', met: undefined }];
		}
		const { bare, inside } = await paired(ROUNDS, {
			bare: () => timed(commands, workspace, false),
			inside: () => timed(commands, workspace, true),
		});
		const [without = Number.NaN, within = Number.NaN] = [bare?.value, inside?.value];
		const measured = `${ms(within - without)} (${ms(without)} bare, ${ms(within)} sandboxed)`;
		return [{ ...figure, measured, met: within - without <= BAR_MS }];
	} finally {
		await commands.close();
		rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	}
}

async function timed(commands: CommandRunner, cwd: string, isSandboxed: boolean): Promise<number> {
	const startedAt = performance.now();
	const request = {
		pipelines: [[{ argv: ['true'], file: '/bin/true' }]],
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
