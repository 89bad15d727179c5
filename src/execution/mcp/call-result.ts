/** The result of a tool as an op gives it: its texts, cut; its pictures and sounds; of everything else what it is. */
import { isPlainData, parseJsonOrUndefined } from '../../base/text/lenient.ts';
import { escapeHidden } from '../../base/text/hidden-characters.ts';
import { cutText } from '../../base/text/one-line.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import {
	checkedMedia,
	isSoundType,
	MAX_IMAGE_BYTES,
	MAX_RESULT_MEDIA,
	MAX_RESULT_MEDIA_BYTES,
	type ResultMedia,
} from '../../protocol/ops/images.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import { canonicalJson, sha256 } from '../../trust/record/store/chain/canonical-json.ts';
import { MCP_RESULT_CHARS } from './limits.ts';
import { isShallow } from './process/raw-results.ts';

type ReadParts = Pick<OpResult<'mcp.call'>, 'text' | 'leftOut' | 'media'>;

/** `result` as the server sent it: any member may be of another kind than the protocol says, or be missing. */
export function callResult(server: string, tool: string, result: unknown): OpResult<'mcp.call'> {
	const { content, structuredContent, isError, toolResult } = isPlainData(result) ? result : { content: result };
	const parts = toParts(content);
	const structured = structuredContent ?? toolResult;
	const isSaid = structured === undefined || structured === null || saysAgain(parts, structured);
	const told = isSaid
		? []
		: [isShallow(structured) ? { type: 'text', text: structuredText(structured, parts) } : TOO_DEEP];
	return { server, tool, isError: isError === true || isError === 'true', ...joinParts([...parts, ...told]) };
}

const TOO_DEEP = { type: 'structured result that is nested too deep' };

/** A list of parts; a part or a text alone, as some servers send it, is a list of one. */
export function toParts(content: unknown): readonly unknown[] {
	return content === undefined || content === null ? [] : Array.isArray(content) ? content : [content];
}

/** Texts of parts as one, cut; pictures and sounds within their limits; of everything else what it is. */
export function joinParts(parts: readonly unknown[]): ReadParts {
	const read = parts.map(readPart);
	const text = escapeHidden(read.flatMap((part) => part.text ?? []).join('\n'));
	const leftOut = read.flatMap((part) => part.leftOut ?? []);
	if (text.length > MCP_RESULT_CHARS) {
		leftOut.push(`the text has ${text.length} characters and is cut to ${MCP_RESULT_CHARS}`);
	}
	const media: ResultMedia[] = [];
	let bytes = 0;
	let beyond = 0;
	for (const { media: each } of read) {
		if (each === undefined) continue;
		if (media.length >= MAX_RESULT_MEDIA || bytes + each.bytes > MAX_RESULT_MEDIA_BYTES) {
			beyond += 1;
		} else {
			bytes += each.bytes;
			media.push({
				...each,
				name: each.name === '' ? `${isSoundType(each.type) ? 'sound' : 'picture'} ${media.length + 1}` : each.name,
			});
		}
	}
	if (beyond > 0) {
		const most = `${MAX_RESULT_MEDIA} pictures and sounds, and ${MAX_RESULT_MEDIA_BYTES} bytes of them`;
		leftOut.push(
			`${beyond} more ${beyond === 1 ? 'picture or sound is' : 'pictures and sounds are'} left out: a result may have ${most}`,
		);
	}
	return { text: cutText(text, MCP_RESULT_CHARS), leftOut, ...(media.length === 0 ? {} : { media }) };
}

/** Programs are given texts alone. */
export function withoutMedia<R extends ReadParts>({ media = [], ...result }: R): Omit<R, 'media'> {
	const left = media.map(
		({ type, name, bytes }) =>
			`${name} (${type}, ${bytes} bytes) is left out: only the agent is shown pictures and sounds`,
	);
	return { ...result, leftOut: [...result.leftOut, ...left] };
}

interface ReadPart {
	readonly text?: string;
	readonly leftOut?: string;
	readonly media?: ResultMedia;
}

function readPart(part: unknown): ReadPart {
	if (typeof part === 'string') return { text: part };
	if (!isPlainData(part)) return { leftOut: 'a part that is no object is left out' };
	const { type, mimeType, text, data, uri, name, resource } = part;
	switch (type) {
		case 'text':
			return text === undefined || text === null
				? { leftOut: 'a text without words is left out' }
				: { text: toText(text) };
		case 'image':
		case 'audio':
			return readMedia(data, type === 'image' ? 'a picture' : 'a sound', mimeType, '');
		case 'resource_link':
			return { text: `Resource: ${toText(uri ?? '')} ${toText(name ?? '')}`.trim() };
		case 'resource':
			return readResource(resource);
		default:
			return { leftOut: `a part of the unknown kind "${cutPartText(toText(type ?? ''), 40)}" is left out` };
	}
}

