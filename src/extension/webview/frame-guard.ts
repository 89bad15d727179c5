/**
 * Limits the size and rate of the page's messages before any code looks at their content. A page that shows model
 * output is not trusted; a frame beyond the limits is refused, never queued.
 */
import { extensionLimits } from '../editor/limits.ts';

export type PageFrameVerdict = 'pass' | 'tooLarge' | 'tooMany';

/** Requests whose purpose is to carry text. */
const carriesText = new Set([
	'thread/prompt',
	'thread/steer',
	'thread/rerun',
	'view/applyCode',
	'view/copy',
	'view/keep',
	'view/insertAtCursor',
	'page/copy',
]);

/** `now` in milliseconds. Bursts of one second's worth pass. */
export function createFrameGuard(now: () => number): (frame: unknown) => PageFrameVerdict {
	let left: number = extensionLimits.framesPerSecond;
	let at = now();
	return (frame) => {
		const time = now();
		left = Math.min(extensionLimits.framesPerSecond, left + ((time - at) / 1000) * extensionLimits.framesPerSecond);
		at = time;
		if (left < 1) {
			return 'tooMany';
		}
		left -= 1;
		const most = chooseByteLimit(readFrameMethod(frame));
		return estimateFrameSize(frame, most) > most ? 'tooLarge' : 'pass';
	};
}

function chooseByteLimit(method: string): number {
	if (method === 'thread/attach') {
		return extensionLimits.pictureFrameBytes;
	}
	return carriesText.has(method) ? extensionLimits.textFrameBytes : extensionLimits.frameBytes;
}

/** Roughly its length as JSON; stops counting soon after `most`. */
export function estimateFrameSize(value: unknown, most: number): number {
	let size = 0;
	const open: unknown[] = [value];
	while (open.length > 0 && size <= most) {
		const next = open.pop();
		if (typeof next === 'string') {
			size += next.length + 2;
		} else if (Array.isArray(next)) {
			size += 2 + next.length;
			open.push(...next.slice(0, most));
		} else if (typeof next === 'object' && next !== null) {
			const view = ArrayBuffer.isView(next) || next instanceof ArrayBuffer ? next.byteLength : 0;
			size += 2 + view;
			for (const [key, member] of view > 0 ? [] : Object.entries(next)) {
				size += key.length + 4;
				open.push(member);
			}
		} else {
			size += 8;
		}
	}
	return size;
}

function readFrameMethod(frame: unknown): string {
	const isObject = typeof frame === 'object' && frame !== null;
	return isObject && 'method' in frame && typeof frame.method === 'string' ? frame.method : '';
}
