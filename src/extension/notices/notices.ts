/**
 * Every notification, dialog and progress message of the editor. The editor makes links of `[…](command:…)` in them,
 * which run any command that they name. Texts hold what others have written, so no part of a text may become a link.
 * The lint refuses the editor's own functions elsewhere.
 */
import * as vscode from 'vscode';
import { raceTimeout } from '../../base/time/bounded-wait.ts';
import { extensionLimits } from '../editor/limits.ts';
import { noticeText } from './notice-text.ts';

interface NoticeFunction {
	/** Nobody waits for it to be read. */
	(text: string): void;
	/** Resolves with the button that was chosen; undefined when it was closed or faded away. */
	(text: string, ...buttons: readonly string[]): Thenable<string | undefined>;
}

export const inform: NoticeFunction = (text: string, ...buttons: readonly string[]) =>
	vscode.window.showInformationMessage(noticeText(text), ...buttons);

export const warn: NoticeFunction = (text: string, ...buttons: readonly string[]) =>
	vscode.window.showWarningMessage(noticeText(text), ...buttons);

export const showErrorNotice: NoticeFunction = (text: string, ...buttons: readonly string[]) =>
	vscode.window.showErrorMessage(noticeText(text), ...buttons);

/** A question in front of everything, with its details one a line. Resolves with the answer; undefined when it was cancelled. */
export function askInDialog(
	question: string,
	details: readonly string[],
	...answers: readonly string[]
): Thenable<string | undefined> {
	return vscode.window.showInformationMessage(noticeText(question), toModalOptions(details), ...answers);
}

/** The same before something is lost. Resolves with whether it may be. */
export async function confirmLoss(question: string, details: readonly string[], yes: string): Promise<boolean> {
	return (await confirmLossBy(question, details, yes)) === yes;
}

/** The same where there is more than one way to lose it. Resolves with the answer; undefined when it was cancelled. */
export function confirmLossBy(
	question: string,
	details: readonly string[],
	...answers: readonly string[]
): Thenable<string | undefined> {
	return vscode.window.showWarningMessage(noticeText(question), toModalOptions(details), ...answers);
}

/** A list to choose one item from. Says `none` where it is empty. Resolves with the choice; undefined without one. */
export async function pickOrInform<Item extends vscode.QuickPickItem>(
	items: readonly Item[],
	none: string,
	options: vscode.QuickPickOptions,
): Promise<Item | undefined> {
	if (items.length === 0) {
		inform(none);
		return undefined;
	}
	return await vscode.window.showQuickPick(items, options);
}

function toModalOptions(details: readonly string[]): vscode.MessageOptions {
	return { modal: true, detail: noticeText(details.join('\n')) };
}

/** Shows at the head of the view that `work` is under way until it is settled. */
export function withViewProgress<T>(viewId: string, work: () => Promise<T>): Thenable<T> {
	return vscode.window.withProgress({ location: { viewId } }, work);
}

/** Tells how far the work is; `increment` is the percentage of it that was done since. */
type ProgressReport = (message: string, increment?: number) => void;

/**
 * Says that `work` is under way until it is settled, if it takes longer than a moment: a notification that came and went at
 * once would only flicker, and take the place of what is said after it. `signal` aborts when the user cancels.
 */
export async function withProgress<T>(
	title: string,
	work: (signal: AbortSignal, report: ProgressReport) => Promise<T>,
	place: 'notification' | 'statusBar' = 'notification',
): Promise<T> {
	const cancelling = new AbortController();
	const waiting: Parameters<ProgressReport>[] = [];
	let report: ProgressReport = (...said) => void waiting.push(said);
	const done = work(cancelling.signal, (...said) => report(...said));
	if (await isSettledSoon(done)) {
		return done;
	}
	const location = place === 'statusBar' ? vscode.ProgressLocation.Window : vscode.ProgressLocation.Notification;
	const options = { location, title: noticeText(title), cancellable: true };
	return vscode.window.withProgress(options, async (progress, token) => {
		report = (message, increment = 0) =>
			progress.report({ message: noticeText(message), ...(increment === 0 ? {} : { increment }) });
		for (const said of waiting) {
			report(...said);
		}
		const subscription = token.onCancellationRequested(() => cancelling.abort(new vscode.CancellationError()));
		try {
			return await done;
		} finally {
			subscription.dispose();
		}
	});
}

async function isSettledSoon(work: Promise<unknown>): Promise<boolean> {
	const settled = work.then(
		() => true,
		() => true,
	);
	return (await raceTimeout(settled, extensionLimits.progressShownMs)) ?? false;
}
