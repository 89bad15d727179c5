/** `settings.json` in PROWESS_HOME, as the port the trusted base asks for. The names are those of the editor's settings. */
import { join } from 'node:path';
import { Emitter } from '../../base/emitter.ts';
import type { Organisation } from '../../contract/ports/organisation.ts';
import { setJsoncMember, withoutComments } from '../../base/text/jsonc.ts';
import type { AllowList, LogPort, SettingsPort } from '../../contract/ports/ports.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { readSettings, type SettingProblem } from '../../protocol/settings/read-settings.ts';
import {
	FORMER_SETTING_NAMES,
	SETTING_NAMES,
	type SettingName,
	type Settings,
} from '../../protocol/settings/settings.ts';
import { didYouMean } from '../terminal/usage-error.ts';
import { readHomeText, readJsonObject, replaceFile } from './json-file.ts';

const rulesOfUser = 'prowess.approvals.allow';

export class SettingsFile implements SettingsPort {
	readonly path: string;
	readonly #changed = new Emitter<void>();
	#current: Settings;

	readonly organisation: Organisation | undefined;

	/** Throws when the file is wrong: settings that guard must not silently be others. */
	constructor(home: string, log: LogPort, organisation?: Organisation) {
		this.organisation = organisation;
		this.path = join(home, 'settings.json');
		const values = readJsonObject(this.path) ?? {};
		this.#current = this.#parse(values);
		const names: readonly string[] = SETTING_NAMES;
		const readable = [...names, ...FORMER_SETTING_NAMES];
		for (const name of Object.keys(values).filter((each) => each.startsWith('prowess.') && !readable.includes(each))) {
			log.warn(`${this.path}: there is no setting "${name}"${didYouMean(name, names)}`);
		}
	}

	readonly onDidChange = this.#changed.event;

	/** None: a file with any is not read at all. */
	readonly problems: readonly SettingProblem[] = [];

	get current(): Settings {
		return this.organisation?.tighten(this.#current) ?? this.#current;
	}

	/** Takes the place of what the file says, for this process only. */
	override(values: Partial<Settings>): void {
		this.#current = { ...this.#current, ...values };
	}

	async allowAlways(rule: string): Promise<void> {
		const { values, settings } = this.#readAgain();
		const rules = settings[rulesOfUser];
		if (!rules.includes(rule)) {
			this.#write(values, rulesOfUser, [...rules, rule]);
		}
		this.override({ [rulesOfUser]: [...new Set([...this.#current[rulesOfUser], ...rules, rule])] });
		this.#changed.fire();
	}

	async removeAllowed(list: AllowList, entries: readonly string[]): Promise<number> {
		const { values, settings } = this.#readAgain();
		const isLeft = (entry: string) => !entries.includes(entry.trim());
		const others = settings[list].filter(isLeft);
		const count = settings[list].length - others.length;
		if (count > 0) {
			this.#write(values, list, others);
		}
		this.override({ [list]: this.#current[list].filter(isLeft) });
		this.#changed.fire();
		return count;
	}

	/** Another process may have written since. */
	#readAgain() {
		const values = readJsonObject(this.path) ?? {};
		return { values, settings: this.#parse(values) };
	}

	/**
	 * Changes one setting in the file. Throws as `changed` does, and when the value does not fit; then nothing has
	 * changed.
	 */
	change<N extends SettingName>(name: N, changed: (value: Settings[N]) => Settings[N]): void {
		const { values, settings } = this.#readAgain();
		const value = changed(settings[name]);
		this.#parse({ ...values, [name]: value });
		this.#write(values, name, value);
		this.override({ [name]: value } as Partial<Settings>);
		this.#changed.fire();
	}

	#write(values: Readonly<Record<string, unknown>>, name: SettingName, value: unknown): void {
		const text = readHomeText(this.path) ?? '';
		replaceFile(
			this.path,
			hasComments(text)
				? setJsoncMember(text, name, value)
				: `${JSON.stringify({ ...values, [name]: value }, null, 2)}\n`,
		);
	}

	#parse(values: Readonly<Record<string, unknown>>): Settings {
		const readOwnValue = (_name: string, key: string) => (Object.hasOwn(values, key) ? values[key] : undefined);
		const { settings, problems } = readSettings(readOwnValue, process.env);
		if (problems.length > 0) {
			const stored = problems.filter(({ isVariable }) => isVariable !== true).map(({ fault }) => fault);
			const variables = problems.filter(({ isVariable }) => isVariable === true).map(({ fault }) => fault);
			const named = [...(stored.length === 0 ? [] : [`${this.path}: ${stored.join('; ')}`]), ...variables];
			throw new ProwessError('INVALID_PARAMS', named.join('; '), { path: this.path });
		}
		return settings;
	}
}

/** Text of the user, which a rewrite would lose. */
function hasComments(text: string): boolean {
	const bare = withoutComments(text);
	return bare !== text && bare.trim() !== '';
}
