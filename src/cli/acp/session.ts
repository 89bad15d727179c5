/** Session of an editor: a thread, and a host of its own that works on the thread's folder once that is trusted. */
import {
	type AgentContext,
	type ClientCapabilities,
	type ContentBlock,
	methods,
	RequestError,
	type SessionConfigOption,
	type SessionUpdate,
	type StopReason,
} from '@agentclientprotocol/sdk';
import { DisposableStore } from '../../base/disposable.ts';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { ThreadFollower } from '../../host/doors/thread-follower.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { McpServerEntry } from '../../protocol/ops/mcp-server-entry.ts';
import { pickNarrowerLevel } from '../../protocol/ops/permission-level.ts';
import type { ParamsOf, RequestDef, ResultOf } from '../../protocol/rpc/message.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { ThreadEvent, ThreadInfo } from '../../protocol/thread/thread.ts';
import type { ModelInfo } from '../../protocol/turn/models.ts';
import type { CliHost } from '../ports/cli-host.ts';
import type { CliServerProcess } from '../server/server-process.ts';
import { clientDocuments } from './client-documents.ts';
import { configOptions, readOption, type SessionOptions } from './config-options.ts';
import type { AcpDoor } from './door.ts';
import { acpLimits } from './limits.ts';
import { EditorPerson } from './editor-person.ts';
import { trustQuestion } from './permissions.ts';
import { Outbox } from './outbox.ts';
import { availableCommands, expandCommand, readPromptContent } from './prompt-content.ts';
import { createRequestError, toRequestError } from './request-errors.ts';
import { isSecondVersion } from './second-version/marks.ts';
import type { SessionFolder } from './session-folder.ts';
import { ThreadUpdates, usageUpdate } from './thread-updates.ts';
import { toStopReason } from './stop-reason.ts';

interface SessionDeps {
	readonly id: ThreadId;
	readonly folder: SessionFolder;
	readonly servers: Readonly<Record<string, McpServerEntry>>;
	/** Begins the thread with the first host; otherwise there is one. */
	readonly isNew: boolean;
	readonly client: AgentContext;
	readonly capabilities: ClientCapabilities;
	readonly door: AcpDoor;
	/** Aborts with the connection. */
	readonly life: AbortSignal;
}

interface OpenedHost {
	readonly host: CliHost;
	readonly base: TrustedBase;
	readonly server: CliServerProcess;
	readonly heard: DisposableStore;
	readonly followed: ThreadFollower;
}

export class AcpSession {
	readonly #deps: SessionDeps;
	readonly #outbox: Outbox;
	readonly #updates: ThreadUpdates;
	readonly #person: EditorPerson;
	#isNew: boolean;
	#opened: Promise<OpenedHost> | undefined;
	#info: ThreadInfo | undefined;
	#models: readonly ModelInfo[] = [];
	#turn: AbortController | undefined;
	#isClosed = false;

