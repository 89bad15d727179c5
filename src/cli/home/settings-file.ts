/** `settings.json` in PROWESS_HOME, as the port the trusted base asks for. The names are those of the editor's settings. */
import { join } from 'node:path';
import { Emitter } from '../../base/emitter.ts';
import type { LogPort, SettingsPort } from '../../capability-host/contract/ports.ts';
import { ProwessError } from '../../protocol/errors.ts';
import { readSettings, type SettingProblem } from '../../protocol/read-settings.ts';
import { SETTING_NAMES, type Settings } from '../../protocol/settings.ts';
import { didYouMean } from '../usage-error.ts';
import { readJsonObject } from './json-file.ts';
import { replaceFile } from './replace-file.ts';

const rulesOfUser = 'prowess.approvals.allow';

export class SettingsFile implements SettingsPort {
	readonly #path: string;
	readonly #changed = new Emitter<void>();
	#current: Settings;

	/** Throws when the file is wrong: settings that guard must not silently be others. */
	constructor(home: string, log: LogPort) {
		this.#path = join(home, 'settings.json');
		const values = readJsonObject(this.#path) ?? {};
		this.#current = this.#parse(values);
		const names: readonly string[] = SETTING_NAMES;
		for (const name of Object.keys(values).filter((each) => each.startsWith('prowess.') && !names.includes(each))) {
			log.warn(`${this.#path}: there is no setting "${name}"${didYouMean(name, names)}`);
		}
	}

	readonly onDidChange = this.#changed.event;

	/** None: a file with any is not read at all. */
	readonly problems: readonly SettingProblem[] = [];

	get current(): Settings {
		return this.#current;
	}

	/** Takes the place of what the file says, for this process only. */
	override(values: Partial<Settings>): void {
		this.#current = { ...this.#current, ...values };
	}

	async allowAlways(rule: string): Promise<void> {
		const { values, rules } = this.#readAgain();
		if (!rules.includes(rule)) {
			this.#write(values, [...rules, rule]);
		}
		this.override({ [rulesOfUser]: [...new Set([...this.#current[rulesOfUser], ...rules, rule])] });
		this.#changed.fire();
	}

	async allowNoLonger(rule: string): Promise<boolean> {
		const { values, rules } = this.#readAgain();
		const others = rules.filter((each) => each.trim() !== rule);
		if (others.length < rules.length) {
			this.#write(values, others);
		}
		this.override({ [rulesOfUser]: this.#current[rulesOfUser].filter((each) => each.trim() !== rule) });
		this.#changed.fire();
		return others.length < rules.length;
	}

	/** Another process may have written since. */
	#readAgain() {
		const values = readJsonObject(this.#path) ?? {};
		return { values, rules: this.#parse(values)[rulesOfUser] };
	}

	#write(values: Readonly<Record<string, unknown>>, rules: readonly string[]): void {
		replaceFile(this.#path, `${JSON.stringify({ ...values, [rulesOfUser]: rules }, null, 2)}\n`);
	}

	#parse(values: Readonly<Record<string, unknown>>): Settings {
		const { settings, problems } = readSettings((name) => (Object.hasOwn(values, name) ? values[name] : undefined));
		if (problems.length > 0) {
			const named = problems.map(({ fault }) => fault).join('; ');
			throw new ProwessError('INVALID_PARAMS', `${this.#path}: ${named}`, { path: this.#path });
		}
		return settings;
	}
}
