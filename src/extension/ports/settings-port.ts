/**
 * The user's settings. What says where requests and keys go, or what happens without a question, is read from the user's
 * own settings only: whatever a workspace writes there changes nothing.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { LogPort, SettingsPort } from '../../capability-host/ports.ts';
import {
	readSettings,
	type SettingDef,
	type SettingName,
	type Settings,
	settings as table,
} from '../../protocol/settings.ts';

export interface EditorSettings extends SettingsPort, Disposable {
	/** Writes into the user's own settings. */
	set<N extends SettingName>(name: N, value: Settings[N]): Promise<void>;
}

export function createSettingsPort(log: LogPort): EditorSettings {
	const store = new DisposableStore();
	const changed = store.add(new Emitter<void>());
	let current = read(log);
	store.add(
		vscode.workspace.onDidChangeConfiguration((event) => {
			if (event.affectsConfiguration('prowess')) {
				current = read(log);
				changed.fire();
			}
		}),
	);
	const set: EditorSettings['set'] = async (name, value) => {
		await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
	};
	return {
		get current() {
			return current;
		},
		onDidChange: changed.event,
		set,
		async allowAlways(rule) {
			const rules = current['prowess.approvals.allow'];
			if (!rules.includes(rule)) {
				await set('prowess.approvals.allow', [...rules, rule]);
			}
		},
		dispose: () => store.dispose(),
	};
}

function read(log: LogPort): Settings {
	const configuration = vscode.workspace.getConfiguration();
	const { settings, problems } = readSettings((name) => valueOf(configuration, name));
	for (const problem of problems) {
		log.warn(`settings: ${problem}`);
	}
	return settings;
}

function valueOf(configuration: vscode.WorkspaceConfiguration, name: SettingName): unknown {
	const found = configuration.inspect<unknown>(name);
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
