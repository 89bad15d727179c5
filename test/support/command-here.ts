/**
 * A command line in the process of the spec: the same words, composition and files as in a process of its own, and the
 * server with it. Only the start of two programs and the pipe between them are left out, which costs five times as much as
 * the rest. While a command runs, this process has its environment and its folder.
 */
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { runCommandWords } from '../../src/cli/command-line.ts';
import { isKeyVariable } from '../../src/cli/server/credentials.ts';
import type { SystemPlace } from '../../src/machine/organisation/system-file.ts';
import { Stopped } from '../../src/cli/terminal/interruption.ts';
import { Terminal } from '../../src/cli/terminal/terminal.ts';
import { serverHere } from './server-here.ts';

interface CommandHereOptions {
	readonly env: Readonly<Record<string, string>>;
	readonly cwd: string;
	/** Where the rules of an organisation are; without it there are none. */
	readonly system?: SystemPlace | undefined;
	/** Standard input; without it there is none. */
	readonly input?: string | undefined;
	/** A program writes to `stdin` and reads `stdout`, until it ends the first. */
	readonly isProgram?: boolean | undefined;
	/** Somebody sits at a terminal, who may type; hears of all that is shown. */
	readonly onShown?: ((command: CommandHere) => void) | undefined;
}

type Stream = PassThrough & { readonly isTTY: boolean };

export class CommandHere {
	readonly ended: Promise<{
		readonly code: number;
		readonly signal: null;
		readonly stdout: string;
		readonly stderr: string;
	}>;
	readonly #controller = new AbortController();
	/** Streams that a program at the far end writes and reads. */
	readonly stdin: Stream;
	readonly output: Stream;
	#stdout = '';
	#stderr = '';
	#shown = '';

	constructor(words: readonly string[], { env, cwd, input, isProgram, onShown, system }: CommandHereOptions) {
		const isTTY = onShown !== undefined;
		const [stdin, stdout, stderr] = [0, 1, 2].map(() => Object.assign(new PassThrough(), { isTTY })) as [
			Stream,
			Stream,
			Stream,
		];
		const show = (chunk: string) => {
			this.#shown += chunk;
			onShown?.(this);
		};
		stdout.setEncoding('utf8').on('data', (chunk: string) => {
			this.#stdout += chunk;
			show(chunk);
		});
		stderr.setEncoding('utf8').on('data', (chunk: string) => {
			this.#stderr += chunk;
			show(chunk);
		});
		this.stdin = stdin;
		this.output = stdout;
		if (!isTTY && isProgram !== true) stdin.end(input ?? '');
		this.ended = inPlace({ env, cwd }, async () => {
			const servers: ReturnType<typeof serverHere>[] = [];
			const terminal = new Terminal({ stdin, stdout, stderr });
			try {
				const code = await runCommandWords(words, {
					terminal,
					// Each host that the command composes gets a server of its own.
					get server() {
						const server = serverHere();
						servers.push(server);
						return server;
					},
					environment: env,
					system: system ?? { folder: join(cwd, 'no-organisation'), owners: undefined },
					signal: this.#controller.signal,
					onKill: () => {},
				});
				await terminal.flush();
				return { code, signal: null, stdout: this.#stdout, stderr: this.#stderr };
			} finally {
				await Promise.all(servers.map((server) => server.end()));
			}
		});
	}

	get stdout(): string {
		return this.#stdout;
	}

	get stderr(): string {
		return this.#stderr;
	}

	/** All that was printed, in its order. */
	get shown(): string {
		return this.#shown;
	}

	/** At the terminal. */
	types(text: string): void {
		this.stdin.write(text);
	}

	/** Aborts the command, as the first Ctrl+C does. */
	stop(): void {
		this.#controller.abort(new Stopped('stopped by SIGINT'));
	}
}

interface Place {
	readonly env: Readonly<Record<string, string>>;
	readonly cwd: string;
}

/** Where the commands of now run, and how many they are. */
let here = { place: undefined as Place | undefined, running: 0, leave: () => {} };

/** Several commands run side by side where they have the same place. */
async function inPlace<T>(wanted: Place, work: () => Promise<T>): Promise<T> {
	const tooLate = Object.keys(wanted.env).find((name) => isKeyVariable(name) || isReadByNode(name));
	if (tooLate !== undefined) throw new Error(`${tooLate} means a process from its start: start one for this command`);
	const { place } = here;
	if (here.running > 0 && !isDeepStrictEqual(place, wanted)) {
		// The command still running has lost its place. Enter the wanted one all the same, so that the specs after a
		// forgetful spec do not fail too.
		enter(wanted);
		throw new Error(`a command still runs in ${place?.cwd}: start one of them in a process of its own`);
	}
	if (here.running === 0) enter(wanted);
	const mine = here;
	mine.running += 1;
	try {
		return await work();
	} finally {
		mine.running -= 1;
		if (mine.running === 0 && mine === here) mine.leave();
	}
}

function enter(wanted: Place): void {
	here.leave();
	const before = { env: { ...process.env }, cwd: process.cwd() };
	setEnvironment(wanted.env);
	process.chdir(wanted.cwd);
	const leave = () => {
		setEnvironment(before.env);
		process.chdir(before.cwd);
		here.leave = () => {};
	};
	here = { place: { ...wanted, env: { ...wanted.env } }, running: 0, leave };
}

/** In place: the system looks up some variables itself. */
function setEnvironment(wanted: NodeJS.ProcessEnv): void {
	for (const name of Object.keys(process.env)) if (wanted[name] === undefined) delete process.env[name];
	Object.assign(process.env, wanted);
}

/** Returns true for variables that Node reads only as it starts. */
function isReadByNode(name: string): boolean {
	return name.startsWith('NODE_') && name !== 'NODE_COMPILE_CACHE';
}
