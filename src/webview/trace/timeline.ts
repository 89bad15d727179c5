/** A trace as rows in the order of a reader: each stage, and below the one that does the work what happened in it, with when and how long. */
import type { TurnTrace } from '../../protocol/thread/turn-trace.ts';

type Stage = TurnTrace['stages'][number];
type TurnTraceItem = TurnTrace['items'][number];

export type TimelineRow = {
	readonly key: string;
	/** Since the turn began. */
	readonly startMs: number;
	/** Undefined: it has no length that anybody knows. */
	readonly durationMs: number | undefined;
	/** Before that: how long it waited for the user. */
	readonly waitedMs: number;
} & ({ readonly kind: 'stage'; readonly stage: Stage } | { readonly kind: 'item'; readonly item: TurnTraceItem });

export interface Timeline {
	readonly rows: readonly TimelineRow[];
	/** From the begin of the turn to its end, or to the last that is known of it; at least 1. */
	readonly spanMs: number;
}

const WORK_STAGES: ReadonlySet<string> = new Set(['Execute', 'FastPath', 'Compact']);

export function createTimeline({ startedAt, endedAt, stages, items }: TurnTrace): Timeline {
	const begin = Date.parse(startedAt);
	const toOffsetMs = (at: string) => Math.max(0, Date.parse(at) - begin);
	const ofItems = items.map((item, index): TimelineRow => {
		return {
			kind: 'item',
			key: `item ${index}`,
			startMs: toOffsetMs(item.at),
			durationMs: item.durationMs,
			waitedMs: item.waitedMs ?? 0,
			item,
		};
	});
	const hasWork = stages.some(({ stage }) => WORK_STAGES.has(stage));
	const rows = stages.flatMap((stage, index): readonly TimelineRow[] => [
		{
			kind: 'stage',
			key: `stage ${index}`,
			startMs: toOffsetMs(stage.startedAt),
			durationMs: stage.durationMs,
			waitedMs: 0,
			stage,
		},
		...(WORK_STAGES.has(stage.stage) ? ofItems : []),
	]);
	const all = hasWork ? rows : [...rows, ...ofItems];
	const lastMs = Math.max(0, ...all.map(({ startMs, waitedMs, durationMs }) => startMs + waitedMs + (durationMs ?? 0)));
	return { rows: all, spanMs: Math.max(1, endedAt === null ? lastMs : toOffsetMs(endedAt)) };
}

/** Place of a bar in a drawing this wide: whatever is there is seen, and nothing lies outside. */
export function computeBar(
	{ startMs, durationMs }: { readonly startMs: number; readonly durationMs: number | undefined },
	spanMs: number,
	width: number,
): { readonly x: number; readonly width: number } {
	const least = width / 100;
	const x = Math.min(width - least, (Math.min(startMs, spanMs) / spanMs) * width);
	const end = Math.min(width, ((startMs + (durationMs ?? 0)) / spanMs) * width);
	return { x, width: Math.max(least, end - x) };
}

interface TurnUsage {
	readonly inputTokens?: number;
	readonly outputTokens?: number;
	readonly cachedInputTokens?: number;
	readonly cost?: number;
}

/**
 * Returns the total usage of the turn as its stage states it; for a turn that was killed, the sum over its requests.
 */
export function usedIn({ stages, items }: Pick<TurnTrace, 'stages' | 'items'>): TurnUsage {
	const said = stages.find(({ facts }) => typeof facts['inputTokens'] === 'number')?.facts;
	const requests = items.filter(({ kind }) => kind === 'request');
	const sumUsage = (name: keyof TurnUsage) => {
		const known = said === undefined ? requests.map((request) => request[name]) : [said[name]];
		const numbers = known.filter((value): value is number => typeof value === 'number');
		return numbers.length === 0 ? {} : { [name]: numbers.reduce((total, value) => total + value, 0) };
	};
	return {
		...sumUsage('inputTokens'),
		...sumUsage('outputTokens'),
		...sumUsage('cachedInputTokens'),
		...sumUsage('cost'),
	};
}
