/** The real CLI in a terminal of its own: it asks, and somebody answers. Needs `script` of util-linux. */
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { programs } from '../../support/programs.ts';
import type { User } from './cli-process.ts';

export const hasTerminals = (() => {
	try {
		return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
	} catch {
		return false;
	}
})();

export class Terminal {
	/** Exit code of the program. */
	readonly ended: Promise<number | null>;
	readonly #child: ChildProcessByStdio<Writable, Readable, null>;
	#shown = '';

	constructor(
		user: User,
		words: readonly string[],
		onShown: (terminal: Terminal) => void = () => {},
		env: Readonly<Record<string, string>> = {},
	) {
		const line = [process.execPath, programs.cli, ...words].map((word) => `'${word}'`).join(' ');
		this.#child = spawn('script', ['-qefc', line, '/dev/null'], {
			cwd: user.workspace,
			env: { ...user.environment, SHELL: '/bin/sh', ...env },
			stdio: ['pipe', 'pipe', 'inherit'],
		});
		this.#child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
			this.#shown += chunk;
			onShown(this);
		});
		this.ended = new Promise((resolve) => this.#child.once('close', resolve));
	}

	/** All that was printed, with plain ends of lines. */
	get shown(): string {
		return this.#shown.replaceAll('\r\n', '\n');
	}

	types(text: string): void {
		this.#child.stdin.write(text);
	}
}
