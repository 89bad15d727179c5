/** Ports of the editor for the trusted base, with the small ones: the log, which is the *Prowess* channel, and the person. */
import { userHomeFolder } from '../../machine/environment.ts';
import * as vscode from 'vscode';
import type {
	EditorPort,
	HostPorts,
	LogPort,
	PersonPort,
	SettingsPort,
	WorkspacePort,
} from '../../contract/ports/ports.ts';
import { titleInWords } from '../../protocol/text/text.ts';
import type { Attention } from '../notices/attention.ts';
import type { ChangedFiles } from './changed-files.ts';
import { documentPort } from './document-port.ts';
import { createEditorPort } from './editor-port.ts';
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
	readonly showComment: EditorPort['comment'];
	readonly secrets: vscode.SecretStorage;
	readonly signIn: HostPorts['signIn'];
}

export function editorHostPorts(parts: EditorParts): HostPorts {
	const { log, home, dist, workspace, settings, attention, changedFiles, showComment, secrets, signIn, server } = parts;
	const editorIn = (there: WorkspacePort) => createEditorPort(there, showComment);
	return {
		workspace,
		documents: { ...documentPort, isEdited: (absolutePath) => changedFiles.isEdited(absolutePath) },
		editor: editorIn(workspace),
		editorIn,
		person: createPersonPort(attention),
		settings,
		secrets: createSecretsPort(secrets),
		signIn,
		log,
		places: {
			home,
			userHome: userHomeFolder(),
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

/** Tells the person that something waits. The answer itself is given in the chat, at the desk; this port never answers. */
function createPersonPort(attention: Attention): PersonPort {
	return {
		approve(approval, signal) {
			const title = titleInWords(approval, (template) => vscode.l10n.t(template));
			attention.call(vscode.l10n.t('Prowess asks: {0}', title));
			return untilVoid(signal);
		},
		answer({ question }, signal) {
			attention.call(vscode.l10n.t('Prowess asks: {0}', question));
			return untilVoid(signal);
		},
	};
}

/** Resolves, without an answer, when the question is answered elsewhere or no longer asked. */
function untilVoid(signal: AbortSignal): Promise<undefined> {
	return new Promise((resolve) => {
		if (signal.aborted) {
			resolve(undefined);
		} else {
			signal.addEventListener('abort', () => resolve(undefined), { once: true });
		}
	});
}

type LogChannelLevel = 'debug' | 'info' | 'warn' | 'error';

/** Our log: the *Prowess* channel of the Output panel. The channel is made at activation; VS Code opens its file lazily. */
export function createLogPort(channel: vscode.LogOutputChannel): LogPort {
	const createLogMethod = (level: LogChannelLevel): LogPort[LogChannelLevel] => {
		return (message, facts) => {
			const rest = facts === undefined || Object.keys(facts).length === 0 ? '' : ` ${JSON.stringify(facts)}`;
			channel[level](`${message}${rest}`);
		};
	};
	return {
		debug: createLogMethod('debug'),
		info: createLogMethod('info'),
		warn: createLogMethod('warn'),
		error: createLogMethod('error'),
	};
}
