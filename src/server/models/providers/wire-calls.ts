/** Calls of tools in the form that every vendor takes back, whoever's model has made them. */
import { type JsonObject, objectOf } from './loose-json.ts';

/** Vendors take an object only. What is none goes back as the text it was, so that the model sees its mistake. */
export function inputOf(inputText: string): JsonObject {
	if (inputText.trim() === '') {
		return {};
	}
	try {
		const input: unknown = JSON.parse(inputText);
		if (typeof input === 'object' && input !== null && !Array.isArray(input)) {
			return objectOf(input);
		}
	} catch {
		// Not JSON: the model has been told so by the call's result.
	}
	return { unreadable_input: inputText };
}

/** Input as text, whether it came as text or as the object itself. */
export function inputTextOf(input: unknown): string {
	return typeof input === 'string' ? input : input === undefined || input === null ? '' : JSON.stringify(input);
}

const MAX_CALL_ID = 64;

/** Ids come from other vendors too; the strictest takes these characters and this length. Same id in, same id out. */
export function wireCallId(callId: string): string {
	const safe = callId.replace(/[^\w-]/g, '_');
	if (safe.length <= MAX_CALL_ID) {
		return safe || 'call';
	}
	let hash = 0;
	for (let index = 0; index < callId.length; index += 1) {
		hash = (Math.imul(hash, 31) + callId.charCodeAt(index)) >>> 0;
	}
	return `${safe.slice(0, 48)}_${hash.toString(36)}`;
}
