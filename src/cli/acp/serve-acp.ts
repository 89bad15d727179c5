/** The agent's side of the Agent Client Protocol, version 1: a bundle of its own, loaded by `prowess acp` alone. */
import '../../protocol/text/without-eval.ts';
import { resolve } from 'node:path';
import {
	agent,
	type AgentContext,
	type ClientCapabilities,
	methods,
	ndJsonStream,
	PROTOCOL_VERSION,
	RequestError,
	type Stream,
	type McpServer,
} from '@agentclientprotocol/sdk';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import { newId, ThreadId } from '../../protocol/rpc/ids.ts';
import type { CliHost } from '../ports/cli-host.ts';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { readClientServers } from './client-servers.ts';
import { modeState, sessionState } from './config-options.ts';
import { type AcpDoor, type HostOfCommand, openDoor } from './door.ts';
import { acpLimits } from './limits.ts';
import { toRequestError } from './request-errors.ts';
import { AcpSession } from './session.ts';

const CONNECT_METHOD = {
	id: 'prowess-connect',
	name: 'Connect a model',
	description:
		'Give Prowess a key: ANTHROPIC_API_KEY, OPENAI_API_KEY, GOOGLE_API_KEY or PROWESS_API_KEY in the environment of the ' +
		'agent, or a provider in settings.json. Then try again.',
};

/** Resolves when the editor has gone and all its sessions are closed. */
export async function serveAcp(host: HostOfCommand, invocation: Invocation, context: CommandContext): Promise<number> {
	const { signal } = context;
	const served = new ServedEditor(openDoor(host, invocation, context));
	const isDraftOffered = invocation.values['protocol'] === '2';
	const speak = isDraftOffered ? (await import('./second-version/speak-both.ts')).speakBoth : undefined;
	const connection = served.connect(speak);
	const onStop = () => connection.close(new Error('prowess was stopped'));
	signal.addEventListener('abort', onStop, { once: true });
	if (signal.aborted) onStop();
	await connection.closed;
	signal.removeEventListener('abort', onStop);
	await served.close();
	return exitCodes.done;
}

class ServedEditor {
	readonly #door: AcpDoor;
	readonly #sessions = new Map<ThreadId, AcpSession>();
	readonly #life = new AbortController();
	#capabilities: ClientCapabilities | undefined;
	#records: Promise<CliHost> | undefined;

	constructor(door: AcpDoor) {
		this.#door = door;
	}

