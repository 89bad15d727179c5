/** Settings as somebody wrote them, made into settings. What cannot be read is never passed over in silence: it is a problem. */
import { SETTING_NAMES, type SettingDef, type SettingName, type Settings, settings } from './settings.ts';

export interface SettingProblem {
	readonly name: SettingName;
	/** What is wrong and where, beginning with the setting's name. */
	readonly fault: string;
	/** What counts in its place. */
	readonly instead: 'the default is used' | 'the other entries count';
}

export interface ReadSettings {
	readonly settings: Settings;
	readonly problems: readonly SettingProblem[];
}

/** Of a wrong value its default counts, of a list with wrong entries the others; each fault is in `problems`. */
export function readSettings(get: (name: SettingName) => unknown): ReadSettings {
	const problems: SettingProblem[] = [];
	const values = SETTING_NAMES.map((name) => {
		const read = readSetting(name, get(name));
		problems.push(...read.problems);
		return [name, read.value];
	});
	return { settings: Object.fromEntries(values) as Settings, problems };
}

export function settingProblemText({ fault, instead }: SettingProblem): string {
	return `${fault}; ${instead}`;
}

function readSetting(name: SettingName, raw: unknown): { value: unknown; problems: readonly SettingProblem[] } {
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
			faults.set(path[0], `${[name, ...path].join('.')}: ${message}`);
		}
	}
	const problems = (instead: SettingProblem['instead']) =>
		[...faults.values()].map((fault) => ({ name, fault, instead }));
	const others = Array.isArray(raw) ? def.schema.safeParse(raw.filter((_, index) => !faults.has(index))) : parsed;
	return others.success
		? { value: others.data, problems: problems('the other entries count') }
		: { value: def.default, problems: problems('the default is used') };
}
