/** Ports of the editor for the trusted base. */
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { HostPorts, LogPort, SettingsPort, WorkspacePort } from '../../contract/ports/ports.ts';
import type { Attention } from '../notices/attention.ts';
import type { ChangedFiles } from './changed-files.ts';
import { documentPort } from './document-port.ts';
import { createEditorPort } from './editor-port.ts';
import { createPersonPort } from './person-port.ts';
import { ripgrepCandidates } from './places.ts';
import { createSecretsPort } from './secrets-port.ts';

interface EditorParts extends Pick<HostPorts, 'server'> {
	readonly log: LogPort;
	readonly home: string;
	readonly dist: string;
	readonly workspace: WorkspacePort;
	readonly settings: SettingsPort;
	readonly attention: Attention;
	readonly changedFiles: ChangedFiles;
	readonly secrets: vscode.SecretStorage;
	readonly signIn: HostPorts['signIn'];
}

export function editorHostPorts(parts: EditorParts): HostPorts {
	const { log, home, dist, workspace, settings, attention, changedFiles, secrets, signIn, server } = parts;
	return {
		workspace,
		documents: { ...documentPort, isEdited: (absolutePath) => changedFiles.isEdited(absolutePath) },
		editor: createEditorPort(workspace),
		person: createPersonPort(attention),
		settings,
		secrets: createSecretsPort(secrets),
		signIn,
		log,
		places: {
			home,
			userHome: homedir(),
			dist,
			get ripgrepCandidates() {
				return ripgrepCandidates({
					setting: settings.current['prowess.tools.ripgrepPath'],
					appRoot: vscode.env.appRoot,
					path: process.env['PATH'] ?? '',
					platform: process.platform,
					arch: process.arch,
				});
			},
		},
		approvalMode: 'ask',
		server,
	};
}
