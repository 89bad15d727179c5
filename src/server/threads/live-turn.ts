/** A turn that runs in this process: from its first durable row to its last, with the one signal that ends it. */
import { raceTimeout } from '../../base/time/bounded-wait.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { NOTICE_TEXTS } from '../../protocol/text/notice-texts.ts';
import type { ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { UserItem } from '../../protocol/thread/items.ts';
import { usageBeside } from '../loop/total-usage.ts';
import { WaitSkips } from '../models/failover/failover.ts';
import type { ModelPort, ModelUsage } from '../models/model-port.ts';
import { listContextImages } from '../../protocol/thread/context.ts';
import { GOING_AWAY, runTracedTurn } from '../pipeline/run-turn.ts';
import { failoverDecide } from '../pipeline/failover-decide.ts';
import { type BeginStep, TurnTracer } from '../turn/stage-trace.ts';
import type { Steering, SteeringMessage } from '../turn/steering.ts';
import type { Turn, SettledTurnEnd, TurnDeps } from '../turn/turn.ts';
import type { ThreadStore } from '../../store/threads/thread-store.ts';
import { threadLimits } from './limits.ts';
import { endTurn } from './end-turn.ts';
import { takeImages } from './thread-images.ts';
import { toUserItemRow } from './user-messages.ts';
import { fromStore } from './store-failure.ts';
import type { ThreadHold } from './thread-hold.ts';
import type { ThreadJournal } from './thread-journal.ts';

/** A turn whose journal is a thread in the store. */
export type StoredTurn = Turn & { readonly journal: ThreadJournal };

export class LiveTurn {
	readonly turnId: TurnId;
	readonly threadId: ThreadId;
	/** Resolves when the turn has ended and the thread is free; never rejects. */
	readonly ended: Promise<void>;
	readonly #store: ThreadStore;
	readonly #hold: ThreadHold;
	readonly #journal: ThreadJournal;
	readonly #steering: Steering;
	readonly #deps: TurnDeps;
	readonly #abort = new AbortController();
	readonly #skips = new WaitSkips();
	readonly #trace = new TurnTracer((stages, when) => {
		// Ignore stages that end after the turn: they do not belong to it.
		if (!this.#isOver) {
			this.#journal.trace(stages, when);
		}
	});
	readonly #startMs = performance.now();
	#isOver = false;
	/** Why it stops is said already. */
	#isExplained = false;

	constructor(turn: StoredTurn, store: ThreadStore, hold: ThreadHold, deps: TurnDeps) {
		this.#store = store;
		this.turnId = turn.turnId;
		this.threadId = turn.threadId;
		this.#hold = hold;
		this.#journal = turn.journal;
		this.#steering = turn.steering;
		this.#deps = deps;
		hold.lost.signal.addEventListener('abort', () => this.#abort.abort(hold.lost.signal.reason), { once: true });
		this.ended = this.#run(turn);
	}

	/** Ends within the limit, whoever does not answer. */
	async stop(): Promise<void> {
		this.#abort.abort(new ProwessError('CANCELLED', 'stopped by the user'));
		await raceTimeout(this.ended, threadLimits.stopMs);
		// Somebody below does not listen to the signal; the turn ends without them.
		this.#finish(failoverDecide({ kind: 'stopped' }));
	}

	/** Stores a message and gives it to the turn; false when that takes none any more. */
	async steer({ id, text, context, from }: SteeringMessage): Promise<boolean> {
		await this.#steering.settled;
		if (!this.#steering.isOpen || this.#isOver || this.#abort.signal.aborted) {
			return false;
		}
		if (this.#store.item(id) !== undefined) {
			// Sent twice at once.
			return true;
		}
		const at = new Date().toISOString();
		const item: UserItem = {
			id,
			turnId: this.turnId,
			at,
			kind: 'user',
			text,
			context,
			isSteering: true,
			...(from && { from }),
		};
		this.#hold.change('power', () => {
			this.#hold.writer.addItem(toUserItemRow(item), text);
			takeImages(this.#hold.writer, this.turnId, listContextImages(context));
			this.#hold.writer.change({ updated_at: at });
			return [{ type: 'item.start', item }];
		});
		this.#steering.add(item);
		return true;
	}

	/** Counts a request beside the conversation; false when the turn is over. */
	spent(usage: ModelUsage, model: ModelPort): boolean {
		if (!this.#isOver) {
			this.#journal.setUsage(usageBeside(this.#journal.usage, usage, model));
		}
		return !this.#isOver;
	}

	/** Traces what a running capability does for the turn. */
	readonly beginStep: BeginStep = (step, facts) => this.#trace.begin(step, facts);

	/** Waits no longer for a provider that has asked for patience. */
	useNext(): void {
		this.#skips.skip();
	}

	/** Stops because another process wants the thread, and says so in it. Never rejects. */
	async handOver(): Promise<void> {
		if (this.#isOver || this.#abort.signal.aborted) {
			return;
		}
		try {
			this.#journal.notice({ level: 'info', text: NOTICE_TEXTS.takenOver, actions: [] });
			this.#isExplained = true;
		} catch (error) {
			// This process stood still for so long that the thread has another writer already.
			this.#hold.fail(error);
		}
		await this.stop();
	}

	/** The process ends: what streams is stored, the rest is settled by the next start. */
	abandon(): void {
		if (!this.#isOver) {
			this.#isOver = true;
			this.#steering.close();
			try {
				this.#journal.flush();
			} finally {
				this.#journal.dispose();
				this.#hold.abandon();
				this.#abort.abort(GOING_AWAY);
			}
		}
	}

	/** Stores and sends everything up to now. */
	flush(): void {
		this.#journal.flush();
		this.#hold.updates.flush();
	}

	/** Number of the last update that was sent. */
	get seq(): number {
		return this.#hold.updates.seq;
	}

	/** Changes the thread beside the turn, with the turn's lease. */
	get hold(): ThreadHold {
		return this.#hold;
	}

	async #run(turn: Turn): Promise<void> {
		let end: SettledTurnEnd;
		try {
			end = await runTracedTurn(turn, { ...this.#deps, skips: this.#skips }, this.#trace, this.#abort.signal);
			if (this.#hold.lost.signal.aborted) {
				throw this.#hold.lost.signal.reason;
			}
		} catch (error) {
			end = failoverDecide({ kind: 'failed', error: fromStore(error) });
		}
		this.#finish(end);
	}

	/** Nobody waits for a turn that has ended, also when the store knows nothing of it. */
	#tellUnstored(error: unknown): void {
		const { updates } = this.#hold;
		const durationMs = Math.round(performance.now() - this.#startMs);
		const end = failoverDecide({ kind: 'failed', error: fromStore(error) });
		// Drop waiting updates: they were undone together with the end.
		updates.dispose();
		this.#hold.writer.forget();
		try {
			updates.push({
				type: 'turn.end',
				turnId: this.turnId,
				outcome: end.outcome,
				durationMs,
				...(end.error === undefined ? {} : { error: end.error }),
			});
			updates.flush();
		} catch {
			// The thread is not ours to speak of any more, and that is logged.
		}
	}

	#finish(end: SettledTurnEnd): void {
		if (this.#isOver) {
			return;
		}
		this.#isOver = true;
		this.#steering.close();
		try {
			const said = this.#isExplained && end.outcome === 'stopped' ? { outcome: end.outcome } : end;
			endTurn(this.#store, this.#hold, this.#journal, said, performance.now() - this.#startMs);
			this.#hold.letGo();
		} catch (error) {
			// The store refuses, or another process has the thread: whoever opens it next finds the turn unfinished.
			this.#deps.log.error('the end of a turn could not be stored', { threadId: this.threadId, error: String(error) });
			this.#tellUnstored(error);
			this.#hold.abandon();
		} finally {
			this.#journal.dispose();
			this.#abort.abort(new ProwessError('CANCELLED', 'the turn has ended'));
			this.#deps.host.turnEnded(this.turnId, end.outcome);
		}
	}
}
