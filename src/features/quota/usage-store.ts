/**
 * Usage of models by requests, minute by minute, of all windows and command lines of the home. Synchronous: a row or a
 * sum takes less time than a message to a worker.
 */
import type { Database } from '../../store/database.ts';

interface RequestUsage {
	readonly model: string;
	readonly inputTokens: number;
	readonly outputTokens: number;
	readonly cost: number;
}

export interface UsageSum {
	readonly requests: number;
	readonly inputTokens: number;
	readonly outputTokens: number;
	readonly cost: number;
}

/** Sum over a thread with its sub-agents. */
export interface ThreadSum {
	readonly tokens: number;
	readonly cost: number;
}

/** Spender that is counted beside threads: a capability by its name, a schedule by its id. */
export interface Spender {
	readonly kind: 'capability' | 'schedule';
	readonly name: string;
}

export type SpenderSum = Spender & ThreadSum;

const KEPT_MINUTES = 400 * 24 * 60;

export class UsageStore {
	readonly #db: Database;

	constructor(db: Database, now: number) {
		this.#db = db;
		db.transaction('process', () => {
			for (const table of ['usage', 'thread_usage', 'spender_usage']) {
				db.run(`DELETE FROM ${table} WHERE minute < ?`, toMinute(now) - KEPT_MINUTES);
			}
		});
	}

	/** Adds what a request used, for all that count it, in one commit. */
	count(
		used: RequestUsage,
		{ threads, spenders }: { readonly threads: readonly string[]; readonly spenders: readonly Spender[] },
		now: number,
	): void {
		const sum = { tokens: used.inputTokens + used.outputTokens, cost: used.cost };
		this.#db.transaction('process', () => {
			this.#add(used, now);
			for (const id of threads) this.#addTo(id, sum, now);
			for (const spender of spenders) this.#addToSpender(spender, sum, now);
		});
	}

	#add({ model, inputTokens, outputTokens, cost }: RequestUsage, now: number): void {
		this.#db.run(
			`INSERT INTO usage (minute, model, requests, input, output, cost) VALUES (?, ?, 1, ?, ?, ?)
				ON CONFLICT (minute, model) DO UPDATE SET requests = requests + 1, input = input + excluded.input,
				output = output + excluded.output, cost = cost + excluded.cost`,
			toMinute(now),
			model,
			inputTokens,
			outputTokens,
			cost,
		);
	}

	/** For a thread, from its beginning on. */
	#addTo(threadId: string, used: ThreadSum, now: number): void {
		this.#db.run(
			`INSERT INTO thread_usage (thread, tokens, cost, minute) VALUES (?, ?, ?, ?)
				ON CONFLICT (thread) DO UPDATE SET tokens = tokens + excluded.tokens, cost = cost + excluded.cost,
				minute = excluded.minute`,
			...[threadId, used.tokens, used.cost, toMinute(now)],
		);
	}

	of(threadId: string): ThreadSum {
		const sum = this.#db.get<ThreadSum>('SELECT tokens, cost FROM thread_usage WHERE thread = ?', threadId);
		return { tokens: 0, cost: 0, ...sum };
	}

	#addToSpender({ kind, name }: Spender, { tokens, cost }: ThreadSum, now: number): void {
		this.#db.run(
			`INSERT INTO spender_usage (kind, name, minute, tokens, cost) VALUES (?, ?, ?, ?, ?)
				ON CONFLICT (kind, name, minute) DO UPDATE SET tokens = tokens + excluded.tokens, cost = cost + excluded.cost`,
			...[kind, name, toMinute(now), tokens, cost],
		);
	}

	/** Returns the capabilities and schedules that have used tokens since, the one with the most tokens first. */
	spendersSince(since: number): SpenderSum[] {
		const rows = this.#db.all<SpenderSum>(
			`SELECT kind, name, sum(tokens) AS tokens, sum(cost) AS cost FROM spender_usage WHERE minute > ?
				GROUP BY kind, name ORDER BY tokens DESC, kind, name`,
			toMinute(since),
		);
		return rows.map(({ kind, name, tokens, cost }) => ({ kind, name, tokens, cost }));
	}

	ofSpender({ kind, name }: Spender, since: number): ThreadSum {
		const sql = `SELECT coalesce(sum(tokens), 0) AS tokens, coalesce(sum(cost), 0.0) AS cost FROM spender_usage
			WHERE kind = ? AND name = ? AND minute > ?`;
		return { tokens: 0, cost: 0, ...this.#db.get<ThreadSum>(sql, kind, name, toMinute(since)) };
	}

	/** Sums up the minutes after the one in which `since` lies. */
	since(since: number): UsageSum {
		const sum = this.#db.get<UsageSum>(
			`SELECT coalesce(sum(requests), 0) AS requests, coalesce(sum(input), 0) AS inputTokens,
				coalesce(sum(output), 0) AS outputTokens, coalesce(sum(cost), 0.0) AS cost FROM usage WHERE minute > ?`,
			toMinute(since),
		);
		return { requests: 0, inputTokens: 0, outputTokens: 0, cost: 0, ...sum };
	}
}

function toMinute(time: number): number {
	return Math.floor(time / 60_000);
}
