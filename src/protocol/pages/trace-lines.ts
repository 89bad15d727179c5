/** A trace as a person reads it: a line for each stage and call, with a bar that shows when it ran. */
import { escapeLine } from '../../base/text/one-line.ts';
import { inEnglish } from '../text/text.ts';
import { testCountsText } from './test-counts-text.ts';
import { drawnFailover, TracedFailovers } from './drawn-failover.ts';
import type { ResultOf } from '../rpc/message.ts';
import type { traceRequests } from '../thread/turn-trace.ts';

type TraceToDraw = ResultOf<typeof traceRequests.show>;

/** Below a stage, whose name and time stand before it. */
const INDENT = ' '.repeat(27);

/** Signs of a bar as long as the turn. */
const BAR = 24;

/** When it was, how it ended and how long it took. */
export function traceHead({
	turnId,
	startedAt,
	endedAt,
	status,
	modelId,
	tokens,
	error,
}: Omit<TraceToDraw, 'items'>): string {
	const took = endedAt === null ? '' : `  ${msText(Date.parse(endedAt) - Date.parse(startedAt))}`;
	const used = tokens.input === 0 ? '' : `  ${tokens.input} tokens in, ${tokens.output} out`;
	const code = error === undefined ? '' : `  ${error.code}`;
	return `${turnId}  ${startedAt.slice(0, 19).replace('T', ' ')}  ${status}${code}${took}  ${escapeLine(modelId)}${used}`;
}

/** Stages in their order, and below the one that does the work what happened in it. */
export function traceLines(trace: TraceToDraw): string[] {
	const bar = createBars(trace);
	const items = trace.items.map((item) => itemLine(item, bar));
	const stages = trace.stages.flatMap(({ stage, startedAt, durationMs, outcome, facts }) => [
		`${stage.padEnd(16)}${msText(durationMs).padStart(9)}  ${bar(startedAt, durationMs)}  ${outcome}${factsText(facts)}`,
		...failoverLines(facts),
		...(isWork(stage) ? items : []),
	]);
	return [traceHead(trace), ...stages, ...(trace.stages.some(({ stage }) => isWork(stage)) ? [] : items)];
}

type Bars = (startedAt: string, durationMs: number | undefined) => string;

function createBars({ startedAt, endedAt, stages, items }: TraceToDraw): Bars {
	const begin = Date.parse(startedAt);
	const ends = [
		...stages.map(({ startedAt: at, durationMs }) => Date.parse(at) + durationMs),
		...items.map(({ at }) => Date.parse(at)),
	];
	const whole = Math.max(1, (endedAt === null ? Math.max(begin, ...ends) : Date.parse(endedAt)) - begin);
	const toBarPosition = (ms: number) => Math.min(BAR - 1, Math.max(0, Math.floor((ms / whole) * BAR)));
	return (from, durationMs) => {
		const first = toBarPosition(Date.parse(from) - begin);
		const last = toBarPosition(Date.parse(from) - begin + (durationMs ?? 0));
		const signs = durationMs === undefined ? '.' : '#'.repeat(Math.max(1, last - first + 1));
		return `[${' '.repeat(first)}${signs.padEnd(BAR - first)}]`;
	};
}

function isWork(stage: string): boolean {
	return stage === 'Execute' || stage === 'FastPath' || stage === 'Compact';
}

function itemLine(
	{ kind, text, at, status, durationMs, error, tests, opId }: TraceToDraw['items'][number],
	bar: Bars,
): string {
	const took = durationMs === undefined ? '' : msText(durationMs);
	const how = `${status ?? ''}${error === undefined ? '' : ` ${error}`}`;
	const note = kind === 'revision' ? 'revised answer' : 'note';
	const end = kind === 'guard' ? `guard ${how}` : status === undefined ? note : how;
	const id = opId === undefined ? '' : `  ${opId}`;
	const counts = tests === undefined ? '' : ` (${inEnglish(testCountsText(tests))})`;
	return `${took.padStart(25)}  ${bar(at, durationMs)}  ${end}: ${escapeLine(text)}${counts}${id}`;
}

/** The requests that took more than one attempt, drawn, each below the one before. */
function failoverLines({ failovers }: Readonly<Record<string, unknown>>): string[] {
	const { data: drawn = [] } = TracedFailovers.safeParse(failovers);
	return drawn.flatMap((steps, at) => [
		`${INDENT}failover ${at + 1}, ${steps.length} steps`,
		...drawnFailover(steps).map((line) => `${INDENT}  ${escapeLine(line)}`),
	]);
}

function factsText(facts: Readonly<Record<string, unknown>>): string {
	return Object.entries(facts)
		.filter(([name, value]) => name !== 'failovers' || !TracedFailovers.safeParse(value).success)
		.map(([name, value]) => `  ${name}=${escapeLine(typeof value === 'string' ? value : JSON.stringify(value))}`)
		.join('');
}

function msText(ms: number): string {
	return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
