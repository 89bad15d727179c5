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
	/**
	 * Writes into the user's own settings what `changed` makes of their value, without what the organisation's rules make of it:
	 * the user's choice is still there when the rules go. Rejects where parts of the present value that cannot be read would be
	 * lost.
	 */
	change<N extends SettingName>(name: N, changed: (own: Settings[N]) => Settings[N]): Promise<void>;
}

export function createSettingsPort(log: LogPort): EditorSettings {
	const store = new DisposableStore();
	const didChange = store.add(new Emitter<void>());
	let organisation: Organisation | undefined;
	let read = readEditorSettings(log);
	store.add(
		vscode.workspace.onDidChangeConfiguration((event) => {
			if (event.affectsConfiguration('prowess')) {
				read = readEditorSettings(log);
				didChange.fire();
			}
		}),
	);
	const change: EditorSettings['change'] = async (name, changed) => {
		const value = changed(read.settings[name]);
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
		await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
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
			if (found !== undefined) didChange.fire();
		},
		get problems() {
			return read.problems;
		},
		onDidChange: didChange.event,
		change,
		async allowAlways(rule) {
			if (!read.settings['prowess.approvals.allow'].includes(rule)) {
				await change('prowess.approvals.allow', (rules) => [...rules, rule]);
			}
		},
		async removeAllowed(list, entries) {
			const before = read.settings[list];
			const removed = before.filter((each) => entries.includes(each.trim()));
			if (removed.length > 0) {
				await change(list, (own) => own.filter((each) => !removed.includes(each)));
			}
			return removed.length;
		},
		dispose: () => store.dispose(),
	};
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
