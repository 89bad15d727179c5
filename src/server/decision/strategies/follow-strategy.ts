/** What a strategy leads to before any model is asked. The user sees it first, and can have the message answered directly. */
import { NOTICE_TEXTS } from '../../../protocol/text/notice-texts.ts';
import type { Strategy } from '../../../protocol/thread/strategy.ts';
import type { Turn, TurnDeps } from '../../turn/turn.ts';
import { runOp } from '../run-op.ts';
import { writeAnswer } from '../write-answer.ts';
import { chooseStrategy } from './choose-strategy.ts';
import { readSchedule } from './read-schedule.ts';

/** What the user chose, else what the message says. Turns of sub-agents, and those that may not act, are answered directly. */
export function strategyOf(turn: Turn, deps: Pick<TurnDeps, 'settings' | 'workspace'>): Strategy {
	if (turn.strategy !== undefined) {
		return turn.strategy;
	}
	const isOff = !deps.settings()['prowess.agent.strategies'] || !deps.workspace().trusted;
	const mayNotAct = turn.mode !== 'agent' || turn.agent?.parent !== undefined;
	return isOff || mayNotAct || turn.text.startsWith('/') ? 'DIRECT_RESPONSE' : chooseStrategy(turn.text);
}

/** True: the turn is at its end. False: a model goes on. */
export async function followStrategy(
	strategy: Strategy,
	turn: Turn,
	deps: TurnDeps,
	signal: AbortSignal,
): Promise<boolean> {
	switch (strategy) {
		case 'GOAL':
		case 'SCRIPT': {
			const text = strategy === 'GOAL' ? NOTICE_TEXTS.goal : NOTICE_TEXTS.script;
			turn.journal.notice({ level: 'info', text, actions: ['answerDirectly'] });
			return false;
		}
		case 'SCHEDULED_TASK':
			return await schedule(turn, deps, signal);
		case 'SUB_AGENT':
			return await handOver(turn, deps, signal);
		case 'DIRECT_RESPONSE':
			return false;
	}
}

/** The gate asks the user about every schedule; after a no the message is answered directly. */
async function schedule(turn: Turn, deps: TurnDeps, signal: AbortSignal): Promise<boolean> {
	const wanted = readSchedule(turn.text, new Date());
	if (wanted === undefined) {
		return false;
	}
	const { result } = await runOp('schedule.add', wanted, turn, deps, signal);
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

const QUESTION = {
	en: ['This takes long. Hand it to a sub-agent?', 'To a sub-agent', 'Answer directly'],
	de: ['Das dauert länger. Soll ein Sub-Agent es übernehmen?', 'Sub-Agent', 'Direkt antworten'],
} as const;

async function handOver(turn: Turn, deps: TurnDeps, signal: AbortSignal): Promise<boolean> {
	const german = isGerman(turn.text);
	const [question, yes, no] = german ? QUESTION.de : QUESTION.en;
	const isChosen = turn.strategy !== undefined;
	const answer = isChosen ? yes : (await runOp('user.ask', { question, options: [yes, no] }, turn, deps, signal)).text;
	if (answer !== yes) {
		return false;
	}
	const { result } = await runOp('agent.spawn', { task: turn.text, wait: false }, turn, deps, signal);
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
