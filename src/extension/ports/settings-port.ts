/**
 * The user's settings. Settings that say where requests and keys go, or what happens without a question, are read from
 * the user's own settings only; values that a workspace writes there change nothing.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Organisation } from '../../contract/ports/organisation.ts';
import type { LogPort, SettingsPort } from '../../contract/ports/ports.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { type ReadSettings, readSettings, settingProblemText } from '../../protocol/settings/read-settings.ts';
import type { SettingDef } from '../../protocol/settings/setting-def.ts';
import { type SettingName, type Settings, settings as table } from '../../protocol/settings/settings.ts';
import { text } from '../../protocol/text/text.ts';

export interface EditorSettings extends SettingsPort, Disposable {
	/** From now on the settings are as the rules of the organisation leave them. */
	adopt(organisation: Organisation | undefined): void;
	/** Writes into the user's own settings. Rejects where that would drop parts of the present value that cannot be read. */
	set<N extends SettingName>(name: N, value: Settings[N]): Promise<void>;
}

export function createSettingsPort(log: LogPort): EditorSettings {
	const store = new DisposableStore();
	const changed = store.add(new Emitter<void>());
	let organisation: Organisation | undefined;
	let read = readEditorSettings(log);
	store.add(
		vscode.workspace.onDidChangeConfiguration((event) => {
			if (event.affectsConfiguration('prowess')) {
				read = readEditorSettings(log);
				changed.fire();
			}
		}),
	);
	const set: EditorSettings['set'] = async (name, value) => {
		const problem = read.problems.find((each) => each.name === name);
		if (problem !== undefined && typeof value === 'object') {
			const message = `${problem.fault}; repair it in your settings first, so that nothing of it is lost`;
			throw new ProwessError('INVALID_STATE', message, {
				setting: name,
				said: text('{fault}. Repair it in your settings first, so that nothing of it is lost.', {
					fault: problem.fault,
				}),
			});
		}
		await vscode.workspace.getConfiguration().update(name, withoutRules(value), vscode.ConfigurationTarget.Global);
	};
	return {
		get current() {
			return organisation?.tighten(read.settings) ?? read.settings;
		},
		get organisation() {
			return organisation;
		},
		adopt(found) {
			organisation = found;
			if (found !== undefined) changed.fire();
		},
		get problems() {
			return read.problems;
		},
		onDidChange: changed.event,
		set,
		async allowAlways(rule) {
			const rules = read.settings['prowess.approvals.allow'];
			if (!rules.includes(rule)) {
				await set('prowess.approvals.allow', [...rules, rule]);
			}
		},
		async removeAllowed(list, entries) {
			const before = read.settings[list];
			const others = before.filter((each) => !entries.includes(each.trim()));
			if (others.length < before.length) {
				await set(list, others);
			}
			return before.length - others.length;
		},
		dispose: () => store.dispose(),
	};
}

/** A value without what the rules of an organisation have added to it. */
function withoutRules(value: unknown): unknown {
	if (!Array.isArray(value)) return value;
	return value.map((each: unknown) =>
		typeof each === 'object' && each !== null && 'allowedModels' in each ? { ...each, allowedModels: undefined } : each,
	);
}

function readEditorSettings(log: LogPort): ReadSettings {
	const configuration = vscode.workspace.getConfiguration();
	const read = readSettings((name, key) => readScopedValue(configuration, name, key), process.env);
	for (const problem of read.problems) {
		log.warn(`settings: ${settingProblemText(problem)}`);
	}
	return read;
}

/** `key`: where it is looked for, which may be its former name. */
function readScopedValue(configuration: vscode.WorkspaceConfiguration, name: SettingName, key: string): unknown {
	const found = configuration.inspect<unknown>(key);
	const { scope }: SettingDef = table[name];
	switch (scope) {
		case 'application':
		case 'machine':
			return found?.globalValue;
		case 'window':
		case 'resource':
			return found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
	}
}
