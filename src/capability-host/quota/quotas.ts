/**
 * The user's quotas, as this host counts and enforces them. An invocation, a turn or a sub-turn, that began within them is
 * finished, up to twice a quota, unless the user wants it stopped; the next one is refused. A server is taken at its word for
 * what it used, and at nobody's for whether it may go on.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ProwessError } from '../../protocol/errors.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import { quotaText } from '../../protocol/pages/quota-text.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { QUOTA_KINDS, type QuotaKind, type QuotaUse } from '../../protocol/usage.ts';
import { openDatabase } from '../../store/open-database.ts';
import type { LogPort, SettingsPort } from '../contract/ports.ts';
import { LatestTimes } from './latest-times.ts';
import { usageMigrations } from './usage-migrations.ts';
import { UsageStore, type UsageSum } from './usage-store.ts';

interface ThreadInChain {
	readonly id: ThreadId;
	readonly tokens?: number | undefined;
	readonly dollars?: number | undefined;
}

interface QuotasDeps {
	readonly home: string;
	readonly settings: Pick<SettingsPort, 'current'>;
	readonly log: Pick<LogPort, 'error'>;
	/** The thread, then those that it works for, each with the budget that it was given; absent: all threads are the user's. */
	readonly chainOf?: (threadId: ThreadId) => readonly ThreadInChain[];
	/** Tests have their own. */
	readonly now?: () => number;
}

/** What was used in the last hour, today and this month. */
interface UsageReport {
	readonly hour: UsageSum;
	readonly day: UsageSum;
	readonly month: UsageSum;
	readonly quotas: readonly QuotaUse[];
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Of a quota that is not to stop turns, this is where they are stopped all the same. */
const HARD_FACTOR = 2;
/** Invocations that are remembered; a server that keeps more open asks for new ones. */
const MOST_INVOCATIONS = 1_000;

export class Quotas {
	readonly #deps: QuotasDeps;
	readonly #now: () => number;
	/** The thread of each; undefined: of none. */
	readonly #invocations = new Map<string, ThreadId | undefined>();
	readonly #toolCalls = new LatestTimes(MINUTE_MS);
	#store: UsageStore | undefined;

	constructor(deps: QuotasDeps) {
		this.#deps = deps;
		this.#now = deps.now ?? Date.now;
	}

	/** Rejects with QUOTA_EXCEEDED. */
	begin(threadId?: ThreadId): { invocation: string; quotas: QuotaUse[] } {
		const quotas = this.#uses(threadId);
		refuseAbove(quotas, 1);
		const invocation = randomUUID();
		this.#invocations.set(invocation, threadId);
		const [oldest] = this.#invocations.keys();
		if (this.#invocations.size > MOST_INVOCATIONS && oldest !== undefined) {
			this.#invocations.delete(oldest);
		}
		return { invocation, quotas };
	}

