/**
 * The host's end of a conversation in JSON-RPC 2.0, one message on a line. Bounded whatever the far end does: a line has a
 * longest length, few requests are carried out at once, and nothing more is read while what was written is not taken.
 */
import type { Readable } from 'node:stream';
import { toDisposable } from '../../../base/disposable.ts';
import { BoundedLines } from '../../../base/text/bounded-lines.ts';
import { textForUser } from '../../../protocol/errors/error-text.ts';
import { isWireError, type Wire, WIRE_CODES, WireError } from '../../../protocol/rpc/wire.ts';
import { rpcLimits } from '../limits.ts';

type RequestId = string | number;
type ProgramHandler = (params: unknown, signal: AbortSignal) => Promise<unknown>;

interface ReadProgramLine {
	readonly method: string;
	readonly params: unknown;
	/** Absent: a notification. */
	readonly id?: RequestId;
}

interface RunningRequest {
	readonly controller: AbortController;
	readonly answered: Promise<void>;
}

interface JsonLinesEnd {
	readonly input: Readable;
	/** Resolves when the text has gone out, or nobody takes it. */
	write(text: string): Promise<void>;
	/** True for what may be left out for a slow reader. */
	isOptional(method: string, params: unknown): boolean;
	/** Hears, once the reader has caught up, of what was left out. */
	onLeftOut(params: readonly unknown[]): void;
}

