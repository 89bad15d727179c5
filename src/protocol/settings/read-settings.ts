/** Reads settings from unchecked values. A value that cannot be read is always reported as a problem. */
import type { SettingDef } from './setting-def.ts';
import { SETTING_NAMES, type SettingName, type Settings, settings } from './settings.ts';

export interface SettingProblem {
	readonly name: SettingName;
	/** Problem and place, beginning with the setting's name. */
	readonly fault: string;
	/** True: the value is a variable of the environment, not a stored one. */
	readonly isVariable?: true;
	/** Value used instead. */
	readonly instead: 'the default is used' | 'the other entries count' | 'the setting counts';
}

export interface ReadSettings {
	readonly settings: Settings;
	readonly problems: readonly SettingProblem[];
}

type SettingEnvironment = Readonly<Record<string, string | undefined>>;

/** Variables that go before what is stored (S2-09, S2-10). Each holds a number: the whole value, or that of one field. */
const VARIABLES: Partial<Readonly<Record<SettingName, { readonly variable: string; readonly field?: string }>>> = {
	'prowess.agent.toolTimeoutSeconds': { variable: 'PROWESS_TOOL_TIMEOUT_SECS' },
	'prowess.agent.limits': { variable: 'PROWESS_AGENT_TIMEOUT_SECS', field: 'subAgentSeconds' },
};

/**
 * Replaces a wrong value with its default, and drops wrong entries of a list; each fault is in `problems`. `get` gives what
 * stands under a key: the setting's name and, where that has no value, its former name.
 */
export function readSettings(
	get: (name: SettingName, key: string) => unknown,
	environment: SettingEnvironment = {},
): ReadSettings {
	const problems: SettingProblem[] = [];
	const values = SETTING_NAMES.map((name) => {
		const { formerName }: SettingDef = settings[name];
		const { variable, field } = VARIABLES[name] ?? {};
		const given = variable === undefined ? undefined : environment[variable]?.trim();
		const number = Number.isNaN(Number(given)) ? given : Number(given);
		if (variable !== undefined && given && field === undefined) {
			const read = readSetting(name, number, variable);
			problems.push(...read.problems.map((problem) => Object.assign(problem, { isVariable: true as const })));
			return [name, read.value];
		}
		const own = get(name, name);
		const isFormer = own === undefined && formerName !== undefined;
		const read = isFormer ? readSetting(name, get(name, formerName), formerName) : readSetting(name, own, name);
		problems.push(...read.problems);
		if (variable !== undefined && given && field !== undefined) {
			const whole = settings[name].schema.safeParse({ ...(read.value as object), [field]: number });
			if (whole.success) return [name, whole.data];
			const fault = `${variable}: ${whole.error.issues[0]?.message ?? given}`;
			problems.push({ name, fault, isVariable: true, instead: 'the setting counts' });
		}
		return [name, read.value];
	});
	return { settings: Object.fromEntries(values) as Settings, problems };
}

export function settingProblemText({ fault, instead }: SettingProblem): string {
	return `${fault}; ${instead}`;
}

/** `key`: where the value stands. */
function readSetting(
	name: SettingName,
	raw: unknown,
	key: string,
): { value: unknown; problems: readonly SettingProblem[] } {
	const def: SettingDef = settings[name];
	if (raw === undefined) {
		return { value: def.default, problems: [] };
	}
	const parsed = def.schema.safeParse(raw);
	if (parsed.success) {
		return { value: parsed.data, problems: [] };
	}
	const faults = new Map<PropertyKey | undefined, string>();
	for (const { path, message } of parsed.error.issues) {
		if (!faults.has(path[0])) {
			faults.set(path[0], `${[key, ...path].join('.')}: ${message}`);
		}
	}
	const problems = (instead: SettingProblem['instead']) =>
		[...faults.values()].map((fault) => ({ name, fault, instead }));
	const others = Array.isArray(raw) ? def.schema.safeParse(raw.filter((_, index) => !faults.has(index))) : parsed;
	return others.success
		? { value: others.data, problems: problems('the other entries count') }
		: { value: def.default, problems: problems('the default is used') };
}
