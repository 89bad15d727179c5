/** Conditions as people and models write them: "Until: …", then what checks it and what may be used. */
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { readShellLine } from '../../../protocol/ops/commands/read-shell-line.ts';
import { text } from '../../../protocol/text/text.ts';
import type { RoundLimits, UntilCondition } from '../goal.ts';

/** Limits of the rounds of a goal, unless its plan says otherwise. */
export const defaultRoundLimits: RoundLimits = { rounds: 20, tokens: 2_000_000, cost: 10, minutes: 120 };

/** Highest limits that a plan may name. */
const mostRoundLimits: RoundLimits = { rounds: 200, tokens: 100_000_000, cost: 1_000, minutes: 2_880 };

/** In place of a command: a model judges. */
const JUDGE = 'a model judges';

export interface UntilWords {
	readonly condition: string;
	/** Undefined: the words name neither a command nor the judge. */
	readonly check: UntilCondition['check'] | undefined;
	readonly limits: RoundLimits;
}

const UNTIL = /^(?:#+\s*)?until:\s*(.*)$/iu;
const CHECK = /^check:\s*(.*)$/iu;
const LIMITS = /^limits:\s*(.*)$/iu;

/** Undefined: the plan has steps. Throws INVALID_PARAMS with the line that cannot be read. */
export function parseUntilWords(plan: string): UntilWords | undefined {
	const [head = '', ...lines] = plan.trim().split('\n');
	const condition = UNTIL.exec(head.trim())?.[1]?.trim();
	if (condition === undefined) {
		return undefined;
	}
	let check: UntilWords['check'];
	let limits = defaultRoundLimits;
	for (const [at, line] of lines.entries()) {
		const words = line.trim();
		const checked = CHECK.exec(words)?.[1]?.trim();
		const limited = LIMITS.exec(words)?.[1];
		if (checked !== undefined) {
			check = checked.toLowerCase() === JUDGE ? null : checked;
		} else if (limited !== undefined) {
			limits = parseRoundLimits(limited);
		} else if (words !== '') {
			throw new ProwessError('INVALID_PARAMS', `line ${at + 2} of the plan: expected "Check:" or "Limits:"`, {
				line: at + 2,
				said: text('Line {line} of the plan: expected "Check: …" or "Limits: …".', { line: at + 2 }),
			});
		}
	}
	return { condition, check, limits };
}

/** The same words, with all that is decided. */
export function formatUntilWords({ condition, check, limits }: UntilWords): string {
	return [
		`Until: ${condition.replaceAll(/\s+/gu, ' ')}`,
		`Check: ${check ?? JUDGE}`,
		`Limits: ${formatRoundLimits(limits)}`,
	].join('\n');
}

export function formatRoundLimits({ rounds, tokens, cost, minutes }: RoundLimits): string {
	return `${rounds} rounds, ${tokens} tokens, ${cost} USD, ${minutes} minutes`;
}

const LIMIT_NAMES: { readonly [K in keyof RoundLimits]: RegExp } = {
	rounds: /^rounds?$/iu,
	tokens: /^tokens?$/iu,
	cost: /^(?:usd|dollars?)$/iu,
	minutes: /^min(?:utes?)?$/iu,
};

/** Throws INVALID_PARAMS with the part that cannot be read; a limit that is not named is the usual one. */
export function parseRoundLimits(words: string): RoundLimits {
	const limits: { -readonly [K in keyof RoundLimits]: number } = { ...defaultRoundLimits };
	for (const part of words.split(',').filter((each) => each.trim() !== '')) {
		const [, amount = '', unit = ''] = /^\s*(\S+)\s+(\S+)\s*$/u.exec(part) ?? [];
		const name = (Object.keys(LIMIT_NAMES) as (keyof RoundLimits)[]).find((each) => LIMIT_NAMES[each].test(unit));
		if (name === undefined) {
			throw createLimitError(part.trim(), Object.keys(mostRoundLimits).join(', '));
		}
		limits[name] = readRoundLimit(name, amount);
	}
	return limits;
}

/** Throws INVALID_PARAMS for what is no limit of that name. */
export function readRoundLimit(name: keyof RoundLimits, words: string): number {
	const value = Number(words);
	const isRight = words.trim() !== '' && value > 0 && value <= mostRoundLimits[name];
	if (!isRight || (name !== 'cost' && !Number.isInteger(value))) {
		throw createLimitError(`${words} ${name}`, `1 to ${mostRoundLimits[name]} ${name}`);
	}
	return value;
}

function createLimitError(given: string, wanted: string): ProwessError {
	return new ProwessError('INVALID_PARAMS', `the limit "${given}" cannot be read, expected ${wanted}`, {
		said: text('The limit "{given}" cannot be read. Expected: {wanted}', { given, wanted }),
	});
}

/** Throws INVALID_PARAMS for a condition without words, and for a check that is no command. */
export function requireUntil({ condition, check, limits }: UntilWords): UntilCondition {
	if (condition.trim() === '') {
		throw new ProwessError('INVALID_PARAMS', 'a goal needs a condition', { said: text('A goal needs a condition.') });
	}
	if (typeof check === 'string' && readShellLine(check) === undefined) {
		throw new ProwessError('INVALID_PARAMS', `the check is no command that can be run: ${check}`, {
			said: text('The check is not a command that can run here: {command}', { command: check }),
		});
	}
	return { check: check ?? null, limits };
}
