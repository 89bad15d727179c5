/**
 * Rows of the transcript. Reads and searches that succeed one after the other are one row, because a page of them hides what
 * matters. A plan that is stored has none: the strip above the input shows it.
 */
import { opCard } from '../../../protocol/ops/cards.ts';
import type { Item, ToolItem } from '../../../protocol/thread/items.ts';

/** Fewer take less room as cards than a row that has to be opened. */
const LEAST_READS = 3;

interface ItemRow {
	readonly kind: 'item';
	readonly item: Item;
}

interface ReadsRow {
	readonly kind: 'reads';
	readonly items: readonly [ToolItem, ...ToolItem[]];
}

export type Row = ItemRow | ReadsRow;

export function rowsOf(items: readonly Item[]): Row[] {
	const rows: Row[] = [];
	let reads: ToolItem[] = [];
	const close = () => {
		const [first, ...others] = reads;
		if (first !== undefined && reads.length >= LEAST_READS) {
			rows.push({ kind: 'reads', items: [first, ...others] });
		} else {
			rows.push(...reads.map((item) => ({ kind: 'item', item }) as const));
		}
		reads = [];
	};
	for (const item of items) {
		if (isStoredPlan(item)) {
			continue;
		}
		if (isQuietRead(item) && (reads[0] === undefined || reads[0].turnId === item.turnId)) {
			reads.push(item);
			continue;
		}
		close();
		if (isQuietRead(item)) {
			reads.push(item);
		} else {
			rows.push({ kind: 'item', item });
		}
	}
	close();
	return rows;
}

function isQuietRead(item: Item): item is ToolItem {
	// What a rule or a level let through is to be seen.
	return (
		item.kind === 'tool' && item.status === 'done' && item.allowedBy === undefined && opCard(item.tool).isRead === true
	);
}

function isStoredPlan(item: Item): boolean {
	return (
		item.kind === 'tool' && ['pending', 'running', 'done'].includes(item.status) && opCard(item.tool).hasStrip === true
	);
}
