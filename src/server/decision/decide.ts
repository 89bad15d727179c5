/**
 * Decides how a message is worked on, without asking a model: a fast path answers it, else it gets a strategy. A wrong
 * direct answer costs a sentence, any other wrong strategy an interruption: a message is answered directly unless it
 * plainly asks for another strategy.
 */
import { splitCondition } from '../../protocol/schedule/watch-condition.ts';
import type { Strategy } from '../../protocol/thread/thread.ts';
import { isQuestion } from '../turn/question.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';
import type { FastPath, PromptPlace } from './fast-path.ts';
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
import { GOAL_COMMAND } from './goal-command.ts';
import { hasSeveralSteps, isAboutWatching, isPipeline, isRepeated, isWatch } from './strategy-signs.ts';

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
	if (!isOn || !deps.workspace().trusted || hasContext) {
		return undefined;
	}
	const wanted = fastPaths.filter(({ name }) => switches[name] !== false);
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
	for (const path of table) {
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
	if (GOAL_COMMAND.test(turn.text) && turn.agent?.parent === undefined) {
		return 'GOAL';
	}
	const isOff = !deps.settings()['prowess.agent.strategies'] || !deps.workspace().trusted;
	const mayNotAct = turn.mode !== 'agent' || turn.agent?.parent !== undefined;
	return isOff || mayNotAct || turn.text.startsWith('/') ? 'DIRECT_RESPONSE' : chooseStrategy(turn.text);
}

/** Shorter than any message with a strategy of its own. */
const LEAST_CHARS = 12;

/** Longest part of a message that is looked at: a longer message says in its beginning what it is about. */
const MOST_STRATEGY_CHARS = 2_000;

const strategiesInOrder: readonly (readonly [Strategy, (text: string) => boolean])[] = [
	['SCHEDULED_TASK', (text) => isRepeated(text) || isWatch(text)],
	['SUB_AGENT', isAboutWatching],
	['SCRIPT', isPipeline],
	['GOAL', hasSeveralSteps],
];

/** Never throws: a heuristic that fails leaves the message to the direct answer. The text is only read (S0-01, S0-04). */
export function chooseStrategy(text: string, order = strategiesInOrder): Strategy {
	try {
		if (text.length <= MOST_STRATEGY_CHARS && splitCondition(text) !== undefined) {
			return 'SCHEDULED_TASK';
		}
		const plain = text
			.slice(0, MOST_STRATEGY_CHARS)
			.replaceAll(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, ' … ')
			.trim();
		if (plain.length < LEAST_CHARS || isQuestion(plain)) {
			return 'DIRECT_RESPONSE';
		}
		return order.find(([, fits]) => fits(plain))?.[0] ?? 'DIRECT_RESPONSE';
	} catch {
		return 'DIRECT_RESPONSE';
	}
}