/** Codes of JSON-RPC that the wires within Prowess have no use for. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const CANCELLED = -32_800;
const CANCEL_METHOD = '$/cancelRequest';
const CLOSED = 'the connection is closed';

export class JsonLines implements Wire {
	readonly #end: JsonLinesEnd;
	readonly #requests = new Map<string, ProgramHandler>();
	readonly #running = new Map<RequestId, RunningRequest>();
	/** Lines that were read together with the last one. */
	readonly #waiting: Uint8Array[] = [];
	readonly #lines: BoundedLines;
	readonly #ended = Promise.withResolvers<void>();
	#unwritten: string[] = [];
	#unwrittenChars = 0;
	#writing: Promise<void> | undefined;
	#leftOut: unknown[] = [];
	#isOver = false;

	constructor(end: JsonLinesEnd) {
		this.#end = end;
		this.#lines = new BoundedLines({
			maxBytes: rpcLimits.lineBytes,
			onLine: (line) => {
				this.#waiting.push(line);
				return !this.#isOver;
			},
			onTooLong: () => {
				const message = `a line has at most ${rpcLimits.lineBytes} bytes; nothing more is read`;
				this.#fail(null, new WireError(INVALID_REQUEST, message));
				this.#finish();
			},
		});
	}

	/** Resolves when nothing more comes, and what was written by then has gone out. */
	get ended(): Promise<void> {
		return this.#ended.promise.then(() => this.#writing);
	}

	/** Reads from now on. */
	listen(): void {
		const { input } = this.#end;
		input.on('data', (bytes: Buffer) => {
			this.#lines.push(bytes);
			this.#takeLines();
		});
		for (const event of ['end', 'close', 'error']) input.once(event, () => this.#finish());
	}

	/** Stops what runs and reads no more. Idempotent. */
	close(): void {
		this.#finish();
		for (const { controller } of this.#running.values()) controller.abort(new WireError(CANCELLED, CLOSED));
	}

	/** Resolves when each request that was read has its answer, and all answers have gone out. */
	async settled(): Promise<void> {
		await Promise.all([...this.#running.values()].map(({ answered }) => answered));
		await this.#writing;
	}

	onRequest(method: string, handler: ProgramHandler) {
		this.#requests.set(method, handler);
		return toDisposable(() => this.#requests.delete(method));
	}

	/** Programs send no notifications but the cancellation, which is read here. */
	onNotification() {
		return toDisposable(() => {});
	}

	sendRequest(method: string): Promise<never> {
		return Promise.reject(new WireError(WIRE_CODES.methodNotFound, `${method}: a program is asked nothing`));
	}

	sendNotification(method: string, params: unknown): void {
		if (this.#unwrittenChars > rpcLimits.optionalChars && this.#end.isOptional(method, params)) {
			this.#leftOut.push(params);
			if (this.#leftOut.length > rpcLimits.mostLeftOut) this.#leftOut.shift();
			return;
		}
		this.#write({ method, params });
	}

	#takeLines(): void {
		const { input } = this.#end;
		while (this.#waiting.length > 0 && !this.#isBusy && !this.#isOver) this.#take(this.#waiting.shift() as Uint8Array);
		if (this.#isOver) return;
		if (this.#waiting.length > 0 || this.#isBusy) input.pause();
		else input.resume();
	}

	get #isBusy(): boolean {
		return this.#running.size >= rpcLimits.requestsAtOnce || this.#unwrittenChars > rpcLimits.unwrittenChars;
	}

	#take(line: Uint8Array): void {
		let read: ReadProgramLine | undefined;
		try {
			read = readProgramLine(line);
		} catch (error) {
			this.#fail(null, error);
			return;
		}
		if (read === undefined) return;
		const { id, method, params } = read;
		if (id !== undefined) {
			void this.#answer(id, method, params);
		} else if (method === CANCEL_METHOD) {
			const { id: cancelled } = (params ?? {}) as { readonly id?: RequestId };
			const reason = new WireError(CANCELLED, 'cancelled by the caller');
			if (cancelled !== undefined) this.#running.get(cancelled)?.controller.abort(reason);
		}
	}

	async #answer(id: RequestId, method: string, params: unknown): Promise<void> {
		if (this.#running.has(id)) {
			this.#fail(id, new WireError(INVALID_REQUEST, `a request with the id ${JSON.stringify(id)} is under way`));
			return;
		}
		if (this.#isOver) {
			this.#fail(id, new WireError(CANCELLED, CLOSED));
			return;
		}
		const controller = new AbortController();
		const { promise: answered, resolve: onAnswered } = Promise.withResolvers<void>();
		this.#running.set(id, { controller, answered });
		try {
			const handler = this.#requests.get(method);
			if (handler === undefined) {
				throw new WireError(WIRE_CODES.methodNotFound, `${method.slice(0, 100)}: no such method; see docs/rpc.md`);
			}
			this.#write({ id, result: await handler(params, controller.signal) });
		} catch (error) {
			this.#fail(id, controller.signal.aborted ? controller.signal.reason : error);
		} finally {
			this.#running.delete(id);
			onAnswered();
			this.#takeLines();
		}
	}

	#fail(id: RequestId | null, error: unknown): void {
		const { code, message, data } = isWireError(error) ? error : new WireError(WIRE_CODES.internalError, String(error));
		const ours = data as { readonly code?: unknown; readonly facts?: Readonly<Record<string, unknown>> } | undefined;
		const said = ours?.code === undefined ? undefined : textForUser({ ...ours, message }, (template) => template);
		this.#write({ id, error: { code, message, ...(ours && { data: { ...ours, ...(said && { said }) } }) } });
	}

	#write(message: object): void {
		const line = `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
		this.#unwritten.push(line);
		this.#unwrittenChars += line.length;
		this.#writing ??= this.#writeAll();
	}

	async #writeAll(): Promise<void> {
		// Messages of the same moment go out together.
		await Promise.resolve();
		while (this.#unwritten.length > 0) {
			const text = this.#unwritten.join('');
			this.#unwritten = [];
			await this.#end.write(text);
			this.#unwrittenChars -= text.length;
			this.#takeLines();
			if (this.#unwritten.length === 0 && this.#leftOut.length > 0) this.#end.onLeftOut(this.#leftOut.splice(0));
		}
		this.#writing = undefined;
	}

	/** Reads no more; requests that were read and not begun are answered, too. */
	#finish(): void {
		this.#isOver = true;
		this.#end.input.pause();
		for (const line of this.#waiting.splice(0)) this.#take(line);
		this.#ended.resolve();
	}
}

/** Undefined for an empty line. Throws a WireError for what is no message. */
function readProgramLine(line: Uint8Array): ReadProgramLine | undefined {
	const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('utf8').trim();
	if (text === '') return undefined;
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		throw new WireError(PARSE_ERROR, `this line is not JSON: ${(error as Error).message.slice(0, 200)}`);
	}
	if (Array.isArray(value)) {
		throw new WireError(INVALID_REQUEST, 'a line is one message; send the messages of a batch one by one');
	}
	const { jsonrpc, id, method, params } = (value ?? {}) as Partial<Record<string, unknown>>;
	if (jsonrpc !== '2.0' || typeof method !== 'string') {
		throw new WireError(INVALID_REQUEST, 'a message has "jsonrpc": "2.0", a "method" and, for an answer, an "id"');
	}
	if (id !== undefined && typeof id !== 'string' && typeof id !== 'number') {
		throw new WireError(INVALID_REQUEST, `${method.slice(0, 100)}: an id is a text or a number`);
	}
	return { method, params: params ?? {}, ...(id !== undefined && { id }) };
}
