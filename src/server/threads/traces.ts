/** Says how turns went, from what is stored of them: also of turns that failed, or were killed. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { TracedFailovers } from '../../protocol/pages/drawn-failover.ts';
import type { ItemId, ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { RequestHandlers } from '../../protocol/rpc/peer.ts';
import { readStoredItem, parsedOr } from '../../protocol/thread/stored-thread.ts';
import type { ThreadItem } from '../../protocol/thread/items.ts';
import { TracedItem, type traceRequests, type TurnTrace } from '../../protocol/thread/turn-trace.ts';
import { Judgement } from '../../protocol/turn/judgement.ts';
import type { TurnRow } from '../../store/threads/thread-rows.ts';
import type { ThreadStore } from '../../store/threads/thread-store.ts';
import { TRACED_STEPS, UNENDED } from '../turn/stage-trace.ts';
import type { Turn } from '../turn/turn.ts';
import { callStore } from './store-failure.ts';
import { parseTurnError } from './updates/thread-view.ts';

export function createTraces(store: ThreadStore): RequestHandlers<typeof traceRequests> {
	return {
		list: async ({ threadId, limit }) => {
			if (threadId !== undefined && callStore(() => store.thread(threadId)) === undefined) {
				throw new ProwessError('THREAD_NOT_FOUND', `there is no thread ${threadId}`, { threadId });
			}
			return { turns: callStore(() => store.latestTurns(threadId, limit)).map(toTurnTrace) };
		},
		show: async ({ turnId, content }) => {
			const row = callStore(() => store.turn(turnId));
			if (row === undefined) {
				throw new ProwessError('TURN_NOT_FOUND', `there is no turn ${turnId}`, { turnId });
			}
			const items = callStore(() => store.itemsOfTurn(turnId)).map(readStoredItem);
			const steps = parseTraceEntries(row)
				.filter(isTracedStep)
				.map((entry) => tracedStep(entry, row.status));
			const all = [...items.flatMap((item) => tracedItem(item, content === true)), ...steps];
			return {
				...toTurnTrace(row),
				items: all.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)),
				...(content === true && { said: saidIn(items) }),
			};
		},
	};
}

function toTurnTrace(row: TurnRow): Omit<TurnTrace, 'items' | 'said'> {
	const error = parseTurnError(row);
	return {
		turnId: row.id as TurnId,
		threadId: row.thread_id as ThreadId,
		modelId: row.model_id,
		status: row.status,
		startedAt: row.started_at,
		endedAt: row.ended_at,
		...(error === undefined ? {} : { error }),
		fallbackAttempts: fallbackAttempts(parseTraceEntries(row)),
		tokens: sumTracedTokens(parseTraceEntries(row)),
		stages: parseTraceEntries(row).filter((entry) => !isTracedStep(entry)),
	};
}

type TraceEntry = TurnTrace['stages'][number];

function parseTraceEntries({ trace }: TurnRow): TurnTrace['stages'] {
	return parsedOr<TurnTrace['stages']>(trace ?? '[]', []);
}

/** The fast path or strategy by which we decided about a turn; undefined: a model answered, or the user chose. */
export function overruledIn(row: TurnRow): Turn['overrules'] {
	const occasion = row.id as TurnId;
	for (const { stage, outcome, facts } of parseTraceEntries(row)) {
		if (stage === 'FastPath' && outcome === 'ok') {
			const judgement = Judgement.safeParse({ kind: 'fastPath', name: facts['fastPath'] }).data;
			return judgement && { judgement, occasion };
		}
		if (stage === 'Decide' && facts['by'] === 'heuristics') {
			const judgement = Judgement.safeParse({ kind: 'strategy', name: facts['strategy'] }).data;
			return judgement && { judgement, occasion };
		}
	}
	return undefined;
}

function fallbackAttempts(entries: readonly TraceEntry[]): number {
	const ways = entries.flatMap(({ facts }) => TracedFailovers.safeParse(facts['failovers']).data ?? []);
	return ways.reduce((sum, steps) => sum + Math.max(0, steps.filter(({ to }) => to === 'Attempting').length - 1), 0);
}

