/**
 * Limits the size and rate of the page's messages before any code looks at their content. A page that shows model
 * output is not trusted; a frame beyond the limits is refused, never queued.
 */
import type { LogPort } from '../../contract/ports/ports.ts';
import { WIRE_CODES } from '../../protocol/rpc/wire.ts';
import { text, type Translation, translateText } from '../../protocol/text/text.ts';
import { pageLimits } from './limits.ts';

type PageFrameVerdict = 'pass' | 'tooLarge' | 'tooMany';

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
	let left: number = pageLimits.framesPerSecond;
	let at = now();
	return (frame) => {
		const time = now();
		left = Math.min(pageLimits.framesPerSecond, left + ((time - at) / 1000) * pageLimits.framesPerSecond);
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
		return pageLimits.pictureFrameBytes;
	}
	return carriesText.has(method) ? pageLimits.textFrameBytes : pageLimits.frameBytes;
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
			// So many as arguments of one call overflow the stack.
			if (size <= most) for (const member of next) open.push(member);
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

const FRAME_REFUSALS = {
	tooMany: {
		code: 'RATE_LIMITED',
		said: text('The view sent too many requests at once. Try again.'),
	},
	tooLarge: { code: 'MESSAGE_TOO_LONG', said: text('The message is too long.') },
} as const;

/** Answer to a refused request, or the page would wait for ever. Undefined for a frame that no answer belongs to. */
export function createFrameRefusal(
	frame: unknown,
	verdict: Exclude<PageFrameVerdict, 'pass'>,
	translate: Translation,
): unknown {
	if (
		typeof frame !== 'object' ||
		frame === null ||
		!('kind' in frame) ||
		frame.kind !== 'request' ||
		!('id' in frame) ||
		// Anything else is no id, and may be too deep to be written.
		typeof frame.id !== 'number'
	) {
		return undefined;
	}
	const { code, said } = FRAME_REFUSALS[verdict];
	const message = translateText(said, translate);
	return { kind: 'error', id: frame.id, code: WIRE_CODES.domainError, message, data: { code, facts: {} } };
}

/** Kinds of trouble of one page that are logged: enough to see what is wrong with it. */
const MAX_KINDS_LOGGED = 20;

/** Logs each kind of trouble of a page once, however often it happens. */
export function createOnceLogger(log: Pick<LogPort, 'warn'>, name: string): (what: string) => void {
	const seen = new Set<string>();
	return (what) => {
		if (!seen.has(what) && seen.size < MAX_KINDS_LOGGED) {
			seen.add(what);
			log.warn(`${name}: dropped a message of the page: ${what}`);
		}
	};
}
