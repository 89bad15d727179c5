/**
 * The user's quotas, as this host counts and enforces them. An invocation, a turn or a sub-turn, that began within them is
 * finished, up to twice a quota, unless the user wants it stopped; the next one is refused. A server is taken at its word for
 * what it used, and at nobody's for whether it may go on.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { cutText } from '../../base/text/one-line.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { quotaText } from '../../protocol/pages/usage-text.ts';
import { inEnglish, text } from '../../protocol/text/text.ts';
import { QUOTA_KINDS, type QuotaKind, type QuotaUse, WARNED_SHARE } from '../../protocol/turn/usage.ts';
import type { Database } from '../../store/database.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import { StoreError } from '../../store/store-error.ts';
import type { HostPorts, LogPort, SettingsPort, WorkspacePort } from '../../contract/ports/ports.ts';
import type { AgentRecords } from '../../trust/gate/access/agent-records.ts';
import { Overrules } from './overrules.ts';
import { ToolPace } from './tool-pace.ts';
import { usageMigrations } from './usage-migrations.ts';
import { type Spender, type SpenderSum, type ThreadSum, UsageStore, type UsageSum } from './usage-store.ts';

interface ThreadInChain {
	readonly id: ThreadId;
	readonly tokens?: number | undefined;
	readonly dollars?: number | undefined;
}

interface QuotasDeps {
	readonly home: string;
	readonly settings: Pick<SettingsPort, 'current'>;
	readonly log: Pick<LogPort, 'error'>;
	/** Folders of the project that is open; absent: none is. */
	readonly workspace?: Pick<WorkspacePort, 'folders'> | undefined;
	/** The thread, then those that it works for, each with the budget that it was given; absent: all threads are the user's. */
	readonly chainOf?: (threadId: ThreadId) => readonly ThreadInChain[];
	/** The schedule that a thread of the user's is a run of; absent: there are none. */
	readonly scheduleOf?:
		| ((threadId: ThreadId) => { readonly id: string; readonly text: string } | undefined)
		| undefined;
	/** Tests have their own. */
	readonly now?: () => number;
}

/** Use of models in the last hour, today and this month. */
interface UsageReport {
	readonly hour: UsageSum;
	readonly day: UsageSum;
	readonly month: UsageSum;
	/** Use of each capability and schedule today; schedules are named by their text. */
	readonly spenders: readonly SpenderSum[];
	readonly quotas: readonly QuotaUse[];
}

/** In whose name requests are made. */
interface Payer {
	readonly threadId: ThreadId | undefined;
	/** A sub-turn for it. */
	readonly capability: string | undefined;
}

interface NamedSpender extends Spender {
	/** Name that users know the spender by. */
	readonly shown: string;
}

const NOBODY: Payer = { threadId: undefined, capability: undefined };

const HOUR_MS = 3_600_000;
/** Multiple of a quota at which turns are stopped even when the quota is not meant to stop turns. */
const HARD_FACTOR = 2;
/** Most characters shown of the text of a schedule. */
const SHOWN_SCHEDULE_CHARS = 40;
/** Invocations that are remembered; a server that keeps more open asks for new ones. */
const MOST_INVOCATIONS = 1_000;

/** `agents`: those that a thread works for pay, too. */
export function createQuotas(
	{ places, settings, log, workspace }: Pick<HostPorts, 'places' | 'settings' | 'log' | 'workspace'>,
	agents: AgentRecords,
	scheduleOf: QuotasDeps['scheduleOf'],
): Quotas {
	return new Quotas({
		home: places.home,
		settings,
		log,
		workspace,
		chainOf: (threadId) => [threadId, ...agents.ancestorsOf(threadId)].map((id) => ({ id, ...agents.of(id)?.budget })),
		scheduleOf,
	});
}

export class Quotas {
	readonly #deps: QuotasDeps;
	readonly #now: () => number;
	readonly #invocations = new Map<string, Payer>();
	/** Pace of tool calls: a call beyond the quota waits and is not refused. */
	readonly pace: ToolPace;
	/** Judgements of ours that the user has overruled, in the same file. */
	readonly overrules: Overrules;
	#db: Database | undefined;
	#store: UsageStore | undefined;

