/**
 * Sends a request to a provider and gives its answer as parts, in the same way for every dialect. Retries only without
 * the parameter that the endpoint has refused by name in this request.
 */
import type { Readable } from 'node:stream';
import { stringifyWellFormed } from '../../../base/text/well-formed.ts';
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import type { SoundType } from '../../../protocol/ops/images.ts';
import type { ServedModel } from '../../../protocol/thread/served.ts';
import { hasImages, hasSounds, knownSounds, saysNoImages, saysNoSounds, shownMedia } from '../images.ts';
import type { ModelPart, ModelRequest } from '../model-port.ts';
import { isProviderError, providerError } from '../streams/provider-error.ts';
import { IMAGES, RAISED_OUTPUT, NATIVE_TOOLS, SOUNDS, WRITTEN_CALLS } from '../streams/refusals.ts';
import { findOtherModel, findServedName } from '../streams/served-model.ts';
import { StreamWatch } from '../streams/stream-watch.ts';
import { readTextCalls } from '../text-calls/read-text-calls.ts';
import { toTextRequest } from '../text-calls/text-request.ts';
import { readWrittenCalls } from '../text-calls/written-calls.ts';
import { AnswerParts } from './answer-parts.ts';
import type { AnswerReader, Dialect, OptionalParameter } from './dialects/dialect.ts';
import { EventStream, LineStream, parseEventJson } from './event-stream.ts';
import { type JsonObject, objectOrEmpty } from './loose-json.ts';
import { postJson, readOut } from './post-json.ts';
import { bodyError, streamError } from './provider-failure.ts';
import { refusesOutput, refusesTools } from './refusal-words.ts';
import type { Endpoint, StreamModel } from './vendor.ts';
import { withWireCallIds } from './wire-calls.ts';

export function streamDialect(dialect: Dialect): StreamModel {
	return (endpoint, request, signal) => {
		const isRefused = endpoint.refusals.of(endpoint).has(NATIVE_TOOLS);
		const calls = endpoint.calls ?? (isRefused ? 'text' : 'native');
		if (calls !== 'native') {
			return inText(dialect, endpoint, request, signal);
		}
		const answer = streamAnswer(dialect, endpoint, request, signal);
		// The text stays as it is where the user has said that the model calls by itself.
		return endpoint.calls === 'native' || request.tools.length === 0
			? answer
			: readWrittenCalls(answer, {
					tools: request.tools,
					isKnown: endpoint.refusals.of(endpoint).has(WRITTEN_CALLS),
					onFound: () => endpoint.refusals.note(endpoint, WRITTEN_CALLS),
				});
	};
}

