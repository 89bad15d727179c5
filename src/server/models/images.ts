/** Pictures of a request: their bytes for a model that takes them, a sentence in their place for one that does not. */
import type { ImageRef, ImageType } from '../../protocol/ops/images.ts';
import type { ModelMessage, ModelRequest } from './model-port.ts';

/** Bytes of a picture in base64; undefined: it is no longer stored. */
export type ImageData = (id: string) => string | undefined;

interface SentImage {
	readonly type: ImageType;
	/** Base64. */
	readonly data: string;
}

/** Most tokens that vendors charge for a picture: larger pictures are scaled down. */
const MOST_TOKENS = 1_600;
const LEAST_TOKENS = 85;
/** Anthropic's ratio; the other vendors count no more tokens. */
const PIXELS_PER_TOKEN = 750;

export function imageTokens(images: readonly ImageRef[] = []): number {
	return images.reduce((sum, { width, height }) => sum + countImageTokens(width * height), 0);
}

function countImageTokens(pixels: number): number {
	return Math.max(LEAST_TOKENS, Math.min(MOST_TOKENS, Math.ceil(pixels / PIXELS_PER_TOKEN)));
}

export function hasImages({ messages }: Pick<ModelRequest, 'messages'>): boolean {
	return messages.some((message) => imagesIn(message).length > 0);
}

export function imagesIn(message: ModelMessage): readonly ImageRef[] {
	switch (message.role) {
		case 'user':
			return message.images ?? [];
		case 'tool':
			return message.results.flatMap(({ images = [] }) => images);
		case 'assistant':
			return [];
	}
}

/** Returns the pictures with their data, ready to send; leaves out those that are not stored any more. */
export function sentImages(images: readonly ImageRef[] | undefined, dataOf: ImageData): SentImage[] {
	return (images ?? []).flatMap(({ id, type }) => {
		const data = dataOf(id);
		return data === undefined ? [] : [{ type, data }];
	});
}

/** In place of pictures that a model is not shown. */
export function leftOutImages(images: readonly ImageRef[] | undefined, why: string): string {
	return (images ?? []).map((image) => `\n[picture ${describeImage(image)} left out: ${why}]`).join('');
}

/** The same request for a model that takes none. The same request gives the same text. */
export function withoutImages(request: ModelRequest): ModelRequest {
	return { ...request, messages: request.messages.map(messageWithout) };
}

const NOT_TAKEN = 'you cannot see pictures';

function messageWithout(message: ModelMessage): ModelMessage {
	switch (message.role) {
		case 'user': {
			const { images, ...rest } = message;
			return images === undefined ? message : { ...rest, text: message.text + leftOutImages(images, NOT_TAKEN) };
		}
		case 'tool':
			return imagesIn(message).length === 0
				? message
				: {
						role: 'tool',
						results: message.results.map(({ images, ...result }) => ({
							...result,
							text: result.text + leftOutImages(images, NOT_TAKEN),
						})),
					};
		case 'assistant':
			return message;
	}
}

function describeImage({ name, type, width, height }: ImageRef): string {
	return `${name ?? type} ${width}x${height}`;
}

/**
 * Words with which model servers, vendors and the editor's providers say that a model takes no pictures. A complaint
 * about a single bad picture does not match.
 */
const NO_IMAGES =
	/(?:does|do)(?: not|n['’]t) (?:support|accept|take|handle) (?:the )?(?:images?|image[ _-](?:input|url|content)s?|vision|multi-?modal)|(?:image|vision|multi-?modal)(?:[ _-](?:input|url|content)s?)?s?(?: modality)? (?:is|are) not (?:supported|enabled|allowed|available)|support(?:s|ing)? image input|unknown variant [`'"]?image_url|not a (?:vision|multimodal) model|image_url is only supported|only (?:supports? )?text (?:content|input|is supported)|missing data required for image input|content must be a string|mmproj|(?:unsupported|unexpected|unknown|invalid)[^.]{0,40} (?:LanguageModel)?DataPart|DataPart[^.]{0,40} not supported/i;

export function saysNoImages(message: string): boolean {
	return NO_IMAGES.test(message);
}

const TAKES = [
	/^claude-(?!2|instant)/,
	/^(?:gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-5|chatgpt-4o|o1(?!-mini|-preview)|o3(?!-mini)|o4-mini)/,
	/^gemini-/,
];

const TAKES_NONE = [
	/^(?:gpt-3\.5|o1-mini|o1-preview|o3-mini|codex-mini)/,
	/^claude-(?:2|instant)/,
	/^deepseek-(?:chat|reasoner|coder)/,
];

/**
 * Returns whether a model takes pictures, by its name, when its vendor says so. Undefined: nobody knows; the answer to a
 * request with a picture shows it.
 */
export function knownToTakeImages(modelId: string): boolean | undefined {
	// Behind a service that sells models of others, the last part is the vendor's own name.
	const name = modelId.slice(modelId.lastIndexOf('/') + 1).toLowerCase();
	if (TAKES_NONE.some((pattern) => pattern.test(name))) {
		return false;
	}
	return TAKES.some((pattern) => pattern.test(name)) ? true : undefined;
}
