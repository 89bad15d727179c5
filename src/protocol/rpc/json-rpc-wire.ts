/**
 * A Wire over a JSON-RPC connection: VS Code's LanguageClient, the server's Connection and a plain
 * MessageConnection all fit `JsonRpcEnd`. The owner of a raw connection must dispose it when it closes
 * (`connection.onClose(() => connection.dispose())`), else pending requests never settle.
 */
import type { Disposable } from '../../base/disposable.ts';
import { isWireError, type Wire, WIRE_CODES, WireError } from './wire.ts';

interface CancellationToken {
	readonly isCancellationRequested: boolean;
	onCancellationRequested(listener: () => void): Disposable;
}

export interface JsonRpcEnd {
	sendRequest(method: string, params: unknown, token?: never): Promise<unknown>;
	sendNotification(method: string, params: unknown): Promise<void>;
	/** Params by position are spread before the token, and a frame without params has the token alone. */
	onRequest(method: string, handler: (...paramsAndToken: unknown[]) => unknown): Disposable;
	onNotification(method: string, handler: (...params: unknown[]) => void): Disposable;
}

/**
 * The two classes of `vscode-jsonrpc` the adapter needs. They are passed in because a ResponseError is
 * recognised by `instanceof`: it must come from the copy of the library that owns the connection.
 */
export interface JsonRpcLibrary {
	readonly CancellationTokenSource: new () => { readonly token: unknown; cancel(): void; dispose(): void };
	readonly ResponseError: new (
		code: number,
		message: string,
		data?: unknown,
	) => Error & { readonly code: number; readonly data?: unknown };
}

/** The library's number for a frame that could not be written: the far end is gone. */
const MESSAGE_WRITE_ERROR = -32099;

export function jsonRpcWire(end: JsonRpcEnd, library: JsonRpcLibrary): Wire {
	const { CancellationTokenSource, ResponseError } = library;
	return {
		async sendRequest(method, params, signal) {
			signal.throwIfAborted();
			const source = new CancellationTokenSource();
			let rejectAborted: (reason: unknown) => void = () => {};
			const aborted = new Promise<never>((_resolve, reject) => {
				rejectAborted = reject;
			});
			// The caller is free as soon as it aborts, even when the far end never answers the cancellation.
			const cancelRequest = () => {
				source.cancel();
				rejectAborted(signal.reason);
			};
			signal.addEventListener('abort', cancelRequest, { once: true });
			try {
				return await Promise.race([end.sendRequest(method, params, source.token as never), aborted]);
			} catch (error) {
				signal.throwIfAborted();
				if (error instanceof ResponseError && error.code !== MESSAGE_WRITE_ERROR) {
					throw new WireError(error.code, error.message, error.data);
				}
				throw new WireError(WIRE_CODES.farEndGone, `${method}: the other side is gone`, { cause: String(error) });
			} finally {
				signal.removeEventListener('abort', cancelRequest);
				source.dispose();
			}
		},
		sendNotification(method, params) {
			const ignoreClosed = () => {
				// The connection is closed; its owner knows, and a notification has nobody waiting.
			};
			// A disposed connection throws instead of rejecting.
			try {
				end.sendNotification(method, params).catch(ignoreClosed);
			} catch {
				ignoreClosed();
			}
		},
		onRequest: (method, handler) =>
			end.onRequest(method, async (...paramsAndToken) => {
				const token = paramsAndToken.pop() as CancellationToken;
				const controller = new AbortController();
				const abortHandler = () => controller.abort(new WireError(-32800, `${method}: cancelled by the caller`));
				const subscription = token.onCancellationRequested(abortHandler);
				if (token.isCancellationRequested) {
					abortHandler();
				}
				try {
					return await handler(asOneValue(paramsAndToken), controller.signal);
				} catch (error) {
					throw isWireError(error) ? new ResponseError(error.code, error.message, error.data) : error;
				} finally {
					subscription.dispose();
				}
			}),
		onNotification: (method, handler) => end.onNotification(method, (...params) => handler(asOneValue(params))),
	};
}

/** Our params are one object; none, or several by position, are for the schema to refuse. */
function asOneValue(params: readonly unknown[]): unknown {
	return params.length > 1 ? params : params[0];
}
