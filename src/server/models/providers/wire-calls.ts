/** Calls of tools in the form that every vendor takes back, whoever's model has made them. */
import { isPlainData } from '../../../base/text/lenient.ts';
import { type OneObject, readOneObject } from '../../../base/text/one-object.ts';
import type { ModelMessage } from '../model-port.ts';
import { type JsonObject, objectOrEmpty } from './loose-json.ts';

/**
 * Returns the input of a call as an object, because vendors take nothing else. Other input goes back as the text it
 * was, as `unreadable_input`, so that the model sees its mistake.
 */
export function parseWireInput(inputText: string): JsonObject {
	const read = readOneObject(inputText);
	const value = read.kind === 'read' && typeof read.value === 'string' ? innerObject(read.value) : read;
	return value.kind === 'read' && isPlainData(value.value)
		? objectOrEmpty(value.value)
		: { unreadable_input: inputText };
}

function innerObject(text: string): OneObject {
	return /^\s*\{/.test(text) ? readOneObject(text) : { kind: 'unwhole' };
}

/** Input as text, whether it came as text or as the object itself. */
export function toInputText(input: unknown): string {
	return typeof input === 'string' ? input : input === undefined || input === null ? '' : JSON.stringify(input);
}

const MAX_CALL_ID = 64;
/** Kept of an id that is too long or taken already: what tells it apart from others follows. */
const KEPT_CALL_ID = 48;

/**
 * The same messages with ids of calls that every vendor takes: in the characters and the length of the strictest, and no two
 * alike in one request. Some endpoints count the calls of each answer anew. Messages that are added change none before them.
 */
export function withWireCallIds(messages: readonly ModelMessage[]): readonly ModelMessage[] {
	const taken = new TakenIds();
	let answered: ReadonlyMap<string, string> = new Map();
	return messages.map((message) => {
		switch (message.role) {
			case 'user':
				return message;
			case 'assistant': {
				const given = new Map<string, string>();
				const parts = message.parts.map((part) => {
					if (part.kind !== 'toolCall') {
						return part;
					}
					const callId = taken.take(wireCallId(part.callId));
					given.set(part.callId, callId);
					return { ...part, callId };
				});
				answered = given;
				return { role: 'assistant', parts };
			}
			case 'tool':
				return {
					role: 'tool',
					results: message.results.map((result) => ({
						...result,
						callId: answered.get(result.callId) ?? wireCallId(result.callId),
					})),
				};
		}
	});
}

class TakenIds {
	readonly #taken = new Set<string>();
	/** Number of times that each id was wanted. */
	readonly #wanted = new Map<string, number>();

	take(wanted: string): string {
		let id = wanted;
		let count = this.#wanted.get(wanted) ?? 0;
		do {
			count += 1;
			id = count === 1 ? wanted : `${wanted.slice(0, KEPT_CALL_ID)}_${count}`;
		} while (this.#taken.has(id));
		this.#wanted.set(wanted, count);
		this.#taken.add(id);
		return id;
	}
}

/** Ids come from other vendors too. Same id in, same id out. */
function wireCallId(callId: string): string {
	const safe = callId.replace(/[^\w-]/g, '_');
	if (safe.length <= MAX_CALL_ID) {
		return safe || 'call';
	}
	let hash = 0;
	for (let index = 0; index < callId.length; index += 1) {
		hash = (Math.imul(hash, 31) + callId.charCodeAt(index)) >>> 0;
	}
	return `${safe.slice(0, KEPT_CALL_ID)}_${hash.toString(36)}`;
}
