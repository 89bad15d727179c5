/** The browser of a thread, for the user who watches: the page that is open in it, pictured again and again while the tab is in sight. */
import * as vscode from 'vscode';
import { escapeToLine } from '../../../base/text/one-line.ts';
import { waitOrAborted } from '../../../base/time/bounded-wait.ts';
import type { WatchedPage, WatchedPages } from '../../../contract/watched-page.ts';
import type { PageBlock } from '../../../protocol/pages/capability-page.ts';
import { ThreadId } from '../../../protocol/rpc/ids.ts';
import { refuseEditorAddress } from '../../webview/page-acts.ts';
import type { BuiltPage } from './built-page.ts';

/** Rest between two looks, in milliseconds. */
const LOOK_AGAIN_MS = 1_000;

export async function browserPage(pages: WatchedPages, of: string, signal: AbortSignal): Promise<BuiltPage> {
	const { t } = vscode.l10n;
	const page = await pages.watch(ThreadId.parse(of), signal);
	return {
		content: {
			title: page === undefined ? t('Browser') : escapeToLine(page.title) || t('Browser'),
			kicker: t('What the agent sees'),
			summary:
				page === undefined ? t('No page is open. The agent opens one when it needs it.') : escapeToLine(page.url),
			blocks: page === undefined ? [] : pageBlocks(page),
		},
		actions:
			page?.isHere === true ? [{ action: 'open', label: t('Open in VS Code'), act: () => openInEditor(page.url) }] : [],
		changed: (until) => waitOrAborted(LOOK_AGAIN_MS, until),
	};
}

function pageBlocks({ picture, isInner, title, url }: WatchedPage): PageBlock[] {
	const { t } = vscode.l10n;
	const shown: PageBlock =
		typeof picture === 'object'
			? { kind: 'picture', label: escapeToLine(title) || escapeToLine(url), jpeg: picture.jpeg }
			: { kind: 'note', text: describeNoPicture(picture) };
	return isInner
		? [
				{
					kind: 'note',
					text: t('A command of the agent serves this page in its sandbox, which no other program of yours reaches.'),
				},
				shown,
			]
		: [shown];
}

function describeNoPicture(why: Exclude<WatchedPage['picture'], object>): string {
	const { t } = vscode.l10n;
	switch (why) {
		case 'secret':
			return t('The page shows one of your secrets, so no picture of it is taken.');
		case 'long':
			return t('The page is too long to be searched for your secrets, so no picture of it is taken.');
		case 'unanswered':
			return t('The page does not answer at the moment.');
	}
}

/** Shows it in the browser of the editor; where that is switched off, in that of the system. */
async function openInEditor(url: string): Promise<void> {
	const address = vscode.Uri.parse(url, true);
	await refuseEditorAddress(address);
	const isThere = (await vscode.commands.getCommands(true)).includes('simpleBrowser.api.open');
	if (isThere) {
		// In a remote window, the browser runs on another machine than the server.
		const reached = await vscode.env.asExternalUri(address);
		await vscode.commands.executeCommand('simpleBrowser.api.open', reached, {
			viewColumn: vscode.ViewColumn.Beside,
			preserveFocus: true,
		});
	} else {
		await vscode.env.openExternal(address);
	}
}
