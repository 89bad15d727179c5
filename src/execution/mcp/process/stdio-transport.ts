/**
 * A server as a process of this host: one message a line on its input and output, its error output into its log. Whatever
 * breaks a rule of the protocol ends it, and it never outlives its owner.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Transport } from '@modelcontextprotocol/client';
import { BoundedLines } from '../../../base/text/bounded-lines.ts';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { raceTimeout } from '../../../base/time/bounded-wait.ts';
import { entryPipes, letIn } from '../../../machine/sandbox/entry.ts';
import type { ProgramSandbox } from '../../../machine/sandbox/command-wall.ts';
import type { CommandGuard } from '../../../machine/shell/command-guard.ts';
import { findProgram } from '../../../machine/shell/find-program.ts';
import { signalGroup, signalWithin } from '../../../machine/shell/process-group.ts';
import { batchArgv, isBatchFile } from '../../../machine/shell/windows-batch.ts';
import { MESSAGE_BYTES, STOP_MS } from '../limits.ts';
import { MessageRules, STOPPED } from './message-rules.ts';
import type { ServerLog } from './server-log.ts';

type StdioMessage = Parameters<Transport['send']>[0];

interface StdioOptions {
	readonly command: string;
	readonly args: readonly string[];
	/** Absolute. */
	readonly cwd: string;
	readonly environment: Readonly<Record<string, string>>;
	/** Closed when the server has ended. Undefined: nothing keeps it in. */
	readonly sandbox: ProgramSandbox | undefined;
	/** Ends it with a host that is killed. */
	readonly guard: CommandGuard;
	readonly log: ServerLog;
	/** Throws for what is no message. */
	readonly parse: (value: unknown) => StdioMessage;
}

export class StdioTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: <T extends StdioMessage>(message: T) => void;
	/** With `stderr` and `pid`, tells the SDK that an older server may answer with nothing but silence. */
	readonly stderr = null;
	readonly #options: StdioOptions;
	readonly #rules = new MessageRules();
	readonly #ended = Promise.withResolvers<string>();
	#child: ChildProcessWithoutNullStreams | undefined;
	#reason: string | undefined;

	constructor(options: StdioOptions) {
		this.#options = options;
	}

	get pid(): number | null {
		return this.#child?.pid ?? null;
	}

	/** Resolves, with why, when none of its processes is left. */
	get ended(): Promise<string> {
		return this.#ended.promise;
	}

	/** Rejects with COMMAND_NOT_FOUND, or when the system cannot start it; then nothing is left of it. */
	async start(): Promise<void> {
		const { command, args, cwd, environment, sandbox, guard } = this.#options;
		try {
			const program = await findProgram(command, cwd, environment);
			const entry = sandbox?.enter(program, args);
			const isBatch = isBatchFile(program);
			const plain = isBatch ? batchArgv(program, args, environment['COMSPEC'] ?? 'cmd.exe') : { file: program, args };
			const child = spawn(entry?.file ?? plain.file, entry?.args ?? plain.args, {
				cwd,
				env: sandbox?.environment ?? environment,
				stdio: ['pipe', 'pipe', 'pipe', ...entryPipes(entry)],
				windowsHide: true,
				windowsVerbatimArguments: isBatch,
				detached: process.platform !== 'win32',
			}) as ChildProcessWithoutNullStreams;
			this.#child = child;
			const watch = child.pid === undefined ? undefined : sandbox?.watch(child.pid, () => this.#kill());
			if (child.pid !== undefined) guard.add(child.pid);
			const failed = new Promise<never>((_resolve, reject) => child.once('error', reject));
			child.once('exit', () => this.#kill());
			child.once('close', (code, signal) => {
				watch?.dispose();
				if (child.pid !== undefined) guard.delete(child.pid);
				void this.#end(signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`);
			});
			this.#listen(child);
			if (entry !== undefined) await Promise.race([letIn(child, entry), failed]);
			await Promise.race([new Promise((resolve) => child.pid !== undefined && resolve(undefined)), failed]);
		} catch (error) {
			this.#kill();
			if (this.#child?.pid === undefined) void this.#end(toErrorMessage(error));
			throw error;
		}
	}

	send(message: StdioMessage): Promise<void> {
		const input = this.#child?.stdin;
		if (input?.writable !== true) {
			return Promise.reject(new Error(this.#reason ?? 'the server has ended'));
		}
		this.#rules.sent(message);
		return new Promise((resolve, reject) => {
			input.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
		});
	}

	/** Ends the server by ending its input; kills what is left after a moment. Resolves when no process is left. */
	async close(): Promise<void> {
		this.#reason ??= STOPPED;
		const child = this.#child;
		if (child === undefined) {
			await this.#end(this.#reason);
			return;
		}
		child.stdin.end();
		if ((await raceTimeout(this.ended, STOP_MS)) === undefined) this.#kill();
		await this.ended;
	}

	#listen(child: ChildProcessWithoutNullStreams): void {
		const lines = new BoundedLines({
			maxBytes: MESSAGE_BYTES,
			onLine: (line) => this.#take(Buffer.from(line).toString('utf8').trim()),
			onTooLong: () => this.#break(`a message of it is longer than ${MESSAGE_BYTES} bytes`),
		});
		child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
		child.stderr.setEncoding('utf8').on('data', (text: string) => this.#options.log.add(text));
		child.stdin.on('error', () => undefined);
	}

	/** False: nothing more is read. */
	#take(line: string): boolean {
		if (this.#reason !== undefined || line === '') {
			return this.#reason === undefined;
		}
		let message: StdioMessage;
		try {
			message = this.#options.parse(JSON.parse(line));
		} catch {
			this.#options.log.note(`not a message: ${line.slice(0, 200)}`);
			const why = this.#rules.foreignLine();
			if (why !== undefined) this.#break(why);
			return why === undefined;
		}
		const why = this.#rules.received(message, performance.now());
		if (why !== undefined) {
			this.#break(why);
			return false;
		}
		this.onmessage?.(message);
		return true;
	}

	#break(why: string): void {
		this.#reason ??= why;
		this.#options.log.note(`ended: ${why}`);
		this.#kill();
	}

	#kill(): void {
		const pid = this.#child?.pid;
		if (pid === undefined) return;
		if (this.#options.sandbox?.hasOwnProcesses === true) signalWithin(pid, 'SIGKILL');
		else signalGroup(pid, 'SIGKILL');
	}

	async #end(how: string): Promise<void> {
		this.#reason ??= how;
		for (const sentence of (await this.#options.sandbox?.close(this.#options.log.tail(4_000))) ?? []) {
			this.#options.log.note(sentence);
		}
		this.#ended.resolve(this.#reason);
		this.onclose?.();
	}
}
