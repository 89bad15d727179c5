/**
 * Computes the content a file gets when the thread's changes since a message are taken back, one image after the other,
 * the newest first. Changes that others made since, beside the thread's lines, stay. Effects: only reading what is
 * kept.
 */
import { encodeText, readableText } from '../../../machine/paths/reading/text-encoding.ts';
import type { TurnImage } from '../../record/store/image-rows.ts';
import { withoutOwn } from '../own-lines.ts';
import { createFileContent, type FileContent, kindOfState, parseFileState } from './file-content.ts';

interface PlannedFile {
	readonly to: FileContent;
	/** Somebody else has changed lines, or bytes, that would be taken back with those of the thread. */
	readonly isTouched: boolean;
	/** True when the bytes of the file are not kept any more. */
	readonly isLost: boolean;
}

interface PlanPorts {
	blob(hash: string): Promise<Buffer | undefined>;
	/** Encoding of a text that does not tell its own. */
	readonly usualEncoding: string | undefined;
}

/** Undefined when the file is so already. `images` are of one file, the oldest first. */
export async function planFile(
	images: readonly TurnImage[],
	now: FileContent,
	ports: PlanPorts,
): Promise<PlannedFile | undefined> {
	let at = now;
	let isTouched = false;
	for (const image of images.toReversed()) {
		if (at.state === image.before) {
			continue;
		}
		const merged = at.state === image.after ? undefined : await mergeTurnImage(image, at, ports);
		isTouched ||= at.state !== image.after && merged?.isMixed !== false;
		at = merged?.content ?? { state: image.before };
	}
	if (at.state === now.state) {
		return undefined;
	}
	const bytes = await readContentBytes(at, ports);
	return { to: { state: at.state, bytes }, isTouched, isLost: kindOfState(at.state) === 'file' && bytes === undefined };
}

/** The file without the lines of that image; undefined where they cannot be told from those of others. */
async function mergeTurnImage(
	image: TurnImage,
	at: FileContent,
	ports: PlanPorts,
): Promise<{ readonly content: FileContent; readonly isMixed: boolean } | undefined> {
	if (image.after === null || [image.before, image.after, at.state].some((state) => kindOfState(state) !== 'file')) {
		return undefined;
	}
	const [before, after, now] = await Promise.all(
		[{ state: image.before }, { state: image.after }, at].map(async (content) => {
			const bytes = await readContentBytes(content, ports);
			return bytes === undefined ? undefined : readableText(bytes, ports.usualEncoding);
		}),
	);
	if (before === undefined || after === undefined || now === undefined) {
		return undefined;
	}
	const without = withoutOwn(before.text, after.text, now.text);
	if (without === undefined) {
		return undefined;
	}
	const isModeOurs = parseFileState(image.before).permissions !== parseFileState(image.after).permissions;
	const { permissions } = parseFileState(isModeOurs ? image.before : at.state);
	const bytes = encodeIfPossible(without.text, now.encoding);
	return bytes === undefined ? undefined : { content: createFileContent(bytes, permissions), isMixed: without.isMixed };
}

/** Undefined: the file has got an encoding since that lacks a character of the text. */
function encodeIfPossible(text: string, encoding: string): Buffer | undefined {
	try {
		return encodeText('', text, encoding);
	} catch {
		return undefined;
	}
}

async function readContentBytes({ state, bytes }: FileContent, { blob }: PlanPorts): Promise<Buffer | undefined> {
	return bytes ?? (kindOfState(state) === 'file' ? await blob(parseFileState(state).hash) : undefined);
}