	/** `speak`: in which versions, if not in the first alone. */
	connect(speak = (stream: Stream) => stream) {
		const { input, output, version } = this.#door;
		const { session, initialize, authenticate } = methods.agent;
		return agent({ name: 'prowess' })
			.onRequest(initialize, ({ params }) => {
				this.#capabilities = params.clientCapabilities ?? {};
				return {
					protocolVersion: PROTOCOL_VERSION,
					agentInfo: { name: 'prowess', title: 'Prowess', version },
					agentCapabilities: {
						loadSession: true,
						promptCapabilities: { image: true, audio: false, embeddedContext: true },
						mcpCapabilities: { http: true, sse: true },
						sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} },
					},
					authMethods: [CONNECT_METHOD],
				};
			})
			.onRequest(authenticate, async ({ params }) => {
				if (params.methodId !== CONNECT_METHOD.id) {
					throw RequestError.invalidParams({ methodId: params.methodId.slice(0, 100) }, 'there is no such method');
				}
				await this.#forgetRecords();
				await this.#requireModel();
				return {};
			})
			.onRequest(session.new, ({ params, client }) =>
				this.#answer(async () => {
					await this.#requireModel();
					const { cwd, mcpServers, additionalDirectories } = params;
					refuseFurtherFolders(additionalDirectories);
					const made = this.#add(newId('thr'), { cwd, mcpServers, client, isNew: true });
					return { sessionId: made.id, ...(await this.#begun(made)) };
				}),
			)
			.onRequest(session.load, ({ params, client, signal }) =>
				this.#answer(async () => {
					const loaded = await this.#again(params, client, signal);
					await this.#orForget(loaded, () => loaded.replay());
					return await this.#begun(loaded);
				}),
			)
			.onRequest(session.resume, ({ params, client, signal }) =>
				this.#answer(async () => await this.#begun(await this.#again({ mcpServers: [], ...params }, client, signal))),
			)
			.onRequest(session.list, ({ params }) => this.#answer(() => this.#list(params.cwd ?? undefined)))
			.onRequest(session.close, ({ params }) =>
				this.#answer(async () => {
					await this.#forget(this.#session(params.sessionId));
					return {};
				}),
			)
			.onRequest(session.delete, ({ params }) =>
				this.#answer(async () => {
					await this.#delete(params.sessionId);
					return {};
				}),
			)
			.onRequest(session.setMode, ({ params, signal }) =>
				this.#answer(async () => {
					const of = this.#session(params.sessionId);
					await of.requireTrust(signal);
					await of.setMode(params.modeId);
					return {};
				}),
			)
			.onRequest(session.setConfigOption, ({ params, signal }) =>
				this.#answer(async () => {
					const of = this.#session(params.sessionId);
					await of.requireTrust(signal);
					return { configOptions: await of.setOption(params.configId, params.value) };
				}),
			)
			.onRequest(session.prompt, ({ params, signal }) =>
				this.#answer(async () => ({
					stopReason: await this.#session(params.sessionId).prompt(
						params.prompt,
						params._meta?.['traceparent'],
						signal,
					),
				})),
			)
			.onNotification(session.cancel, ({ params }) => {
				const id = ThreadId.safeParse(params.sessionId);
				if (id.success) this.#sessions.get(id.data)?.cancel();
			})
			.connect(speak(ndJsonStream(output, input, { maxMessageBytes: acpLimits.messageBytes })));
	}

	/** Ends all sessions: what waits for an answer has none, and what runs is stopped. */
	async close(): Promise<void> {
		const sessions = [...this.#sessions.values()];
		this.#sessions.clear();
		await Promise.all(sessions.map((each) => each.close()));
		this.#life.abort();
		await this.#forgetRecords();
	}

	async #answer<T>(answer: () => Promise<T>): Promise<T> {
		if (this.#capabilities === undefined) {
			throw RequestError.invalidRequest(undefined, 'initialize comes first');
		}
		try {
			return await answer();
		} catch (error) {
			this.#door.log(`a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
			throw toRequestError(error);
		}
	}

	#session(sessionId: string): AcpSession {
		const id = ThreadId.safeParse(sessionId);
		const session = id.success ? this.#sessions.get(id.data) : undefined;
		if (session === undefined) {
			throw RequestError.sessionNotFound(sessionId.slice(0, 100));
		}
		return session;
	}

	#add(
		id: ThreadId,
		given: { cwd: string; mcpServers: readonly McpServer[]; client: AgentContext; isNew: boolean },
	): AcpSession {
		if (this.#sessions.size >= acpLimits.sessions) {
			const message = `at most ${acpLimits.sessions} sessions are open at a time; close one`;
			throw RequestError.invalidRequest({ limit: acpLimits.sessions }, message);
		}
		const session = new AcpSession({
			id,
			folder: { real: this.#door.realFolder(given.cwd), named: resolve(given.cwd) },
			servers: readClientServers(given.mcpServers),
			isNew: given.isNew,
			client: given.client,
			capabilities: this.#capabilities ?? {},
			door: this.#door,
			life: this.#life.signal,
		});
		this.#sessions.set(id, session);
		return session;
	}

	/** Opens a thread that there is. The user is asked about its folder, as about that of a new one. */
	async #again(
		params: { sessionId: string; cwd: string; mcpServers?: readonly McpServer[]; additionalDirectories?: string[] },
		client: AgentContext,
		signal: AbortSignal,
	): Promise<AcpSession> {
		await this.#requireModel();
		refuseFurtherFolders(params.additionalDirectories);
		const id = ThreadId.safeParse(params.sessionId);
		if (!id.success) {
			throw RequestError.sessionNotFound(params.sessionId.slice(0, 100));
		}
		const open = this.#sessions.get(id.data);
		if (open !== undefined) {
			await this.#forget(open);
		}
		const { cwd, mcpServers = [] } = params;
		const session = this.#add(id.data, { cwd, mcpServers, client, isNew: false });
		await this.#orForget(session, async () => {
			await session.requireTrust(signal);
			await session.open();
		});
		return session;
	}

	/** State of a session as its answer tells it. Where the folder is not trusted, its host waits for the first prompt. */
	async #begun(session: AcpSession) {
		const state = session.isTrusted
			? await this.#orForget(session, async () => sessionState(await session.options()))
			: { modes: modeState((await this.#recordsHost()).settings.current['prowess.mode']) };
		// An editor learns of the session by the answer, which is written before this.
		setImmediate(() => session.tellCommands());
		return state;
	}

	async #orForget<T>(session: AcpSession, work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (error) {
			await this.#forget(session);
			throw error;
		}
	}

	async #forget(session: AcpSession): Promise<void> {
		this.#sessions.delete(session.id);
		await session.close();
	}

	async #list(cwd: string | undefined) {
		const { threads } = this.#door;
		const server = await (await this.#recordsHost()).server(this.#life.signal);
		const limit = { what: threads.list.method, timeoutMs: acpLimits.requestMs };
		const listed = await withTimeLimit(limit, (signal) =>
			server.call(threads.list, { limit: acpLimits.listedSessions }, signal),
		);
		const folder = cwd === undefined ? undefined : this.#door.realFolder(cwd);
		return {
			sessions: listed.threads.flatMap(({ id, workspace, title, updatedAt, parent }) =>
				workspace === null || parent !== undefined || (folder !== undefined && workspace !== folder)
					? []
					: [{ sessionId: id, cwd: cwd ?? workspace, title, updatedAt }],
			),
		};
	}

	async #delete(sessionId: string): Promise<void> {
		const id = ThreadId.safeParse(sessionId);
		if (!id.success) {
			throw RequestError.sessionNotFound(sessionId.slice(0, 100));
		}
		const open = this.#sessions.get(id.data);
		if (open?.isTrusted === true) {
			await open.delete();
			await this.#forget(open);
			return;
		}
		const host = await this.#recordsHost();
		const server = await host.server(this.#life.signal);
		const { threads } = this.#door;
		const limit = { what: threads.delete.method, timeoutMs: acpLimits.requestMs };
		await withTimeLimit(limit, (signal) => server.call(threads.delete, { threadId: id.data }, signal));
		await (await host.trustedBase()).endThread(id.data);
	}

	async #requireModel(): Promise<void> {
		const { choice } = await this.#recordsHost();
		if (choice.providers.length === 0 && choice.provider === undefined) {
			throw RequestError.authRequired({ code: 'NO_MODEL' }, CONNECT_METHOD.description);
		}
	}

	/** Host without a folder: for settings and the list of threads. */
	#recordsHost(): Promise<CliHost> {
		this.#records ??= this.#door.openHost(undefined, undefined);
		return this.#records;
	}

	async #forgetRecords(): Promise<void> {
		const records = this.#records;
		this.#records = undefined;
		await (await records?.catch(() => undefined))?.close();
	}
}

/** Throws for a client that asks for more than the folder of a session: nothing beyond is within reach. */
function refuseFurtherFolders(folders: readonly string[] | undefined): void {
	if (folders !== undefined && folders.length > 0) {
		throw RequestError.invalidParams({ additionalDirectories: folders.length }, 'a session has one folder');
	}
}
