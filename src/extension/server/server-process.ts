/**
 * A life of the server process behind its own language client. Never restarts: the maker hears `gone` and makes the
 * next one. The process is started over Node's IPC channel with an environment of its own.
 */
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import * as vscode from 'vscode';
import { raceTimeout } from '../../base/time/bounded-wait.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import { Peer } from '../../protocol/rpc/peer.ts';
import type { WrapWire } from '../../protocol/rpc/wire.ts';
import { type JsonRpcLibrary, jsonRpcWire } from '../../protocol/rpc/json-rpc-wire.ts';
import { isText, translateText } from '../../protocol/text/text.ts';
import { serverFlags } from '../../host/server-inheritance.ts';
import { refuseDebugSignal } from '../../execution/processes/debug-signal.ts';
import { manifestFiles } from '../capabilities/manifest-files.ts';
import { extensionLimits } from '../editor/limits.ts';
import { createServerOverlay } from './server-environment.ts';
import { serverWire } from './server-wire.ts';
import type { WatchedClient } from './watched-client.ts';

const INSPECT_PORT = 6011;

interface EditorServerOptions {
	/** Loaded when it is needed, because it is large. */
	readonly library: JsonRpcLibrary & { readonly WatchedClient: typeof WatchedClient };
	/** Absolute path of the built server. */
	readonly module: string;
	readonly channel: vscode.LogOutputChannel;
	readonly log: LogPort;
	/** Takes secrets out of what the process prints. */
	readonly redact: (text: string) => string;
	/** Gets the wire to the process; absent: it is used as it is. */
	readonly wrap?: WrapWire | undefined;
}

export class EditorServerProcess {
	/** Usable as soon as `start` has resolved; what it serves is registered before. */
	readonly peer: Peer;
	readonly #client: WatchedClient;
	readonly #gone = new AbortController();
	readonly #debugSignal = refuseDebugSignal();

	constructor({ library, module, channel, log, redact, wrap = (same) => same }: EditorServerOptions) {
		const lastLines: string[] = [];
		const logOutput = (input: Readable) => {
			input.setEncoding('utf8');
			input.on('data', (chunk: string) => {
				for (const line of redact(chunk)
					.split('\n')
					.filter((part) => part.trim() !== '')) {
					log.warn(`server: ${line}`);
					lastLines.push(line.trim());
					lastLines.splice(0, lastLines.length - 3);
				}
			});
		};
		const environment = createServerOverlay(
			process.env,
			vscode.workspace.getConfiguration('http').inspect<string>('proxy')?.globalValue,
		);
		const program = {
			module,
			flags: serverFlags(process.versions.node, 'vscode'),
			// Where `Server (attach)` in launch.json looks for it.
			inspectPort: INSPECT_PORT,
			// Not the workspace: whatever lies there decides nothing about our process.
			cwd: dirname(module),
			environment,
		};
		this.#client = new library.WatchedClient(program, channel, manifestFiles, {
			print: logOutput,
			onChannelClosed: () => this.#end('its channel was closed'),
			wordsFor: (data) => (isText(data) ? translateText(data, (template) => vscode.l10n.t(template)) : undefined),
			onExit: (how) => this.#end(lastLines.length === 0 ? how : `${how}; last output: ${lastLines.join(' | ')}`),
		});
		const wire = jsonRpcWire(this.#client, library);
		this.peer = new Peer(wrap(serverWire(wire, this.#gone.signal)), (method, problem) =>
			log.warn(`server: ${method} did not parse: ${problem}`),
		);
	}

	/** Aborts when the process is gone, with how it ended as its reason. */
	get gone(): AbortSignal {
		return this.#gone.signal;
	}

	/** Resolves when the process answers; rejects when it ends or fails before. */
	async start(): Promise<void> {
		try {
			await this.#client.start();
		} catch (error) {
			this.#end(error instanceof Error ? error.message : String(error));
			throw error;
		}
	}

	/** Asks it to end, then kills it. Resolves when it is gone; idempotent and bounded. */
	async close(): Promise<void> {
		const child = this.#client.child;
		const ended = this.#client.stop(extensionLimits.serverStopMs).catch((error: unknown) => String(error));
		await raceTimeout(Promise.all([ended, this.#client.exited]), extensionLimits.serverStopMs);
		if (child?.exitCode === null && child.signalCode === null) {
			child.kill('SIGKILL');
		}
		this.#end('it was stopped');
	}

	#end(how: string): void {
		if (!this.#gone.signal.aborted) {
			this.#gone.abort(how);
			this.#debugSignal.dispose();
		}
	}
}
