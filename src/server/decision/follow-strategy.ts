/**
 * Carries out a strategy before any model is asked for an answer. The user sees the strategy first and can have the
 * message answered directly instead.
 */
import { cutText } from '../../base/text/one-line.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import { splitWhen } from '../../protocol/schedule/read-when.ts';
import { splitCondition } from '../../protocol/schedule/watch-condition.ts';
import { NOTICE_TEXTS } from '../../protocol/text/notice-texts.ts';
import type { Strategy } from '../../protocol/thread/thread.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';
import { isGoalCommand, readGoalCondition, withoutGoalWish } from './goal-command.ts';
import { runJournaledOp, writeAnswer } from './run-op.ts';
import { LEAST_STEPS } from './stepwise-order.ts';

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
			if (isGoalCommand(turn.text)) {
				return await startUntilGoal(turn, deps, signal);
			}
			announceStrategy(turn, NOTICE_TEXTS.goal);
			return await startPlannedGoal(turn, deps, signal);
		case 'SCRIPT':
			announceStrategy(turn, NOTICE_TEXTS.script);
			return strategy;
		case 'SCHEDULED_TASK':
			return (await addMessageSchedule(turn, deps, signal)) ? undefined : strategy;
		case 'SUB_AGENT':
			return (await handOver(turn, deps, signal)) ? undefined : strategy;
		case 'GOAL_STEP':
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
	const wanted =
		turn.before.length === 0 && turn.context.length === 0
			? readMessagePlan(withoutGoalWish(turn.text) ?? turn.text)
			: undefined;
	if (wanted === undefined) {
		return 'GOAL';
	}
	const { result, isRefused } = await runJournaledOp('goal.start', { plan: wanted }, turn, deps, signal);
	if (result === undefined) {
		return isRefused ? 'DIRECT_RESPONSE' : 'GOAL';
	}
	tellGoalBegun(result, turn, deps);
	return undefined;
}

/** `/goal`: the user sees the condition with what checks it and the limits, may change them, and agrees. */
async function startUntilGoal(turn: Turn, deps: TurnDeps, signal: AbortSignal): Promise<undefined> {
	const condition = readGoalCondition(turn.text);
	const { result } = await runJournaledOp('goal.start', { plan: `Until: ${condition}` }, turn, deps, signal);
	if (result !== undefined) {
		tellGoalBegun(result, turn, deps);
	} else {
		const words = isGerman(turn.text) ? 'Das Ziel ist nicht begonnen.' : 'The goal has not begun.';
		writeAnswer(turn.journal, words);
	}
	return undefined;
}

function tellGoalBegun({ title, steps, check }: OpResult<'goal.start'>, turn: Turn, deps: TurnDeps): void {
	const german = isGerman(turn.text);
	const begun =
		check === undefined
			? german
				? `Das Ziel „${title}“ ist begonnen: ${steps} Schritte, in einem eigenen Thread.`
				: `The goal “${title}” has begun: ${steps} steps, in a thread of its own.`
			: german
				? `Das Ziel „${title}“ ist begonnen, in einem eigenen Thread. Nach jeder Runde entscheidet ${check === null ? 'ein Modell' : `\`${check}\``}, ob es erreicht ist.`
				: `The goal “${title}” has begun, in a thread of its own. After each round ${check === null ? 'a model' : `\`${check}\``} decides whether it is reached.`;
	const shown = german
		? ' „Prowess: Automatisierung anzeigen“ zeigt, wie weit es ist.'
		: ' “Prowess: Show Automation” shows how far it is.';
	writeAnswer(turn.journal, deps.hasEditor ? `${begun}${shown}` : begun);
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
	if (result.ends !== undefined) {
		const until = new Date(result.ends).toLocaleString(german ? 'de' : 'en', how);
		writeAnswer(
			turn.journal,
			german
				? `Beobachtet: ${result.when}, bis ${until}. Beenden: „pausiere den Zeitplan ${result.id}“.`
				: `Watched: ${result.when}, until ${until}. To stop it: “pause the schedule ${result.id}”.`,
		);
		return true;
	}
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

const MOST_PLAN_STEPS = 8;

/** A sentence with an order is short; what is longer has more to it than its steps. */
const MOST_PLAN_SENTENCE_CHARS = 600;

const LEAST_STEP_CHARS = 5;

const PLAN_TITLE_CHARS = 120;

const PLAN_ITEM = /^\s*(?:[-*•]|\d{1,2}[.)])\s+(\S.*)$/;

/** Words between two steps, with what leads to them. */
const NEXT_STEP_WORDS =
	/(?:[,;.]?\s+(?:and|und)|[,;.])?\s*(?<!\p{L})(?:and then|then|after that|afterwards|finally|lastly|next|und dann|dann|danach|anschließend|zum schluss|schließlich|abschließend)(?!\p{L})[,:]?\s+/iu;

const FIRST_STEP_WORDS = /^(?:please |bitte )?(?:first|zuerst|zunächst|als erstes|erst)(?!\p{L})[,:]?\s+/iu;

/** Reads the plan in a message that names its steps itself. Undefined: a model has to say what the steps are. */
export function readMessagePlan(message: string): string | undefined {
	const text = message.trim();
	const plan = parseListedPlan(text) ?? inOneSentence(text);
	if (plan === undefined || plan.steps.length < LEAST_STEPS || plan.steps.length > MOST_PLAN_STEPS) {
		return undefined;
	}
	const { title, steps } = plan;
	return [
		`# ${cutText(title.replaceAll(/\s+/g, ' '), PLAN_TITLE_CHARS)}`,
		'',
		...steps.map((step, at) => `${at + 1}. ${step}`),
	].join('\n');
}

