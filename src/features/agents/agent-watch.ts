/**
 * Follows the threads of sub-agents through what servers tell of them, and keeps what that comes to: which of them run, and how
 * each turn has ended. When a thread is stopped, those that work for it are stopped too.
 */
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { ThreadEvent, ThreadUpdate } from '../../protocol/thread/thread.ts';
import { threadNotifications, threadRequests } from '../../protocol/thread/thread-requests.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { AgentRecord, AgentRecords } from '../../trust/gate/access/agent-records.ts';
import { AgentActivity } from './agent-activity.ts';
import { agentLimits } from './limits.ts';

interface AgentWatchDeps {
	readonly records: AgentRecords;
	readonly log: Pick<LogPort, 'warn'>;
}

export class AgentWatch implements Disposable {
	readonly #deps: AgentWatchDeps;
	readonly #activities = new Map<ThreadId, AgentActivity>();
	readonly #closing = new AbortController();
	readonly #changed = new Emitter<ThreadId>();
	/** Turns that were stopped together with one above; the newest. */
	readonly #stopped = new Set<TurnId>();
	readonly #stopping = new Set<ThreadId>();
	readonly #told = new Map<ThreadId, ReturnType<typeof setTimeout>>();
	/** Which threads are of sub-agents is known. */
	readonly #known: Promise<void>;
	#isKnown = false;
	/** Serializes the changes of the file. */
	#kept: Promise<unknown>;

