/**
 * Compiles the user's own patterns of secrets. A pattern that could take long is refused with its name: by its form,
 * then by a trial against texts made to be slow. When a pattern still takes too long later, the whole text is struck
 * out: slow must not mean shown.
 */
import { toErrorMessage } from '../../../base/text/message-of.ts';
import type { Settings } from '../../../protocol/settings/settings.ts';
import { runWithin } from './budget.ts';
import type { Family } from './finders/families.ts';
import { MAX_PATTERN_REPEAT, PATTERN_BUDGET_MS, TRIAL_CHARS } from './limits.ts';

interface OwnPatterns {
	readonly families: readonly Family[];
	/** Problems in words, one for each pattern that is not used. */
	readonly problems: readonly string[];
}

const compiledPatterns = new WeakMap<readonly object[], OwnPatterns>();

export function ownPatterns(list: Settings['prowess.redaction.patterns']): OwnPatterns {
	const before = compiledPatterns.get(list);
	if (before !== undefined) {
		return before;
	}
	const families: Family[] = [];
	const problems: string[] = [];
	for (const { name, pattern } of list) {
		const problem = families.some((family) => family.name === name)
			? 'there are two of this name'
			: (formProblem(pattern) ?? trialProblem(pattern));
		if (problem === undefined) {
			families.push({ name, pattern: new RegExp(pattern, 'gu'), isOwn: true });
		} else {
			problems.push(`prowess.redaction.patterns: "${name}" is not used: ${problem}`);
		}
	}
	const found = { families, problems };
	compiledPatterns.set(list, found);
	return found;
}

/** Returns the fault in the form of the pattern; undefined: none. */
function formProblem(pattern: string): string | undefined {
	let compiled: RegExp;
	try {
		compiled = new RegExp(pattern, 'u');
	} catch (error) {
		return toErrorMessage(error);
	}
	if (compiled.test('')) {
		return 'it matches nothing at all, and so everywhere';
	}
	// Each open group: whether something in it repeats.
	const open = [false];
	let closed = false;
	const pieces =
		/\\(?:[1-9]|k<)|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|\)|[*+]\??|\{\d+(?:,\d*)?\}\??|\??[^]/gsu;
	for (const [piece] of pattern.matchAll(pieces)) {
		if (/^\\(?:[1-9]|k<)/.test(piece)) {
			return 'it refers back to a group';
		}
		if (piece.startsWith('(')) {
			open.push(false);
			closed = false;
			continue;
		}
		if (piece === ')') {
			closed = open.pop() ?? false;
			if (closed) {
				open[open.length - 1] = true;
			}
			continue;
		}
		if (/^(?:[*+]|\{\d)/.test(piece)) {
			if (closed) {
				return 'a group that repeats holds something that repeats';
			}
			const most = Math.max(...(piece.match(/\d+/g) ?? ['0']).map(Number));
			if (most > MAX_PATTERN_REPEAT) {
				return `it repeats more than ${MAX_PATTERN_REPEAT} times`;
			}
			open[open.length - 1] = true;
		}
		closed = false;
	}
	return undefined;
}

function trialProblem(pattern: string): string | undefined {
	const compiled = new RegExp(pattern, 'gu');
	const letters = new Set([...pattern.replaceAll(/\\./g, ''), 'a', 'A', '0', ' ', '-', '_']);
	const texts = [
		...[...letters].map((letter) => letter.repeat(TRIAL_CHARS)),
		pattern.repeat(TRIAL_CHARS / pattern.length),
	];
	const end = runWithin(PATTERN_BUDGET_MS, () => texts.map((text) => text.replace(compiled, '').length));
	return end === undefined ? `it took longer than ${PATTERN_BUDGET_MS} ms on a text made to be slow` : undefined;
}
