/** Work that the user waits for, with a message that it can be cancelled in. */
import * as vscode from 'vscode';
import { signalOf } from './signals.ts';
import { noticeText } from './notice-text.ts';

/** `signal` aborts when the user cancels. */
export async function withProgress<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
	const options = { location: vscode.ProgressLocation.Notification, title: noticeText(title), cancellable: true };
	return vscode.window.withProgress(options, async (_progress, token) => {
		const linked = signalOf(token);
		try {
			return await work(linked.signal);
		} finally {
			linked.dispose();
		}
	});
}