	constructor(deps: AgentWatchDeps) {
		this.#deps = deps;
		const refreshed = deps.records.refresh(this.#closing.signal).catch(() => {});
		this.#known = refreshed.then(() => void (this.#isKnown = true));
		this.#kept = this.#known;
	}

	/** Something is other than before with a sub-agent of this thread of the user. */
	readonly onDidChange = this.#changed.event;

	/** Also before the server starts: its first words may be of turns that an earlier one left behind. */
	serve(server: Peer): Disposable {
		const served = new DisposableStore();
		const hearUpdate = (update: ThreadUpdate) => this.#hear(server, update);
		const update = (heard: ThreadUpdate) =>
			this.#isKnown ? hearUpdate(heard) : void this.#known.then(() => hearUpdate(heard));
		served.add(server.on(threadNotifications, { update }));
		return served;
	}

	/** Returns the activity of a thread; made on first use, and dropped with the turn where the thread is the user's own. */
	activityOf(threadId: ThreadId): AgentActivity {
		let activity = this.#activities.get(threadId);
		if (activity === undefined) {
			activity = new AgentActivity();
			this.#activities.set(threadId, activity);
		}
		return activity;
	}

	/** Title of the call that a thread makes now; undefined: none that was heard of. */
	doingOf(threadId: ThreadId): string | undefined {
		return this.#activities.get(threadId)?.doing;
	}

	/** Resolves once that turn, or whichever runs, has ended and that is kept. `onWaiting`: a person is asked, or not any more. */
	async untilRest(
		threadId: ThreadId,
		turnId: TurnId | undefined,
		onWaiting: (isWaiting: boolean) => void,
		signal: AbortSignal,
	): Promise<void> {
		const activity = this.activityOf(threadId);
		const root = this.#deps.records.rootOf(threadId);
		let isWaiting = false;
		await new Promise<void>((resolve, reject) => {
			const checkRest = () => {
				if (activity.isWaiting !== isWaiting) {
					isWaiting = activity.isWaiting;
					onWaiting(isWaiting);
				}
				if (activity.hasEnded(turnId)) endWait(resolve);
			};
			const endWait = (how: () => void) => {
				listening.dispose();
				signal.removeEventListener('abort', abort);
				how();
			};
			const abort = () => endWait(() => reject(signal.reason as Error));
			const listening = this.#heard.event((changed) => {
				if (changed === root) checkRest();
			});
			signal.addEventListener('abort', abort, { once: true });
			if (signal.aborted) abort();
			else checkRest();
		});
		await this.#kept;
	}

	/** Tells the rest of the host, at most once in a while. */
	tell(root: ThreadId): void {
		if (!this.#told.has(root) && !this.#closing.signal.aborted) {
			const timer = setTimeout(() => {
				this.#told.delete(root);
				this.#changed.fire(root);
			}, agentLimits.tellIntervalMs);
			this.#told.set(root, timer);
		}
	}

	forget(threadId: ThreadId): void {
		this.#activities.delete(threadId);
	}

	/** Changes of the file that have begun. */
	async settled(): Promise<void> {
		await this.#known;
		await this.#kept;
	}

	dispose(): void {
		for (const timer of this.#told.values()) clearTimeout(timer);
		this.#told.clear();
		this.#changed.dispose();
		this.#heard.dispose();
	}

	/** Ends a turn of it, bounded; never rejects. */
	async stopTurn(server: Peer, threadId: ThreadId): Promise<void> {
		const limit = deriveSignal(this.#closing.signal, { what: 'stopping a sub-agent', timeoutMs: agentLimits.stopMs });
		try {
			await server.call(threadRequests.stop, { threadId }, limit.signal).catch(async (error: unknown) => {
				if (!isProwessError(error) || error.code !== 'THREAD_BUSY') throw error;
				// Another window or terminal runs it, and is asked to let it go.
				await server.call(threadRequests.takeOver, { threadId }, limit.signal);
			});
		} catch (error) {
			this.#deps.log.warn('a sub-agent was not stopped', { threadId, error: String(error) });
		} finally {
			limit.dispose();
		}
	}

	readonly #heard = new Emitter<ThreadId>();

	/** True for a turn that was stopped together with one above. */
	wasStopped(turnId: TurnId): boolean {
		return this.#stopped.has(turnId);
	}

	#hear(server: Peer, { threadId, events }: ThreadUpdate): void {
		const { records } = this.#deps;
		const isAgent = records.parentOf(threadId) !== undefined;
		for (const event of events) {
			this.activityOf(threadId).apply(event);
			if (isAgent) {
				this.#keep(threadId, event);
			} else if (event.type === 'turn.end' || event.type === 'thread.deleted') {
				this.forget(threadId);
			}
			if (event.type === 'turn.end' && event.outcome === 'stopped') {
				this.#stopThoseOf(server, threadId);
			}
		}
		if (isAgent) {
			const root = records.rootOf(threadId);
			this.#heard.fire(root);
			this.tell(root);
		}
	}

	/** All below it at once: one that works may do so for one that rests. */
	#stopThoseOf(server: Peer, threadId: ThreadId): void {
		for (const [id, { turnId }] of this.#activities) {
			if (turnId === undefined || !this.#deps.records.ancestorsOf(id).includes(threadId)) continue;
			this.#stopped.add(turnId);
			const [oldest] = this.#stopped;
			if (oldest !== undefined && this.#stopped.size > agentLimits.stoppedTurns) this.#stopped.delete(oldest);
			if (this.#stopping.has(id)) continue;
			this.#stopping.add(id);
			void this.stopTurn(server, id).finally(() => this.#stopping.delete(id));
		}
	}

	#keep(threadId: ThreadId, event: ThreadEvent): void {
		if (event.type !== 'turn.start' && event.type !== 'turn.end') {
			return;
		}
		const { used } = this.activityOf(threadId);
		const changedAt = new Date().toISOString();
		this.change(threadId, (record) => {
			const state =
				record.state === 'terminated' ? record.state : event.type === 'turn.start' ? 'running' : 'suspended';
			const outcome = event.type === 'turn.end' ? { outcome: event.outcome } : {};
			return { ...record, state, ...outcome, ...used, changedAt };
		}).catch((error: unknown) => {
			this.#deps.log.warn('the state of a sub-agent was not kept', { threadId, error: String(error) });
		});
	}

	/** After the changes before it. Rejects with INVALID_STATE when the file cannot be read. */
	change(threadId: ThreadId, change: (record: AgentRecord) => AgentRecord): Promise<void> {
		const { records } = this.#deps;
		const changing = this.#kept.then(() => records.change(threadId, change, new AbortController().signal));
		this.#kept = changing.catch(() => {});
		return changing;
	}
}
