/** Greedy programs run for real, in the sandbox and without it. */
import type { CommandState } from '../../../src/protocol/ops/definitions/commands/shell.ts';
import { type Greed, LONG_SLEEP } from '../../fixtures/escapes/greed.ts';
import { runningProcesses, waitUntilGone } from '../../support/processes.ts';
import { SandboxScene } from '../../support/sandbox-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** Time limit in the sandbox, and how long a program holds what it took unless ended before. */
const HELD_MS = 20_000;
/** Without the sandbox nothing ends it, so that no more is waited for than it takes. */
const OUTSIDE_MS = 5_000;

/**
 * Returns how the program ended: by its time limit, if nothing ended it before. Waits until no process of it is left.
 */
export async function takeTooMuch({ text, limits }: Greed, isSandboxed: boolean): Promise<CommandState> {
	const workspace = tempDir('workspace');
	const scene = new SandboxScene({}, {}, workspace, limits(workspace));
	try {
		const program = `import os, time\n${text}\ntime.sleep(${HELD_MS / 1_000})`;
		const timeoutMs = isSandboxed ? HELD_MS : OUTSIDE_MS;
		return await scene.run(['python3', '-c', program], { timeoutMs, isSandboxed });
	} finally {
		const left = runningProcesses()
			.filter(({ commandLine }) => commandLine.includes(LONG_SLEEP))
			.map(({ pid }) => pid);
		if (!isSandboxed) for (const pid of left) process.kill(pid, 'SIGKILL');
		await waitUntilGone(left);
		await scene.close();
	}
}
