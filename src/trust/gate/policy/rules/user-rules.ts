/**
 * Reads the rules in the user's settings that tighten. A rule or setting that cannot be read is not passed over: then
 * everything is asked, because what it was meant to refuse is unknown.
 */
import type { SettingProblem } from '../../../../protocol/settings/read-settings.ts';
import type { SettingDef } from '../../../../protocol/settings/setting-def.ts';
import { settings as table } from '../../../../protocol/settings/settings.ts';
import { ignoredAllowRules, parseAllowRules } from './allow-rule.ts';
import { RISK_LEVEL_RULES } from '../levels/levels.ts';
import { hookList } from '../../hooks/hook-list.ts';
import type { Organisation } from '../../../../contract/ports/organisation.ts';
import type { SettingsPort } from '../../../../contract/ports/ports.ts';
import type { RulesInForce } from '../workspace/policy-text.ts';
import { unmatchableRules } from './unmatchable-rules.ts';
import { mergeStrictRules, parseStrictRule, type StrictRule, type StrictRules } from './strict-rule.ts';

const WIDEST = 'prowess.approvals.widestLevel';

type ParsedUserRules = { readonly rules: readonly StrictRule[]; readonly unreadable: readonly string[] };

/** Settings are replaced, never changed, so a list that was read once need not be read again. */
const parsedRuleLists = new WeakMap<readonly string[], ParsedUserRules>();

export type RulesOfSettings = Pick<SettingsPort, 'current' | 'problems' | 'organisation'>;

/** The user's own rules that tighten, with those of their organisation. */
export function userStrictRules({ current, problems, organisation }: RulesOfSettings): StrictRules {
	const deny = parseUserRules(current['prowess.approvals.deny'], 'prowess.approvals.deny');
	const ask = parseUserRules(current['prowess.approvals.ask'], 'prowess.approvals.ask');
	const unread = problems.filter(asksMeanwhile).map(({ fault }) => fault);
	const level = current[WIDEST];
	const own: StrictRules = {
		deny: deny.rules,
		ask: ask.rules,
		unreadable: [...unread, ...deny.unreadable, ...ask.unreadable],
		...(level === 'full' ? {} : { widest: { level, source: WIDEST } }),
	};
	return organisation === undefined ? own : mergeStrictRules([organisationStrictRules(organisation), own]);
}

/** Rules of an organisation, each with its name as the source. */
function organisationStrictRules(organisation: Organisation): StrictRules {
	const source = `your organisation (${organisation.name})`;
	const { deny = [], ask = [], widestLevel } = organisation.rules;
	const [denied, asked] = [parseUserRules(deny, source), parseUserRules(ask, source)];
	return {
		deny: denied.rules,
		ask: asked.rules,
		unreadable: [...denied.unreadable, ...asked.unreadable],
		...(widestLevel === undefined || widestLevel === 'full'
			? {}
			: { widest: { level: widestLevel, source: `Your organisation (${organisation.name})` } }),
		organisation,
	};
}

function asksMeanwhile({ name }: SettingProblem): boolean {
	const { whileUnreadable }: SettingDef = table[name];
	return whileUnreadable === 'ask';
}

function parseUserRules(texts: readonly string[], setting: string): ParsedUserRules {
	const before = parsedRuleLists.get(texts);
	if (before !== undefined) {
		return before;
	}
	const all = texts.map((text) => parseStrictRule(text, setting));
	const now = {
		rules: all.filter((rule) => typeof rule !== 'string'),
		unreadable: all.filter((rule) => typeof rule === 'string').map((problem) => `${setting}: ${problem}`),
	};
	parsedRuleLists.set(texts, now);
	return now;
}

/**
 * Lists the user's own rules and hooks that cannot be read, and so make a question or a refusal of everything; and the
 * rules that allow nothing or match nothing, of which their author has to be told.
 */
export function rulesProblems(settings: RulesOfSettings): string[] {
	const ignored = ignoredAllowRules(settings.current['prowess.approvals.allow']);
	const strict = userStrictRules(settings);
	return [
		...strict.unreadable,
		...unmatchableRules(strict),
		...ignored.map((problem) => `prowess.approvals.allow: ${problem}`),
		...hookList(settings).problems,
	];
}

/** Rules and hooks that cannot be read, in words. */
export function unreadableRules(settings: RulesOfSettings): readonly string[] {
	return [...userStrictRules(settings).unreadable, ...hookList(settings).problems];
}

/** All rules, with those of the workspace; hooks are not rules. */
export function rulesInForce(
	settings: RulesOfSettings,
	workspace: { readonly current: StrictRules; readonly problems: readonly string[] },
	project: { readonly current: readonly string[]; readonly problem: string | undefined },
): Omit<RulesInForce, 'hooks'> {
	const { current, organisation } = settings;
	const user = userStrictRules(settings);
	const { deny, ask, widest } = mergeStrictRules([user, workspace.current]);
	const toListedRule = ({ text, source }: StrictRule) => ({ rule: text, source });
	return {
		...(organisation === undefined
			? {}
			: { organisation: { name: organisation.name, place: organisation.place, rules: organisation.words() } }),
		level: current['prowess.approvals.level'],
		...(widest === undefined ? {} : { widest }),
		perHour: {
			controlled: current['prowess.approvals.perHour.controlled'],
			restricted: current['prowess.approvals.perHour.restricted'],
			privileged: RISK_LEVEL_RULES.PRIVILEGED.perHour,
		},
		deny: deny.map(toListedRule),
		ask: ask.map(toListedRule),
		allow: [
			...parseAllowRules(project.current, 'project'),
			...parseAllowRules(current['prowess.approvals.allow'], 'everywhere'),
		].map(({ text, scope }) => ({
			rule: text,
			source: scope === 'project' ? 'this project' : 'prowess.approvals.allow',
			scope,
		})),
		problems: [
			...rulesProblems(settings),
			...workspace.problems,
			...unmatchableRules(workspace.current),
			...(project.problem === undefined ? [] : [project.problem]),
		],
	};
}