function sumTracedTokens(entries: readonly TraceEntry[]): TurnTrace['tokens'] {
	const requests = entries
		.filter(({ stage }) => stage === 'Request')
		.map(({ facts }) => TracedRequest.safeParse(facts).data);
	return {
		input: requests.reduce((sum, request) => sum + (request?.inputTokens ?? 0), 0),
		output: requests.reduce((sum, request) => sum + (request?.outputTokens ?? 0), 0),
	};
}

function isTracedStep({ stage }: TraceEntry): boolean {
	return (TRACED_STEPS as readonly string[]).includes(stage);
}

/** `status`: of the turn; what had not ended when it did was broken off with it. */
function tracedStep(
	{ stage, startedAt, durationMs, outcome, facts }: TraceEntry,
	status: string,
): TurnTrace['items'][number] {
	if (stage === 'Revision') {
		return { at: startedAt, kind: 'revision', text: typeof facts['answer'] === 'string' ? facts['answer'] : '' };
	}
	if (stage === 'Guard') {
		return {
			at: startedAt,
			kind: 'guard',
			text: typeof facts['call'] === 'string' ? facts['call'] : '',
			status: outcome,
		};
	}
	const request = TracedRequest.parse(facts);
	const { model, served, purpose, inputTokens, outputTokens } = request;
	const used = inputTokens === undefined ? '' : `, ${inputTokens} tokens in, ${outputTokens ?? 0} out`;
	const isOpen = outcome === UNENDED;
	return {
		at: startedAt,
		kind: 'request',
		text: `Request to ${model ?? 'a model'}${purpose === undefined ? '' : ` ${PURPOSES[purpose]}`}${served === undefined ? '' : `, answered by ${served}`}${used}`,
		status: isOpen && status !== UNENDED ? 'interrupted' : outcome,
		...(isOpen ? {} : { durationMs }),
		...request,
	};
}

/** Facts of a request; one that is not as it should be counts as unknown. */
const TracedRequest = TracedItem.pick({
	model: true,
	served: true,
	purpose: true,
	inputTokens: true,
	outputTokens: true,
	cachedInputTokens: true,
	cost: true,
}).catch({});

const PURPOSES = { summary: 'for a summary', capability: 'of a capability', check: 'to check the work' } as const;

function saidIn(items: readonly ThreadItem[]): NonNullable<TurnTrace['said']> {
	const readText = (item: ThreadItem | undefined) => (item?.kind === 'user' || item?.kind === 'text' ? item.text : '');
	return {
		asked: readText(items.find(({ kind }) => kind === 'user')),
		answered: readText(items.findLast(({ kind }) => kind === 'text')),
	};
}

function tracedItem(item: ThreadItem, withContent: boolean): TurnTrace['items'] {
	const { id, at } = item;
	const traced = { itemId: id as ItemId, at };
	switch (item.kind) {
		case 'tool':
			return [
				{
					...traced,
					kind: 'tool',
					text: item.title,
					opId: item.opId,
					tool: item.tool,
					...(withContent && { input: item.input, output: item.output }),
					status: item.status,
					...(item.durationMs === undefined ? {} : { durationMs: item.durationMs }),
					...(item.waitedMs === undefined ? {} : { waitedMs: item.waitedMs }),
					...(item.error === undefined ? {} : { error: item.error.code }),
					...(item.tests === undefined ? {} : { tests: item.tests }),
				},
			];
		case 'notice':
			return [{ ...traced, kind: 'notice', text: item.text }];
		case 'compaction':
			return [
				{
					...traced,
					kind: 'compaction',
					text: `${item.messages} older messages left${item.model === undefined ? '' : `, summarized by ${item.model}`}`,
					messages: item.messages,
					...(item.model === undefined ? {} : { model: item.model }),
				},
			];
		default:
			return [];
	}
}
