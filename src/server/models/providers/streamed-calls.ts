/**
 * Calls of tools as chat completions stream them, in pieces. Endpoints number them each in their own way: no index, the same one
 * for all, no id, the same id twice; arguments come in pieces, at once, or as an object.
 */
import { textOrEmpty, nonEmptyText } from '../../../base/text/lenient.ts';
import { type JsonObject, objectOrEmpty } from './loose-json.ts';
import { toInputText } from './wire-calls.ts';

interface StreamedCall {
	readonly index: unknown;
	id: string;
	tool: string;
	inputText: string;
	/** Thought signature of a Google model behind such an endpoint; undefined: none came. */
	signature: string | undefined;
}

export class StreamedCalls {
	readonly list: StreamedCall[] = [];

	take(piece: JsonObject): void {
		const { name, arguments: input } = objectOrEmpty(piece['function']);
		const given = toInputText(input);
		const call = this.#begun(piece, textOrEmpty(name), given) ?? this.#begin(piece['index']);
		call.id ||= textOrEmpty(piece['id']);
		call.tool ||= textOrEmpty(name);
		call.inputText += given;
		call.signature ??= nonEmptyText(
			objectOrEmpty(objectOrEmpty(piece['extra_content'])['google'])['thought_signature'],
		);
	}

	/** Takes a whole call from an endpoint that does not stream calls in pieces. */
	takeWhole(call: JsonObject): void {
		const { name, arguments: input } = objectOrEmpty(call['function']);
		Object.assign(this.#begin(undefined), {
			id: textOrEmpty(call['id']),
			tool: textOrEmpty(name),
			inputText: toInputText(input),
		});
	}

	#begin(index: unknown): StreamedCall {
		const call: StreamedCall = { index, id: '', tool: '', inputText: '', signature: undefined };
		this.list.push(call);
		return call;
	}

	/** The call this is a piece of; undefined: it begins one. */
	#begun(piece: JsonObject, name: string, given: string): StreamedCall | undefined {
		const { index, id } = piece;
		const candidate = typeof index === 'number' ? this.list.findLast((call) => call.index === index) : this.#byId(id);
		if (candidate === undefined) {
			return undefined;
		}
		const isOther = nonEmptyText(id) !== undefined && candidate.id !== '' && candidate.id !== id;
		// Named again with further input after a whole one: the next call under the same number.
		const isNext = name !== '' && given !== '' && isWholeInput(candidate.inputText);
		return isOther || isNext ? undefined : candidate;
	}

	#byId(id: unknown): StreamedCall | undefined {
		return nonEmptyText(id) === undefined ? this.list.at(-1) : this.list.findLast((call) => call.id === id);
	}
}

function isWholeInput(inputText: string): boolean {
	if (!inputText.trimEnd().endsWith('}')) {
		return false;
	}
	try {
		JSON.parse(inputText);
		return true;
	} catch {
		return false;
	}
}
