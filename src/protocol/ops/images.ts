/** Pictures and sounds that a model is shown: which there are, how large they may be, and what their bytes say. */
import { ProwessError } from '../errors/errors.ts';
import { ImageId } from '../rpc/ids.ts';
import * as z from '../text/zod.ts';

export const ImageType = z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
export type ImageType = z.infer<typeof ImageType>;

export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** Pictures of one message. */
export const MAX_IMAGES = 20;

/** Characters of the largest picture as base64. */
export const MAX_IMAGE_CHARS = Math.ceil(MAX_IMAGE_BYTES / 3) * 4;

/** Sounds in results. No user attaches one. */
export const SoundType = z.enum(['audio/wav', 'audio/mpeg', 'audio/ogg', 'audio/flac']);
export type SoundType = z.infer<typeof SoundType>;

export function isSoundType(type: ImageType | SoundType): type is SoundType {
	return type.startsWith('audio/');
}

/** Picture, or sound of a result, whose bytes lie in the store of threads. */
export const ImageRef = z.object({
	id: ImageId,
	type: z.union([ImageType, SoundType]),
	bytes: z.int().positive(),
	/** In pixels; 0 for a sound, as the height. */
	width: z.int().nonnegative(),
	height: z.int().nonnegative(),
	/** File it came from; absent: it was pasted. */
	name: z.string().max(4096).optional(),
});
export type ImageRef = z.infer<typeof ImageRef>;

const MEDIA_ENDINGS: Readonly<Record<ImageType | SoundType, readonly string[]>> = {
	'image/png': ['.png'],
	'image/jpeg': ['.jpg', '.jpeg'],
	'image/gif': ['.gif'],
	'image/webp': ['.webp'],
	'audio/wav': ['.wav'],
	'audio/mpeg': ['.mp3'],
	'audio/ogg': ['.ogg', '.oga', '.opus'],
	'audio/flac': ['.flac'],
};

/** Returns a plain file name whose ending is that of the type, whatever the name or address says. */
export function formatMediaFileName({
	type,
	name = '',
}: {
	readonly type: ImageType | SoundType;
	readonly name: string | undefined;
}): string {
	const last = name.split(/[/\\]/u).findLast((part) => part !== '') ?? '';
	const plain = last
		.replaceAll(/[^\p{L}\p{N} ._-]+/gu, '-')
		.replaceAll(/^[ .-]+|[ .-]+$/gu, '')
		.slice(0, 100);
	const [ending = '', ...others] = MEDIA_ENDINGS[type];
	const isEnded = [ending, ...others].some((each) => plain.toLowerCase().endsWith(each));
	return isEnded ? plain : `${plain === '' ? (isSoundType(type) ? 'sound' : 'picture') : plain}${ending}`;
}

/** Pictures and sounds of one result, and their bytes together. */
export const MAX_RESULT_MEDIA = 10;
export const MAX_RESULT_MEDIA_BYTES = 8 * 1024 * 1024;

/** Picture or sound in a result on its way to the model: its bytes, which no redaction can clean, and what a record keeps of them. */
export const ResultMedia = z.object({
	type: z.union([ImageType, SoundType]),
	/** In base64. */
	data: z.string(),
	bytes: z.int().positive(),
	sha256: z.string(),
	/** For people and models; the address of an embedded file. */
	name: z.string(),
});
export type ResultMedia = z.infer<typeof ResultMedia>;

interface ImageFacts {
	readonly type: ImageType | SoundType;
	readonly width: number;
	readonly height: number;
}

