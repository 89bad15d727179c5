/**
 * Typed end of a conversation, whatever the transport. Every message is sent this way: one without a handler does not
 * compile, and incoming messages are parsed before anyone sees them.
 */
import { toErrorMessage } from '../../base/text/message-of.ts';
import type * as z from '../text/zod.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { isProwessError, ProwessError } from '../errors/errors.ts';
import { formatSchemaProblems } from '../text/schema-problem.ts';
import type { NotificationDef, NotificationTable, RequestDef, RequestTable } from './message.ts';
import { isWireError, type Wire, WIRE_CODES, WireError } from './wire.ts';

export type RequestHandlers<T extends RequestTable> = {
	readonly [K in keyof T]: (params: z.output<T[K]['params']>, signal: AbortSignal) => Promise<z.input<T[K]['result']>>;
};

type NotificationHandlers<T extends NotificationTable> = {
	readonly [K in keyof T]: (params: z.output<T[K]['params']>) => void;
};

interface Heard {
	readonly listeners: Set<(raw: unknown) => void>;
	readonly wired: Disposable;
}

export class Peer {
	readonly #wire: Wire;
	readonly #onBadNotification: (method: string, problem: string) => void;
	/** Listeners by method: a wire takes one listener, and several parts of a host may follow the same conversation. */
	readonly #heard = new Map<string, Heard>();
	/** Notifications that have come while their method is held, in their order. */
	readonly #held = new Map<string, unknown[]>();

	/**
	 * `onBadNotification` hears of notifications that did not parse and of listeners that failed; neither is thrown at
	 * the transport, where it could end the process.
	 */
	constructor(wire: Wire, onBadNotification: (method: string, problem: string) => void = () => {}) {
		this.#wire = wire;
		this.#onBadNotification = onBadNotification;
	}

	serve<T extends RequestTable>(table: T, handlers: NoInfer<RequestHandlers<T>>): Disposable {
		const served = new DisposableStore();
		for (const [name, def] of Object.entries(table)) {
			served.add(
				this.#wire.onRequest(def.method, async (raw, signal) => {
					const params = parseOr(WIRE_CODES.invalidParams, def.method, def.params, raw);
					try {
						const result = await handlers[name as keyof T](params as never, signal);
						return parseOr(WIRE_CODES.internalError, def.method, def.result, result);
					} catch (error) {
						throw toWireError(error);
					}
				}),
			);
		}
		return served;
	}

	on<T extends NotificationTable>(table: T, handlers: NoInfer<NotificationHandlers<T>>): Disposable {
		const served = new DisposableStore();
		for (const [name, def] of Object.entries(table)) {
			served.add(
				this.#listen(def.method, (raw) => {
					const parsed = def.params.safeParse(raw);
					if (!parsed.success) {
						this.#onBadNotification(def.method, formatSchemaProblems(parsed.error));
						return;
					}
					try {
						handlers[name as keyof T](parsed.data as never);
					} catch (error) {
						this.#onBadNotification(def.method, `the listener failed: ${toErrorMessage(error)}`);
					}
				}),
			);
		}
		return served;
	}

	/**
	 * Keeps what comes of these notifications until the result is disposed; those who listen by then hear it in its order. For
	 * a far end that may speak before its listeners are there.
	 */
	hold(table: NotificationTable): Disposable {
		const methods = Object.values(table).map(({ method }) => method);
		const wired = methods.map((method) => this.#listen(method, () => {}));
		for (const method of methods) this.#held.set(method, []);
		return toDisposable(() => {
			for (const method of methods) {
				const held = this.#held.get(method) ?? [];
				this.#held.delete(method);
				for (const raw of held) for (const each of [...(this.#heard.get(method)?.listeners ?? [])]) each(raw);
			}
			for (const each of wired) each.dispose();
		});
	}

	#listen(method: string, listener: (raw: unknown) => void): Disposable {
		let heard = this.#heard.get(method);
		if (heard === undefined) {
			const listeners = new Set<(raw: unknown) => void>();
			const wired = this.#wire.onNotification(method, (raw) => {
				const held = this.#held.get(method);
				if (held !== undefined) held.push(raw);
				else for (const each of [...listeners]) each(raw);
			});
			heard = { listeners, wired };
			this.#heard.set(method, heard);
		}
		const { listeners, wired } = heard;
		listeners.add(listener);
		return toDisposable(() => {
			listeners.delete(listener);
			if (listeners.size === 0 && this.#heard.get(method)?.listeners === listeners) {
				this.#heard.delete(method);
				wired.dispose();
			}
		});
	}

	/** Rejects with a ProwessError when the far end failed with one, with a WireError otherwise, or with the signal's reason. */
	async call<P extends z.ZodType, R extends z.ZodType>(
		def: RequestDef<P, R>,
		params: z.input<P>,
		signal: AbortSignal,
	): Promise<z.output<R>> {
		let raw: unknown;
		try {
			raw = await this.#wire.sendRequest(def.method, params, signal);
		} catch (error) {
			throw fromWireError(error);
		}
		return parseOr(WIRE_CODES.internalError, def.method, def.result, raw);
	}

	notify<P extends z.ZodType>(def: NotificationDef<P>, params: z.input<P>): void {
		this.#wire.sendNotification(def.method, params);
	}

	/**
	 * Answers each request of `table` by asking `target`, untranslated. Params are parsed on the way in,
	 * so what reaches the target has the declared shape. Used where one process only carries a conversation.
	 */
	forward<T extends RequestTable>(table: T, target: () => Promise<Peer>): Disposable {
		const served = new DisposableStore();
		for (const def of Object.values(table)) {
			served.add(
				this.#wire.onRequest(def.method, async (raw, signal) => {
					const params = parseOr(WIRE_CODES.invalidParams, def.method, def.params, raw);
					try {
						return await (await target()).call(def, params, signal);
					} catch (error) {
						throw toWireError(error);
					}
				}),
			);
		}
		return served;
	}
}

function parseOr<S extends z.ZodType>(code: number, method: string, schema: S, value: unknown): z.output<S> {
	const parsed = schema.safeParse(value);
	if (!parsed.success) {
		throw new WireError(code, `${method}: ${formatSchemaProblems(parsed.error)}`);
	}
	return parsed.data;
}

/** The way out: our errors keep their code and facts; anything else is our bug and says so. */
function toWireError(error: unknown): WireError {
	if (isWireError(error)) {
		return error;
	}
	if (isProwessError(error)) {
		return new WireError(WIRE_CODES.domainError, error.message, { code: error.code, facts: error.facts });
	}
	return new WireError(WIRE_CODES.internalError, toErrorMessage(error));
}

function fromWireError(error: unknown): unknown {
	if (isWireError(error) && error.code === WIRE_CODES.domainError) {
		const restored = ProwessError.fromData(error.message, error.data);
		if (restored !== undefined) {
			return restored;
		}
	}
	return error;
}
