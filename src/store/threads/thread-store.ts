/** Reads threads, and gives them to one writer at a time. Every write goes through the `ThreadWriter` that a lease returns. */
import type { Database } from '../database.ts';
import { storeLimits } from '../limits.ts';
import { StoreError } from '../store-error.ts';
import { copyThread, type NewThread } from './copy-thread.ts';
import type { CompactionRow, ItemRow, LeaseRow, MessageRow, ThreadRow, TurnRow } from './thread-rows.ts';
import type { LeaseHolder } from './lease-holder.ts';
import { ThreadWriter } from './thread-writer.ts';

const threadColumns = `id, title, model_id, mode, effort, shelf, agent, workspace, created_at, updated_at,
	min(seq, ${Number.MAX_SAFE_INTEGER}) AS seq, todos, usage, instructions_read,
	(SELECT turns.id FROM turns WHERE turns.thread_id = threads.id AND status = 'running') AS running_turn,
	(SELECT turns FROM set_aside WHERE set_aside.thread_id = threads.id) AS set_aside`;
const itemColumns = 'id, turn_id, position, kind, op_id, call_id, in_history, body';

export class ThreadStore {
	readonly #db: Database;
	readonly #holder: LeaseHolder;
	/** Tokens of our leases that nobody writes with any more, by thread, though the file still names them. */
	readonly #givenUp = new Map<string, number>();

	constructor(db: Database, holder: LeaseHolder) {
		this.#db = db;
		this.#holder = holder;
	}

