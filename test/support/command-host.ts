/** A host in another process, which runs commands as the product does: through the broker, in the sandbox or without it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { OpOutcome } from '../../src/protocol/turn/broker.ts';
import type { CommandChain } from '../../src/protocol/ops/commands/command-chain.ts';
import type { CommandState } from '../../src/protocol/ops/definitions/commands/shell.ts';
import { programs, specProgram } from './programs.ts';

const program = specProgram(join(import.meta.dirname, '../integration/sandbox/escapes-host-program.ts'));

interface CommandHostOptions {
	/** HOME of the host and its commands. */
	readonly userHome: string;
	readonly prowessHome: string;
	readonly workspace: string;
	readonly bubblewrap: string;
	/** True when the host refuses to run anything without the sandbox. */
	readonly isSandboxOnly: boolean;
	/** Added to its environment: where toolchains lie. */
	readonly variables?: Readonly<Record<string, string>>;
}

export type CommandLine = readonly [program: string, ...words: string[]];

interface CommandWords extends CommandChain {
	readonly cwd?: string;
	readonly timeoutMs?: number;
	/** Without the sandbox. Default: in it. */
	readonly isOutside?: boolean;
}

export class CommandHost {
	readonly #child: ChildProcess;
	readonly #lines: Interface;
	readonly #waiting = new Map<number, (outcome: OpOutcome) => void>();
	#last = 0;

	constructor({ userHome, prowessHome, workspace, bubblewrap, isSandboxOnly, variables }: CommandHostOptions) {
		const { PATH = '', LANG = 'C.UTF-8' } = process.env;
		this.#child = spawn(
			process.execPath,
			['--no-warnings', program, prowessHome, workspace, bubblewrap, String(isSandboxOnly)],
			{
				stdio: ['pipe', 'pipe', 'inherit'],
				env: {
					...{ HOME: userHome, PATH, LANG },
					...variables,
					...programs.compileCache,
				},
			},
		);
		this.#lines = createInterface({ input: this.#child.stdout as NonNullable<ChildProcess['stdout']> });
		this.#lines.on('line', (line) => {
			const { id, outcome } = JSON.parse(line) as { id: number; outcome: OpOutcome };
			this.#waiting.get(id)?.(outcome);
			this.#waiting.delete(id);
		});
		this.#child.once('exit', (code, signal) => {
			for (const resolve of this.#waiting.values()) {
				resolve({
					status: 'failed',
					error: { code: 'INTERNAL', message: `the host ended: ${signal ?? code}` },
				} as OpOutcome);
			}
		});
	}

	get pid(): number {
		return this.#child.pid ?? 0;
	}

	/** Runs a command and returns its final state. Rejects when the host refuses it or cannot start it. */
	async run({
		argv,
		redirects,
		patterns,
		chain,
		cwd,
		timeoutMs,
		isOutside = false,
	}: CommandWords): Promise<CommandState> {
		const id = (this.#last += 1);
		const params = {
			argv,
			...(redirects === undefined ? {} : { redirects }),
			...(patterns === undefined ? {} : { patterns }),
			...(chain === undefined ? {} : { chain }),
			...(cwd === undefined ? {} : { cwd }),
			...(timeoutMs === undefined ? {} : { timeoutMs }),
			...(isOutside ? { needs: { noSandbox: true } } : {}),
		};
		if (this.#child.exitCode !== null || this.#child.signalCode !== null)
			throw new Error('the host of commands has ended');
		const outcome = await new Promise<OpOutcome>((resolve) => {
			this.#waiting.set(id, resolve);
			this.#child.stdin?.write(asLine({ id, params }));
		});
		if (outcome.status !== 'done') {
			throw new Error(`${argv[0]}: ${outcome.error.code}: ${outcome.error.message}`);
		}
		return outcome.result as CommandState;
	}

	async close(): Promise<void> {
		this.#lines.removeAllListeners();
		if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
		this.#child.stdin?.end();
		await once(this.#child, 'exit');
	}
}

/** A line of JSON, also for those who take U+2028 and U+2029 for ends of lines. */
export function asLine(value: unknown): string {
	return `${JSON.stringify(value)
		.replaceAll('\u2028', String.raw`\u2028`)
		.replaceAll('\u2029', String.raw`\u2029`)}\n`;
}
