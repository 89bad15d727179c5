/**
 * The editor's own models (vscode.lm): the host holds the model and the user's consent, this end makes a ModelPort of it.
 * The editor knows no system role, takes no thinking back and reports no usage: the system prompt is the first user
 * message, and usage is what the host counted, marked as an estimate.
 */
import type * as z from '../../protocol/text/zod.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import { type LmMessage, lmNotifications, lmRequests, type ModelInfo } from '../../protocol/turn/models.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { isWireError, WIRE_CODES } from '../../protocol/rpc/wire.ts';
import { isSoundType } from '../../protocol/ops/images.ts';
import { hasImages, type ImageData, imagesIn, saysNoImages, sentImages, shownMedia } from './images.ts';
import { editorStreamLimits, modelLimits, type StreamLimits } from './limits.ts';
import type { ModelMessage, ModelPart, ModelPort, ModelRequest } from './model-port.ts';
import { PartQueue } from './streams/part-queue.ts';
import { providerError } from './streams/provider-error.ts';
import { IMAGES, type Refusals } from './streams/refusals.ts';
import { StreamWatch } from './streams/stream-watch.ts';
import { usageOr } from './windows/usage.ts';

export const EDITOR = 'editor';

type EditorModelPart = z.output<typeof lmNotifications.part.params>['part'];
type EditorAnswers = Map<string, (part: EditorModelPart) => void>;

export interface EditorModels extends Disposable {
	/** Resolves with the models as the host names them; ids begin with `editor/`. Without an editor: none. */
	list(signal: AbortSignal): Promise<ModelInfo[]>;
	model(info: ModelInfo): ModelPort;
}

/** Listens for parts on `peer` until disposed. */
export function createEditorModels(
	peer: Peer,
	imageData: ImageData,
	refusals: Refusals,
	streamLimits: StreamLimits = editorStreamLimits,
): EditorModels {
	const answers: EditorAnswers = new Map();
	const listening = peer.on(lmNotifications, { part: ({ requestId, part }) => answers.get(requestId)?.(part) });
	return {
		async list(signal) {
			const limited = deriveSignal(signal, {
				what: 'listing the models of the editor',
				timeoutMs: modelLimits.editorModelsMs,
			});
			try {
				return (await peer.call(lmRequests.list, {}, limited.signal)).models;
			} finally {
				limited.dispose();
			}
		},
		model({ id, contextWindow, images }) {
			const asked = { baseUrl: EDITOR, modelId: id };
			const takesImages = () => images ?? (refusals.of(asked).has(IMAGES) ? false : undefined);
			return {
				id,
				get takesImages() {
					return takesImages();
				},
				contextWindow: contextWindow ?? modelLimits.defaultContextWindow,
				async *stream(request, signal) {
					const bridge = { peer, answers, modelId: id, imageData, streamLimits };
					const told = shownMedia(request, { images: takesImages(), sounds: [] });
					let hasBegun = false;
					try {
						for await (const part of streamEditorAnswer(bridge, told, signal)) {
							hasBegun = true;
							yield part;
						}
						return;
					} catch (error) {
						if (hasBegun || !hasImages(told) || !(error instanceof Error) || !saysNoImages(error.message)) {
							throw error;
						}
					}
					refusals.note(asked, IMAGES);
					yield { kind: 'note', note: 'imagesLeftOut' };
					yield* streamEditorAnswer(bridge, shownMedia(request, { images: false, sounds: [] }), signal);
				},
			};
		},
		dispose: () => listening.dispose(),
	};
}

interface Bridge {
	readonly peer: Peer;
	readonly answers: EditorAnswers;
	readonly modelId: string;
	readonly imageData: ImageData;
	readonly streamLimits: StreamLimits;
}

