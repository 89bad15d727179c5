/** The one writer of a thread, while its lease lasts. Each method is fenced: with a lease that was lost it throws and writes nothing. */
import type { Database, Durability } from '../database.ts';
import { storeLimits } from '../limits.ts';
import { StoreError } from '../store-error.ts';
import { insertImage, type NewImage } from './image-store.ts';
import type { LeaseHolder } from './lease-holder.ts';
import { noteRewound, putTailBack, type Rewound, takeTail, tellRestored, tellRewound } from './set-aside.ts';
import type { ItemRow, ThreadRow } from './thread-rows.ts';

type ThreadChange = Partial<
	Pick<
		ThreadRow,
		'title' | 'model_id' | 'mode' | 'effort' | 'shelf' | 'updated_at' | 'seq' | 'todos' | 'usage' | 'instructions_read'
	>
>;

type NewItem = Omit<ItemRow, 'position' | 'in_history'> & { readonly in_history?: 0 | 1 };

export class ThreadWriter {
	readonly threadId: string;
	readonly #db: Database;
	readonly #holder: LeaseHolder;
	/** Token of its lease; a later lease has a higher one. */
	readonly token: number;
	/** Writes for the next commit, in their order; they stay until one has stored them. */
	readonly #waiting: (() => void)[] = [];
	/** Position of the next message, while messages wait. */
	#nextMessage: number | undefined;
	#isWriting = false;

	constructor(db: Database, threadId: string, holder: LeaseHolder, token: number) {
		this.#db = db;
		this.threadId = threadId;
		this.#holder = holder;
		this.token = token;
	}

