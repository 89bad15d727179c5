/** Words for a trace, in the reader's language. A name that we do not know is shown as it stands. */
import { escapeLine } from '../../base/text/one-line.ts';
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import { testCountsText } from '../../protocol/pages/test-counts-text.ts';
import { costText } from '../../protocol/pages/usage-text.ts';
import { translateText } from '../../protocol/text/text.ts';
import { formatDuration, pageLanguage } from '../parts/times.ts';
import type { NamedFact } from '../parts/fact-list.tsx';
import type { Translate } from '../parts/translate.ts';
import type { TimelineRow } from './timeline.ts';

function stageName(stage: string, t: Translate): string {
	const names: Readonly<Record<string, string>> = {
		FastPath: t('Answer without a model'),
		Decide: t('Choose the strategy'),
		AuthResolve: t('Find the model'),
		Compact: t('Summarize older messages'),
		HistorySanitize: t('Read the messages so far'),
		ContextGuard: t('Make it fit into the context'),
		ToolSplit: t('Choose the tools'),
		Execute: t('Ask the model and run its calls'),
		FailoverDecide: t('End the turn'),
	};
	return toKnownName(names, stage);
}

export function rowTitle(row: TimelineRow, t: Translate): string {
	if (row.kind === 'stage') {
		return stageName(row.stage.stage, t);
	}
	const { kind, text, messages } = row.item;
	switch (kind) {
		case 'request':
			return requestTitle(row.item, t);
		case 'compaction':
			return t('{n} older messages left', { n: messages ?? 0 });
		case 'guard':
			return t('Repeated call: {call}', { call: escapeLine(text) });
		case 'revision':
			return t('Revised answer, which no result showed: {answer}', { answer: escapeLine(text) });
		case 'notice':
			return escapeLine(t(text));
		case 'tool': {
			const { tests } = row.item;
			const counts = tests === undefined ? '' : ` · ${translateText(testCountsText(tests), t)}`;
			return `${escapeLine(text)}${counts}`;
		}
		default:
			return kind satisfies never;
	}
}

function requestTitle({ model = '', purpose }: Extract<TimelineRow, { kind: 'item' }>['item'], t: Translate): string {
	switch (purpose) {
		case undefined:
			return t('Request to {model}', { model: escapeLine(model) });
		case 'summary':
			return t('Request to {model} for a summary', { model: escapeLine(model) });
		case 'capability':
			return t('Request to {model} by a capability', { model: escapeLine(model) });
		case 'check':
			return t('Request to {model} to check the work', { model: escapeLine(model) });
		default:
			return purpose satisfies never;
	}
}

export type RowEnd = 'good' | 'bad' | 'open' | 'none';

/** Returns how a stage, a call or a request ended. */
export function rowEnd(row: TimelineRow): { readonly end: RowEnd; readonly code: string | undefined } {
	const status = row.kind === 'stage' ? row.stage.outcome : row.item.status;
	const code = row.kind === 'item' ? row.item.error : undefined;
	if (status === undefined) {
		return { end: 'none', code };
	}
	return { end: GOOD.has(status) ? 'good' : OPEN_STATUSES.has(status) ? 'open' : 'bad', code };
}

const GOOD: ReadonlySet<string> = new Set(['ok', 'done']);
const OPEN_STATUSES: ReadonlySet<string> = new Set(['running', 'pending', 'waiting']);

export function statusWord(status: string, t: Translate): string {
	const words: Readonly<Record<string, string>> = {
		ok: t('Done'),
		done: t('Done'),
		failed: t('Failed'),
		denied: t('Denied'),
		stopped: t('Stopped'),
		cancelled: t('Stopped'),
		interrupted: t('Interrupted'),
		inDoubt: t('In doubt'),
		running: t('Running'),
		pending: t('Waiting'),
		waiting: t('Waiting for your answer'),
		warn: t('The model was warned'),
		block: t('Not run'),
	};
	return toKnownName(words, status);
}

/** All that is known of a row, for whoever opens it. */
export function rowFacts(row: TimelineRow, t: Translate): readonly NamedFact[] {
	const { startMs, waitedMs, durationMs } = row;
	const times = [
		toTraceFact(t('Began after'), formatDuration(startMs, t)),
		...(waitedMs === 0 ? [] : [toTraceFact(t('Waited for you'), formatDuration(waitedMs, t))]),
		...(durationMs === undefined ? [] : [toTraceFact(t('Took'), formatDuration(durationMs, t))]),
	];
	if (row.kind === 'stage') {
		const { stage, outcome, facts } = row.stage;
		const said = Object.entries(facts).filter(([name]) => name !== 'failovers');
		return [
			...times,
			toTraceFact(t('Stage'), stage),
			...(outcome === 'ok' ? [] : [toTraceFact(t('Error'), outcome)]),
			...said.map(([name, value]) => toTraceFact(factName(name, t), valueText(name, value, t))),
		];
	}
	const { model, served, error, opId } = row.item;
	return [
		...times,
		...(model === undefined ? [] : [toTraceFact(t('Model'), model)]),
		...(served === undefined ? [] : [toTraceFact(t('Answered by'), served)]),
		...usedFacts(row.item, t),
		...(error === undefined ? [] : [toTraceFact(t('Error'), error)]),
		...(opId === undefined ? [] : [toTraceFact(t('Op id'), opId)]),
	];
}

interface TraceUsage {
	readonly inputTokens?: number | undefined;
	readonly outputTokens?: number | undefined;
	readonly cachedInputTokens?: number | undefined;
	readonly cost?: number | undefined;
}

export function usedFacts(used: TraceUsage, t: Translate): readonly NamedFact[] {
	return (['inputTokens', 'cachedInputTokens', 'outputTokens', 'cost'] as const).flatMap((name) => {
		const value = used[name];
		return value === undefined ? [] : [toTraceFact(factName(name, t), valueText(name, value, t))];
	});
}

function factName(name: string, t: Translate): string {
	const names: Readonly<Record<string, string>> = {
		model: t('Model'),
		tokens: t('Tokens of the messages'),
		budgetTokens: t('Room for them, in tokens'),
		rawMessages: t('Messages as they are kept'),
		messages: t('Messages that can be sent'),
		windowTokens: t('Context window, in tokens'),
		reserveTokens: t('Kept free for the answer, in tokens'),
		fixedTokens: t('Rules and tools, in tokens'),
		historyTokens: t('Messages before, in tokens'),
		messageTokens: t('The new message, in tokens'),
		rulesTokens: t('Instructions and capabilities, in tokens'),
		dropped: t('Messages left out'),
		tools: t('Tools'),
		kind: t('Ended as'),
		requests: t('Requests'),
		inputTokens: t('Input tokens'),
		outputTokens: t('Output tokens'),
		cachedInputTokens: t('Input tokens from the cache'),
		cost: t('Cost'),
		fastPath: t('Fast path'),
		outcome: t('Outcome'),
		resolution: t('How the model was found'),
		stepsLeftOut: t('Steps not kept'),
	};
	return toKnownName(names, name);
}

function valueText(name: string, value: unknown, t: Translate): string {
	if (typeof value === 'number') {
		return name === 'cost' ? translateText(costText(value), t) : value.toLocaleString(pageLanguage());
	}
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function toTraceFact(label: string, text: string): NamedFact {
	return { label, text: escapeInvisible(text, 'lines') };
}

function toKnownName(names: Readonly<Record<string, string>>, name: string): string {
	return Object.hasOwn(names, name) ? (names[name] ?? name) : escapeLine(name);
}
