/** A thread as the extension's end holds it: every event changes the snapshot and goes out with its number. */
import { applyEvent } from '../../../src/protocol/thread/apply-update.ts';
import { type ItemId, newId, type ThreadId, type TurnId } from '../../../src/protocol/rpc/ids.ts';
import type { ThreadItem } from '../../../src/protocol/thread/items.ts';
import type { ThreadEvent, ThreadInfo, ThreadSnapshot, ThreadUpdate } from '../../../src/protocol/thread/thread.ts';

export const AT = '2026-11-20T12:00:00.000Z';

export class FakeThread {
	readonly id: ThreadId;
	snapshot: ThreadSnapshot;
	/** Items before the ones in the snapshot. */
	older: ThreadItem[] = [];
	readonly #send: (update: ThreadUpdate) => void;

	constructor(send: (update: ThreadUpdate) => void, info: Partial<ThreadInfo> = {}) {
		this.id = info.id ?? newId('thr');
		this.#send = send;
		const complete: ThreadInfo = {
			id: this.id,
			title: 'Fix the failing test',
			modelId: null,
			mode: 'agent',
			createdAt: AT,
			updatedAt: AT,
			workspace: '/srv/sample',
			running: false,
			...info,
		};
		this.snapshot = { info: complete, seq: 0, items: [], earlier: 0, turnId: null, todos: [], usage: null };
	}

	emit(...events: ThreadEvent[]): void {
		const seq = this.snapshot.seq + 1;
		this.snapshot = events.reduce(applyEvent, this.snapshot);
		this.#send({ threadId: this.id, seq, events });
	}

	/** Changes the snapshot as `emit` does, but the update gets lost on its way. */
	lose(...events: ThreadEvent[]): void {
		this.snapshot = events.reduce(applyEvent, this.snapshot);
	}

	begin(text: string, id = newId('itm')): TurnId {
		const turnId = newId('trn');
		const user: ThreadItem = { id, turnId, at: AT, kind: 'user', text, context: [] };
		this.emit({ type: 'turn.start', turnId, modelId: 'tour/tour' }, { type: 'item.start', item: user });
		return turnId;
	}

	/** A message for the running turn; without one it begins one. */
	steer(text: string, id = newId('itm')): TurnId {
		const { turnId } = this.snapshot;
		if (turnId === null) {
			return this.begin(text, id);
		}
		const user: ThreadItem = { id, turnId, at: AT, kind: 'user', text, context: [], isSteering: true };
		this.emit({ type: 'item.start', item: user });
		return turnId;
	}

	startText(turnId: TurnId, text = ''): ItemId {
		const id = newId('itm');
		this.emit({ type: 'item.start', item: { id, turnId, at: AT, kind: 'text', text, done: false } });
		return id;
	}

	delta(itemId: ItemId, text: string): void {
		this.emit({ type: 'item.delta', itemId, text });
	}

	end(turnId: TurnId): void {
		this.emit({ type: 'turn.end', turnId, outcome: 'done', durationMs: 1200 });
	}

	/** Another window begins a turn. */
	beginElsewhere(text: string): TurnId {
		this.emit({ type: 'thread.changed', info: { ...this.snapshot.info, running: true, heldBy: 'editor' } });
		return this.begin(text);
	}

	/** The turn of another window ends. */
	release(): void {
		const { heldBy: _, ...info } = this.snapshot.info;
		const { turnId } = this.snapshot;
		this.emit(
			{ type: 'thread.changed', info: { ...info, running: false } },
			...(turnId === null ? [] : [{ type: 'turn.end', turnId, outcome: 'stopped', durationMs: 5 } as const]),
		);
	}

	/** A whole turn with one answer. */
	say(question: string, answer: string): void {
		const turnId = this.begin(question);
		const id = this.startText(turnId, answer);
		this.emit({ type: 'item.end', itemId: id });
		this.end(turnId);
	}

	open(items: number): ThreadSnapshot {
		const all = [...this.older, ...this.snapshot.items];
		return { ...this.snapshot, items: all.slice(-items), earlier: Math.max(0, all.length - items) };
	}

	earlier(before: string, limit: number): { items: ThreadItem[]; earlier: number } {
		const all = [...this.older, ...this.snapshot.items];
		const end = all.findIndex((item) => item.id === before);
		const start = Math.max(0, end - limit);
		return { items: all.slice(start, Math.max(0, end)), earlier: start };
	}
}