interface Plan {
	readonly title: string;
	readonly steps: readonly string[];
}

/** A line that says what it is about, and the list; with more to it, the list is not all. */
function parseListedPlan(text: string): Plan | undefined {
	const [head = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '');
	const items = lines.map((line) => PLAN_ITEM.exec(line)?.[1]);
	const steps = items.filter((item) => item !== undefined);
	return PLAN_ITEM.test(head) || lines.length === 0 || steps.length !== lines.length
		? undefined
		: { title: head.replace(/:\s*$/, ''), steps };
}

function inOneSentence(text: string): Plan | undefined {
	if (text.length > MOST_PLAN_SENTENCE_CHARS || text.includes('\n')) {
		return undefined;
	}
	const steps = text
		.replace(FIRST_STEP_WORDS, '')
		.split(NEXT_STEP_WORDS)
		.map((step) => step.trim().replace(/[,;.]$/, ''));
	return steps.some((step) => step.length < LEAST_STEP_CHARS)
		? undefined
		: { title: text, steps: steps.map((step) => step.charAt(0).toUpperCase() + step.slice(1)) };
}

const PLEASE = /^(?:(?:please|bitte|can you|could you|kannst du)[, ]+)+/i;

const REMINDER_BEGINNING = /^(?:remind me|set a reminder|erinnere? mich)(?: bitte)?(?!\p{L})[,:]?\s*/iu;

/** Between the time and what it is about: "to call Ann", "daran, dass", "an den Termin". */
const TO = /^(?:to |that |about |daran, ?(?:dass )?|an |dass )/i;

interface ReadSchedule {
	readonly when: string;
	readonly text: string;
	readonly kind: 'prompt' | 'reminder';
}

/**
 * Reads when a message wants something done, and what. `now`: for words such as "tomorrow". Undefined: the model has to
 * ask or to find out.
 */
export function readSchedule(message: string, now: Date): ReadSchedule | undefined {
	const onCondition = splitCondition(message);
	if (onCondition !== undefined) {
		const { words, rest } = onCondition;
		return { when: words, text: rest === '' ? words : rest, kind: rest === '' ? 'reminder' : 'prompt' };
	}
	const plain = message.trim().replace(PLEASE, '');
	const isReminder = REMINDER_BEGINNING.test(plain);
	const rest = plain.replace(REMINDER_BEGINNING, '').replace(/[.!]$/, '');
	const wall = {
		year: now.getFullYear(),
		month: now.getMonth() + 1,
		day: now.getDate(),
		hour: now.getHours(),
		minute: now.getMinutes(),
	};
	const split = splitWhen(rest, wall);
	if (split === undefined) {
		return undefined;
	}
	const text = split.rest.replace(/^[,:]\s*|[,:]$/g, '').trim();
	const what = isReminder ? text.replace(TO, '').replace(/[, ]+(?:daran)$/i, '') : text;
	return what === '' ? undefined : { when: split.words, text: what, kind: isReminder ? 'reminder' : 'prompt' };
}
