/**
 * Decides how a message is worked on, without asking a model: a fast path answers it, else it gets a strategy. A wrong
 * direct answer costs a sentence, any other wrong strategy an interruption: a message is answered directly unless it
 * plainly asks for another strategy.
 */
import { splitCondition } from '../../protocol/schedule/watch-condition.ts';
import { NOTICE_TEXTS } from '../../protocol/text/notice-texts.ts';
import type { Strategy } from '../../protocol/thread/thread.ts';
import { isQuestion } from '../turn/question.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';
import { isBulkOrder } from './bulk-order.ts';
import type { FastPath, PromptPlace } from './fast-path.ts';
import { readSchedule } from './follow-strategy.ts';
import { isHandedOver } from './handed-over-order.ts';
import { isOneSentence, type MessageWord, readMessageWords, withoutPoliteWords } from './message-words.ts';
import {
	capabilityListFastPath,
	capabilityRunFastPath,
	capabilityShowFastPath,
	capabilitySwitchFastPath,
} from './paths/capability-fast-paths.ts';
import { runningFastPath, stopRunFastPath } from './paths/execution-fast-paths.ts';
import { memoryAddFastPath, memoryListFastPath } from './paths/memory-fast-paths.ts';
import { modelsFastPath } from './paths/models-fast-path.ts';
import { readFastPath } from './paths/read-fast-path.ts';
import { scheduleListFastPath, schedulePauseFastPath } from './paths/schedule-fast-paths.ts';
import { dateTimeFastPath, greetingFastPath, vagueFastPath } from './paths/small-talk-fast-paths.ts';
import { isGoalCommand, withoutGoalWish } from './goal-command.ts';
import { readScheduleSign } from './scheduled-order.ts';
import { isStepwiseOrder } from './stepwise-order.ts';
import { isWatchOrder } from './watch-order.ts';

/** Longer than any prompt a fast path answers. */
const MOST_FAST_PATH_CHARS = 500;

interface FastPathDecision {
	readonly name: string;
	run(signal: AbortSignal): Promise<void>;
}

/** Undefined: ask a model. */
export function decideFastPath(turn: Turn, deps: TurnDeps): FastPathDecision | undefined {
	// In an untrusted workspace the stages say why nothing happens.
	const hasContext = turn.context.some(({ kind }) => kind !== 'active');
	const { 'prowess.agent.fastPaths': isOn, 'prowess.agent.fastPathsByName': switches } = deps.settings();
	// DIRECT_RESPONSE is the model's answer, wherever the user or a schedule asks for it.
	if (!isOn || !deps.workspace().trusted || hasContext || turn.strategy === 'DIRECT_RESPONSE') {
		return undefined;
	}
	const wanted = fastPaths.filter(({ name, isOffAtFirst = false }) => switches[name] ?? !isOffAtFirst);
	const found = findFastPath(turn.text, { isFirst: turn.before.length === 0 }, wanted);
	return found === undefined
		? undefined
		: { name: found.path.name, run: (signal) => found.path.run(found.match, turn, deps, signal) };
}

/** A fast path whose `match` throws does not match. */
export function findFastPath(
	text: string,
	place: PromptPlace,
	table: readonly FastPath[] = fastPaths,
): { readonly path: FastPath; readonly match: unknown } | undefined {
	if (text.length > MOST_FAST_PATH_CHARS) {
		return undefined;
	}
	const opening = readOpening(text);
	for (const path of table) {
		if (!path.openings.has(opening)) {
			continue;
		}
		try {
			const match = path.match(text, place);
			if (match !== undefined) {
				return { path, match };
			}
		} catch {
			// The model answers, as it would without the table.
		}
	}
	return undefined;
}

/** Longer than any word and the marks before it. */
const MOST_OPENING_CHARS = 60;

/** First word of a prompt; `/` for a command, empty for marks without any word. */
function readOpening(text: string): string {
	const plain = text.trimStart();
	const word = readMessageWords(plain.slice(0, MOST_OPENING_CHARS))[0]?.word.replace('’', "'") ?? '';
	const hasLetters = word.toLowerCase() !== word.toUpperCase() || [...word].some((char) => char >= '0' && char <= '9');
	return plain.startsWith('/') ? '/' : hasLetters ? word : '';
}

/** The prompts that need no model. The first that matches answers. */
export const fastPaths: readonly FastPath[] = [
	greetingFastPath,
	vagueFastPath,
	dateTimeFastPath,
	capabilityListFastPath,
	capabilityShowFastPath,
	capabilitySwitchFastPath,
	capabilityRunFastPath,
	runningFastPath,
	stopRunFastPath,
	modelsFastPath,
	memoryAddFastPath,
	memoryListFastPath,
	scheduleListFastPath,
	schedulePauseFastPath,
	readFastPath,
];

/**
 * Returns the strategy that the user chose, else the one that fits the message. Turns of sub-agents and turns that may
 * not act are answered directly, as are messages that begin with `/`.
 */
export function resolveStrategy(turn: Turn, deps: Pick<TurnDeps, 'settings' | 'workspace'>): Strategy {
	if (turn.strategy !== undefined) {
		return turn.strategy;
	}
	if (isGoalCommand(turn.text) && turn.agent?.parent === undefined) {
		return 'GOAL';
	}
	return mayChoose(turn, deps) ? chooseStrategy(turn.text) : 'DIRECT_RESPONSE';
}

