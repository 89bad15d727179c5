/**
 * Prompts as people write them, in English and German, and what the choice finds for each. Each line of a file in
 * `test/fixtures/strategies` is a prompt.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Strategy } from '../../src/protocol/thread/thread.ts';
import { chooseStrategy, mayPlan } from '../../src/server/decision/decide.ts';

const LETTERS: Readonly<Record<string, Strategy>> = {
	D: 'DIRECT_RESPONSE',
	G: 'GOAL',
	T: 'SCHEDULED_TASK',
	A: 'SUB_AGENT',
	S: 'SCRIPT',
};

export interface LabelledPrompt {
	/** Letter of a strategy, name of a fast path, or `f:` and that name. */
	readonly label: string;
	readonly text: string;
	/** Strategy that the label means; a fast path is a direct answer. */
	readonly wanted: Strategy;
}

/** Reads a list of messages that order nothing but a direct answer. */
export function readOrdinary(name: string): readonly string[] {
	const path = join(import.meta.dirname, `../fixtures/strategies/${name}.txt`);
	const lines = readFileSync(path, 'utf8').split('\n');
	return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.replaceAll('\\n', '\n'));
}

export function readLabelled(name: string): readonly LabelledPrompt[] {
	return readOrdinary(name).map((line) => {
		const label = line.slice(0, line.indexOf(' '));
		return { label, text: line.slice(line.indexOf(' ') + 1), wanted: LETTERS[label] ?? 'DIRECT_RESPONSE' };
	});
}

/** Returns the strategy that a prompt finds: the one that is followed, or the goal that is offered beside the answer. */
export function findStrategy(text: string): Strategy {
	const chosen = chooseStrategy(text);
	return chosen === 'DIRECT_RESPONSE' && mayPlan(text) ? 'GOAL' : chosen;
}
