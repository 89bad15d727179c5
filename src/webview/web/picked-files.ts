/**
 * Files that the user picks for a message in a browser, where no editor picks them: pictures are stored with the thread, and
 * texts go along as they are. A picture that is too large, or of a kind that models do not read, is drawn anew and smaller.
 */
import { WEB_PICKED } from '../../protocol/doors/web-closing.ts';
import type { Translate } from '../parts/translate.ts';

/** Frame of the host that answers a request. */
export interface HostAnswer {
	readonly kind: string;
	readonly id?: number;
	readonly result?: unknown;
}

interface PickingPage {
	readonly t: Translate;
	/** Resolves with the answer of the host, also with one that refuses. */
	ask(method: string, params: object): Promise<HostAnswer>;
}

/** Resolves with the answer to the chat: references to what was attached, or why the host refuses a picture. The user is told what was not attached. */
export async function attachPickedFiles({ t, ask }: PickingPage): Promise<HostAnswer> {
	const refs: object[] = [];
	const left: string[] = [];
	for (const [index, file] of (await chooseFiles()).entries()) {
		const name = file.name.slice(-WEB_PICKED.nameChars);
		const isPicture = file.type.startsWith('image/') && file.type !== 'image/svg+xml';
		const isTaken = index < WEB_PICKED.files;
		const picture = isTaken && isPicture ? await readModelPicture(file) : undefined;
		const text = isTaken && !isPicture ? await readPlainText(file) : undefined;
		if (text !== undefined) {
			refs.push({ kind: 'pasted', text, name });
		} else if (picture === undefined) {
			left.push(name);
		} else {
			const answer = await ask('thread/attach', { data: picture, name });
			if (answer.kind !== 'result') return answer;
			refs.push({ kind: 'image', ...(answer.result as object) });
		}
	}
	if (left.length > 0) {
		const names = left.join(', ');
		alert(t('Only pictures and short texts can be attached, at most 20 at a time. Not attached: {names}', { names }));
	}
	return { kind: 'result', result: { refs } };
}

/** Empty where the user chooses none. */
async function chooseFiles(): Promise<readonly File[]> {
	const input = document.createElement('input');
	Object.assign(input, { type: 'file', multiple: true, hidden: true });
	document.body.append(input);
	try {
		return await new Promise((resolve) => {
			input.addEventListener('change', () => resolve([...(input.files ?? [])]), { once: true });
			input.addEventListener('cancel', () => resolve([]), { once: true });
			input.click();
		});
	} finally {
		input.remove();
	}
}

/** Undefined for what is no text, or too long. */
async function readPlainText(file: File): Promise<string | undefined> {
	// A character has up to four bytes.
	if (file.size > WEB_PICKED.textChars * 4) return undefined;
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
		return text.length > WEB_PICKED.textChars || text.includes('\0') ? undefined : text;
	} catch {
		return undefined;
	}
}

/** The picture in base64; undefined where the browser cannot read it. */
async function readModelPicture(file: File): Promise<string | undefined> {
	const isSentAsIs = WEB_PICKED.pictureTypes.includes(file.type) && file.size <= WEB_PICKED.pictureBytes;
	const picture = isSentAsIs ? file : await drawSmaller(file);
	try {
		return picture === undefined ? undefined : await readBase64(picture);
	} catch {
		// Gone, or not loaded onto the device.
		return undefined;
	}
}

async function drawSmaller(file: File): Promise<Blob | undefined> {
	try {
		const bitmap = await createImageBitmap(file);
		const scale = Math.min(1, WEB_PICKED.longestEdge / Math.max(bitmap.width, bitmap.height));
		const canvas = document.createElement('canvas');
		canvas.width = Math.max(1, Math.round(bitmap.width * scale));
		canvas.height = Math.max(1, Math.round(bitmap.height * scale));
		canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
		bitmap.close();
		const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85));
		return drawn === null || drawn.size > WEB_PICKED.pictureBytes ? undefined : drawn;
	} catch {
		return undefined;
	}
}

async function readBase64(blob: Blob): Promise<string> {
	const bytes = new Uint8Array(await blob.arrayBuffer());
	let binary = '';
	for (let at = 0; at < bytes.length; at += 0x8000) {
		binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
	}
	return btoa(binary);
}
