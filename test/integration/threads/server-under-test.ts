/** The real server, in a process of its own or in that of the spec, with a host on this side of its channel. The host outlives servers, as the real one does. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
	CancellationTokenSource,
	createMessageConnection,
	IPCMessageReader,
	IPCMessageWriter,
	type MessageConnection,
	ResponseError,
} from 'vscode-jsonrpc/node';
import { Emitter } from '../../../src/base/emitter.ts';
import { brokerNotifications, brokerRequests, type OpRequest } from '../../../src/protocol/turn/broker.ts';
import { credentialRequests, lmRequests, type ModelInfo } from '../../../src/protocol/turn/models.ts';
import { type JsonRpcEnd, jsonRpcWire } from '../../../src/protocol/rpc/json-rpc-wire.ts';
import { Peer } from '../../../src/protocol/rpc/peer.ts';
import {
	PROTOCOL_VERSION,
	serverNotifications,
	serverRequests,
	type WorkspaceInfo,
} from '../../../src/protocol/server.ts';
import { usageNotifications, usageRequests } from '../../../src/protocol/turn/usage.ts';
import { turnHookRequests } from '../../../src/protocol/turn/turn-hooks.ts';
import { readSettings } from '../../../src/protocol/settings/read-settings.ts';
import type { SettingName } from '../../../src/protocol/settings/settings.ts';
import type { ThreadEvent, ThreadUpdate } from '../../../src/protocol/thread/thread.ts';
import { threadNotifications } from '../../../src/protocol/thread/thread-requests.ts';
import { programs } from '../../support/programs.ts';
import { serverHere } from '../../support/server-here.ts';
import type { MemoryHost } from '../../transcripts/memory-host.ts';

export interface ServerOptions {
	readonly home: string;
	readonly host: MemoryHost;
	readonly modelUrl: string;
	readonly settings?: Partial<Record<SettingName, unknown>>;
	readonly trusted?: boolean;
	/** Flags of Node for the server's process. */
	readonly execArgv?: readonly string[];
	/** Returns the editor's models; absent: the editor has none. */
	readonly editorModels?: () => Promise<ModelInfo[]>;
	/** Before the host begins an op: for those who kill the server there. */
	readonly beforePerform?: (request: OpRequest, server: ServerUnderTest) => Promise<void>;
}

export class ServerUnderTest {
	readonly updates: ThreadUpdate[] = [];
	/** Lines of its log, as `level message`. */
	readonly logged: string[] = [];
	/** Number of notifications that the models have changed. */
	modelChanges = 0;
	readonly onUpdate = new Emitter<ThreadUpdate>();
	readonly child: ChildProcess;
	readonly connection: MessageConnection;
	readonly peer: Peer;
	readonly exited: Promise<unknown>;
	readonly #options: ServerOptions;

	constructor(options: ServerOptions, child = startProgram(options)) {
		this.#options = options;
		this.child = child;
		this.exited = once(this.child, 'exit');
		this.connection = createMessageConnection(new IPCMessageReader(this.child), new IPCMessageWriter(this.child));
		this.connection.onClose(() => this.connection.dispose());
		this.connection.listen();
		this.peer = new Peer(jsonRpcWire(this.connection as JsonRpcEnd, { CancellationTokenSource, ResponseError }));
		this.#serve();
	}

	/** In a process of its own. */
	static async start(options: ServerOptions): Promise<ServerUnderTest> {
		const server = new ServerUnderTest(options);
		await server.handshake();
		return server;
	}

	/** In the process of the spec: for what is not about a process. */
	static async startHere(options: ServerOptions): Promise<ServerUnderTest> {
		const server = new ServerUnderTest(options, serverHere().child);
		await server.handshake();
		return server;
	}

	get pid(): number {
		return this.child.pid ?? 0;
	}

