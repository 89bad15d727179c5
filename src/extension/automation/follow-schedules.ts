/**
 * Schedules in the editor: those that fall due run while it is open, and their end is told. A window in which Prowess is
 * not used is woken for them; where there never were any, this costs one look for each file.
 */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { inform } from '../notices/notices.ts';
import { explainError } from '../notices/user-message.ts';
import { inBackground } from '../editor/signals.ts';
import { homePlace } from '../ports/places.ts';
import { formatScheduleTime } from './add-schedule.ts';

/** From now on what falls due is run. */
export function followSchedules(schedules: TrustedBase['schedules'], log: LogPort): Disposable {
	schedules.follow();
	return schedules.onDidEnd(({ schedule: { kind, text, watch }, run: { threadId }, state, error }) => {
		const { t } = vscode.l10n;
		if (watch !== undefined && state === 'expired') {
			inform(tellExpiry(text, watch));
		} else if (kind === 'reminder' && state === 'done') {
			inform(watch === undefined ? text : t('It has happened: {0}', text));
		} else if (watch?.problem !== undefined) {
			inform(t('"{0}" is paused because it can no longer be watched. {1}', text, explainError(error)));
		} else {
			inBackground(log, 'scheduled run', tellScheduledRunEnd(text, { state, error }, threadId));
		}
	});
}

function tellExpiry(text: string, { endsAt, held }: { readonly endsAt: number; readonly held: number }): string {
	const { t } = vscode.l10n;
	const end = formatScheduleTime(endsAt);
	return held === 0
		? t('"{0}" is no longer watched: it did not happen until {1}.', text, end)
		: t('"{0}" is no longer watched since {1}. It happened {2} times.', text, end, held);
}

async function tellScheduledRunEnd(
	text: string,
	{ state, error }: { state: string; error?: unknown },
	threadId: ThreadId,
) {
	const { t } = vscode.l10n;
	const open = t('Open Thread');
	const sentence =
		state === 'done'
			? t('The scheduled run has ended: {0}', text)
			: error === undefined
				? t('The scheduled run did not end well: {0}', text)
				: t('The scheduled run "{0}" did not end well. {1}', text, explainError(error));
	if ((await inform(sentence, open)) === open) {
		await vscode.commands.executeCommand('prowess.openThread', threadId);
	}
}

/** Files that are there from the first schedule and goal on, whichever window or command line added it. */
const WAKING_FILES = ['schedules.db', 'goals.db'] as const;

/** `wake` is called once: when the folder is trusted, and there was something to run before or is now. */
export function wakeForSchedules(wake: () => void): vscode.Disposable {
	const found = new vscode.EventEmitter<void>();
	const home = vscode.Uri.file(homePlace(process.env));
	const pattern = new vscode.RelativePattern(home, `{${WAKING_FILES.join(',')}}`);
	const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, true, true);
	const checkForFiles = () => {
		for (const file of vscode.workspace.isTrusted ? WAKING_FILES : []) {
			vscode.workspace.fs.stat(vscode.Uri.joinPath(home, file)).then(
				() => found.fire(),
				// The file does not exist: this machine never had any.
				() => {},
			);
		}
	};
	const parts = vscode.Disposable.from(
		found,
		watcher,
		watcher.onDidCreate(checkForFiles),
		vscode.workspace.onDidGrantWorkspaceTrust(checkForFiles),
		found.event(() => {
			parts.dispose();
			wake();
		}),
	);
	checkForFiles();
	return parts;
}
