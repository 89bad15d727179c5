/**
 * Rows of the transcript. Reads and searches that succeed one after the other are one row, because a page of them hides what
 * matters; so are calls that were not run because they only repeated earlier ones. A plan that is stored has none: the strip
 * above the input shows it. Nor has a wait for the next request to a model, once the turn has gone on: it says nothing any more.
 */
import { opCard } from '../../../protocol/op-table/cards.ts';
import type { ThreadItem, ToolItem } from '../../../protocol/thread/items.ts';

/** Fewer take less room as cards than a row that has to be opened. */
const LEAST = { reads: 3, repeats: 2 } as const;

interface TranscriptItemRow {
	readonly kind: 'item';
	readonly item: ThreadItem;
}

/** Why calls are one row. */
export type GroupKind = keyof typeof LEAST;

interface GroupRow {
	readonly kind: GroupKind;
	readonly items: readonly [ToolItem, ...ToolItem[]];
}

export type TranscriptRow = TranscriptItemRow | GroupRow;

export function toTranscriptRows(items: readonly ThreadItem[]): TranscriptRow[] {
	const rows: TranscriptRow[] = [];
	let kind: GroupKind = 'reads';
	let calls: ToolItem[] = [];
	const closeGroup = () => {
		const [first, ...others] = calls;
		if (first !== undefined && calls.length >= LEAST[kind]) {
			rows.push({ kind, items: [first, ...others] });
		} else {
			rows.push(...calls.map((item) => ({ kind: 'item', item }) as const));
		}
		calls = [];
	};
	for (const [index, item] of items.entries()) {
		if (isStoredPlan(item) || isToolLookup(item) || isPastWait(item, items[index + 1])) {
			continue;
		}
		const own = isQuietRead(item) ? 'reads' : isRepeat(item) ? 'repeats' : undefined;
		if (own !== kind || calls[0]?.turnId !== item.turnId) {
			closeGroup();
		}
		if (own === undefined || item.kind !== 'tool') {
			rows.push({ kind: 'item', item });
		} else {
			kind = own;
			calls.push(item);
		}
	}
	closeGroup();
	return rows;
}

/** Looking for a tool is no work on the task. */
function isToolLookup(item: ThreadItem): boolean {
	return item.kind === 'tool' && item.tool === 'tool_search' && item.status === 'done';
}

function isQuietRead(item: ThreadItem): boolean {
	// A read that a rule or a level let through stays visible as a row of its own.
	return (
		item.kind === 'tool' && item.status === 'done' && item.allowedBy === undefined && opCard(item.tool).isRead === true
	);
}

function isRepeat(item: ThreadItem): boolean {
	return item.kind === 'tool' && item.status === 'failed' && item.error?.code === 'CALL_REPEATED';
}

function isPastWait(item: ThreadItem, next: ThreadItem | undefined): boolean {
	return (
		item.kind === 'notice' &&
		item.attempt !== undefined &&
		item.attempt.failed === undefined &&
		next?.turnId === item.turnId
	);
}

function isStoredPlan(item: ThreadItem): boolean {
	return (
		item.kind === 'tool' && ['pending', 'running', 'done'].includes(item.status) && opCard(item.tool).hasStrip === true
	);
}