	constructor(deps: QuotasDeps) {
		this.#deps = deps;
		this.#now = deps.now ?? Date.now;
		this.pace = new ToolPace({ limit: () => deps.settings.current['prowess.quotas.toolCallsPerMinute'] });
		this.overrules = new Overrules({
			open: () => this.#openedFile(),
			workspace: deps.workspace ?? { folders: [] },
			log: deps.log,
			now: this.#now,
		});
	}

	/** Rejects with QUOTA_EXCEEDED. */
	begin(threadId?: ThreadId, capability?: string): { invocation: string; quotas: QuotaUse[] } {
		const payer = { threadId, capability };
		const quotas = this.#uses(payer);
		refuseAbove(quotas, 1);
		const invocation = randomUUID();
		this.#invocations.set(invocation, payer);
		const [oldest] = this.#invocations.keys();
		if (this.#invocations.size > MOST_INVOCATIONS && oldest !== undefined) {
			this.#invocations.delete(oldest);
		}
		return { invocation, quotas };
	}

	/** Throws QUOTA_EXCEEDED. */
	grant(invocation: string): QuotaUse[] {
		const payer = this.#invocations.get(invocation);
		const quotas = this.#uses(payer);
		refuseAbove(quotas, payer === undefined ? 1 : this.#hardFactor);
		// The budget that a sub-agent was given is strict, without `HARD_FACTOR`.
		refuseAbove(this.#budgetsOf(payer?.threadId), 1);
		return quotas;
	}

	/** Returns what a thread has used so far, with all that works for it. Throws where that cannot be read. */
	ofThread(threadId: ThreadId): ThreadSum {
		return this.#opened().of(threadId);
	}

	/** Returns the cost of that alone. Throws as `ofThread` does. */
	spent(threadId: ThreadId): number {
		return this.ofThread(threadId).cost;
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
			const payer = (invocation === undefined ? undefined : this.#invocations.get(invocation)) ?? NOBODY;
			this.#opened().count({ model, inputTokens, outputTokens, cost }, this.#countersOf(payer), this.#now());
		} catch (error) {
			this.#deps.log.error('what a request used could not be counted', { error: String(error) });
		}
	}

	/** Throws where it cannot be read. */
	report(): UsageReport {
		const now = this.#now();
		const store = this.#opened();
		return {
			hour: store.since(now - HOUR_MS),
			day: store.since(beginOfDay(now)),
			month: store.since(beginOfMonth(now)),
			spenders: store.spendersSince(beginOfDay(now)),
			quotas: this.#uses(),
		};
	}

	close(): void {
		this.#db?.dispose();
		this.#db = undefined;
		this.#store = undefined;
	}

	get #hardFactor(): number {
		return this.#deps.settings.current['prowess.quotas.stopTurns'] ? 1 : HARD_FACTOR;
	}

	/**
	 * Returns the use of the quotas that are set. Throws when the file of usage cannot be read, so no request is
	 * granted: a limit that cannot be checked would be none.
	 */
	#uses(payer: Payer = NOBODY): QuotaUse[] {
		try {
			return this.#usesOfAll(payer);
		} catch (error) {
			throw isProwessError(error) ? error : usageUnreadable(this.#path, error);
		}
	}

	#usesOfAll(payer: Payer): QuotaUse[] {
		const { threadId } = payer;
		const { current } = this.#deps.settings;
		const set = QUOTA_KINDS.flatMap((kind) => {
			const limit = current[`prowess.quotas.${kind}`];
			return limit === 0 ||
				kind === 'toolCallsPerMinute' ||
				isOfSpender(kind) ||
				(isOfThread(kind) && threadId === undefined)
				? []
				: [{ kind, limit, used: this.#usedOf(kind, threadId) }];
		});
		return [
			...set,
			...this.#spendersOf(payer).flatMap((spender) => this.#usesOf(spender)),
			...this.#budgetsOf(threadId),
			...this.#paceOf(threadId),
		];
	}

	/** Returns the use of the pace quota, only when it is nearly reached, because this quota refuses no call. */
	#paceOf(threadId: ThreadId | undefined): QuotaUse[] {
		const limit = this.#deps.settings.current['prowess.quotas.toolCallsPerMinute'];
		const used = threadId === undefined ? 0 : this.pace.count(threadId);
		return limit > 0 && used >= limit * WARNED_SHARE ? [{ kind: 'toolCallsPerMinute', limit, used }] : [];
	}

	#usesOf(spender: NamedSpender): QuotaUse[] {
		const { current } = this.#deps.settings;
		const of = spender.kind === 'capability' ? 'Capability' : 'Schedule';
		return (['tokens', 'dollars'] as const).flatMap((what) => {
			const kind = `${what}Per${of}` as const;
			const limit = current[`prowess.quotas.${kind}`];
			if (limit === 0) {
				return [];
			}
			const { tokens, cost } = this.#opened().ofSpender(spender, beginOfDay(this.#now()));
			return [{ kind, limit, used: what === 'tokens' ? tokens : cost, name: spender.shown }];
		});
	}