/** The same request in words. A sub-turn without tools asks in words, too: what was said before may hold calls. */
function inText(
	dialect: Dialect,
	endpoint: Endpoint,
	request: ModelRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelPart, void, undefined> {
	const hasTools = endpoint.calls !== 'none' && request.tools.length > 0;
	const isTold = request.tools.length > 0;
	const answer = streamAnswer(dialect, endpoint, isTold ? toTextRequest(request, hasTools) : request, signal);
	return hasTools ? readTextCalls(answer, request.tools) : answer;
}

async function* streamAnswer(
	dialect: Dialect,
	endpoint: Endpoint,
	request: ModelRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelPart, void, undefined> {
	signal.throwIfAborted();
	const told = shownMedia(request, { images: takesImages(endpoint), sounds: takenSounds(endpoint) });
	const running = deriveSignal(signal);
	const watch = new StreamWatch(endpoint.limits, (stalled, afterMs) =>
		running.abort(createProviderStallError(endpoint, stalled, afterMs)),
	);
	let body: Readable | undefined;
	let isWhole = false;
	try {
		const { refusals, effort } = endpoint;
		const before = refusals.of(endpoint);
		try {
			body = await requestAnswer(dialect, endpoint, told, running.signal);
		} catch (error) {
			const instead = withoutRefused(error, dialect, endpoint, request, signal);
			if (instead === undefined) {
				throw error;
			}
			watch.dispose();
			yield* instead;
			return;
		}
		const isNew = (name: string) => !before.has(name) && refusals.of(endpoint).has(name);
		if (
			effort !== undefined &&
			dialect.optional.some((each) => each.isEffort && isNew(createParameterKey(each, endpoint)))
		) {
			yield { kind: 'note', note: 'effortLeftOut' };
		}
		const answer = new AnswerParts(request);
		const reading = new AnswerChunkReader(answer, endpoint, dialect, watch);
		let failure: Error | undefined;
		let hasGiven = false;
		// Keep the body open: `readOut` reads the bytes after the finish.
		for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
			failure = reading.take(chunk);
			isWhole = failure === undefined && answer.isFinished;
			const parts = reading.taken();
			hasGiven ||= parts.length > 0;
			yield* parts;
			if (isWhole) {
				return;
			}
			if (failure !== undefined) {
				break;
			}
		}
		if (failure === undefined) {
			failure = reading.end();
			const parts = reading.taken();
			hasGiven ||= parts.length > 0;
			yield* parts;
		}
		if (failure !== undefined) {
			// A refusal may come as the body of a 200, or as its first event.
			const instead = hasGiven ? undefined : withoutRefused(failure, dialect, endpoint, request, signal);
			if (instead === undefined) {
				throw failure;
			}
			watch.dispose();
			yield* instead;
		}
	} catch (error) {
		signal.throwIfAborted();
		throw running.signal.aborted ? running.signal.reason : streamError(error, endpoint);
	} finally {
		watch.dispose();
		running.dispose();
		if (isWhole && body !== undefined) {
			readOut(body);
		} else {
			// Also when the reader of our parts has had enough: the request must not go on behind its back.
			running.abort(new Error('the stream is no longer read'));
			body?.destroy();
		}
	}
}

/** The answer to the same request without what the endpoint has just refused of it; undefined where that is nothing which it can do without. */
function withoutRefused(
	error: unknown,
	dialect: Dialect,
	endpoint: Endpoint,
	request: ModelRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelPart, void, undefined> | undefined {
	if (takesImages(endpoint) === undefined && hasImages(request) && refusesImages(error)) {
		endpoint.refusals.note(endpoint, IMAGES);
		return prependNote('imagesLeftOut', streamAnswer(dialect, endpoint, request, signal));
	}
	if (takenSounds(endpoint).length > 0 && hasSounds(request) && refusesSounds(error)) {
		endpoint.refusals.note(endpoint, SOUNDS);
		return streamAnswer(dialect, endpoint, request, signal);
	}
	if (endpoint.calls === undefined && request.tools.length > 0 && refusesTools(error)) {
		endpoint.refusals.note(endpoint, NATIVE_TOOLS);
		return prependNote('callsInText', inText(dialect, endpoint, request, signal));
	}
	const parameter = isProviderError(error)
		? refusedBy(error, dialect, listLeftOutParameters(dialect, endpoint))
		: undefined;
	if (parameter === undefined) {
		return undefined;
	}
	endpoint.refusals.note(endpoint, createParameterKey(parameter, endpoint));
	const again = streamAnswer(dialect, endpoint, request, signal);
	return parameter.isEffort === true && endpoint.effort !== undefined ? prependNote('effortLeftOut', again) : again;
}

async function* prependNote(
	note: Extract<ModelPart, { kind: 'note' }>['note'],
	answer: AsyncGenerator<ModelPart, void, undefined>,
): AsyncGenerator<ModelPart, void, undefined> {
	yield { kind: 'note', note };
	yield* answer;
}

/** Bytes at the beginning of an answer that tell whether it is a stream. */
const LOOKED_AT = 64;

/**
 * Reads the chunks of an answer. Returns failures instead of throwing them, so that parts before a failure in the same
 * chunk are passed on first.
 */
class AnswerChunkReader {
	readonly #answer: AnswerParts;
	readonly #endpoint: Endpoint;
	readonly #reader: AnswerReader;
	readonly #watch: StreamWatch;
	readonly #framing: Dialect['framing'];
	readonly #events: EventStream | LineStream;
	/**
	 * Chunks of an answer that is one JSON text instead of events; undefined for a stream. Some endpoints answer so,
	 * above all when they refuse.
	 */
	#whole: Buffer[] | undefined;
	#hasBegun = false;
	#hasGoneOn = false;
	#isNamed = false;
	#served: ServedModel | undefined;
	/** First object that came: when no part of an answer came, the object may be a refusal. */
	#first: JsonObject | undefined;

	constructor(answer: AnswerParts, endpoint: Endpoint, { reader, framing = 'events' }: Dialect, watch: StreamWatch) {
		this.#answer = answer;
		this.#endpoint = endpoint;
		this.#reader = reader(answer, endpoint);
		this.#watch = watch;
		this.#framing = framing;
		const takeEvent = (event: JsonObject) => {
			if (!answer.isFinished) {
				this.#read(event);
			}
		};
		this.#events = framing === 'lines' ? new LineStream(takeEvent) : new EventStream(takeEvent);
	}

	/** The error that the stream tells of, or is. */
	take(chunk: Buffer): Error | undefined {
		this.#watch.bytes();
		return this.#guarded(() => {
			if (!this.#hasBegun) {
				this.#hasBegun = true;
				const first = chunk.toString('latin1', 0, LOOKED_AT).trimStart().charAt(0);
				const isWhole = this.#framing === 'events' && (first === '{' || first === '[');
				this.#whole = isWhole ? [] : undefined;
			}
			if (this.#whole !== undefined) {
				this.#whole.push(chunk);
				return;
			}
			this.#events.feed(chunk);
			if (this.#answer.hasGoneOn) {
				this.#hasGoneOn = true;
				this.#watch.part();
			}
			if (this.#events.isDone && !this.#answer.isFinished) {
				this.#reader.end(this.#events.isDone);
			}
		});
	}

	end(): Error | undefined {
		return this.#guarded(() => {
			if (this.#whole === undefined) {
				this.#events.end();
			} else {
				const whole = parseEventJson(Buffer.concat(this.#whole).toString('utf8'));
				for (const event of Array.isArray(whole) ? whole : [whole]) {
					this.#read(objectOrEmpty(event));
				}
			}
			const hasGoneOn = this.#hasGoneOn || this.#answer.hasGoneOn || this.#answer.isFinished;
			const error = hasGoneOn ? undefined : bodyError(this.#endpoint, this.#first ?? {});
			if (error !== undefined) {
				throw error;
			}
			if (!this.#answer.isFinished) {
				this.#reader.end(this.#whole !== undefined || this.#events.isDone);
			}
		});
	}

	/** Takes the parts that have come. The model that the endpoint names comes before the first of them. */
	taken(): readonly ModelPart[] {
		const parts = this.#answer.taken();
		const served = parts.length === 0 ? undefined : this.#served;
		if (served === undefined) return parts;
		this.#served = undefined;
		return [{ kind: 'served', served }, ...parts];
	}

	#read(event: JsonObject): void {
		this.#first ??= event;
		const name = this.#isNamed ? undefined : findServedName(event);
		if (name !== undefined) {
			this.#isNamed = true;
			this.#served = findOtherModel(this.#endpoint.modelId, name);
		}
		this.#reader.take(event);
	}

	#guarded(read: () => void): Error | undefined {
		try {
			read();
			return undefined;
		} catch (error) {
			return error instanceof Error ? error : new Error(String(error));
		}
	}
}

