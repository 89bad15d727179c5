/** The lists of the user's settings that tighten. A rule that cannot be read is not passed over: then everything is asked. */
import type { Settings } from '../../protocol/settings.ts';
import { parseAllowRules } from './allow-rule.ts';
import { LEVELS } from './levels.ts';
import type { RulesInForce } from './policy-text.ts';
import { mergeStrictRules, parseStrictRule, type StrictRule, type StrictRules } from './strict-rule.ts';

type Parsed = { readonly rules: readonly StrictRule[]; readonly unreadable: readonly string[] };

/** Settings are replaced, never changed, so a list that was read once need not be read again. */
const known = new WeakMap<readonly string[], Parsed>();

export function userStrictRules(settings: Settings): StrictRules {
	const deny = parsed(settings['prowess.approvals.deny'], 'prowess.approvals.deny');
	const ask = parsed(settings['prowess.approvals.ask'], 'prowess.approvals.ask');
	return { deny: deny.rules, ask: ask.rules, unreadable: [...deny.unreadable, ...ask.unreadable] };
}

function parsed(texts: readonly string[], setting: string): Parsed {
	const before = known.get(texts);
	if (before !== undefined) {
		return before;
	}
	const all = texts.map((text) => parseStrictRule(text, setting));
	const now = {
		rules: all.filter((rule) => typeof rule !== 'string'),
		unreadable: all.filter((rule) => typeof rule === 'string').map((problem) => `${setting}: ${problem}`),
	};
	known.set(texts, now);
	return now;
}

/** All rules, with those of the workspace. */
export function rulesInForce(
	settings: Settings,
	workspace: { readonly current: StrictRules; readonly problems: readonly string[] },
): RulesInForce {
	const user = userStrictRules(settings);
	const { deny, ask } = mergeStrictRules([user, workspace.current]);
	const listed = ({ text, source }: StrictRule) => ({ rule: text, source });
	return {
		autonomy: settings['prowess.approvals.autonomy'],
		perHour: {
			controlled: settings['prowess.approvals.perHour.controlled'],
			restricted: settings['prowess.approvals.perHour.restricted'],
			privileged: LEVELS.PRIVILEGED.perHour,
		},
		deny: deny.map(listed),
		ask: ask.map(listed),
		allow: parseAllowRules(settings['prowess.approvals.allow']).map(({ text }) => ({
			rule: text,
			source: 'prowess.approvals.allow',
		})),
		problems: [...user.unreadable, ...workspace.problems],
	};
}