function readResource(resource: unknown): ReadPart {
	if (!isPlainData(resource)) return { leftOut: 'a file without content is left out' };
	const { text, blob, mimeType, uri } = resource;
	if (typeof text === 'string') return { text };
	const kind = typeof mimeType === 'string' ? mimeType : '';
	if (typeof blob === 'string' && /^(?:image|audio)\//.test(kind)) {
		return readMedia(
			blob,
			kind.startsWith('image/') ? 'a picture' : 'a sound',
			kind,
			cutPartText(toText(uri ?? ''), 200),
		);
	}
	const bytes = typeof blob === 'string' ? decodeBase64(blob) : undefined;
	if (bytes !== undefined && /^text\/|[/+](?:json|xml|yaml)$/.test(kind)) return { text: bytes.toString('utf8') };
	const size = bytes === undefined ? '' : `, ${bytes.length} bytes`;
	return {
		leftOut: `a file${kind === '' && size === '' ? '' : ` (${cutPartText(kind, 100)}${size})`} that is no text is left out`,
	};
}

/** `what` it is said to be; what it is, its first bytes say. */
function readMedia(data: unknown, what: string, mimeType: unknown, name: string): ReadPart {
	const kind = typeof mimeType === 'string' ? ` (${cutPartText(mimeType, 100)})` : '';
	const bytes = typeof data === 'string' ? decodeBase64(data) : undefined;
	if (bytes === undefined || bytes.length === 0) {
		return { leftOut: `${what}${kind} is left out: its data cannot be read` };
	}
	if (bytes.length > MAX_IMAGE_BYTES) {
		return { leftOut: `${what}${kind} is left out: it has ${bytes.length} bytes, and ${MAX_IMAGE_BYTES} are allowed` };
	}
	try {
		const { type } = checkedMedia(bytes, what);
		return { media: { type, data: bytes.toString('base64'), bytes: bytes.length, sha256: sha256(bytes), name } };
	} catch (error) {
		if (!isProwessError(error)) throw error;
		return {
			leftOut: `${what}${kind} is left out: it is no whole PNG, JPEG, GIF or WebP picture, and no WAV, MP3, Ogg or FLAC sound`,
		};
	}
}

/** Bytes of a text in base64, also of a data address; undefined: it is none. */
function decodeBase64(data: string): Buffer | undefined {
	const base64 = data.replace(/^data:[^,]{0,200};base64,/, '').replaceAll(/\s+/g, '');
	return /^[A-Za-z0-9+/_-]*={0,2}$/.test(base64) ? Buffer.from(base64, 'base64') : undefined;
}

/** Servers say the structured result again as text, for hosts that do not read it: as JSON, in one part or one for each member. */
function saysAgain(parts: readonly unknown[], structured: unknown): boolean {
	const texts = parts.flatMap((part) => {
		const { text } = readPart(part);
		return text === undefined ? [] : [text];
	});
	if (texts.length === 0 || !isShallow(structured)) return false;
	const members = isPlainData(structured) ? Object.values(structured) : [];
	const forms = [structured, ...(members.length === 1 ? members : [])];
	const whole = texts.map((each) => parseJsonOrUndefined(stripFence(each)) ?? each);
	const said = [...whole, whole, texts.join('\n'), texts.join(''), parts];
	const known = new Set(said.filter(isShallow).map(canonicalJson));
	return forms.some((form) => known.has(canonicalJson(form)));
}

function stripFence(text: string): string {
	return /^\s*```\w*\n(.*)\n```\s*$/s.exec(text)?.[1] ?? text;
}

/** Returns it as JSON; what is there as a picture or sound already stands for its bytes. */
function structuredText(structured: unknown, parts: readonly unknown[]): string {
	const shown = new Set(
		parts.flatMap((part) => (isPlainData(part) && typeof part['data'] === 'string' ? [part['data']] : [])),
	);
	return JSON.stringify(structured, (_key, value: unknown) =>
		typeof value === 'string' && shown.has(value) ? '[above]' : value,
	);
}

/** A text that a server sends as something else is told as it is. */
function toText(value: unknown): string {
	return typeof value === 'string' ? value : isShallow(value) ? (JSON.stringify(value) ?? '') : '';
}

function cutPartText(text: string, chars: number): string {
	return cutText(escapeHidden(text), chars);
}
