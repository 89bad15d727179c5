/** The background host of this home in words: whether it runs, since when, and what that means for schedules. */
import * as vscode from 'vscode';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import { attachToBackground, readBackgroundState } from '../../features/background/attach.ts';
import { backgroundRequests } from '../../protocol/background.ts';
import { extensionLimits } from '../editor/limits.ts';
import { explainError } from '../notices/user-message.ts';

/** Never rejects: a host that does not answer is a sentence that says so. */
export async function readBackgroundNote(home: string, timeOf: (ms: number) => string): Promise<string> {
	const { t } = vscode.l10n;
	try {
		const state = await readBackgroundState(home);
		if (state === undefined) {
			return t('Nothing works in the background: this runs only while a window with its folder is open.');
		}
		const { pid, startedAt, working } = state;
		const since = t('Works in the background: process {0}, since {1}', pid, timeOf(startedAt));
		const folders = working.map(({ folder, pid: worker }) => `${folder} (${worker})`).join(', ');
		return working.length === 0 ? `${since}.` : `${since}. ${t('Works now in {0}.', folders)}`;
	} catch (error) {
		return `${t('The background host does not answer')}. ${explainError(error)}`;
	}
}

/** Has the background host look for work now. Never rejects: a host that does not answer finds the work by itself. */
export async function wakeBackground(home: string): Promise<void> {
	const limit = { what: 'waking the background host', timeoutMs: extensionLimits.changeHomeMs };
	await withTimeLimit(limit, async (signal) => {
		const attachment = await attachToBackground(home, signal);
		try {
			await attachment?.peer.call(backgroundRequests.look, {}, signal);
		} finally {
			attachment?.dispose();
		}
	}).catch(() => {});
}

/** `name`: of a document that is packed with the extension. */
export async function showGuide(extensionUri: vscode.Uri, name: 'background.md' | 'web.md'): Promise<void> {
	const guide = vscode.Uri.joinPath(extensionUri, 'docs', name);
	await vscode.commands.executeCommand('markdown.showPreview', guide);
}
