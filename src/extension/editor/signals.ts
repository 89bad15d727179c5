/** Converts between vscode's cancellation, disposables and events and ours. No other file converts them. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { LogPort } from '../../contract/ports/ports.ts';

/** A signal that aborts with the token; dispose detaches it. */
export function toAbortSignal(token: vscode.CancellationToken): Disposable & { readonly signal: AbortSignal } {
	const controller = new AbortController();
	const abort = () => controller.abort(new vscode.CancellationError());
	if (token.isCancellationRequested) {
		abort();
	}
	const subscription = token.onCancellationRequested(abort);
	return { signal: controller.signal, dispose: () => subscription.dispose() };
}

/** Runs `use` with a token that is cancelled with the signal. */
export async function withToken<T>(
	signal: AbortSignal,
	use: (token: vscode.CancellationToken) => PromiseLike<T>,
): Promise<T> {
	signal.throwIfAborted();
	const source = new vscode.CancellationTokenSource();
	const cancel = () => source.cancel();
	signal.addEventListener('abort', cancel, { once: true });
	try {
		return await use(source.token);
	} finally {
		signal.removeEventListener('abort', cancel);
		source.dispose();
	}
}

export function isCancellation(error: unknown): boolean {
	return error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'AbortError');
}

/** Work nobody waits for: its failure is logged, and never reaches the extension host as an unhandled rejection. */
export function inBackground(log: LogPort, what: string, work: PromiseLike<unknown>): void {
	Promise.resolve(work).catch((error: unknown) => {
		if (isCancellation(error)) {
			log.debug(`${what}: cancelled`);
		} else {
			log.error(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
		}
	});
}