async function* streamEditorAnswer(
	bridge: Bridge,
	request: ModelRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelPart, void, undefined> {
	signal.throwIfAborted();
	const { peer, answers, modelId } = bridge;
	const requestId = newId('lmr');
	const running = deriveSignal(signal);
	const watch = new StreamWatch(bridge.streamLimits, (stalled, afterMs) =>
		running.abort(createEditorStallError(modelId, stalled, afterMs)),
	);
	const queue = new PartQueue<EditorModelPart>();
	answers.set(requestId, (part) => queue.push(part));
	const run = peer.call(
		lmRequests.run,
		{
			requestId,
			modelId,
			messages: toLmMessages(request, bridge.imageData),
			tools: [...request.tools],
			...(request.temperature === undefined ? {} : { temperature: request.temperature }),
			...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
		},
		running.signal,
	);
	// The parts come as notifications before the response, on the same ordered wire.
	run.then(
		() => queue.end(),
		(error: unknown) => queue.fail(error),
	);
	let open: 'text' | 'thinking' | undefined;
	let received = '';
	try {
		for (let part = await queue.take(); part !== undefined; part = await queue.take()) {
			watch.part();
			if (open !== undefined && open !== part.kind) {
				yield createBlockEnd(open);
				open = undefined;
			}
			if (part.kind === 'toolCall') {
				const inputText = JSON.stringify(part.input ?? {});
				received += inputText;
				yield { kind: 'toolCall', callId: part.callId, tool: part.name, inputText };
			} else if (part.text !== '') {
				open = part.kind;
				received += part.text;
				yield part.kind === 'text'
					? { kind: 'textDelta', text: part.text }
					: { kind: 'thinkingDelta', text: part.text };
			}
		}
		if (open !== undefined) {
			yield createBlockEnd(open);
		}
		const { inputTokens, outputTokens } = await run;
		const usage = usageOr({ input: inputTokens, output: outputTokens }, request, received);
		yield { kind: 'finish', reason: 'stop', usage: { ...usage, estimated: true } };
	} catch (error) {
		signal.throwIfAborted();
		throw running.signal.aborted ? running.signal.reason : toEditorError(error, modelId);
	} finally {
		answers.delete(requestId);
		watch.dispose();
		running.abort(new Error('the stream is no longer read'));
		running.dispose();
	}
}

function createBlockEnd(open: 'text' | 'thinking'): ModelPart {
	return open === 'text' ? { kind: 'textEnd' } : { kind: 'thinkingEnd' };
}

function createEditorStallError(modelId: string, stalled: 'first' | 'idle', afterMs: number): Error {
	const [code, what] =
		stalled === 'first'
			? (['PROVIDER_UNREACHABLE', 'sent nothing'] as const)
			: (['STREAM_CUT', 'went silent'] as const);
	const message = `the editor’s model "${modelId}" ${what} for ${afterMs / 1000} s`;
	return providerError(code, message, { provider: EDITOR, retryable: stalled === 'idle' });
}

/** The host knows why (no consent, blocked, gone) and says so by code; the editor never says whether to try again. */
function toEditorError(error: unknown, modelId: string): Error {
	if (isProwessError(error)) {
		return providerError(error.code, error.message, { provider: EDITOR, retryable: false, ...error.facts }, error);
	}
	const reason = error instanceof Error ? error.message : String(error);
	const isGone = isWireError(error) && error.code === WIRE_CODES.farEndGone;
	const message = `the editor’s model "${modelId}" failed: ${reason}`;
	return providerError(
		isGone ? 'STREAM_CUT' : 'PROVIDER_ERROR',
		message,
		{ provider: EDITOR, retryable: false },
		error,
	);
}

type LmParts = LmMessage['parts'];

/** A ModelRequest in the editor's two roles. */
function toLmMessages(request: ModelRequest, imageData: ImageData): LmMessage[] {
	const messages: LmMessage[] = [];
	if (request.system !== '') {
		messages.push({ role: 'user', parts: [{ kind: 'text', text: request.system }] });
	}
	for (const message of request.messages) {
		const parts = toLmParts(message, imageData);
		if (parts.length > 0) {
			messages.push({ role: message.role === 'assistant' ? 'assistant' : 'user', parts });
		}
	}
	return messages;
}

function toLmParts(message: ModelMessage, imageData: ImageData): LmParts {
	const images = sentImages(imagesIn(message), imageData).flatMap(({ type, data }) =>
		isSoundType(type) ? [] : [{ kind: 'image' as const, type, data }],
	);
	switch (message.role) {
		case 'user':
			return [{ kind: 'text', text: message.text }, ...images];
		case 'tool':
			return [...message.results.map(({ callId, text }) => ({ kind: 'toolResult' as const, callId, text })), ...images];
		case 'assistant':
			return message.parts.flatMap((part): LmParts => {
				switch (part.kind) {
					case 'text':
						return part.text === '' ? [] : [{ kind: 'text', text: part.text }];
					case 'thinking':
						return [];
					case 'toolCall':
						return [
							{ kind: 'toolCall', callId: part.callId, name: part.tool, input: parseEditorInput(part.inputText) },
						];
				}
			});
	}
}

/** The editor takes objects only. */
function parseEditorInput(inputText: string): unknown {
	try {
		const input: unknown = JSON.parse(inputText);
		return typeof input === 'object' && input !== null ? input : { unreadable_input: inputText };
	} catch {
		return inputText.trim() === '' ? {} : { unreadable_input: inputText };
	}
}
