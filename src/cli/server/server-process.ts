/**
 * A single life of the server process, over Node's IPC channel. The process is not restarted here: a command that loses
 * its server fails with SERVER_GONE and says how it ended. The process has a group of its own, so that Ctrl+C reaches
 * only us; it ends when its channel does, so it never outlives us.
 */
import {
	CancellationTokenSource,
	createMessageConnection,
	IPCMessageReader,
	IPCMessageWriter,
	type MessageConnection,
	ResponseError,
} from 'vscode-jsonrpc/node';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { orAborted, raceTimeout, withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { jsonRpcWire } from '../../protocol/rpc/json-rpc-wire.ts';
import type { ParamsOf, RequestDef, ResultOf } from '../../protocol/rpc/message.ts';
import { Peer } from '../../protocol/rpc/peer.ts';
import { isWireError, type Wire, WIRE_CODES } from '../../protocol/rpc/wire.ts';
import { cliLimits } from '../terminal/limits.ts';
import {
	killServerProgram,
	type StartedServerProgram,
	type ServerProgramOptions,
	startServerProgram,
} from './server-program.ts';

interface CliServerOptions extends ServerProgramOptions {
	/** The program, when it has been started already. */
	readonly started?: StartedServerProgram | undefined;
	readonly log: LogPort;
	/** The wire to it, as whoever notes or drives what passes has it; absent: as it is. */
	readonly wrap?: ((wire: Wire) => Wire) | undefined;
	/** Takes secrets out of what the process prints. */
	redact(text: string): string;
}

export class CliServerProcess {
	/** Peer of the server; register handlers of its requests before `start`. */
	readonly peer: Peer;
	readonly #program: StartedServerProgram;
	readonly #child: StartedServerProgram['child'];
	readonly #connection: MessageConnection;
	readonly #gone = new AbortController();
	readonly #exited: Promise<void>;
	readonly #redact: (text: string) => string;
	#tail = '';
	#stopping: Promise<void> | undefined;
	#closing: Promise<void> | undefined;

	constructor({ log, redact, started, wrap = (wire) => wire, ...program }: CliServerOptions) {
		this.#redact = redact;
		this.#program = started ?? startServerProgram(program);
		this.#child = this.#program.child;
		this.#exited = this.#program.ended.then((how) => this.#end(how));
		for (const stream of [this.#child.stdout, this.#child.stderr]) {
			stream?.setEncoding('utf8').on('data', (chunk: string) => {
				const text = redact(chunk);
				this.#tail = (this.#tail + text).slice(-cliLimits.stderrTailChars);
				log.warn(`server: ${text.trimEnd()}`);
			});
		}
		this.#connection = createMessageConnection(new IPCMessageReader(this.#child), new IPCMessageWriter(this.#child));
		this.#connection.onClose(() => this.#connection.dispose());
		const wire = wrap(jsonRpcWire(this.#connection, { CancellationTokenSource, ResponseError }));
		this.peer = new Peer(wire, (method, problem) => log.warn(`server: ${method}: ${problem}`));
	}

	get pid(): number {
		return this.#child.pid ?? 0;
	}

	/** Aborts when the process is gone, with a SERVER_GONE as its reason. */
	get gone(): AbortSignal {
		return this.#gone.signal;
	}

	/** Opens the conversation; `handshake` is its first message. Rejects when the process does not answer in time. */
	async start(handshake: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
		const limit = deriveSignal(signal, { what: 'starting the server', timeoutMs: cliLimits.serverStartMs });
		try {
			this.#connection.listen();
			const opening = { processId: process.pid, rootUri: null, capabilities: {} };
			// Both are there when the program has loaded: it is our own, and answers them in any order.
			const opened = orAborted(this.#connection.sendRequest('initialize', opening), limit.signal);
			await this.#settled(Promise.all([opened, handshake(limit.signal)]));
			await this.#connection.sendNotification('initialized', {});
		} finally {
			limit.dispose();
		}
	}

	/** Like `peer.call`; when the process is gone, the error says how it ended. */
	async call<D extends RequestDef>(def: D, params: ParamsOf<D>, signal: AbortSignal): Promise<ResultOf<D>> {
		return await this.#settled(this.peer.call<D['params'], D['result']>(def, params, signal));
	}

	/** Asks it to store all it has, then kills it; resolves when it will ask for nothing any more. Idempotent, bounded. */
	stop(): Promise<void> {
		this.#stopping ??= this.#stop();
		return this.#stopping;
	}

	/** Stops it; resolves when it is gone. Idempotent, bounded. */
	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	/** Ends it at once. */
	kill(): void {
		killServerProgram(this.#program);
	}

	async #stop(): Promise<void> {
		try {
			await withTimeLimit({ what: 'ending the server', timeoutMs: cliLimits.serverStopMs }, async (signal) => {
				await orAborted(this.#connection.sendRequest('shutdown'), signal);
			});
		} catch {
			// The server is gone already, or does not answer.
		}
		this.kill();
	}

	async #close(): Promise<void> {
		await this.stop();
		await raceTimeout(this.#exited, cliLimits.serverExitMs);
		this.#connection.dispose();
		this.#child.stdout?.destroy();
		this.#child.stderr?.destroy();
	}

	/** A call that fails because the process is going waits for how it went. */
	async #settled<T>(call: Promise<T>): Promise<T> {
		try {
			return await call;
		} catch (error) {
			const isGone =
				(isWireError(error) && error.code === WIRE_CODES.farEndGone) ||
				(error instanceof ResponseError && error.code === WIRE_CODES.farEndGone);
			if (!isGone && !this.gone.aborted) {
				throw error;
			}
			await raceTimeout(this.#exited, cliLimits.serverExitMs);
			throw this.gone.aborted ? this.gone.reason : error;
		}
	}

	#end(how: string): void {
		if (this.gone.aborted) {
			return;
		}
		const last = this.#redact(this.#tail).trim();
		const output = last === '' ? '' : `; its last output: ${last}`;
		this.#gone.abort(new ProwessError('SERVER_GONE', `the server process is gone: ${how}${output}`, { how }));
		// Read the rest of the channel first: `close` comes after it. A grandchild may hold the pipes open for longer.
		setTimeout(() => this.#connection.dispose(), cliLimits.serverExitMs).unref();
	}
}