/** Returns the type of a picture by its first bytes; the bytes after them may still be damaged. */
export function detectImageType(bytes: Uint8Array): ImageType | undefined {
	if (startsWith(bytes, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) {
		return 'image/png';
	}
	if (startsWith(bytes, 0, [0xff, 0xd8, 0xff])) {
		return 'image/jpeg';
	}
	if (startsWith(bytes, 0, [0x47, 0x49, 0x46, 0x38])) {
		return 'image/gif';
	}
	const isWebp = startsWith(bytes, 0, [0x52, 0x49, 0x46, 0x46]) && startsWith(bytes, 8, [0x57, 0x45, 0x42, 0x50]);
	return isWebp ? 'image/webp' : undefined;
}

function detectSoundType(bytes: Uint8Array): SoundType | undefined {
	if (startsWith(bytes, 0, [0x52, 0x49, 0x46, 0x46]) && startsWith(bytes, 8, [0x57, 0x41, 0x56, 0x45])) {
		return 'audio/wav';
	}
	if (startsWith(bytes, 0, [0x4f, 0x67, 0x67, 0x53])) {
		return 'audio/ogg';
	}
	if (startsWith(bytes, 0, [0x66, 0x4c, 0x61, 0x43])) {
		return 'audio/flac';
	}
	const isMpegFrame = bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2;
	return startsWith(bytes, 0, [0x49, 0x44, 0x33]) || isMpegFrame ? 'audio/mpeg' : undefined;
}

/** Reads from the bytes of a result's picture or sound what it is. Throws as `checkedImage`. */
export function checkedMedia(bytes: Uint8Array, what: string): ImageFacts {
	const sound = detectSoundType(bytes);
	if (sound === undefined || bytes.length > MAX_IMAGE_BYTES) {
		return checkedImage(bytes, what);
	}
	return { type: sound, width: 0, height: 0 };
}

/**
 * Reads from a picture's own bytes what it is. Throws NOT_AN_IMAGE for another kind of file and for one that is cut off, and
 * IMAGE_TOO_LARGE. `what` names it in the error.
 */
export function checkedImage(bytes: Uint8Array, what: string): ImageFacts & { readonly type: ImageType } {
	if (bytes.length > MAX_IMAGE_BYTES) {
		throw imageTooLarge(what, bytes.length);
	}
	const type = detectImageType(bytes);
	if (type === undefined) {
		throw notAnImage(what, 'its first bytes are not those of a PNG, JPEG, GIF or WebP picture');
	}
	const size = isWholeImage(type, bytes) ? readImageSize(type, bytes) : undefined;
	if (size === undefined || size[0] < 1 || size[1] < 1) {
		throw notAnImage(what, `it begins like ${type} but is damaged or cut off`);
	}
	return { type, width: size[0], height: size[1] };
}

/** Throws TOO_MANY_IMAGES for more than one message takes. */
export function refuseManyImages(count: number): void {
	if (count > MAX_IMAGES) {
		const message = `the message has ${count} pictures, ${MAX_IMAGES} are allowed`;
		throw new ProwessError('TOO_MANY_IMAGES', message, { count, limit: MAX_IMAGES });
	}
}

export function imageTooLarge(what: string, bytes: number): ProwessError {
	const message = `${what} has ${bytes} bytes, a picture may have ${MAX_IMAGE_BYTES}`;
	return new ProwessError('IMAGE_TOO_LARGE', message, { what, bytes, limit: MAX_IMAGE_BYTES });
}

function notAnImage(what: string, why: string): ProwessError {
	return new ProwessError('NOT_AN_IMAGE', `${what} cannot be sent as a picture: ${why}`, { what });
}

/**
 * Returns true when the bytes hold the end of a picture of this type; the endpoint would refuse one that is cut off,
 * with the whole message.
 */
function isWholeImage(type: ImageType, bytes: Uint8Array): boolean {
	switch (type) {
		case 'image/png':
			return hasByteSequence(
				bytes.subarray(0, -PNG_CHECKSUM_BYTES),
				bytes.length - TAIL_BYTES,
				[0x49, 0x45, 0x4e, 0x44],
			);
		case 'image/jpeg':
			return hasByteSequence(bytes, bytes.length - TAIL_BYTES, [0xff, 0xd9]);
		case 'image/gif':
			return hasByteSequence(bytes, bytes.length - TAIL_BYTES, [0x3b]);
		case 'image/webp':
			return bytes.length >= 30 && bytes.length >= createDataView(bytes).getUint32(4, true) + 8;
	}
}

/** Some programs write a little more behind the end. */
const TAIL_BYTES = 64;
const PNG_CHECKSUM_BYTES = 4;

/** Width and height; undefined: they are not where they belong. */
function readImageSize(type: ImageType, bytes: Uint8Array): readonly [number, number] | undefined {
	const data = createDataView(bytes);
	switch (type) {
		case 'image/png':
			return bytes.length < 24 ? undefined : [data.getUint32(16), data.getUint32(20)];
		case 'image/gif':
			return bytes.length < 10 ? undefined : [data.getUint16(6, true), data.getUint16(8, true)];
		case 'image/jpeg':
			return jpegSize(bytes, data);
		case 'image/webp':
			return webpSize(bytes, data);
	}
}

/** In the first frame header; the segments before it are skipped by their lengths. */
function jpegSize(bytes: Uint8Array, data: DataView): readonly [number, number] | undefined {
	for (let at = 2; at + 9 < bytes.length; at += 2 + data.getUint16(at + 2)) {
		while (bytes[at] === 0xff && bytes[at + 1] === 0xff) {
			at += 1;
		}
		const marker = bytes[at + 1] ?? 0;
		if (bytes[at] !== 0xff || at + 9 >= bytes.length) {
			return undefined;
		}
		if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
			return [data.getUint16(at + 7), data.getUint16(at + 5)];
		}
	}
	return undefined;
}

function webpSize(bytes: Uint8Array, data: DataView): readonly [number, number] | undefined {
	switch (String.fromCharCode(...bytes.subarray(12, 16))) {
		case 'VP8 ':
			return [data.getUint16(26, true) & 0x3fff, data.getUint16(28, true) & 0x3fff];
		case 'VP8L': {
			const bits = data.getUint32(21, true);
			return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
		}
		case 'VP8X':
			return [(data.getUint32(24, true) & 0xffffff) + 1, (data.getUint32(26, true) >>> 8) + 1];
		default:
			return undefined;
	}
}

function createDataView(bytes: Uint8Array): DataView {
	return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function startsWith(bytes: Uint8Array, at: number, start: readonly number[]): boolean {
	return start.every((byte, index) => bytes[at + index] === byte);
}

function hasByteSequence(bytes: Uint8Array, from: number, part: readonly number[]): boolean {
	for (let at = Math.max(0, from); at + part.length <= bytes.length; at += 1) {
		if (startsWith(bytes, at, part)) {
			return true;
		}
	}
	return false;
}
