/** A ledger in memory that can be told to fail at its n-th append, counted from 1. */
import { type ChainEnd, createGenesis, linkEntry } from '../../src/trust/record/store/chain/chain.ts';
import type { LedgerPort, NewEntry } from '../../src/trust/record/ledger/ledger.ts';
import { ProwessError } from '../../src/protocol/errors/errors.ts';
import type { LedgerRow } from '../../src/protocol/approvals/ledger.ts';

export class MemoryLedger implements LedgerPort {
	readonly rows: LedgerRow[] = [];
	#appends = 0;
	#end: ChainEnd = createGenesis('memory');
	readonly #failAt: number;

	constructor(failAt = 0) {
		this.#failAt = failAt;
	}

	append(entry: NewEntry): Promise<ChainEnd> {
		this.#appends += 1;
		if (this.#appends === this.#failAt) {
			return Promise.reject(new ProwessError('LEDGER_UNWRITABLE', `append ${this.#appends} fails`));
		}
		const row = linkEntry(this.#end, { ...entry, at: new Date().toISOString() }, this.rows.length + 1);
		this.#end = { writer: row.writer, seq: row.seq, hash: row.hash };
		this.rows.push(row);
		return Promise.resolve(this.#end);
	}

	rowsOf(opId: string): Promise<LedgerRow[]> {
		return Promise.resolve(this.rows.filter((row) => row.opId === opId));
	}

	intentTimes(op: string, sinceMs: number, limit: number, inputStart: string): Promise<number[]> {
		const times = this.rows
			.filter((row) => row.op === op && row.kind === 'intent' && row.input.startsWith(inputStart))
			.map((row) => Date.parse(row.at));
		return Promise.resolve(
			times
				.filter((at) => at > sinceMs)
				.reverse()
				.slice(0, limit),
		);
	}
}
