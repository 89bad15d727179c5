/**
 * The ledger as the host uses it. An append is acknowledged when it is recorded, and rejects with LEDGER_UNWRITABLE when it
 * is not: then nothing may happen. Rows are redacted and cut here, whoever writes them.
 */
import { Emitter } from '../../../base/emitter.ts';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { cutText } from '../../../base/text/one-line.ts';
import type { Receipt } from '../../../protocol/turn/broker.ts';
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import type {
	ActFilter,
	ActPage,
	LedgerFilter,
	LedgerQuery,
	LedgerRow,
	LedgerVerification,
	RecordedAct,
} from '../../../protocol/approvals/ledger.ts';
import { OP_NAMES, ops } from '../../../protocol/op-table/ops.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import type { Redactor } from '../redaction/redactor.ts';
import type { LedgerEntry } from '../store/chain/chain.ts';
import { ACKNOWLEDGE_OP, hostNote, PRUNE_OP } from '../store/chain/host-note.ts';
import type { WalkPosition } from '../store/chain/chain-walk.ts';
import {
	ACT_STEP_ROWS,
	MAX_DECISION_CHARS,
	MAX_ROW_ERROR_CHARS,
	MAX_SUMMARY_CHARS,
	PAGE_ROWS,
	PRUNE_ROWS,
} from '../store/limits.ts';
import type { Housekeeping } from '../store/recorded-acts.ts';
import { hasStoreFault, type HostStore } from '../store/thread/host-store.ts';

const INSTRUCTIONS = 'AGENTS.md';

/**
 * Acts that the agent does for itself in each thread, and the host for the ledger. None of them changes anything of the
 * user's.
 */
const HOUSEKEEPING: Housekeeping = {
	ops: [...OP_NAMES.filter((name) => (ops[name] as OpDef).isHousekeeping), PRUNE_OP],
	reads: [`Read ${INSTRUCTIONS}`, `Read %/${INSTRUCTIONS}`],
};

/** Fields of a row that the caller sets; the ledger sets its time and place. */
export type NewEntry = Omit<LedgerEntry, 'at'>;

/** The part of the ledger that the broker needs. */
export interface LedgerPort {
	/** `durable`: on the disk before it is acknowledged, for rows whose effect changes something. */
	append(entry: NewEntry, durable: boolean): Promise<Receipt>;
	/** The rows of one op, oldest first. */
	rowsOf(opId: string): Promise<LedgerRow[]>;
	/** When the op was begun since then with an input that begins so, newest first, at most `limit` of them. */
	intentTimes(op: string, sinceMs: number, limit: number, inputStart: string): Promise<number[]>;
}

export class HostLedger implements LedgerPort {
	readonly #store: HostStore;
	readonly #redactor: Redactor;
	readonly #recorded = new Emitter<void>();
	/** A row was recorded by this host. */
	readonly onDidRecord = this.#recorded.event;

	constructor(store: HostStore, redactor: Redactor) {
		this.#store = store;
		this.#redactor = redactor;
	}

