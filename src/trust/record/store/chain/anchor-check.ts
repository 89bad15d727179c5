/** Compares the chains of the database with anchors of them. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Anchor, AnchorLog } from './anchors.ts';
import type { ChainStarts } from './chain-starts.ts';
import type { ChainEnd } from './chain.ts';

/** Chains that are named one by one; of more there is only the number. */
const NAMED_CHAINS = 5;

interface ChainsDeps {
	readonly db: DatabaseSync;
	readonly starts: ChainStarts;
	headOf(writer: string): ChainEnd | undefined;
}

/** Differences in words, at most one for each chain. `source` names where the anchors are from. */
export function anchorFaults({ db, starts, headOf }: ChainsDeps, log: AnchorLog, source: string): string[] {
	const hashAt = db.prepare('SELECT hash FROM ledger WHERE writer = ? AND seq = ?');
	const faults = new Map<string, string>();
	for (const anchor of log.anchors) {
		const fault = describeAnchorFault(anchor, hashAt, starts.of(anchor.writer), headOf);
		if (fault !== undefined) {
			// The last one tells of the most rows.
			faults.set(anchor.writer, `chain ${anchor.writer} ${fault} of ${anchor.at.slice(0, 19).replace('T', ' ')} UTC`);
		}
	}
	const named = [...faults.values()].slice(0, NAMED_CHAINS).map((fault) => `${fault} in ${source}`);
	const more = faults.size - named.length;
	const lines = log.unreadable.length;
	return [
		...named,
		...(more > 0 ? [`${more} more chains differ from their anchors in ${source}`] : []),
		...(lines > 0 ? [`${lines} ${lines === 1 ? 'line' : 'lines'} of ${source} cannot be read`] : []),
	];
}

/** Ends where the time of the anchor follows. */
function describeAnchorFault(
	{ writer, seq, hash }: Anchor,
	hashAt: StatementSync,
	start: ChainEnd | undefined,
	headOf: (writer: string) => ChainEnd | undefined,
): string | undefined {
	if (start !== undefined && seq <= start.seq) {
		return seq < start.seq || hash === start.hash ? undefined : 'was removed as another one than the anchor';
	}
	const found = hashAt.get(writer, seq)?.['hash'];
	if (found !== undefined) {
		return found === hash ? undefined : `was rewritten: row ${seq} is another one than in the anchor`;
	}
	const head = headOf(writer);
	const missing = seq - (head?.seq ?? 0);
	return head === undefined
		? `is gone: it had ${formatRowCount(seq)} in the anchor`
		: missing > 0
			? `has ${formatRowCount(missing)} fewer than in the anchor`
			: `lacks row ${seq} of the anchor`;
}

function formatRowCount(count: number): string {
	return `${count} ${count === 1 ? 'row' : 'rows'}`;
}

/** Returns the last `seq` of each chain by its anchors. */
export function knownEnds(log: AnchorLog): Map<string, number> {
	const ends = new Map<string, number>();
	for (const { writer, seq } of log.anchors) {
		ends.set(writer, Math.max(seq, ends.get(writer) ?? 0));
	}
	return ends;
}
