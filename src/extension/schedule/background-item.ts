/** The background host of this home as a row of the list of schedules: whether it runs, since when, and what that means for them. */
import * as vscode from 'vscode';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import { attachToBackground } from '../../features/background/attach.ts';
import { type BackgroundState, backgroundRequests } from '../../protocol/background.ts';
import { extensionLimits } from '../editor/limits.ts';
import { explainError } from '../notices/user-message.ts';

interface BackgroundItem extends vscode.QuickPickItem {
	/** Undefined: none runs, or it does not answer. */
	readonly state: BackgroundState | undefined;
}

/** Never rejects: a host that does not answer is a row that says so. */
export async function backgroundItem(home: string, timeOf: (ms: number) => string): Promise<BackgroundItem> {
	const { t } = vscode.l10n;
	try {
		const state = await withTimeLimit(
			{ what: 'asking the background host', timeoutMs: extensionLimits.backgroundMs },
			async (signal) => await readBackgroundState(home, signal),
		);
		if (state === undefined) {
			return {
				label: `$(circle-slash) ${t('Nothing works in the background')}`,
				detail: t('Schedules run only while a window with their folder is open. Choose to read how to change that.'),
				state,
			};
		}
		const { pid, startedAt, working } = state;
		return {
			label: `$(server-process) ${t('Works in the background: process {0}, since {1}', pid, timeOf(startedAt))}`,
			detail:
				working.length === 0
					? t('Runs what falls due in trusted folders, as open windows do. The first to see a run carries it out.')
					: t('Works now in {0}.', working.map(({ folder, pid: worker }) => `${folder} (${worker})`).join(', ')),
			state,
		};
	} catch (error) {
		return {
			label: `$(warning) ${t('The background host does not answer')}`,
			detail: explainError(error),
			state: undefined,
		};
	}
}

export async function showBackgroundGuide(extensionUri: vscode.Uri): Promise<void> {
	const guide = vscode.Uri.joinPath(extensionUri, 'docs', 'background.md');
	await vscode.commands.executeCommand('markdown.showPreview', guide);
}

async function readBackgroundState(home: string, signal: AbortSignal): Promise<BackgroundState | undefined> {
	const attachment = await attachToBackground(home, signal);
	try {
		return await attachment?.peer.call(backgroundRequests.state, {}, signal);
	} finally {
		attachment?.dispose();
	}
}