function mayChoose(turn: Turn, deps: Pick<TurnDeps, 'settings' | 'workspace'>): boolean {
	const isOn = deps.settings()['prowess.agent.strategies'] && deps.workspace().trusted;
	return isOn && turn.mode === 'agent' && turn.agent?.parent === undefined && !turn.text.startsWith('/');
}

/**
 * Offers a goal beside the answer to a message of several steps or of large work: the answer begins as without it. `isScripted`:
 * the model, the tour's, could not plan.
 */
export function offerGoal(
	turn: Turn,
	{ isScripted }: { readonly isScripted?: boolean },
	deps: Pick<TurnDeps, 'settings' | 'workspace'>,
): void {
	if (turn.strategy === undefined && mayChoose(turn, deps) && isScripted !== true && mayPlan(turn.text)) {
		turn.journal.notice({ level: 'info', text: NOTICE_TEXTS.mayPlan, actions: ['workAsGoal'] });
	}
}

/**
 * Offers a schedule beside the answer to a message that may have meant one: nobody is interrupted for it. Only an editor has the
 * button.
 */
export function offerSchedule(turn: Turn, deps: Pick<TurnDeps, 'settings' | 'workspace' | 'hasEditor'>): void {
	const isAsked = turn.strategy === undefined && mayChoose(turn, deps);
	if (isAsked && deps.hasEditor && maySchedule(turn.text) && readSchedule(turn.text, new Date()) !== undefined) {
		turn.journal.notice({ level: 'info', text: NOTICE_TEXTS.mayRepeat, actions: ['runOnSchedule'] });
	}
}

/** Says that no model answered, and offers the answer of one. Only an editor has the button. */
export function offerModel({ journal }: Turn): void {
	journal.notice({ level: 'info', text: NOTICE_TEXTS.withoutModel, actions: ['askModel'] });
}

/** Shorter than any message with a strategy of its own. */
const LEAST_CHARS = 12;

/** Longer than any message that is an order and nothing else. */
const MOST_STRATEGY_CHARS = 1_000;

/** More words than an order in one sentence has. */
const MOST_ORDER_WORDS = 60;

interface ReadMessage {
	/** Without its code. */
	readonly text: string;
	readonly words: readonly MessageWord[];
	/** True for a sentence in one line; other messages have no strategy, and only a goal may be offered for them. */
	readonly isPlain: boolean;
}

const strategiesInOrder: readonly (readonly [Strategy, (words: readonly MessageWord[]) => boolean])[] = [
	['SCHEDULED_TASK', (words) => readScheduleSign(words) === 'order' || isWatchOrder(words)],
	['SUB_AGENT', isHandedOver],
	['SCRIPT', isBulkOrder],
];

/**
 * A strategy for a message that is an order to the agent and nothing else; whatever describes software is answered directly.
 * Never throws: a sign that fails leaves the message to the direct answer. The text is only read (S0-01, S0-04).
 */
export function chooseStrategy(text: string, order = strategiesInOrder): Strategy {
	try {
		// The user's own words for a goal, so no sign of another strategy counts.
		if (withoutGoalWish(text) !== undefined) {
			return 'GOAL';
		}
		if (text.length <= MOST_STRATEGY_CHARS && splitCondition(text) !== undefined) {
			return 'SCHEDULED_TASK';
		}
		const message = readPlainMessage(text);
		if (message?.isPlain !== true || (!isWatchOrder(message.words) && isQuestion(message.text))) {
			return 'DIRECT_RESPONSE';
		}
		return order.find(([, fits]) => fits(message.words))?.[0] ?? 'DIRECT_RESPONSE';
	} catch {
		return 'DIRECT_RESPONSE';
	}
}

/** True when the message may mean a schedule as well: then it is offered beside the direct answer, and nobody is interrupted. */
export function maySchedule(text: string): boolean {
	try {
		const message = readPlainMessage(text);
		return message?.isPlain === true && readScheduleSign(message.words) === 'maybe' && !isQuestion(message.text);
	} catch {
		return false;
	}
}

/**
 * True when the message orders several steps, or work that is large by its nature: then a goal is offered beside the direct
 * answer, and nobody is interrupted.
 */
export function mayPlan(text: string): boolean {
	try {
		const message = readPlainMessage(text);
		return (
			message !== undefined &&
			isStepwiseOrder(message.text, message.words) &&
			// A list of orders has a line above it that orders, such as "Do the following:".
			!(message.isPlain && isQuestion(message.text))
		);
	} catch {
		return false;
	}
}

function readPlainMessage(message: string): ReadMessage | undefined {
	const text = withoutCode(message.trim());
	if (text.length < LEAST_CHARS || text.length > MOST_STRATEGY_CHARS || (text.endsWith('?') && !isPoliteOrder(text))) {
		return undefined;
	}
	const words = withoutPoliteWords(readMessageWords(text));
	return { text, words, isPlain: words.length <= MOST_ORDER_WORDS && !text.includes('\n') && isOneSentence(words) };
}

/** "Could you run npm audit every week?" orders something in the form of a question. */
function isPoliteOrder(text: string): boolean {
	const words = readMessageWords(text);
	return withoutPoliteWords(words).length < words.length;
}

/** Code in a message says nothing of how it is to be worked on. */
function withoutCode(text: string): string {
	return text
		.split('```')
		.filter((_, at) => at % 2 === 0)
		.join(' … ')
		.split('\n')
		.map((line) => {
			const parts = line.split('`');
			return parts.map((part, at) => (at % 2 === 0 || at === parts.length - 1 ? part : '`…`')).join('');
		})
		.join('\n');
}