	async append(entry: NewEntry, durable: boolean): Promise<Receipt> {
		const redactAndCut = (text: string, max: number) => cutText(this.#redactor.redact(text), max);
		const isError = entry.status !== null && entry.status !== 'done';
		const row: LedgerEntry = {
			...entry,
			at: new Date().toISOString(),
			op: redactAndCut(entry.op, MAX_SUMMARY_CHARS),
			decision: redactAndCut(entry.decision, MAX_DECISION_CHARS),
			input: redactAndCut(entry.input, MAX_SUMMARY_CHARS),
			output:
				entry.output === null ? null : redactAndCut(entry.output, isError ? MAX_ROW_ERROR_CHARS : MAX_SUMMARY_CHARS),
		};
		try {
			const receipt = await this.#store.call('append', { entry: row, durable });
			this.#recorded.fire();
			return receipt;
		} catch (error) {
			if (hasStoreFault(error, 'isDuplicate')) {
				throw new ProwessError(
					'OUTCOME_IN_DOUBT',
					`op ${entry.opId ?? '(none)'}: it was begun before, by another host`,
					{
						opId: entry.opId,
					},
				);
			}
			throw createUnwritableError(error);
		}
	}

	async query(query: LedgerQuery): Promise<LedgerRow[]> {
		return await this.#asked(this.#store.call('query', query));
	}

	async rowsOf(opId: string): Promise<LedgerRow[]> {
		const rows = await this.#asked(this.#store.call('query', { opId, limit: 100 }));
		return rows.reverse();
	}

	async intentTimes(op: string, sinceMs: number, limit: number, inputStart: string): Promise<number[]> {
		const since = new Date(sinceMs).toISOString();
		const times = await this.#asked(this.#store.call('intentTimes', { op, since, limit, inputStart }));
		return times.map((at) => Date.parse(at));
	}

	/** Acts that are meant, newest first, `limit` of them unless there are fewer. `before`: as `ActPage` has it. */
	async acts(filter: ActFilter, limit: number, before: number | null, signal: AbortSignal): Promise<ActPage> {
		const acts: RecordedAct[] = [];
		let next = before;
		do {
			signal.throwIfAborted();
			const wanted = { before: next, limit: limit - acts.length, rows: ACT_STEP_ROWS };
			const step = await this.#asked(this.#store.call('acts', { filter, housekeeping: HOUSEKEEPING, ...wanted }));
			acts.push(...step.acts);
			next = step.next;
		} while (next !== null && acts.length < limit);
		return { acts, next };
	}

	/** The rows that are meant, in the order in which they were written, page by page. */
	async *pages(filter: LedgerFilter, signal: AbortSignal): AsyncGenerator<LedgerRow[]> {
		let after = 0;
		for (;;) {
			signal.throwIfAborted();
			const { rows, last } = await this.#asked(this.#store.call('page', { filter, after, limit: PAGE_ROWS }));
			if (rows.length === 0) {
				return;
			}
			yield rows;
			after = last;
		}
	}

	async verify(signal: AbortSignal): Promise<LedgerVerification> {
		try {
			return await this.#verified(signal);
		} catch (error) {
			if (!isStoreDamage(error)) {
				throw error;
			}
			// The ledger was found damaged while it was read. The next call puts it aside, so a second attempt can
			// report that.
			return await this.#verified(signal);
		}
	}

	async #verified(signal: AbortSignal): Promise<LedgerVerification> {
		let position: WalkPosition | undefined;
		let rows = 0;
		let writers = 0;
		const faults = await this.faults();
		const problems: LedgerVerification['problems'][number][] = [];
		do {
			signal.throwIfAborted();
			const step = await this.#asked(this.#store.call('walk', { position, limit: PAGE_ROWS }));
			rows += step.rows;
			writers += step.writers;
			problems.push(...step.problems);
			position = step.next;
		} while (position !== undefined);
		const { removed, problem } = await this.#asked(this.#store.call('checkStarts', null));
		if (problem !== undefined) {
			problems.push({ writer: PRUNE_OP, seq: 0, problem });
		}
		return { ok: problems.length === 0 && faults.length === 0, rows, writers, removed, problems, faults };
	}

	/** Differences to anchors that were kept elsewhere, in words. `source` names that place. */
	async compareAnchors(text: string, source: string): Promise<readonly string[]> {
		return await this.#asked(this.#store.call('compareAnchors', { text, source }));
	}

	/** Faults of the ledger as a whole that were not acknowledged. */
	async faults(): Promise<readonly string[]> {
		return await this.#asked(this.#store.call('faults', null));
	}

	/** Has every check be silent about these faults from now on. Resolves with them. Records that the user did it. */
	async acknowledge(faultsElsewhere: readonly string[]): Promise<readonly string[]> {
		const faults = [...(await this.faults()), ...faultsElsewhere];
		if (faults.length > 0) {
			const decision = `acknowledged by the user: ${faults.join('; ')}`;
			const input = `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'} of the ledger`;
			await this.append({ ...hostNote(ACKNOWLEDGE_OP), trigger: 'user', decision, input }, true);
			await this.#asked(this.#store.call('acknowledgeAnchors', null));
		}
		return faults;
	}

	/** Removes what is older, and records that it did. Resolves with how many rows went. */
	async prune(beforeMs: number, signal: AbortSignal): Promise<number> {
		// Never what it writes itself.
		const before = new Date(Math.min(beforeMs, Date.now())).toISOString();
		let removed = 0;
		for (;;) {
			signal.throwIfAborted();
			const entry: LedgerEntry = {
				...hostNote(PRUNE_OP),
				decision: 'prowess.ledger.keepDays says so; paramsHash is the hash of the new starts of all chains',
				input: `Remove rows before ${before}`,
			};
			const step = await this.#asked(this.#store.call('prune', { entry, before, limit: PRUNE_ROWS }));
			if (step === 0) {
				return removed;
			}
			removed += step;
		}
	}

	async #asked<T>(answer: Promise<T>): Promise<T> {
		try {
			return await answer;
		} catch (error) {
			throw createUnwritableError(error);
		}
	}
}

function createUnwritableError(error: unknown): ProwessError {
	const why = toErrorMessage(error);
	return new ProwessError('LEDGER_UNWRITABLE', `the ledger does not answer: ${why}`, {}, error);
}

function isStoreDamage(error: unknown): boolean {
	return isProwessError(error) && hasStoreFault(error.cause, 'isDamage');
}