	/** Several writes as one, and before them what waits. */
	transaction<T>(durability: Durability, work: () => T): T {
		if (this.#isWriting) {
			return work();
		}
		this.#isWriting = true;
		const next = this.#nextMessage;
		try {
			const result = this.#db.transaction(durability, () => {
				this.#fence();
				for (const write of this.#waiting) {
					write();
				}
				this.#nextMessage = undefined;
				return work();
			});
			this.#waiting.length = 0;
			return result;
		} catch (error) {
			this.#nextMessage = next;
			throw error;
		} finally {
			this.#isWriting = false;
		}
	}

	/** Stores with the next commit; within one, at once. To be settled before anybody is told or acts on it: until then this process may lose it. */
	later(write: () => void): void {
		if (this.#isWriting) {
			write();
		} else {
			this.#waiting.push(write);
		}
	}

	/** Lets go of what waits. */
	forget(): void {
		this.#waiting.length = 0;
		this.#nextMessage = undefined;
	}

	/** Stores what waits, as one commit. */
	settle(): void {
		if (this.#waiting.length > 0) {
			this.transaction('process', () => {});
		}
	}

	renew(): void {
		this.transaction('process', () => this.#setLease(this.#holder.owner, this.#holder.now() + storeLimits.leaseMs));
	}

	/** Gives the thread back. A lease that was lost is not ours to give. */
	release(): void {
		this.#db.run(
			'UPDATE threads SET lease_owner = NULL, lease_expires = 0 WHERE id = ? AND lease_token = ?',
			...[this.threadId, this.token],
		);
	}

	change(change: ThreadChange): void {
		this.transaction('process', () => {
			for (const [column, value] of Object.entries(change)) {
				this.#db.run(`UPDATE threads SET ${column} = ? WHERE id = ?`, value, this.threadId);
			}
		});
	}

	startTurn(turn: { readonly id: string; readonly modelId: string; readonly startedAt: string }): void {
		this.transaction('process', () => {
			this.#db.run(
				`INSERT INTO turns (id, thread_id, position, status, model_id, started_at)
					VALUES (?, ?, (SELECT coalesce(max(position) + 1, 0) FROM turns WHERE thread_id = ?), 'running', ?, ?)`,
				...[turn.id, this.threadId, this.threadId, turn.modelId, turn.startedAt],
			);
		});
	}

	endTurn(turn: {
		readonly id: string;
		readonly status: string;
		readonly endedAt: string;
		readonly error: string | null;
	}): void {
		this.transaction('process', () => {
			this.#db.run(
				'UPDATE turns SET status = ?, ended_at = ?, error = ? WHERE id = ?',
				...[turn.status, turn.endedAt, turn.error, turn.id],
			);
		});
	}

	/** Id of the one item of a call that the message at `position` makes; undefined: none, or several. */
	itemOfCall(position: number, callId: string): string | undefined {
		const [item, ...others] = this.#db.all<{ id: string }>(
			`SELECT id FROM items WHERE call_id = ?
				AND turn_id = (SELECT turn_id FROM messages WHERE thread_id = ? AND position = ?) LIMIT 2`,
			...[callId, this.threadId, position],
		);
		return others.length === 0 ? item?.id : undefined;
	}

	/** True when a text of the thread says that `by` has answered for `asked`. */
	hasServed({ asked, by }: { readonly asked: string; readonly by: string }): boolean {
		this.settle();
		const [told] = this.#db.all(
			`SELECT 1 FROM items WHERE thread_id = ? AND kind = 'text'
				AND json_extract(body, '$.served.asked') = ? AND json_extract(body, '$.served.by') = ? LIMIT 1`,
			...[this.threadId, asked, by],
		);
		return told !== undefined;
	}

	/** Which model was found for a turn. */
	setTurnModel(turnId: string, modelId: string): void {
		this.transaction('process', () => this.#db.run('UPDATE turns SET model_id = ? WHERE id = ?', modelId, turnId));
	}

	traceTurn(turnId: string, trace: string): void {
		this.transaction('process', () => this.#db.run('UPDATE turns SET trace = ? WHERE id = ?', trace, turnId));
	}

	addItem(item: NewItem, searchText: string | undefined): void {
		this.transaction('process', () => {
			this.#db.run(
				`INSERT INTO items (id, thread_id, turn_id, position, kind, op_id, call_id, in_history, body)
					VALUES (?, ?, ?, (SELECT coalesce(max(position) + 1, 0) FROM items WHERE thread_id = ?), ?, ?, ?, ?, ?)`,
				...[item.id, this.threadId, item.turn_id, this.threadId],
				...[item.kind, item.op_id, item.call_id, item.in_history ?? 0, item.body],
			);
			this.#index(item.id, searchText);
		});
	}

	/** `searchText` once, when the text is final. `whole`: what did not fit into the body. */
	setItem(
		id: string,
		body: string,
		more: { readonly searchText?: string | undefined; readonly whole?: string | undefined } = {},
	): void {
		this.transaction('process', () => {
			this.#db.run('UPDATE items SET body = ? WHERE id = ?', body, id);
			if (more.whole !== undefined) {
				this.#db.run('UPDATE items SET whole = ? WHERE id = ?', more.whole, id);
			}
			this.#index(id, more.searchText);
		});
	}

	/**
	 * Appends what the model said or reads; items of the turn up to here are in the history now, those of the user only if
	 * `userItems` names them: another may wait for its place. Returns the position.
	 */
	addMessage(turnId: string, body: string, userItems: readonly string[] = []): number {
		return this.transaction('process', () => this.addMessageLater(turnId, body, userItems));
	}

	/** The same with the next commit: nobody else appends to the thread, so its position is known. */
	addMessageLater(turnId: string, body: string, userItems: readonly string[] = []): number {
		const position = this.#nextMessage ?? this.#positionAfterLast();
		// Within a transaction it is appended at once, and the next one is found by looking.
		this.#nextMessage = this.#isWriting ? undefined : position + 1;
		this.later(() => {
			this.#db.run(
				'INSERT INTO messages (thread_id, position, turn_id, body) VALUES (?, ?, ?, ?)',
				...[this.threadId, position, turnId, body],
			);
			this.#db.run("UPDATE items SET in_history = 1 WHERE turn_id = ? AND in_history = 0 AND kind <> 'user'", turnId);
			for (const id of userItems) {
				this.#db.run('UPDATE items SET in_history = 1 WHERE id = ? AND turn_id = ?', id, turnId);
			}
		});
		return position;
	}

	/**
	 * Takes an answer out with the next commit: its items, and the turn's messages from `position` on, which are the last
	 * of the thread.
	 */
	removeAnswerLater(turnId: string, itemIds: readonly string[], position: number): void {
		this.#nextMessage = this.#isWriting ? undefined : position;
		this.later(() => {
			for (const id of itemIds) {
				this.#db.run('DELETE FROM items WHERE id = ? AND turn_id = ?', id, turnId);
			}
			this.#db.run(
				'DELETE FROM messages WHERE thread_id = ? AND turn_id = ? AND position >= ?',
				...[this.threadId, turnId, position],
			);
		});
	}

	setMessage(position: number, body: string): void {
		this.transaction('process', () => {
			this.#db.run('UPDATE messages SET body = ? WHERE thread_id = ? AND position = ?', body, this.threadId, position);
		});
	}

	/** The model reads `body` in place of all messages before `keptFrom`, from the next turn on. */
	addCompaction(turnId: string, keptFrom: number, body: string): void {
		this.transaction('process', () => {
			this.#db.run(
				'INSERT INTO compactions (thread_id, turn_id, kept_from, body) VALUES (?, ?, ?, ?)',
				...[this.threadId, turnId, keptFrom, body],
			);
		});
	}

	/** Gives a turn a picture that no other thread has. False: there is none. */
	takeImage(turnId: string, id: string): boolean {
		return this.transaction('process', () => {
			const changed = this.#db.run(
				'UPDATE images SET thread_id = ?1, turn_id = ?2 WHERE id = ?3 AND (thread_id IS NULL OR thread_id = ?1)',
				...[this.threadId, turnId, id],
			);
			return changed === 1;
		});
	}

	addImage(turnId: string, image: NewImage): void {
		this.transaction('process', () => insertImage(this.#db, image, { threadId: this.threadId, turnId }));
	}

	/** Removes a turn and all later ones; their ids, oldest first. More than the last one can be put back. */
	cut(turnId: string): string[] {
		return this.transaction('process', () => {
			const { threadId } = this;
			const position = this.#positionOf(turnId);
			return position === undefined ? [] : takeTail(this.#db, { threadId, position }, (turns) => turns > 1);
		});
	}

	/** Takes this turn and all later ones away, and keeps them to be put back. Gives their ids, oldest first; none: there is no such turn. */
	rewind(turnId: string, files: Rewound['files']): string[] {
		return this.transaction('power', () => {
			const { threadId } = this;
			const first = this.#positionOf(turnId);
			const ids = first === undefined ? [] : takeTail(this.#db, { threadId, position: first }, () => true);
			if (ids.length > 0) {
				noteRewound(this.#db, threadId, files);
			}
			return ids;
		});
	}

	/** Turns that the last way back took out, where this was not asked since. */
	tellRewound(): Rewound | undefined {
		return this.transaction('process', () => tellRewound(this.#db, this.threadId));
	}

	/**
	 * Puts back what the last such cut took away, in place of what has come since. False: there is nothing, or it does not begin
	 * with the turn `from`.
	 */
	putBack(from?: string): boolean {
		return this.transaction('power', () => putTailBack(this.#db, this.threadId, from));
	}

	/** Returns true when something was put back since this was last asked. */
	tellRestored(): boolean {
		return this.transaction('process', () => tellRestored(this.#db, this.threadId));
	}

	delete(): void {
		this.transaction('power', () => this.#db.run('DELETE FROM threads WHERE id = ?', this.threadId));
	}

	#positionOf(turnId: string): number | undefined {
		return this.#db.get<{ position: number }>(
			'SELECT position FROM turns WHERE id = ? AND thread_id = ?',
			...[turnId, this.threadId],
		)?.position;
	}

	#index(itemId: string, text: string | undefined): void {
		if (text !== undefined) {
			this.#db.run(
				'INSERT INTO item_text (rowid, text, thread_id) SELECT number, ?, thread_id FROM items WHERE id = ?',
				...[text, itemId],
			);
		}
	}

	#positionAfterLast(): number {
		const last = this.#db.get<{ next: number }>(
			'SELECT coalesce(max(position) + 1, 0) AS next FROM messages WHERE thread_id = ?',
			this.threadId,
		);
		return last?.next ?? 0;
	}

	#setLease(owner: string, expires: number): void {
		this.#db.run('UPDATE threads SET lease_owner = ?, lease_expires = ? WHERE id = ?', owner, expires, this.threadId);
	}

	#fence(): void {
		const row = this.#db.get<{ lease_owner: string | null }>(
			'SELECT lease_owner FROM threads WHERE id = ? AND lease_token = ?',
			...[this.threadId, this.token],
		);
		if (row?.lease_owner !== this.#holder.owner) {
			throw new StoreError('fenced', `thread ${this.threadId} was taken over by another process`, {
				threadId: this.threadId,
			});
		}
	}
}
