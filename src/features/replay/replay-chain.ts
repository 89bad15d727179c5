/**
 * The chain of a replay: the rows of the ledger, with time and identity pinned, linked by the hashes of the ledger itself.
 * Each op's `paramsHash` is that of the params that the server asked with, and its outcome that which the server was told,
 * so a replay that asks for anything else has another chain.
 */
import type { LedgerRow } from '../../protocol/approvals/ledger.ts';
import { canonicalJson, sha256 } from '../../trust/record/store/chain/canonical-json.ts';
import { createGenesis, linkEntry } from '../../trust/record/store/chain/chain.ts';
import type { Step } from './cassette.ts';
import { OP_METHODS } from './methods.ts';
import { nameIds } from './recorded-ids.ts';

const PINNED_AT = '1970-01-01T00:00:00.000Z';

/** `steps`: with the ids of the recording, in any order of the ops. Returns the last hash. */
export function computeReplayChain(rows: readonly LedgerRow[], steps: readonly Step[]): string {
	const ops = new Map<string, { readonly asked: unknown; told: unknown }>();
	const byRequest = new Map<number, { asked: unknown; told: unknown }>();
	for (const step of steps) {
		if (step.k === 'asked' && OP_METHODS.has(step.method)) {
			const { opId, op, params } = step.params as {
				readonly opId: string;
				readonly op: string;
				readonly params: unknown;
			};
			const entry = { asked: { op, params }, told: null as unknown };
			ops.set(opId, entry);
			byRequest.set(step.n, entry);
		} else if (step.k === 'answered') {
			const entry = byRequest.get(step.n);
			if (entry !== undefined) entry.told = 'result' in step ? withoutReceipt(step.result) : step.error;
		}
	}
	const name = nameIds(
		JSON.stringify(rows.map(({ threadId, opId, trigger, input }) => [threadId, opId, trigger, input])),
	);
	const hashNamed = (value: unknown) => sha256(name(canonicalJson(value)));
	let end = createGenesis('replay');
	for (const [at, row] of rows.entries()) {
		const op = row.opId === null ? undefined : ops.get(row.opId);
		const told = op === undefined ? null : row.kind === 'intent' ? op.asked : op;
		const { writer: _writer, seq: _seq, prev: _prev, hash: _hash, id: _id, assessed = null, ...entry } = row;
		const pinned = {
			...entry,
			assessed,
			at: PINNED_AT,
			opId: row.opId === null ? null : name(row.opId),
			threadId: row.threadId === null ? null : name(row.threadId),
			trigger: name(row.trigger),
			decision: name(row.decision),
			input: name(row.input),
			output: row.output === null ? null : name(row.output),
			paramsHash: told === null ? (row.paramsHash === null ? null : 'inner') : hashNamed(told),
			durationMs: row.durationMs === null ? null : 0,
		};
		const linked = linkEntry(end, pinned, at + 1);
		end = { writer: linked.writer, seq: linked.seq, hash: linked.hash };
	}
	return end.hash;
}

/** The receipt names a row of the ledger that the recording was made in. */
function withoutReceipt(outcome: unknown): unknown {
	const { receipt: _receipt, durationMs: _durationMs, ...told } = (outcome ?? {}) as Record<string, unknown>;
	return told;
}