	async handshake(protocolVersion: number = PROTOCOL_VERSION): Promise<void> {
		const { home, modelUrl, settings = {}, trusted = true } = this.#options;
		const providers = [{ id: 'test', kind: 'openai-compatible', baseUrl: modelUrl, models: ['scripted'] }];
		const all: Partial<Record<SettingName, unknown>> = {
			'prowess.providers': providers,
			'prowess.models.retrySpread': 0,
			...settings,
		};
		const workspace: WorkspaceInfo = { folders: [{ name: 'work', path: '/project' }], trusted, platform: 'linux' };
		// Sent at once, as the command line does it.
		await Promise.all([
			this.connection.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} }),
			this.peer.call(
				serverRequests.start,
				{ protocolVersion, host: 'cli', home, settings: readSettings((name) => all[name]).settings, workspace },
				new AbortController().signal,
			),
		]);
	}

	/** Resolves with the first event that fits, of those that came and those to come. */
	event(fits: (event: ThreadEvent) => boolean): Promise<ThreadEvent> {
		return this.eventAfter(0, fits);
	}

	/** The same, without those of the first `updates`. */
	eventAfter(updates: number, fits: (event: ThreadEvent) => boolean): Promise<ThreadEvent> {
		const known = this.updates
			.slice(updates)
			.flatMap(({ events }) => events)
			.find(fits);
		if (known !== undefined) {
			return Promise.resolve(known);
		}
		return new Promise((resolve) => {
			const subscription = this.onUpdate.event(({ events }) => {
				const found = events.find(fits);
				if (found !== undefined) {
					subscription.dispose();
					resolve(found);
				}
			});
		});
	}

	/** Kills the server with SIGKILL, as a crash or the system's memory killer does. */
	async kill(): Promise<void> {
		if (this.pid === process.pid) throw new Error('it runs in this process: start it in one of its own');
		this.child.kill('SIGKILL');
		await this.exited;
		this.connection.dispose();
	}

	/** Ends the server like the editor does: by disconnecting. */
	async stop(): Promise<void> {
		if (this.child.exitCode === null && this.child.signalCode === null) {
			this.child.disconnect();
			await this.exited;
		}
		this.connection.dispose();
	}

	#serve(): void {
		const { host, beforePerform, editorModels } = this.#options;
		const notify = (progress: Parameters<Parameters<MemoryHost['perform']>[1]>[0]) =>
			this.peer.notify(brokerNotifications.progress, progress);
		this.peer.serve(brokerRequests, {
			perform: async (request, signal) => {
				await beforePerform?.(request, this);
				return host.perform(request, notify, signal);
			},
			askAhead: async ({ ops }) => {
				await host.askAhead(ops);
				return {};
			},
			outcome: async ({ opId }) => host.outcome(opId),
			redact: async ({ value }) => ({ value: await host.redacted(value) }),
		});
		this.peer.serve(credentialRequests, { get: async () => ({ key: 'test-key' }) });
		this.peer.serve(usageRequests, {
			begin: async () => ({ invocation: 'test', quotas: [] }),
			grant: async () => ({ quotas: [] }),
			spent: async () => ({ cost: 0 }),
		});
		this.peer.on(usageNotifications, { used: () => {} });
		this.peer.serve(turnHookRequests, {
			resting: async (turn) => ({ again: (await host.resting(turn, turn)) ?? null }),
			compacting: async () => ({}),
		});
		this.peer.serve(lmRequests, {
			list: async () => ({ models: (await editorModels?.()) ?? [] }),
			run: async () => {
				throw new Error('there are no editor models here');
			},
		});
		this.peer.on(serverNotifications, {
			log: ({ level, message }) => void this.logged.push(`${level} ${message}`),
			modelsChanged: () => void (this.modelChanges += 1),
		});
		this.peer.on(threadNotifications, {
			update: (update) => {
				this.updates.push(update);
				this.onUpdate.fire(update);
			},
		});
	}
}

function startProgram({ home, execArgv = [] }: ServerOptions): ChildProcess {
	return fork(programs.server, ['--node-ipc'], {
		execPath: process.execPath,
		execArgv: [...execArgv],
		env: { ...process.env, PROWESS_HOME: home },
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
}
