/**
 * Computes the rules that "always" offers: they cover the very act in question, from the narrowest on. Also explains
 * why another rule would not do.
 */
import { canonicalOp, COMMAND_OPS, isOpName } from '../../../../protocol/op-table/ops.ts';
import { type Text, text } from '../../../../protocol/text/text.ts';
import type { OpTarget } from '../../../../contract/ops/target.ts';
import { exactPattern, parseAllowRules, ruleCovers } from './allow-rule.ts';
import { exactArgvPattern, parseRuleWords } from './argv-pattern.ts';
import { countNamingWords } from '../commands/open-words.ts';
import { assessTargets } from '../commands/risk-assessor.ts';

/** Rules for commands that are kept in, wider step by step. None where the risk warning says anything. */
export function widerRules(op: string, target: OpTarget): readonly string[] {
	if (target.kind !== 'command' || target.isSandboxed !== true || assessTargets([target]).level !== 'low') {
		return [];
	}
	const { argv } = target;
	const said = countNamingWords(argv);
	if (said === undefined) {
		return [];
	}
	// For `run SCRIPT`, offer that script first, then all scripts.
	const isScript = argv[1] === 'run' && argv.length > 2;
	const lengths = [...new Set([...(isScript ? [3] : []), said])];
	const rules = lengths.map((length) => `${op} ${exactArgvPattern(argv.slice(0, length))} **`);
	return rules.filter((rule) => isCoveredByRule(rule, op, [target]));
}

/** Why a rule that a person has written for this act is not saved, with what to do; undefined: it is one. */
export function whyNotRule(rule: string, op: string, targets: readonly OpTarget[]): Text | undefined {
	const [, named, pattern] = /^\s*(\S+)\s+(.*\S)\s*$/s.exec(rule) ?? [];
	const [first] = targets;
	if (named === undefined || pattern === undefined || first === undefined) {
		return text('Write an op and a pattern, such as "{example}".', { example: `${op} ${createRuleExample(first)}` });
	}
	if (named !== op) {
		return isOpName(canonicalOp(named))
			? text('This is about {op}, so the rule has to begin with "{op}".', { op })
			: text('There is no op "{named}". Begin the rule with "{op}".', { named, op });
	}
	if (COMMAND_OPS.some((each) => each === op) && parseRuleWords(pattern) === undefined) {
		return text('A quotation mark is not closed.');
	}
	if (/^\*+$/.test(pattern)) {
		return text('"{pattern}" is too wide. Name what is allowed, such as "{example}".', {
			pattern,
			example: createRuleExample(first),
		});
	}
	if (isCoveredByRule(rule, op, targets)) {
		return undefined;
	}
	return /\s\*{1,2}$/.test(pattern) && first.kind === 'command'
		? text(
				'This rule does not cover the command. Rules that end with * or ** count in the sandbox only, never for programs that run others, and never beyond the workspace.',
			)
		: text('This rule does not cover what is asked about, so you would be asked again. Start from "{example}".', {
				example: createRuleExample(first),
			});
}

function isCoveredByRule(rule: string, op: string, targets: readonly OpTarget[]): boolean {
	const [parsed] = parseAllowRules([rule]);
	return parsed !== undefined && targets.every((target) => ruleCovers(parsed, op, target));
}

function createRuleExample(target: OpTarget | undefined): string {
	return target === undefined ? 'src/**' : exactPattern(target);
}
