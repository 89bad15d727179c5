/** Pictures and sounds of a request: their bytes for a model that takes them, a sentence in their place for one that does not. */
import { type ImageRef, type ImageType, isSoundType, SoundType } from '../../protocol/ops/images.ts';
import type { ProviderKind } from '../../protocol/turn/models.ts';
import { modelLimits } from './limits.ts';
import type { ModelMessage, ModelRequest } from './model-port.ts';

/** Bytes of a picture in base64; undefined: it is no longer stored. */
export type ImageData = (id: string) => string | undefined;

interface SentImage {
	readonly type: ImageType | SoundType;
	/** Base64. */
	readonly data: string;
}

/** Most tokens that vendors charge for a picture: larger pictures are scaled down. */
const MOST_TOKENS = 1_600;
const LEAST_TOKENS = 85;
/** Anthropic's ratio; the other vendors count no more tokens. */
const PIXELS_PER_TOKEN = 750;

export function imageTokens(images: readonly ImageRef[] = []): number {
	return images.reduce(
		(sum, { type, bytes, width, height }) =>
			sum + (isSoundType(type) ? countSoundTokens(bytes) : countImageTokens(width * height)),
		0,
	);
}

/** A second takes 32 tokens, and 16 to 32 kB. */
function countSoundTokens(bytes: number): number {
	return Math.max(LEAST_TOKENS, Math.ceil(bytes / 500));
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

/** In place of pictures and sounds that a model is not shown. */
export function leftOutImages(images: readonly ImageRef[] | undefined, why: string): string {
	return (images ?? [])
		.map((image) => `\n[${isSoundType(image.type) ? 'sound' : 'picture'} ${describeImage(image)} left out: ${why}]`)
		.join('');
}

/** Pictures and sounds that a model takes. */
interface TakenMedia {
	/** Undefined: nobody knows yet, so they are sent. */
	readonly images: boolean | undefined;
	readonly sounds: readonly SoundType[];
}

/**
 * The same request with the pictures and sounds that the model takes, and a sentence in the place of each other one. Older
 * pictures of results are left out by the half, so that the beginning of the requests stays the same for long. The same
 * request gives the same text.
 */
export function shownMedia(request: ModelRequest, taken: TakenMedia): ModelRequest {
	const { messages } = request;
	if (!hasImages(request)) return request;
	const old = oldResultMedia(messages);
	const findReason = (image: ImageRef): string | undefined => {
		if (isSoundType(image.type)) {
			return taken.sounds.includes(image.type) ? (old.has(image) ? OLD : undefined) : SOUND_NOT_TAKEN;
		}
		return taken.images === false ? NOT_TAKEN : old.has(image) ? OLD : undefined;
	};
	return { ...request, messages: messages.map((message) => withShown(message, findReason)) };
}

export function hasSounds({ messages }: Pick<ModelRequest, 'messages'>): boolean {
	return messages.some((message) => imagesIn(message).some(({ type }) => isSoundType(type)));
}

const NOT_TAKEN = 'you cannot see pictures';
const SOUND_NOT_TAKEN = 'you cannot hear this sound';
const OLD = 'many others followed; get it again where you need it';

/** Pictures and sounds of results that have to leave: too many, or too large together, for one request. */
function oldResultMedia(messages: readonly ModelMessage[]): ReadonlySet<ImageRef> {
	const { resultImages, resultImageBytes } = modelLimits;
	const left = new Set<ImageRef>();
	let kept: ImageRef[] = [];
	const isBeyond = (share: number) =>
		kept.length > resultImages * share || kept.reduce((sum, { bytes }) => sum + bytes, 0) > resultImageBytes * share;
	for (const message of messages) {
		const added = message.role === 'tool' ? imagesIn(message) : [];
		kept = [...kept, ...added];
		if (!isBeyond(1)) continue;
		// The newest message keeps its own, as far as they fit at all.
		while (kept.length > 1 && (isBeyond(1) || (isBeyond(0.5) && kept.length > added.length))) {
			const [oldest, ...others] = kept;
			if (oldest !== undefined) left.add(oldest);
			kept = others;
		}
	}
	return left;
}

function withShown(message: ModelMessage, findReason: (image: ImageRef) => string | undefined): ModelMessage {
	const splitShown = (images: readonly ImageRef[]) => {
		const shown = images.filter((image) => findReason(image) === undefined);
		const told = images.map((image) => {
			const why = findReason(image);
			return why === undefined ? '' : leftOutImages([image], why);
		});
		return { told: told.join(''), member: shown.length === 0 ? {} : { images: shown } };
	};
	switch (message.role) {
		case 'user': {
			const { images, ...rest } = message;
			if (images === undefined) return message;
			const { told, member } = splitShown(images);
			return { ...rest, text: message.text + told, ...member };
		}
		case 'tool':
			return imagesIn(message).length === 0
				? message
				: {
						role: 'tool',
						results: message.results.map(({ images = [], ...result }) => {
							const { told, member } = splitShown(images);
							return { ...result, text: result.text + told, ...member };
						}),
					};
		case 'assistant':
			return message;
	}
}

function describeImage({ name, type, width, height }: ImageRef): string {
	return isSoundType(type) ? `${name ?? ''} ${type}`.trim() : `${name ?? type} ${width}x${height}`;
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

/** Beginnings of names, but for those of `TAKES_NONE`. */
const TAKES = beginnings('claude- gpt-4o gpt-4.1 gpt-4-turbo gpt-5 chatgpt-4o o1 o3 o4-mini gemini-');

const TAKES_NONE = beginnings(
	'gpt-3.5 o1-mini o1-preview o3-mini codex-mini claude-2 claude-instant deepseek-chat deepseek-reasoner deepseek-coder',
);

const TAKES_SOUNDS = beginnings('gemini- gpt-audio gpt-4o-audio gpt-4o-mini-audio');

/** Tells whether a name begins with one of these, without a pattern to compile. */
function beginnings(names: string): (name: string) => boolean {
	const all = names.split(' ');
	return (name) => all.some((each) => name.startsWith(each));
}

/**
 * Returns whether a model takes pictures, by its name, when its vendor says so. Undefined: nobody knows; the answer to a
 * request with a picture shows it.
 */
export function knownToTakeImages(modelId: string): boolean | undefined {
	// Behind a service that sells models of others, the last part is the vendor's own name.
	const name = modelId.slice(modelId.lastIndexOf('/') + 1).toLowerCase();
	if (TAKES_NONE(name)) {
		return false;
	}
	return TAKES(name) ? true : undefined;
}

/** Sounds that a model takes, by its vendor's form of requests and by its name. */
export function knownSounds(kind: ProviderKind, modelId: string): readonly SoundType[] {
	const name = modelId.slice(modelId.lastIndexOf('/') + 1).toLowerCase();
	if (kind === 'google') {
		return name.startsWith('gemini-') ? SoundType.options : [];
	}
	return kind === 'openai-compatible' && TAKES_SOUNDS(name) ? ['audio/wav', 'audio/mpeg'] : [];
}

/** Words with which an endpoint refuses sounds. */
export function saysNoSounds(message: string): boolean {
	return /audio|mime ?type|inline_?data/i.test(message);
}
