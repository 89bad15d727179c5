/** Serves the conversation about threads. Rows are read at each request: another process may have written them. */
import { setTimeout } from 'node:timers/promises';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { newId, type ThreadId, type TurnId } from '../../protocol/rpc/ids.ts';
import type { RequestHandlers } from '../../protocol/rpc/peer.ts';
import { readStoredItem, toThreadSnapshot } from '../../protocol/thread/stored-thread.ts';
import type { ThreadInfo, ThreadUpdate } from '../../protocol/thread/thread.ts';
import { refuseLongMessage, type threadRequests } from '../../protocol/thread/thread-requests.ts';
import type { ThreadRow, TurnRow } from '../../store/threads/thread-rows.ts';
import type { ImageStore } from '../../store/threads/image-store.ts';
import type { ThreadStore } from '../../store/threads/thread-store.ts';
import { threadLimits } from './limits.ts';
import type { ModelPort, ModelUsage } from '../models/model-port.ts';
import type { BeginStep } from '../turn/stage-trace.ts';
import type { TurnDeps } from '../turn/turn.ts';
import { beginStoredTurn, type NewMessage, UNTITLED_THREAD } from './begin-turn.ts';
import { formatThreadExport } from './past/export-thread.ts';
import { LiveTurn } from './live-turn.ts';
import { recoverThread } from './recover.ts';
import {
	noTurn,
	forkStoredThread,
	requireSaidInTurn,
	restoreRemovedTurns,
	rewindThread,
} from './past/rewind-thread.ts';
import { createBusyError, fromStore, callStore } from './store-failure.ts';
import { addSpent, changeThread, requireUnused, ThreadHold } from './thread-hold.ts';
import { imageRequests, knownContext } from './thread-images.ts';
import { overruledIn } from './traces.ts';
import { toThreadInfo } from './updates/thread-view.ts';
import { ThreadWatch } from './updates/thread-watch.ts';
import { SentUpdates } from './updates/update-stream.ts';
import { listBegunMessages, refuseToBegin, sentAgain, turnOfMessage, listUserItems } from './user-messages.ts';

export class Threads {
	readonly #store: ThreadStore;
	readonly #images: ImageStore;
	readonly #deps: TurnDeps;
	readonly #sent: SentUpdates;
	readonly #watch: ThreadWatch;
	readonly #live = new Map<ThreadId, LiveTurn>();
	/** Threads between their lease and their turn: a second prompt meets these, not the store. */
	readonly #starting = new Set<ThreadId>();

