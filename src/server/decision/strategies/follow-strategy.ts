/**
 * Carries out a strategy before any model is asked for an answer. The user sees the strategy first and can have the
 * message answered directly instead.
 */
import { NOTICE_TEXTS } from '../../../protocol/text/notice-texts.ts';
import type { Strategy } from '../../../protocol/thread/strategy.ts';
import type { Turn, TurnDeps } from '../../turn/turn.ts';
import { runJournaledOp } from '../run-op.ts';
import { writeAnswer } from '../write-answer.ts';
import { chooseStrategy } from './choose-strategy.ts';
import { readMessagePlan } from './read-plan.ts';
import { readSchedule } from './read-schedule.ts';

/**
 * Returns the strategy that the user chose, else the one that fits the message. Turns of sub-agents and turns that may
 * not act are answered directly, as are messages that begin with `/`.
 */
export function resolveStrategy(turn: Turn, deps: Pick<TurnDeps, 'settings' | 'workspace'>): Strategy {
	if (turn.strategy !== undefined) {
		return turn.strategy;
	}
	const isOff = !deps.settings()['prowess.agent.strategies'] || !deps.workspace().trusted;
	const mayNotAct = turn.mode !== 'agent' || turn.agent?.parent !== undefined;
	return isOff || mayNotAct || turn.text.startsWith('/') ? 'DIRECT_RESPONSE' : chooseStrategy(turn.text);
}

/** The strategy with which a model goes on; undefined: the turn is at its end. */
export async function followStrategy(
	strategy: Strategy,
	turn: Turn,
	deps: TurnDeps,
	signal: AbortSignal,
): Promise<Strategy | undefined> {
	if (strategy !== 'SCHEDULED_TASK' && turn.strategy === undefined && (await isScripted(turn, deps, signal))) {
		return 'DIRECT_RESPONSE';
	}
	switch (strategy) {
		case 'GOAL':
			announceStrategy(turn, NOTICE_TEXTS.goal);
			return await startPlannedGoal(turn, deps, signal);
		case 'SCRIPT':
			announceStrategy(turn, NOTICE_TEXTS.script);
			return strategy;
		case 'SCHEDULED_TASK':
			return (await addMessageSchedule(turn, deps, signal)) ? undefined : strategy;
		case 'SUB_AGENT':
			return (await handOver(turn, deps, signal)) ? undefined : strategy;
		case 'DIRECT_RESPONSE':
			return strategy;
	}
}

function announceStrategy({ journal }: Turn, text: string): void {
	journal.notice({ level: 'info', text, actions: ['answerDirectly'] });
}

/** Returns true when the current model follows a script and cannot carry out a plan: the tour. */
async function isScripted(turn: Turn, deps: TurnDeps, signal: AbortSignal): Promise<boolean> {
	const prompt = { text: turn.text, attachments: turn.context.length, messagesBefore: turn.before.length };
	const { models } = await deps.models.line({ modelId: turn.modelId, prompt, threadId: turn.threadId }, signal);
	return models.current.isScripted === true;
}

/**
 * A message that names its steps and needs nothing that was said before is a plan already: the user sees it, may change it, and
 * agrees. After a no it is answered directly; in all other cases a model plans.
 */
async function startPlannedGoal(turn: Turn, deps: TurnDeps, signal: AbortSignal): Promise<Strategy | undefined> {
	const wanted = turn.before.length === 0 && turn.context.length === 0 ? readMessagePlan(turn.text) : undefined;
	if (wanted === undefined) {
		return 'GOAL';
	}
	const { result, isRefused } = await runJournaledOp('goal.start', { plan: wanted }, turn, deps, signal);
	if (result === undefined) {
		return isRefused ? 'DIRECT_RESPONSE' : 'GOAL';
	}
	const { title, steps } = result;
	const [begun, shown] = isGerman(turn.text)
		? [
				`Das Ziel „${title}“ ist begonnen: ${steps} Schritte, in einem eigenen Thread.`,
				' „Prowess: Ziele anzeigen“ zeigt, wie weit es ist.',
			]
		: [
				`The goal “${title}” has begun: ${steps} steps, in a thread of its own.`,
				' “Prowess: Show Goals” shows how far it is.',
			];
	writeAnswer(turn.journal, deps.hasEditor ? `${begun}${shown}` : begun);
	return undefined;
}

/** The gate asks the user about every schedule; after a no the message is answered directly. */
async function addMessageSchedule(turn: Turn, deps: TurnDeps, signal: AbortSignal): Promise<boolean> {
	const wanted = readSchedule(turn.text, new Date());
	if (wanted === undefined) {
		return false;
	}
	const { result } = await runJournaledOp('schedule.add', wanted, turn, deps, signal);
	if (result === undefined) {
		return false;
	}
	const german = isGerman(turn.text);
	const how = { dateStyle: 'medium', timeStyle: 'short' } as const;
	const next = result.next === null ? '' : new Date(result.next).toLocaleString(german ? 'de' : 'en', how);
	writeAnswer(
		turn.journal,
		german ? `Geplant: ${result.when}. Nächstes Mal: ${next}.` : `Scheduled: ${result.when}. Next: ${next}.`,
	);
	return true;
}

const HAND_OVER_QUESTION = {
	en: ['This takes long. Hand it to a sub-agent?', 'To a sub-agent', 'Answer directly'],
	de: ['Das dauert länger. Soll ein Sub-Agent es übernehmen?', 'Sub-Agent', 'Direkt antworten'],
} as const;

async function handOver(turn: Turn, deps: TurnDeps, signal: AbortSignal): Promise<boolean> {
	const german = isGerman(turn.text);
	const [question, yes, no] = german ? HAND_OVER_QUESTION.de : HAND_OVER_QUESTION.en;
	const isChosen = turn.strategy !== undefined;
	const answer = isChosen
		? yes
		: (await runJournaledOp('user.ask', { question, options: [yes, no] }, turn, deps, signal)).text;
	if (answer !== yes) {
		return false;
	}
	const { result } = await runJournaledOp('agent.spawn', { task: turn.text, wait: false }, turn, deps, signal);
	if (result === undefined) {
		return false;
	}
	writeAnswer(
		turn.journal,
		german ? `Der Sub-Agent „${result.name}“ arbeitet daran.` : `The sub-agent “${result.name}” works on it.`,
	);
	return true;
}

function isGerman(text: string): boolean {
	return /(?<!\p{L})(?:der|die|das|den|und|bitte|auf|ein|einen|einem|im|mir|mich|um|uhr|jeden|jede)(?!\p{L})/iu.test(
		text,
	);
}