	constructor(deps: SessionDeps) {
		this.#deps = deps;
		this.#isNew = deps.isNew;
		const { client, id, capabilities, folder } = deps;
		this.#outbox = new Outbox((update) => client.notify(methods.client.session.update, { sessionId: id, update }));
		const { notices, compaction } = capabilities.session ?? {};
		this.#updates = new ThreadUpdates({
			folder,
			hasNotices: notices !== undefined && notices !== null,
			hasCompactions: compaction !== undefined && compaction !== null,
			isSecondVersion: isSecondVersion(capabilities),
		});
		// The card of a call stands before its question.
		this.#person = new EditorPerson({ ...deps, before: () => this.#outbox.drained() });
	}

	get id(): ThreadId {
		return this.#deps.id;
	}

	get isTrusted(): boolean {
		return this.#deps.door.isTrusted(this.#deps.folder.real);
	}

	/** Asks the user of the editor where the folder is not trusted; rejects with WORKSPACE_UNTRUSTED unless they agree. */
	async requireTrust(signal: AbortSignal): Promise<void> {
		const { door, folder } = this.#deps;
		const path = folder.real;
		if (this.isTrusted) {
			return;
		}
		const answer = await this.#person.choose(trustQuestion(path), signal);
		if (answer !== 'trust') {
			throw createRequestError({
				code: 'WORKSPACE_UNTRUSTED',
				message: `${path} is not trusted`,
				facts: { path },
			});
		}
		door.trust(path);
	}

	/** Composes the host and begins or opens the thread. */
	async open(): Promise<void> {
		await this.#host();
	}

	/** Tells what was said so far, oldest first, before it answers. */
	async replay(): Promise<void> {
		const { threads } = this.#deps.door;
		const opened = await this.#host();
		const threadId = this.id;
		const snapshot = await this.#call(opened, threads.open, { threadId, items: acpLimits.replayedAtOnce });
		let items = snapshot.items;
		let { earlier } = snapshot;
		while (earlier > 0 && items.length < acpLimits.replayedItems && items[0] !== undefined) {
			const params = { threadId, before: items[0].id, limit: acpLimits.replayedAtOnce };
			const page = await this.#call(opened, threads.earlier, params);
			items = [...page.items, ...items];
			earlier = page.items.length === 0 ? 0 : page.earlier;
		}
		const updates = items.flatMap((item) => this.#updates.replayed(item));
		this.#put(updates);
		this.#put(this.#updates.of({ type: 'todos', items: snapshot.todos }, false));
		this.#put(snapshot.usage === null ? [] : [usageUpdate(snapshot.usage)]);
		await this.#outbox.drained();
	}

	/** Commands that begin with a slash, once the editor knows the session. */
	tellCommands(): void {
		this.#put([{ sessionUpdate: 'available_commands_update', availableCommands: availableCommands() }]);
	}

	async options(): Promise<SessionOptions> {
		const { base } = await this.#host();
		const { life } = this.#deps;
		const [{ level, widest }, own] = await Promise.all([base.levels.of(this.id, life), base.levels.of(null, life)]);
		const { mode, modelId, effort } = this.#thread();
		return { mode, modelId, effort, level, widest: pickNarrowerLevel(widest, own.level), models: this.#models };
	}

	async setMode(modeId: string): Promise<void> {
		await this.#change(await this.#host(), 'mode', modeId);
	}

	async setOption(configId: string, value: unknown): Promise<SessionConfigOption[]> {
		await this.#change(await this.#host(), configId, value);
		return configOptions(await this.options());
	}

	async #change(opened: OpenedHost, configId: string, value: unknown): Promise<void> {
		const { thread, mode, level } = readOption(configId, value, await this.options());
		if (mode !== undefined) await opened.base.modes.set(this.id, mode, this.#deps.life);
		if (level !== undefined) await opened.base.levels.set(this.id, level, this.#deps.life);
		if (thread !== undefined) {
			this.#info = await this.#call(opened, this.#deps.door.threads.update, { threadId: this.id, ...thread });
		}
	}

	/** Resolves with the one end of the turn. `traceparent`: span of the client that the turn hangs below, as the client says it. */
	async prompt(blocks: readonly ContentBlock[], traceparent: unknown, signal: AbortSignal): Promise<StopReason> {
		if (this.#turn !== undefined) {
			throw new RequestError(-32_600, 'A turn runs in this session. Cancel it or wait for its end.', {
				code: 'TURN_RUNNING',
			});
		}
		const turn = new AbortController();
		this.#turn = turn;
		const onAbort = () => turn.abort();
		signal.addEventListener('abort', onAbort, { once: true });
		try {
			return await this.#runTurn(blocks, traceparent, turn.signal);
		} catch (error) {
			if (turn.signal.aborted) {
				return 'cancelled';
			}
			throw toRequestError(error);
		} finally {
			signal.removeEventListener('abort', onAbort);
			this.#turn = undefined;
			await this.#outbox.drained();
		}
	}

	cancel(): void {
		this.#turn?.abort();
	}

	/** Stops what runs and ends the host. Bounded; never rejects. */
	async close(): Promise<void> {
		this.#isClosed = true;
		this.cancel();
		const opened = await this.#opened?.catch(() => undefined);
		if (opened !== undefined) {
			await this.#stopTurn(opened);
			opened.heard.dispose();
			await opened.host.close();
		}
	}

	/** Removes the thread for good. */
	async delete(): Promise<void> {
		const opened = await this.#host();
		this.cancel();
		await this.#stopTurn(opened);
		await this.#call(opened, this.#deps.door.threads.delete, { threadId: this.id });
		await opened.base.endThread(this.id);
	}

	async #runTurn(blocks: readonly ContentBlock[], traceparent: unknown, stop: AbortSignal): Promise<StopReason> {
		const { door, folder } = this.#deps;
		const { text, context, images } = readPromptContent(blocks, folder);
		await this.requireTrust(stop);
		const opened = await this.#host();
		const { base, host, server, followed } = opened;
		const shown = [];
		for (const image of images) {
			shown.push({ kind: 'image' as const, ...(await this.#call(opened, door.threads.attach, image)) });
		}
		const written = { text: expandCommand(text), context: [...context, ...shown] };
		const { message, found } = await door.frame.prepareMessage(base, written, false);
		const removed = found.known + found.lookalikes;
		this.#put(
			removed === 0 ? [] : this.#updates.notice('warning', `${removed} secrets were removed from your prompt.`),
		);
		stop.throwIfAborted();
		const { client } = host;
		client?.check('prompt');
		const sent = { how: 'prompt' as const, ...(client && { client }), message: { threadId: this.id, ...message } };
		const hooked: TrustedBase['hooks']['prompted'] = async (...asked) => {
			const told = await base.hooks.prompted(...asked);
			stop.throwIfAborted();
			return told;
		};
		const { turnId } = await this.#within(door.threads.prompt.method, (signal) =>
			door.frame.sendMessage({ beginThread: base.beginThread, hooked }, server, sent, signal),
		);
		base.telemetry.startedIn(turnId, traceparent);
		return await this.#untilEnd(opened, followed.ended(turnId), stop);
	}

	async #untilEnd(
		opened: OpenedHost,
		ended: ReturnType<ThreadFollower['ended']>,
		stop: AbortSignal,
	): Promise<StopReason> {
		const onStop = () => void this.#stopTurn(opened);
		stop.addEventListener('abort', onStop, { once: true });
		if (stop.aborted) onStop();
		try {
			const end = toStopReason(await ended);
			if (typeof end === 'string') {
				return end;
			}
			throw end;
		} finally {
			stop.removeEventListener('abort', onStop);
		}
	}

	/** The host, composed on first use, and again where its server has gone. */
	#host(): Promise<OpenedHost> {
		this.#opened = this.#nextHost(this.#opened);
		return this.#opened;
	}

	async #nextHost(before: Promise<OpenedHost> | undefined): Promise<OpenedHost> {
		const earlier = await before?.catch(() => undefined);
		if (earlier !== undefined && !earlier.server.gone.aborted) {
			return earlier;
		}
		if (earlier !== undefined) {
			earlier.heard.dispose();
			await earlier.host.close();
		}
		if (this.#isClosed || this.#deps.life.aborted) {
			throw RequestError.sessionNotFound(this.id);
		}
		return await this.#openHost();
	}

	async #openHost(): Promise<OpenedHost> {
		const { door, folder, servers, client, capabilities, id, life } = this.#deps;
		const documents = clientDocuments({ client, sessionId: id, folder, fs: capabilities.fs, diskText: door.diskText });
		const wish = { principal: 'acp', person: this.#person.port } as const;
		const host = await door.openHost(folder.real, { client: wish, folder: folder.named, documents, servers });
		try {
			const base = await host.trustedBase();
			const server = await host.server(life);
			const heard = new DisposableStore();
			const seq = await this.#openThread(host, base, server);
			const followed = new door.frame.ThreadFollower(server, { id, seq }, (...heard) => this.#heard(...heard));
			heard.add(followed);
			followed.show();
			const opened = { host, base, server, heard, followed };
			heard.add(base.levels.onDidChange((threadId) => threadId === id && void this.#tellOptions()));
			const { models } = await this.#listModels(opened);
			this.#models = models;
			return opened;
		} catch (error) {
			await host.close();
			throw toRequestError(error);
		}
	}

	/** Resolves with the number of its last event. */
	async #openThread(host: CliHost, base: TrustedBase, server: CliServerProcess): Promise<number> {
		const { threads } = this.#deps.door;
		const threadId = this.id;
		const opened = { server };
		if (this.#isNew) {
			const mode = host.settings.current['prowess.mode'];
			await this.#call(opened, threads.create, { threadId, modelId: host.choice.modelId ?? null, mode });
			await base.modes.set(threadId, mode, this.#deps.life);
			this.#isNew = false;
		}
		const { info, seq } = await this.#call(opened, threads.open, { threadId, items: 1, follow: true });
		this.#info = info;
		return seq;
	}

	/** Endpoints that are far or gone do not hold up a session: it begins without their models. */
	async #listModels({ server }: OpenedHost): Promise<{ readonly models: readonly ModelInfo[] }> {
		const { models } = this.#deps.door;
		const limit = { what: 'listing models', timeoutMs: acpLimits.modelListMs };
		return await withTimeLimit(limit, (signal) => server.call(models.list, {}, signal)).catch(() => ({ models: [] }));
	}

	#heard(event: ThreadEvent, isElsewhere: boolean): void {
		this.#put(this.#updates.of(event, this.#turn !== undefined && !isElsewhere));
		if (event.type === 'thread.changed') {
			this.#threadChanged(event.info);
		}
	}

	#threadChanged(info: ThreadInfo): void {
		const before = this.#info;
		this.#info = info;
		if (before?.title !== info.title) {
			this.#put([{ sessionUpdate: 'session_info_update', title: info.title, updatedAt: info.updatedAt }]);
		}
		if (before?.mode !== info.mode) {
			this.#put([{ sessionUpdate: 'current_mode_update', currentModeId: info.mode }]);
		}
		if (before?.mode !== info.mode || before.modelId !== info.modelId || before.effort !== info.effort) {
			void this.#tellOptions();
		}
	}

	async #tellOptions(): Promise<void> {
		try {
			const options = configOptions(await this.options());
			this.#put([{ sessionUpdate: 'config_option_update', configOptions: options }]);
		} catch (error) {
			this.#deps.door.log(`the options of ${this.id} could not be told: ${String(error)}`);
		}
	}

	#thread(): ThreadInfo {
		if (this.#info === undefined) {
			throw RequestError.sessionNotFound(this.id);
		}
		return this.#info;
	}

	#put(updates: readonly SessionUpdate[]): void {
		for (const update of updates) {
			this.#outbox.put(update);
		}
	}

	async #call<D extends RequestDef>(
		{ server }: Pick<OpenedHost, 'server'>,
		def: D,
		params: ParamsOf<D>,
	): Promise<ResultOf<D>> {
		return await this.#within(def.method, (signal) => server.call(def, params, signal));
	}

	async #within<T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
		return await withTimeLimit({ what, timeoutMs: acpLimits.requestMs }, work);
	}

	async #stopTurn({ server }: OpenedHost): Promise<void> {
		await this.#deps.door.frame.stopTurn(server, this.id, acpLimits.stopMs);
	}
}