	constructor(store: ThreadStore, images: ImageStore, deps: TurnDeps, send: (update: ThreadUpdate) => void) {
		this.#store = store;
		this.#images = images;
		this.handlers = { ...this.#requests, ...imageRequests(images) };
		this.#deps = deps;
		this.#sent = new SentUpdates(send);
		this.#watch = new ThreadWatch({
			store,
			sent: this.#sent,
			log: deps.log,
			live: () => this.#live.values(),
			isOurs: (threadId) => this.#live.has(threadId) || this.#starting.has(threadId),
			settle: (threadId) => this.#settleIfLeft(threadId),
		});
	}

	readonly handlers: RequestHandlers<typeof threadRequests>;

	readonly #requests: Omit<RequestHandlers<typeof threadRequests>, 'attach' | 'image'> = {
		create: async ({ threadId, modelId, mode, effort, agent, folder: worktree }) => {
			if (threadId !== undefined && callStore(() => this.#store.thread(threadId)) !== undefined) {
				throw new ProwessError('INVALID_PARAMS', `there is a thread ${threadId} already`, { threadId });
			}
			const id = threadId ?? newId('thr');
			const [folder] = this.#deps.workspace().folders;
			const parent = agent?.parent === undefined ? undefined : this.#row(agent.parent);
			callStore(() =>
				this.#store.create({
					id,
					title: (parent === undefined ? undefined : agent?.name) ?? UNTITLED_THREAD,
					// A sub-agent thinks as the one that it works for, unless it was given another model.
					model_id: modelId ?? parent?.model_id ?? null,
					mode,
					effort: effort ?? parent?.effort ?? null,
					agent: agent === undefined ? null : JSON.stringify(agent),
					workspace: worktree ?? folder?.path ?? null,
					created_at: new Date().toISOString(),
				}),
			);
			return toThreadInfo(this.#row(id));
		},
		list: async ({ query, limit }) => ({
			threads: callStore(() => this.#store.list(query, limit)).map((row) => this.#infoOf(row)),
		}),
		titles: async ({ threadIds }) => {
			const rows = callStore(() => threadIds.flatMap((id) => this.#store.thread(id) ?? []));
			return { threads: rows.map(({ id, title }) => ({ id: id as ThreadId, title })) };
		},
		open: async ({ threadId, items, follow }) => {
			await this.#settleIfLeft(threadId);
			const live = this.#live.get(threadId);
			live?.flush();
			const row = this.#row(threadId);
			const seq = live?.seq ?? this.#sent.lastOf(threadId, row.seq);
			this.#sent.note(threadId, seq);
			if (follow === true) {
				this.#watch.follow(threadId);
			}
			return toThreadSnapshot(row, this.#infoOf(row), seq, this.#store.lastItems(threadId, items));
		},
		earlier: async ({ threadId, before, limit }) => {
			this.#row(threadId);
			const found = callStore(() => this.#store.itemsBefore(threadId, before, limit));
			if (found === undefined) {
				throw new ProwessError('INVALID_PARAMS', `thread ${threadId} has no item ${before}`, {
					threadId,
					itemId: before,
				});
			}
			return { items: found.items.map(readStoredItem), earlier: found.earlier };
		},
		messages: async ({ threadId, after = -1 }) => {
			this.#row(threadId);
			return callStore(() => listBegunMessages(this.#store, threadId, after, threadLimits.pageMessages));
		},
		prompt: async ({ threadId, text, context, messageId, strategy, options }) => {
			const taken = callStore(() => turnOfMessage(this.#store, threadId, messageId));
			const last = strategy === 'DIRECT_RESPONSE' ? callStore(() => this.#store.lastTurn(threadId)) : undefined;
			// The same words once more, to be answered by a model.
			const isAgain = last !== undefined && listUserItems(this.#store, last.id as TurnId)[0]?.text === text;
			const overrules = isAgain ? overruledIn(last) : undefined;
			const message = { text, context, messageId, strategy, options, overrules };
			return { turnId: taken ?? (await this.#start(threadId, message, undefined)) };
		},
		steer: ({ threadId, text, context, messageId }) => this.#steer(threadId, { text, context, messageId }),
		tell: ({ threadId, text, from }) => this.#steer(threadId, { text, context: [], from }),
		rerun: async ({ threadId, turnId, text, strategy }) => {
			this.#row(threadId);
			const [first, ...others] = listUserItems(this.#store, turnId);
			const turn = this.#turnIn(threadId, turnId);
			if (first === undefined) {
				throw noTurn(threadId, turnId);
			}
			const overrules = strategy === 'DIRECT_RESPONSE' ? overruledIn(turn) : undefined;
			const again = { ...sentAgain([first, ...others], text), strategy, overrules };
			return { turnId: await this.#start(threadId, again, turnId) };
		},
		restore: async ({ threadId, turnId }) => {
			await this.#held(threadId, (hold) => restoreRemovedTurns(this.#store, hold, turnId));
			return {};
		},
		rewind: async ({ threadId, turnId, files }) => {
			let turnIds: TurnId[] = [];
			await this.#held(threadId, (hold) => {
				turnIds = rewindThread(this.#store, hold, turnId, files);
			});
			return { turnIds };
		},
		said: async ({ threadId, turnId }) =>
			callStore(() => requireSaidInTurn(this.#store, this.#row(threadId).id as ThreadId, turnId)),
		fork: async ({ threadId, before }) => {
			await this.#settleIfLeft(threadId);
			this.#live.get(threadId)?.flush();
			const forked = callStore(() => forkStoredThread(this.#store, this.#row(threadId), before));
			return { thread: toThreadInfo(this.#row(forked.threadId)), said: forked.said };
		},
		stop: async ({ threadId }) => {
			const live = this.#live.get(threadId);
			const holder = live === undefined ? this.#store.holderElsewhere(threadId) : undefined;
			if (holder !== undefined) {
				throw createBusyError(threadId, holder);
			}
			await live?.stop();
			return {};
		},
		useNext: ({ threadId }) => {
			this.#live.get(threadId)?.useNext();
			return Promise.resolve({});
		},
		takeOver: async ({ threadId }, signal) => {
			const { running_turn } = this.#row(threadId);
			if (running_turn !== null && !this.#live.has(threadId)) {
				callStore(() => this.#store.askToStop(running_turn));
				await this.#untilFree(threadId, signal);
				await this.#settleIfLeft(threadId);
			}
			return {};
		},
		overrule: async ({ threadId, turnId, how }, signal) => {
			this.#turnIn(threadId, turnId);
			const { overrules } = this.#deps;
			if (how.act === 'switchOn') {
				await overrules?.restored(how.judgement, signal);
			} else {
				await overrules?.overruled({ kind: how.act === 'goOn' ? 'loop' : 'claim', name: '' }, turnId, signal);
			}
			return {};
		},
		update: async ({ threadId, ...change }) => {
			await this.#held(threadId, (hold) => changeThread(hold, change));
			return toThreadInfo(this.#row(threadId));
		},
		unused: async ({ before, limit }) => {
			const folder = this.#deps.workspace().folders[0]?.path ?? null;
			return { threadIds: callStore(() => this.#store.unused(before, 'workspace', folder, limit)) as ThreadId[] };
		},
		delete: async ({ threadId, unusedSince }) => {
			if (unusedSince === undefined) await this.#live.get(threadId)?.stop();
			await this.#held(threadId, (hold) => {
				if (unusedSince !== undefined) requireUnused(hold, this.#store, unusedSince);
				hold.writer.delete();
				this.#sent.send({ threadId, seq: hold.updates.seq + 1, events: [{ type: 'thread.deleted' }] });
			});
			return {};
		},
		words: async ({ threadId }) => {
			this.#live.get(threadId)?.flush();
			return { text: this.#deps.threads.saidIn(this.#row(threadId).id as ThreadId) ?? '' };
		},
		output: async ({ threadId, opId }) => {
			this.#live.get(threadId)?.flush();
			const row = this.#store.itemOfOp(this.#row(threadId).id, opId);
			const item = row === undefined ? undefined : readStoredItem(row);
			return item?.kind === 'tool' ? { text: row?.whole ?? item.output, input: item.input } : { text: null };
		},
		export: async ({ threadId, format }) => {
			this.#live.get(threadId)?.flush();
			const info = toThreadInfo(this.#row(threadId));
			const items = this.#store.wholeItems(threadId).map((row) => ({ item: readStoredItem(row), whole: row.whole }));
			return formatThreadExport(info, items, format);
		},
	};

	/** Settles the turns that were left behind by processes that are gone. Turns of living processes stay theirs. */
	async recover(): Promise<void> {
		const threads = new Set(this.#store.runningTurns().map((turn) => turn.thread_id as ThreadId));
		await Promise.all([...threads].map((threadId) => this.#settleIfLeft(threadId)));
	}

	/** Refuses nothing, ends everything: each running turn as interrupted at the next start. */
	abandon(): void {
		this.#watch.dispose();
		for (const live of this.#live.values()) {
			live.abandon();
		}
		this.#live.clear();
	}

	async #steer(threadId: ThreadId, message: NewMessage): Promise<{ turnId: TurnId }> {
		const row = this.#row(threadId);
		refuseLongMessage(message.text);
		const { messageId: id = newId('itm'), text, context, from } = message;
		for (;;) {
			const taken = callStore(() => turnOfMessage(this.#store, threadId, id));
			const live = this.#live.get(threadId);
			if (taken === undefined && live === undefined) refuseToBegin(row, from);
			if (taken !== undefined || live === undefined) {
				return { turnId: taken ?? (await this.#start(threadId, { ...message, messageId: id }, undefined)) };
			}
			const known = callStore(() => knownContext(this.#images, context));
			if (await live.steer({ id, text, context: known, from })) {
				return { turnId: live.turnId };
			}
			await live.ended;
		}
	}

	async #start(threadId: ThreadId, message: NewMessage, from: TurnId | undefined): Promise<TurnId> {
		refuseLongMessage(message.text);
		const hold = await this.#take(threadId);
		try {
			const context = callStore(() => knownContext(this.#images, message.context));
			const turn = callStore(() =>
				beginStoredTurn(
					this.#store,
					hold,
					{ ...message, context },
					{ from, defaultModel: this.#deps.settings()['prowess.model'] },
				),
			);
			const live = new LiveTurn(turn, this.#store, hold, this.#deps);
			this.#live.set(threadId, live);
			void live.ended.then(() => this.#forget(live));
			return turn.turnId;
		} catch (error) {
			hold.letGo();
			throw fromStore(error);
		} finally {
			this.#starting.delete(threadId);
		}
	}

	/** Counts what a running capability has asked of a model in the thread that it works for. Never rejects. */
	async spent(threadId: ThreadId, usage: ModelUsage, model: ModelPort): Promise<void> {
		try {
			if (this.#live.get(threadId)?.spent(usage, model) !== true) {
				await this.#held(threadId, (hold) => addSpent(hold, usage, model));
			}
		} catch (error) {
			this.#deps.log.warn('the cost of a capability is missing in its thread', { threadId, error: String(error) });
		}
	}

	/** Traces what a running capability does, in the turn that it works for; nothing where none runs. */
	beginStep(threadId: ThreadId, ...step: Parameters<BeginStep>): ReturnType<BeginStep> {
		return this.#live.get(threadId)?.beginStep(...step) ?? (() => {});
	}

	/** A turn that its process left unfinished is settled; that of another living process is not ours to settle. */
	async #settleIfLeft(threadId: ThreadId): Promise<void> {
		if (this.#row(threadId).running_turn === null || this.#live.has(threadId) || this.#starting.has(threadId)) {
			return;
		}
		try {
			await this.#held(threadId, () => {});
		} catch (error) {
			this.#deps.log.info('an unfinished turn is left alone', { threadId, error: String(error) });
		}
	}

	/** The thread for a change, with the running turn's lease or one of its own. */
	async #held(threadId: ThreadId, work: (hold: ThreadHold) => void): Promise<void> {
		const live = this.#live.get(threadId);
		if (live !== undefined) {
			live.flush();
			callStore(() => work(live.hold));
			return;
		}
		const hold = await this.#take(threadId);
		try {
			callStore(() => work(hold));
		} finally {
			this.#starting.delete(threadId);
			if (this.#store.thread(threadId) === undefined) {
				hold.abandon();
			} else {
				hold.release();
			}
		}
	}

	/** The lease of a thread at rest; what an earlier process left open in it is settled first. */
	async #take(threadId: ThreadId): Promise<ThreadHold> {
		if (this.#live.has(threadId) || this.#starting.has(threadId)) {
			throw new ProwessError('TURN_RUNNING', `a turn is running in thread ${threadId}`, { threadId });
		}
		const hold = callStore(() => new ThreadHold(this.#store, threadId, this.#sent, this.#deps.log));
		this.#starting.add(threadId);
		try {
			await recoverThread(this.#store, hold, this.#deps.host, this.#deps.closing);
			return hold;
		} catch (error) {
			this.#starting.delete(threadId);
			hold.release();
			throw error;
		}
	}

	async #untilFree(threadId: ThreadId, signal: AbortSignal): Promise<void> {
		const endMs = performance.now() + threadLimits.takeOverMs;
		for (;;) {
			const holder = this.#store.holderElsewhere(threadId);
			if (holder === undefined) {
				return;
			}
			if (performance.now() > endMs) {
				throw createBusyError(threadId, holder);
			}
			await setTimeout(threadLimits.watchIntervalMs, undefined, { signal });
		}
	}

	#turnIn(threadId: ThreadId, turnId: TurnId): TurnRow {
		const turn = callStore(() => this.#store.turn(turnId));
		if (turn?.thread_id !== threadId) {
			throw noTurn(threadId, turnId);
		}
		return turn;
	}

	#infoOf(row: ThreadRow): ThreadInfo {
		const isElsewhere = row.running_turn !== null && !this.#live.has(row.id as ThreadId);
		return toThreadInfo(row, isElsewhere ? this.#store.holderElsewhere(row.id) : undefined);
	}

	#forget(live: LiveTurn): void {
		if (this.#live.get(live.threadId) === live) {
			this.#live.delete(live.threadId);
		}
	}

	#row(threadId: ThreadId): ThreadRow {
		const row = callStore(() => this.#store.thread(threadId));
		if (row === undefined) {
			throw new ProwessError('THREAD_NOT_FOUND', `there is no thread ${threadId}`, { threadId });
		}
		return row;
	}
}
