/**
 * Ends the commands of a host that died without a word (`kill -9`): a shell that waits for the end of its input, which is
 * the end of the host, and then kills each process group it was told of. Started with the first command. POSIX only:
 * on Windows, and where there is no /bin/sh, commands outlive such a host.
 */
import { type ChildProcess, spawn } from 'node:child_process';

/** `+ group` and `- group`, one a line. Signals that end a terminal's job are not for it: its host decides. */
const GUARD_SCRIPT = `
trap '' INT TERM HUP
groups=
while read -r act group; do
	case $act in
		+) groups="$groups $group" ;;
		-) rest=; for each in $groups; do [ "$each" = "$group" ] || rest="$rest $each"; done; groups=$rest ;;
	esac
done
for each in $groups; do kill -s KILL -- "-$each" 2>/dev/null; done
`;

export class CommandGuard {
	#shell: ChildProcess | undefined;
	#closed: Promise<void> | undefined;

	add(group: number): void {
		this.#shell ??= this.#start();
		this.#tell(`+ ${group}`);
	}

	delete(group: number): void {
		this.#tell(`- ${group}`);
	}

	/** Resolves when the shell has ended, and with it every group that was not taken back. */
	close(): Promise<void> {
		this.#closed ??= new Promise((resolve) => {
			const shell = this.#shell;
			if (shell === undefined || shell.pid === undefined || shell.exitCode !== null || shell.signalCode !== null) {
				resolve();
				return;
			}
			shell.ref();
			shell.once('exit', () => resolve());
			shell.stdin?.end();
		});
		return this.#closed;
	}

	#start(): ChildProcess | undefined {
		if (process.platform === 'win32' || this.#closed !== undefined) {
			return undefined;
		}
		const shell = spawn('/bin/sh', ['-c', GUARD_SCRIPT], {
			stdio: ['pipe', 'ignore', 'ignore'],
			detached: true,
			env: {},
		});
		// The guard must neither keep its host alive nor bring it down.
		shell.on('error', () => undefined);
		shell.stdin.on('error', () => undefined);
		shell.unref();
		(shell.stdin as { unref?: () => void }).unref?.();
		return shell;
	}

	#tell(line: string): void {
		if (this.#shell?.stdin?.writable === true) {
			this.#shell.stdin.write(`${line}\n`);
		}
	}
}