	/** Threads and spenders that count a request. Where they cannot be found, it still counts for the quotas of all. */
	#countersOf(payer: Payer) {
		try {
			return { threads: this.#chainOf(payer.threadId).map(({ id }) => id), spenders: this.#spendersOf(payer) };
		} catch (error) {
			this.#deps.log.error('whom a request counts for could not be found', { error: String(error) });
			return { threads: [], spenders: [] };
		}
	}

	#spendersOf({ threadId, capability }: Payer): readonly NamedSpender[] {
		const root = this.#chainOf(threadId).at(-1)?.id;
		const schedule = root === undefined ? undefined : this.#deps.scheduleOf?.(root);
		return [
			...(capability === undefined ? [] : [{ kind: 'capability', name: capability, shown: capability } as const]),
			...(schedule === undefined
				? []
				: [{ kind: 'schedule', name: schedule.id, shown: cutText(schedule.text, SHOWN_SCHEDULE_CHARS) } as const]),
		];
	}

	/** Returns the budgets of a sub-agent and of the threads that it works for. */
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

	#usedOf(kind: Exclude<QuotaKind, SpenderKind | 'toolCallsPerMinute'>, threadId: ThreadId | undefined): number {
		const now = this.#now();
		// Counts for the user's own thread, which all of its sub-agents work for.
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
			case 'dollarsPerHour':
				return this.#opened().since(now - HOUR_MS).cost;
			case 'dollarsPerDay':
				return this.#opened().since(beginOfDay(now)).cost;
			case 'dollarsPerMonth':
				return this.#opened().since(beginOfMonth(now)).cost;
		}
	}

	get #path(): string {
		return join(this.#deps.home, 'usage.db');
	}

	#opened(): UsageStore {
		try {
			this.#store ??= new UsageStore(this.#openedFile(), this.#now());
			return this.#store;
		} catch (error) {
			throw usageUnreadable(this.#path, error);
		}
	}

	#openedFile(): Database {
		this.#db ??= openMigratedDatabase(this.#path, usageMigrations).db;
		return this.#db;
	}
}

type SpenderKind = `${'tokens' | 'dollars'}Per${'Capability' | 'Schedule'}`;

function isOfSpender(kind: QuotaKind): kind is SpenderKind {
	return kind.endsWith('Capability') || kind.endsWith('Schedule');
}

function isOfThread(kind: QuotaKind): boolean {
	return kind === 'tokensPerThread' || kind === 'dollarsPerThread';
}

function refuseAbove(quotas: readonly QuotaUse[], factor: number): void {
	const over = quotas.find(({ kind, used, limit }) => kind !== 'toolCallsPerMinute' && used >= limit * factor);
	if (over !== undefined) {
		const what = quotaText(over);
		throw new ProwessError('QUOTA_EXCEEDED', `a quota is used up: ${inEnglish(what)}`, {
			quota: over.kind,
			said: what,
		});
	}
}

/** Returns one millisecond before the day begins, because sums start with the minute after the given one. */
function beginOfDay(now: number): number {
	return new Date(now).setHours(0, 0, 0, 0) - 1;
}

function beginOfMonth(now: number): number {
	const day = new Date(now);
	return new Date(day.getFullYear(), day.getMonth(), 1).getTime() - 1;
}

/** Error that names the file, and what stands still without it. */
function usageUnreadable(path: string, error: unknown): ProwessError {
	const code = error instanceof StoreError && error.code === 'newer' ? 'STORE_NEWER' : 'STORE_UNAVAILABLE';
	const message = `${path}: what models have used cannot be read, so no quota can be checked: ${toErrorMessage(error)}`;
	const said = text('{file} cannot be read, so quotas cannot be checked and no model is asked.', { file: path });
	return new ProwessError(code, message, { file: path, said }, error);
}