function refusesImages(error: unknown): boolean {
	return isProviderError(error) && error.facts.status !== undefined && saysNoImages(error.message);
}

function refusesSounds(error: unknown): boolean {
	return isProviderError(error) && error.facts.status !== undefined && saysNoSounds(error.message);
}

/** None after the endpoint has refused one, and where it takes no pictures. */
function takenSounds({ refusals, images, ...endpoint }: Endpoint): readonly SoundType[] {
	const isRefused = images === false || refusals.of(endpoint).has(SOUNDS);
	return isRefused ? [] : knownSounds(endpoint.kind, endpoint.modelId);
}

/**
 * Returns `images` of the endpoint when it is known; else false after the endpoint has refused pictures; else
 * undefined.
 */
function takesImages({ refusals, images, ...endpoint }: Endpoint): boolean | undefined {
	return images ?? (refusals.of(endpoint).has(IMAGES) ? false : undefined);
}

async function requestAnswer(
	dialect: Dialect,
	endpoint: Endpoint,
	request: ModelRequest,
	signal: AbortSignal,
): Promise<Readable> {
	const { refusals } = endpoint;
	const told: ModelRequest = { ...request, messages: withWireCallIds(request.messages) };
	for (;;) {
		const leftOut = listLeftOutParameters(dialect, endpoint);
		const isRefused = leftOut.has(RAISED_OUTPUT);
		const raised = raisedOutput(request, dialect, endpoint, isRefused);
		try {
			const limited = raised === undefined ? told : { ...told, maxOutputTokens: raised };
			const body = stringifyWellFormed(dialect.body(limited, endpoint, leftOut));
			const baseUrl = dialect.root?.(endpoint.baseUrl) ?? endpoint.baseUrl;
			return await postJson({ ...endpoint, baseUrl }, dialect.path(endpoint.modelId), body, signal);
		} catch (error) {
			const parameter = isProviderError(error) ? refusedBy(error, dialect, leftOut) : undefined;
			if (parameter !== undefined) {
				refusals.note(endpoint, createParameterKey(parameter, endpoint));
			} else if (raised !== undefined && !isRefused && refusesOutput(error)) {
				refusals.note(endpoint, RAISED_OUTPUT);
			} else {
				throw error;
			}
		}
	}
}

