/**
 * A bubblewrap that goes on only when it is told to, and is in no group of its host: what the inner half of a real one is
 * for the moments in which it makes a sandbox, as long as a test needs them.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, processTree } from './processes.ts';
import { waitFor } from './wait-for.ts';

export class LateBubblewrap {
	/** To be run in place of bubblewrap. */
	readonly file: string;
	readonly #passed: string;
	readonly #gate: number;
	readonly #pids: number[] = [];

	/** `late`: patterns of the shell, one of which fits the words of those that wait; all others start at once. */
	constructor(folder: string, bubblewrap: string, late: readonly string[]) {
		this.file = join(folder, 'bwrap-that-waits');
		this.#passed = join(folder, 'passed');
		const gate = join(folder, 'gate');
		execFileSync('mkfifo', [gate]);
		const inner = `read -r _ < ${gate}; echo > ${this.#passed}; exec ${bubblewrap} "$@"`;
		const script = `#!/bin/sh
case "$*" in
${late.join('|')}) setsid sh -c '${inner}' late "$@" <&0 & wait ;;
*) exec ${bubblewrap} "$@" ;;
esac
`;
		writeFileSync(this.file, script, { mode: 0o755 });
		// Both ways, so that neither side waits for the other to open it.
		this.#gate = openSync(gate, constants.O_RDWR);
	}

	/** Returns the ids of the waiting processes below `host`. */
	async waiting(host: number, limitMs: number): Promise<readonly number[]> {
		rmSync(this.#passed, { force: true });
		const found = await waitFor(
			'the late half of the sandbox',
			() => {
				const waiting = processTree(host).filter(({ commandLine }) => commandLine.startsWith('sh -c read'));
				return waiting.length > 0 && waiting.map(({ pid }) => pid);
			},
			limitMs,
		);
		this.#pids.push(...found);
		return found;
	}

	/** Lets one of them go on. */
	release(): void {
		writeSync(this.#gate, '\n');
	}

	/** True once the last process that was waited for has gone on. */
	get hasPassed(): boolean {
		return existsSync(this.#passed);
	}

	/** Ends those that still run. */
	dispose(): void {
		closeSync(this.#gate);
		for (const pid of this.#pids.filter(isRunning)) process.kill(pid, 'SIGKILL');
	}
}
