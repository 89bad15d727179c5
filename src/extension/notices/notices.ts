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

/** A notification covers the input of the chat, and what is asked there; the status bar covers nothing, and cannot cancel. */
type ProgressPlace = 'notification' | 'statusBar';

/**
 * Says that `work` is under way until it is settled, if it takes longer than a moment: a notification that came and went at
 * once would only flicker, and take the place of what is said after it. `signal` aborts when the user cancels; `move` shows
 * the rest elsewhere.
 */
export async function withProgress<T>(
	title: string,
	work: (signal: AbortSignal, report: ProgressReport, move: (place: ProgressPlace) => void) => Promise<T>,
	firstPlace: ProgressPlace = 'notification',
): Promise<T> {
	const cancelling = new AbortController();
	let place = firstPlace;
	let moved = Promise.withResolvers<boolean>();
	const said = { message: '', increment: 0 };
	let show = (): void => undefined;
	const report: ProgressReport = (message, increment = 0) => {
		said.message = message;
		said.increment += increment;
		show();
	};
	const move = (to: ProgressPlace) => {
		if (to === place) return;
		place = to;
		moved.resolve(false);
	};
	const done = work(cancelling.signal, report, move);
	const isSettled = done.then(
		() => true,
		() => true,
	);
	let isOver = (await raceTimeout(isSettled, extensionLimits.progressShownMs)) ?? false;
	while (!isOver) {
		moved = Promise.withResolvers();
		const location = place === 'statusBar' ? vscode.ProgressLocation.Window : vscode.ProgressLocation.Notification;
		const options = { location, title: noticeText(title), cancellable: true };
		isOver = await vscode.window.withProgress(options, async (progress, token) => {
			let shown = 0;
			show = () => {
				const increment = said.increment - shown;
				shown = said.increment;
				progress.report({ message: noticeText(said.message), ...(increment === 0 ? {} : { increment }) });
			};
			if (said.message !== '') show();
			const subscription = token.onCancellationRequested(() => cancelling.abort(new vscode.CancellationError()));
			try {
				return await Promise.race([isSettled, moved.promise]);
			} finally {
				subscription.dispose();
			}
		});
	}
	return done;
}