/**
 * Returns the parameters to leave out: those that the endpoint has refused for this model. A refused effort leaves out
 * its parameter only while that same effort is chosen.
 */
function listLeftOutParameters({ optional }: Dialect, endpoint: Endpoint): ReadonlySet<string> {
	const refused = endpoint.refusals.of(endpoint);
	const efforts = optional.filter((each) => each.isEffort && refused.has(createParameterKey(each, endpoint)));
	return efforts.length === 0 ? refused : new Set([...refused, ...efforts.map(({ name }) => name)]);
}

/** Limit to ask for in place of none, or of the dialect's own. */
function raisedOutput(
	{ maxOutputTokens, raisedOutput: raised }: ModelRequest,
	{ raises }: Dialect,
	{ modelId }: Endpoint,
	isRefused: boolean,
): number | undefined {
	const tokens = isRefused ? raised?.former : raised?.tokens;
	const isMore = tokens !== undefined && raises?.(tokens, modelId) !== false;
	return maxOutputTokens === undefined && isMore ? tokens : undefined;
}

/** Under which its refusal is kept. */
function createParameterKey({ name, isEffort }: OptionalParameter, { effort }: Endpoint): string {
	return isEffort === true && effort !== undefined ? `${name} (${effort})` : name;
}

function refusedBy(
	{ code, message, facts }: { code: string; message: string; facts: { readonly status?: number } },
	{ optional }: Dialect,
	leftOut: ReadonlySet<string>,
): OptionalParameter | undefined {
	return code === 'PROVIDER_ERROR' && (facts.status === 400 || facts.status === 422)
		? optional.find(({ name, refusedBy: words }) => !leftOut.has(name) && words.test(message))
		: undefined;
}

function createProviderStallError(endpoint: Endpoint, stalled: 'first' | 'idle', afterMs: number): Error {
	const { providerId: provider, modelId } = endpoint;
	const [code, what] =
		stalled === 'first'
			? (['PROVIDER_UNREACHABLE', 'sent nothing'] as const)
			: (['STREAM_CUT', 'went silent'] as const);
	const message = `provider "${provider}" ${what} for ${afterMs / 1000} s while answering with "${modelId}"`;
	return providerError(code, message, { provider, retryable: true, ...(stalled === 'first' && { stalled: true }) });
}
