/** Explanations and rules as a person reads them, in the editor and on a terminal. */
import type { Explanation } from '../../../../contract/decision.ts';
import { joinCommands } from '../../../../protocol/ops/commands/command-chain.ts';
import { needsInWords, sandboxInWords } from '../../../../protocol/ops/commands/command-needs.ts';
import { redirectText } from '../../../../protocol/ops/commands/redirect.ts';
import { LEVEL_WORDS, type PermissionLevel } from '../../../../protocol/ops/permission-level.ts';
import { inEnglish, type Text } from '../../../../protocol/text/text.ts';
import type { HookInForce } from '../../hooks/hooks-in-force.ts';
import type { RuleScope } from '../rules/allow-rule.ts';
import type { WidestLevel } from '../rules/strict-rule.ts';

/** Each with whose it is. */
export interface RulesInForce {
	/** Rules of the user's organisation; absent: it has set none. */
	readonly organisation?: {
		readonly name: string;
		/** File or address. */
		readonly place: string;
		readonly rules: readonly Text[];
	};
	/** Level of threads that were given none of their own. */
	readonly level: PermissionLevel;
	/** Absent: every level is permitted. */
	readonly widest?: WidestLevel;
	readonly perHour: { readonly controlled: number; readonly restricted: number; readonly privileged: number };
	readonly deny: readonly { readonly rule: string; readonly source: string }[];
	readonly ask: readonly { readonly rule: string; readonly source: string }[];
	readonly allow: readonly { readonly rule: string; readonly source: string; readonly scope: RuleScope }[];
	readonly hooks: readonly HookInForce[];
	readonly problems: readonly string[];
}

const DECISIONS: { readonly [D in Explanation['decision']]: string } = {
	allow: 'ALLOWED without a question',
	ask: 'ASKED',
	deny: 'REFUSED',
	invalid: 'NOT POSSIBLE',
};

export function explanationText(explanation: Explanation): string {
	const { op, title, decision, rule, reason, level, permission, perHour, asked, unprepared } = explanation;
	const lines: (readonly [string, string | null])[] = [
		['Op', op],
		['What', title],
		['Decision', DECISIONS[decision]],
		['By', rule],
		['Because', reason],
		['Level', level],
		['Permission', permission],
		['Per hour', perHour === 0 ? 'no limit' : `at most ${perHour}`],
		['Note', unprepared === null ? null : `judged by what is written only: ${unprepared}`],
	];
	if (asked !== null) {
		lines.push(
			['Shown', detailText(asked.detail)],
			['Warning', asked.warning === null ? null : asked.warning],
			['Always', asked.pattern ?? 'not offered'],
			['For thread', asked.threadScope ?? 'not offered'],
			[
				'Passes at',
				asked.passesAt === null ? 'no permission level' : `permission level ${formatPolicyLevel(asked.passesAt)}`,
			],
			['Is at', `permission level ${formatPolicyLevel(explanation.threadLevel)}`],
		);
	}
	return lines
		.filter((line): line is [string, string] => line[1] !== null)
		.map(([name, text]) => `${name.padEnd(10)}  ${text.replaceAll('\n', `\n${' '.repeat(12)}`)}\n`)
		.join('');
}

export function rulesText(inForce: RulesInForce): string {
	const { organisation, level, widest, perHour, deny, ask, allow, hooks, problems } = inForce;
	const listRules = (name: string, rules: RulesInForce['deny']) => [
		`${name}:`,
		...(rules.length === 0 ? ['  (none)'] : rules.map(({ rule, source }) => `  ${rule}    (${source})`)),
	];
	const formatLimit = (number: number) => (number === 0 ? 'no limit' : String(number));
	return [
		...(organisation === undefined
			? []
			: [
					`Set by your organisation (${organisation.name}), in ${organisation.place}:`,
					...organisation.rules.map((rule) => `  ${inEnglish(rule)}`),
				]),
		`Permission level of new threads: ${formatPolicyLevel(level)}`,
		`Widest permission level: ${widest === undefined ? formatPolicyLevel('full') : `${formatPolicyLevel(widest.level)}    (${widest.source})`}`,
		`Per hour: CONTROLLED ${formatLimit(perHour.controlled)}, RESTRICTED ${formatLimit(perHour.restricted)}, PRIVILEGED ${formatLimit(perHour.privileged)}`,
		...[...listRules('Refused', deny), ...listRules('Asked every time', ask), ...listRules('Allowed', allow)],
		...(hooks.length === 0
			? []
			: ['Hooks:', ...hooks.map(({ hook, runs }) => `  ${hook}    (runs ${inEnglish(runs)})`)]),
		...(problems.length === 0 ? [] : ['Problems:', ...problems.map((problem) => `  ${problem}`)]),
		'',
	].join('\n');
}

function detailText(detail: NonNullable<Explanation['asked']>['detail']): string | null {
	switch (detail?.kind) {
		case undefined:
			return null;
		case 'command':
			return [
				`${joinCommands(detail, ({ argv, redirects = [] }) => [
					...argv.map((argument) => JSON.stringify(argument)),
					...redirects.map((redirect) => redirectText(redirect, (path) => JSON.stringify(path))),
				])} in ${detail.cwd}`,
				...(detail.sandboxed === undefined ? [] : [inEnglish(sandboxInWords(detail.sandboxed))]),
				...needsInWords(detail.needs ?? {}).map((need) => `- ${inEnglish(need)}`),
			].join('\n');
		case 'diff':
			return detail.diff.patch;
		case 'diffs':
			return detail.diffs.map(({ patch }) => patch).join('\n');
		case 'path':
			return detail.path;
		case 'plan':
		case 'text':
			return detail.text;
	}
}

function formatPolicyLevel(level: PermissionLevel): string {
	return inEnglish(LEVEL_WORDS[level].name);
}
