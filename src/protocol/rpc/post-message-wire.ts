/**
 * A Wire over anything that posts messages; used by the webview and its view provider.
 * Frames from the far end are checked by hand: a frame that is none is dropped and reported.
 */
import type { Disposable } from '../../base/disposable.ts';
import { toDisposable } from '../../base/disposable.ts';
import { isWireError, type Wire, WIRE_CODES, WireError } from './wire.ts';

type Frame =
	| { kind: 'request'; id: number; method: string; params: unknown }
	| { kind: 'cancel'; id: number }
	| { kind: 'result'; id: number; result: unknown }
	| { kind: 'error'; id: number; code: number; message: string; data?: unknown }
	| { kind: 'notification'; method: string; params: unknown };

type RequestHandler = (params: unknown, signal: AbortSignal) => Promise<unknown>;

export interface PostMessageWire extends Wire {
	/** The other side is gone: every pending call rejects, every running handler is aborted. */
	close(): void;
}

export interface PostMessageEnd {
	post(frame: unknown): void;
	listen(receive: (frame: unknown) => void): Disposable;
	onBadFrame?(frame: unknown): void;
}

export function postMessageWire(end: PostMessageEnd): PostMessageWire {
	const pending = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
	const running = new Map<number, AbortController>();
	const requests = new Map<string, RequestHandler>();
	const notifications = new Map<string, (params: unknown) => void>();
	let lastId = 0;
	let closed = false;

	/** False when the frame did not go out. */
	const postFrame = (frame: Frame): boolean => {
		try {
			if (!closed) {
				end.post(frame);
				return true;
			}
		} catch {
			// A view that was disposed throws: it is gone, and its owner is told by its own event.
		}
		return false;
	};

	const listening = end.listen((raw) => {
		const frame = asFrame(raw);
		switch (frame?.kind) {
			case 'request':
				void answerRequest(frame.id, frame.method, frame.params);
				break;
			case 'cancel':
				running.get(frame.id)?.abort(new WireError(-32800, 'cancelled by the caller'));
				break;
			case 'result':
				pending.get(frame.id)?.resolve(frame.result);
				break;
			case 'error':
				pending.get(frame.id)?.reject(new WireError(frame.code, frame.message, frame.data));
				break;
			case 'notification':
				notifications.get(frame.method)?.(frame.params);
				break;
			default:
				end.onBadFrame?.(raw);
		}
	});

	async function answerRequest(id: number, method: string, params: unknown): Promise<void> {
		const handler = requests.get(method);
		const controller = new AbortController();
		running.set(id, controller);
		try {
			if (handler === undefined) {
				throw new WireError(WIRE_CODES.methodNotFound, `${method}: no such method`);
			}
			if (!postFrame({ kind: 'result', id, result: await handler(params, controller.signal) })) {
				throw new WireError(WIRE_CODES.internalError, `${method}: the answer could not be posted`);
			}
		} catch (error) {
			const wire = isWireError(error) ? error : new WireError(WIRE_CODES.internalError, String(error));
			postFrame({ kind: 'error', id, code: wire.code, message: wire.message, data: wire.data });
		} finally {
			running.delete(id);
		}
	}

	return {
		async sendRequest(method, params, signal) {
			signal.throwIfAborted();
			if (closed) {
				throw new WireError(WIRE_CODES.farEndGone, `${method}: the other side is gone`);
			}
			lastId += 1;
			const id = lastId;
			let cancel = () => {};
			try {
				return await new Promise((resolve, reject) => {
					pending.set(id, { resolve, reject });
					cancel = () => {
						postFrame({ kind: 'cancel', id });
						reject(signal.reason);
					};
					signal.addEventListener('abort', cancel, { once: true });
					if (!postFrame({ kind: 'request', id, method, params })) {
						reject(new WireError(WIRE_CODES.farEndGone, `${method}: the other side is gone`));
					}
				});
			} finally {
				pending.delete(id);
				signal.removeEventListener('abort', cancel);
			}
		},
		sendNotification(method, params) {
			postFrame({ kind: 'notification', method, params });
		},
		onRequest: (method, handler) => registerHandler(requests, method, handler),
		onNotification: (method, handler) => registerHandler(notifications, method, handler),
		close() {
			closed = true;
			listening.dispose();
			for (const { reject } of pending.values()) {
				reject(new WireError(WIRE_CODES.farEndGone, 'the other side is gone'));
			}
			for (const controller of running.values()) {
				controller.abort(new WireError(WIRE_CODES.farEndGone, 'the other side is gone'));
			}
		},
	};
}

/** Registers a handler. Disposing removes this handler, not a newer one of the same method. */
function registerHandler<H>(table: Map<string, H>, method: string, handler: H): Disposable {
	table.set(method, handler);
	return toDisposable(() => {
		if (table.get(method) === handler) {
			table.delete(method);
		}
	});
}

function asFrame(raw: unknown): Frame | undefined {
	if (typeof raw !== 'object' || raw === null || !('kind' in raw)) {
		return undefined;
	}
	const frame = raw as Record<string, unknown>;
	const hasId = typeof frame['id'] === 'number' && Number.isSafeInteger(frame['id']);
	const hasMethod = typeof frame['method'] === 'string';
	switch (frame['kind']) {
		case 'request':
			return hasId && hasMethod ? (raw as Frame) : undefined;
		case 'notification':
			return hasMethod ? (raw as Frame) : undefined;
		case 'cancel':
		case 'result':
			return hasId ? (raw as Frame) : undefined;
		case 'error':
			return hasId && typeof frame['code'] === 'number' && typeof frame['message'] === 'string'
				? (raw as Frame)
				: undefined;
		default:
			return undefined;
	}
}