	/** Throws QUOTA_EXCEEDED. */
	grant(invocation: string): QuotaUse[] {
		const threadId = this.#invocations.get(invocation);
		const quotas = this.#uses(threadId);
		const isBegun = this.#invocations.has(invocation);
		refuseAbove(quotas, isBegun ? this.#hardFactor : 1);
		// What a sub-agent was given is all that it has.
		refuseAbove(this.#budgetsOf(threadId), 1);
		return quotas;
	}

	/** Throws QUOTA_EXCEEDED where no request could be granted to anybody: then no key is handed out either. */
	checkKey(): void {
		refuseAbove(this.#uses(), this.#hardFactor);
	}

	used(used: {
		model: string;
		invocation?: string | undefined;
		inputTokens: number;
		outputTokens: number;
		cost?: number | undefined;
	}): void {
		try {
			const { model, invocation, inputTokens, outputTokens, cost = 0 } = used;
			const now = this.#now();
			this.#opened().add({ model, inputTokens, outputTokens, cost }, now);
			const threadId = invocation === undefined ? undefined : this.#invocations.get(invocation);
			for (const { id } of this.#chainOf(threadId)) {
				this.#opened().addTo(id, { tokens: inputTokens + outputTokens, cost }, now);
			}
		} catch (error) {
			this.#deps.log.error('what a request used could not be counted', { error: String(error) });
		}
	}

	toolCalled(): void {
		this.#toolCalls.add(this.#now());
	}

	/** Throws where it cannot be read. */
	report(): UsageReport {
		const now = this.#now();
		const store = this.#opened();
		return {
			hour: store.since(now - HOUR_MS),
			day: store.since(beginOfDay(now)),
			month: store.since(beginOfMonth(now)),
			quotas: this.#uses(),
		};
	}

	close(): void {
		this.#store?.dispose();
		this.#store = undefined;
	}

	get #hardFactor(): number {
		return this.#deps.settings.current['prowess.quotas.stopTurns'] ? 1 : HARD_FACTOR;
	}

	/** Those that are set. A file that cannot be read counts as used up: a limit that nobody can check is none. */
	#uses(threadId?: ThreadId): QuotaUse[] {
		const { current } = this.#deps.settings;
		const set = QUOTA_KINDS.flatMap((kind) => {
			const limit = current[`prowess.quotas.${kind}`];
			return limit === 0 || (isOfThread(kind) && threadId === undefined)
				? []
				: [{ kind, limit, used: this.#usedOf(kind, threadId) }];
		});
		return [...set, ...this.#budgetsOf(threadId)];
	}

	/** Of the sub-agent and of those that it works for. */
	#budgetsOf(threadId: ThreadId | undefined): QuotaUse[] {
		return this.#chainOf(threadId).flatMap(({ id, tokens, dollars }) => [
			...(tokens === undefined
				? []
				: [{ kind: 'tokensPerThread' as const, limit: tokens, used: this.#opened().of(id).tokens }]),
			...(dollars === undefined
				? []
				: [{ kind: 'dollarsPerThread' as const, limit: dollars, used: this.#opened().of(id).cost }]),
		]);
	}

	#chainOf(threadId: ThreadId | undefined): readonly ThreadInChain[] {
		return threadId === undefined ? [] : (this.#deps.chainOf?.(threadId) ?? [{ id: threadId }]);
	}

	#usedOf(kind: QuotaKind, threadId: ThreadId | undefined): number {
		const now = this.#now();
		// Of the user's own thread, which its sub-agents work for.
		const root = this.#chainOf(threadId).at(-1)?.id ?? '';
		switch (kind) {
			case 'tokensPerThread':
				return this.#opened().of(root).tokens;
			case 'dollarsPerThread':
				return this.#opened().of(root).cost;
			case 'tokensPerHour': {
				const { inputTokens, outputTokens } = this.#opened().since(now - HOUR_MS);
				return inputTokens + outputTokens;
			}
			case 'toolCallsPerMinute':
				return this.#toolCalls.count(now);
			case 'dollarsPerHour':
				return this.#opened().since(now - HOUR_MS).cost;
			case 'dollarsPerDay':
				return this.#opened().since(beginOfDay(now)).cost;
			case 'dollarsPerMonth':
				return this.#opened().since(beginOfMonth(now)).cost;
		}
	}

	#opened(): UsageStore {
		this.#store ??= new UsageStore(openDatabase(join(this.#deps.home, 'usage.db'), usageMigrations).db, this.#now());
		return this.#store;
	}
}

function isOfThread(kind: QuotaKind): boolean {
	return kind === 'tokensPerThread' || kind === 'dollarsPerThread';
}

function refuseAbove(quotas: readonly QuotaUse[], factor: number): void {
	const over = quotas.find(({ used, limit }) => used >= limit * factor);
	if (over !== undefined) {
		const what = quotaText(over);
		throw new ProwessError('QUOTA_EXCEEDED', `a quota is used up: ${inEnglish(what)}`, {
			quota: over.kind,
			said: what,
		});
	}
}

/** One millisecond before it, because sums begin with the next minute. */
function beginOfDay(now: number): number {
	return new Date(now).setHours(0, 0, 0, 0) - 1;
}

function beginOfMonth(now: number): number {
	const day = new Date(now);
	return new Date(day.getFullYear(), day.getMonth(), 1).getTime() - 1;
}