	create(
		row: Pick<ThreadRow, 'id' | 'title' | 'model_id' | 'mode' | 'workspace' | 'created_at'> &
			Partial<Pick<ThreadRow, 'effort' | 'agent'>>,
	): void {
		this.#db.run(
			`INSERT INTO threads (id, title, model_id, mode, effort, agent, workspace, created_at, updated_at)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			...[row.id, row.title, row.model_id, row.mode, row.effort ?? null, row.agent ?? null],
			...[row.workspace, row.created_at, row.created_at],
		);
	}

	/** Begins `copy` with the turns of a thread before `until`; undefined: with all of them. Runs as one commit. */
	fork(from: string, until: number | undefined, copy: NewThread, newId: (prefix: string) => string): void {
		const end = until ?? Number.MAX_SAFE_INTEGER;
		this.#db.transaction('power', () => copyThread(this.#db, from, end, copy, newId));
	}

	thread(id: string): ThreadRow | undefined {
		return this.#db.get<ThreadRow>(`SELECT ${threadColumns} FROM threads WHERE id = ?`, id);
	}

	/** Without sub-agents, unless a word is looked for. Pinned ones first, then newest first. A word of `query` matches the beginning of a word of a message, or any part of the title. */
	list(query: string | undefined, limit: number): ThreadRow[] {
		const words = (query ?? '').split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== '');
		if (query === undefined || query.trim() === '') {
			return this.#db.all<ThreadRow>(
				`SELECT ${threadColumns} FROM threads WHERE agent IS NULL OR json_extract(agent, '$.parent') IS NULL
				ORDER BY shelf IS 'pinned' DESC, updated_at DESC, id DESC LIMIT ?`,
				limit,
			);
		}
		const match = words.slice(0, storeLimits.searchWords).map((word) => `"${word}"*`);
		const title = `%${query.trim().replaceAll(/[\\%_]/g, '\\$&')}%`;
		return this.#db.all<ThreadRow>(
			`SELECT ${threadColumns} FROM threads WHERE title LIKE ? ESCAPE '\\'
				OR id IN (SELECT thread_id FROM item_text WHERE item_text MATCH ?)
				ORDER BY shelf IS 'pinned' DESC, updated_at DESC, id DESC LIMIT ?`,
			title,
			// A query without any word matches no message; `""` is a phrase of nothing.
			match.join(' ') || '""',
			limit,
		);
	}

	/**
	 * Ids of threads that nobody has used since `before` (ISO), the longest unused first: neither pinned nor running, nor a
	 * sub-agent's. A thread is used, and pinned, with its sub-agents, at any depth. `key`: those whose `workspace` it is (null:
	 * in none), or the one that has this `id`.
	 */
	unused(before: string, which: 'workspace' | 'id', key: string | null, limit: number): string[] {
		const rows = this.#db.all<Pick<ThreadRow, 'id'>>(
			`WITH RECURSIVE busy (id) AS (SELECT thread_id FROM turns WHERE status = 'running'),
used (id) AS (SELECT agent ->> 'parent' FROM threads
WHERE agent IS NOT NULL AND (updated_at >= ? OR shelf IS 'pinned' OR id IN busy)
UNION SELECT agent ->> 'parent' FROM used JOIN threads USING (id))
SELECT id FROM threads WHERE ${which} IS ? AND updated_at < ? AND shelf IS NOT 'pinned' AND agent ->> 'parent' IS NULL
AND id NOT IN (SELECT id FROM used WHERE id IS NOT NULL UNION SELECT id FROM busy) ORDER BY updated_at, id LIMIT ?`,
			...[before, key, before, limit],
		);
		return rows.map(({ id }) => id);
	}

	/** The newest items, oldest first, and how many there are before them. */
	lastItems(threadId: string, limit: number): { items: ItemRow[]; earlier: number } {
		return this.#itemsBefore(threadId, Number.MAX_SAFE_INTEGER, limit);
	}

	/** The items before the given one; undefined when there is no such item. */
	itemsBefore(threadId: string, itemId: string, limit: number): { items: ItemRow[]; earlier: number } | undefined {
		const at = this.#db.get<{ position: number }>(
			'SELECT position FROM items WHERE id = ? AND thread_id = ?',
			itemId,
			threadId,
		);
		return at === undefined ? undefined : this.#itemsBefore(threadId, at.position, limit);
	}

	/** Messages of the user, oldest first: at most `limit` after this position. */
	userItemsAfter(threadId: string, position: number, limit: number): ItemRow[] {
		return this.#db.all<ItemRow>(
			`SELECT ${itemColumns} FROM items WHERE thread_id = ? AND kind = 'user' AND position > ? ORDER BY position LIMIT ?`,
			...[threadId, position, limit],
		);
	}

	itemsOfTurn(turnId: string): ItemRow[] {
		return this.#db.all<ItemRow>(`SELECT ${itemColumns} FROM items WHERE turn_id = ? ORDER BY position`, turnId);
	}

	/** Finds an item of any thread. */
	item(itemId: string): (ItemRow & { readonly thread_id: string }) | undefined {
		return this.#db.get(`SELECT ${itemColumns}, thread_id FROM items WHERE id = ?`, itemId);
	}

	/** All items with the whole of outputs that were shortened for display. */
	wholeItems(threadId: string): (ItemRow & { readonly whole: string | null })[] {
		return this.#db.all(`SELECT ${itemColumns}, whole FROM items WHERE thread_id = ? ORDER BY position`, threadId);
	}

	/** The item of the op whose id ends so, with the whole of its output where that was shortened. */
	itemOfOp(threadId: string, end: string): (ItemRow & { readonly whole: string | null }) | undefined {
		return this.#db.get(
			`SELECT ${itemColumns}, whole FROM items WHERE thread_id = ? AND substr(op_id, ?) = ? ORDER BY position LIMIT 1`,
			...[threadId, -end.length, end],
		);
	}

	/** From this position on. */
	messages(threadId: string, from = 0): MessageRow[] {
		return this.#db.all<MessageRow>(
			'SELECT position, turn_id, body FROM messages WHERE thread_id = ? AND position >= ? ORDER BY position',
			...[threadId, from],
		);
	}

	/** The last one; undefined while the model reads all messages. */
	compaction(threadId: string): CompactionRow | undefined {
		return this.#db.get<CompactionRow>(
			'SELECT kept_from, body FROM compactions WHERE thread_id = ? ORDER BY number DESC LIMIT 1',
			threadId,
		);
	}

	lastMessage(threadId: string): MessageRow | undefined {
		return this.#db.get<MessageRow>(
			'SELECT position, turn_id, body FROM messages WHERE thread_id = ? ORDER BY position DESC LIMIT 1',
			threadId,
		);
	}

	turns(threadId: string): TurnRow[] {
		return this.#db.all<TurnRow>('SELECT * FROM turns WHERE thread_id = ? ORDER BY position', threadId);
	}

	/** The latest of a thread, or of all, oldest first. */
	latestTurns(threadId: string | undefined, limit: number): TurnRow[] {
		const rows =
			threadId === undefined
				? this.#db.all<TurnRow>('SELECT * FROM turns ORDER BY started_at DESC, id DESC LIMIT ?', limit)
				: this.#db.all<TurnRow>(
						'SELECT * FROM turns WHERE thread_id = ? ORDER BY position DESC LIMIT ?',
						...[threadId, limit],
					);
		return rows.toReversed();
	}

	/** Undefined in a thread without any. */
	lastTurn(threadId: string): TurnRow | undefined {
		return this.#db.get<TurnRow>('SELECT * FROM turns WHERE thread_id = ? ORDER BY position DESC LIMIT 1', threadId);
	}

	/**
	 * Returns the number of turns at the end of a thread that were interrupted, one after the other; running ones do
	 * not count.
	 */
	interruptedLast(threadId: string): number {
		const last = this.#db.get<{ readonly position: number | null }>(
			"SELECT max(position) AS position FROM turns WHERE thread_id = ? AND status NOT IN ('interrupted', 'running')",
			threadId,
		);
		const counted = this.#db.get<{ readonly turns: number }>(
			"SELECT count(*) AS turns FROM turns WHERE thread_id = ? AND status = 'interrupted' AND position > ?",
			threadId,
			last?.position ?? -1,
		);
		return counted?.turns ?? 0;
	}

	/** The model found for the latest turn that had one; a turn on the fast path has none. */
	lastModelOf(threadId: string): string | undefined {
		return this.#db.get<Pick<TurnRow, 'model_id'>>(
			"SELECT model_id FROM turns WHERE thread_id = ? AND model_id LIKE '%/%' ORDER BY position DESC LIMIT 1",
			threadId,
		)?.model_id;
	}

	runningTurnsOf(threadId: string): TurnRow[] {
		// Name the index: for the order alone SQLite would look at all turns of the thread.
		return this.#db.all<TurnRow>(
			"SELECT * FROM turns INDEXED BY turns_running WHERE thread_id = ? AND status = 'running' ORDER BY position",
			threadId,
		);
	}

	turn(turnId: string): TurnRow | undefined {
		return this.#db.get<TurnRow>('SELECT * FROM turns WHERE id = ?', turnId);
	}

	runningTurns(): TurnRow[] {
		return this.#db.all<TurnRow>("SELECT * FROM turns WHERE status = 'running' ORDER BY thread_id");
	}

	/**
	 * Makes this process the only writer of a thread. Throws `busy` while another living process holds it, also when
	 * that is this one: whoever has the writer keeps it. The token rises with each lease: an old writer writes no more.
	 */
	lease(threadId: string): ThreadWriter {
		return this.#db.transaction('process', () => {
			const row = this.#leaseOf(threadId);
			if (row === undefined) {
				throw new StoreError('missing', `there is no thread ${threadId}`, { threadId });
			}
			if (this.#isHeld(threadId, row)) {
				throw new StoreError('busy', `thread ${threadId} is written by another process`, {
					threadId,
					owner: row.lease_owner,
					expiresAt: new Date(row.lease_expires).toISOString(),
				});
			}
			const writer = new ThreadWriter(this.#db, threadId, this.#holder, row.lease_token + 1);
			this.#db.run(
				'UPDATE threads SET lease_owner = ?, lease_token = ?, lease_expires = ? WHERE id = ?',
				...[this.#holder.owner, row.lease_token + 1, this.#holder.now() + storeLimits.leaseMs, threadId],
			);
			return writer;
		});
	}

	/** For a writer that could not give its thread back: this process may have the thread again at once. */
	giveUp(writer: ThreadWriter): void {
		this.#givenUp.set(writer.threadId, writer.token);
	}

	/** Name of the other living process that holds the thread; undefined when this one may have it. */
	holderElsewhere(threadId: string): string | undefined {
		const row = this.#leaseOf(threadId);
		const isElsewhere = row !== undefined && row.lease_owner !== this.#holder.owner && this.#isHeld(threadId, row);
		return isElsewhere ? (row.lease_owner ?? undefined) : undefined;
	}

	/** Differs from the last answer when another process has written anything since. */
	version(): number {
		return this.#db.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
	}

	/** Leaves a wish for the process that runs the turn; without a lease, because nothing of the thread changes. */
	askToStop(turnId: string): void {
		this.#db.run('UPDATE turns SET stop_asked = 1 WHERE id = ?', turnId);
	}

	isAskedToStop(turnId: string): boolean {
		return this.#db.get<{ stop_asked: number }>('SELECT stop_asked FROM turns WHERE id = ?', turnId)?.stop_asked === 1;
	}

	#leaseOf(threadId: string): LeaseRow | undefined {
		return this.#db.get<LeaseRow>('SELECT lease_owner, lease_token, lease_expires FROM threads WHERE id = ?', threadId);
	}

	#isHeld(threadId: string, row: LeaseRow): boolean {
		const now = this.#holder.now();
		const isLeftOver = row.lease_owner === this.#holder.owner && this.#givenUp.get(threadId) === row.lease_token;
		// No lease is given for longer than `leaseMs`; one that says so was written by a clock that went wrong, or altered.
		const isImpossible = row.lease_expires > now + storeLimits.maxLeaseMs;
		const isOpen = row.lease_owner === null || row.lease_expires <= now || isImpossible || isLeftOver;
		// A lease that has not run out is a sign of life.
		return !isOpen && this.#holder.isAlive(row.lease_owner ?? '', now);
	}

	#itemsBefore(threadId: string, position: number, limit: number): { items: ItemRow[]; earlier: number } {
		const items = this.#db.all<ItemRow>(
			`SELECT ${itemColumns} FROM items WHERE thread_id = ? AND position < ? ORDER BY position DESC LIMIT ?`,
			...[threadId, position, limit],
		);
		items.reverse();
		// Positions are dense: a cut takes the newest, nothing else removes a single item.
		return { items, earlier: items[0]?.position ?? 0 };
	}
}
