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
	/** Pieces of its name, or the same name several times. */
	readonly names: string[];
	inputText: string;
	/** Thought signature of a Google model behind such an endpoint; undefined: none came. */
	signature: string | undefined;
}

interface WholeStreamedCall extends Pick<StreamedCall, 'id' | 'inputText' | 'signature'> {
	readonly tool: string;
}

export class StreamedCalls {
	readonly #calls: StreamedCall[] = [];
	readonly #tools: ReadonlySet<string>;

	/** `tools`: names of those that were offered. A name that comes in pieces is put together to one of them. */
	constructor(tools: readonly { readonly name: string }[] = []) {
		this.#tools = new Set(tools.map(({ name }) => name));
	}

	/** The calls as far as they have come. A call without a name goes on with the one before it, if that is not whole. */
	get list(): readonly WholeStreamedCall[] {
		const whole: WholeStreamedCall[] = [];
		for (const { id, names, inputText, signature } of this.#calls) {
			const last = whole.at(-1);
			const isNamed = names.length > 0 || last === undefined;
			if (isNamed || (inputText !== '' && isWholeInput(last.inputText))) {
				whole.push({ id, tool: this.#toolOf(names), inputText, signature });
			} else {
				whole[whole.length - 1] = {
					...last,
					inputText: last.inputText + inputText,
					signature: last.signature ?? signature,
				};
			}
		}
		return whole;
	}

	/** Returns how many characters of arguments the piece holds. */
	take(piece: JsonObject): number {
		const { name, arguments: input } = objectOrEmpty(piece['function']);
		const given = toInputText(input);
		const call = this.#begun(piece, textOrEmpty(name), given) ?? this.#begin(piece['index']);
		call.id ||= textOrEmpty(piece['id']);
		if (nonEmptyText(name) !== undefined && !this.#tools.has(call.names[0] ?? '')) {
			call.names.push(textOrEmpty(name));
		}
		call.inputText += given;
		call.signature ??= nonEmptyText(
			objectOrEmpty(objectOrEmpty(piece['extra_content'])['google'])['thought_signature'],
		);
		return given.length;
	}

	/** Takes a whole call from an endpoint that does not stream calls in pieces. */
	takeWhole(call: JsonObject): void {
		const { name, arguments: input } = objectOrEmpty(call['function']);
		Object.assign(this.#begin(undefined), {
			id: textOrEmpty(call['id']),
			names: [textOrEmpty(name)],
			inputText: toInputText(input),
		});
	}

	#toolOf(names: readonly string[]): string {
		const [first = ''] = names;
		const joined = names.join('');
		return !this.#tools.has(first) && this.#tools.has(joined) ? joined : first;
	}

	#begin(index: unknown): StreamedCall {
		const call: StreamedCall = { index, id: '', names: [], inputText: '', signature: undefined };
		this.#calls.push(call);
		return call;
	}

	/** The call this is a piece of; undefined: it begins one. */
	#begun(piece: JsonObject, name: string, given: string): StreamedCall | undefined {
		const { index, id } = piece;
		const candidate = typeof index === 'number' ? this.#calls.findLast((call) => call.index === index) : this.#byId(id);
		if (candidate === undefined) {
			return undefined;
		}
		const hasOtherId = nonEmptyText(id) !== undefined && candidate.id !== '' && candidate.id !== id;
		const isOther = hasOtherId && !this.#goesOn(candidate, name);
		// Named again with further input after a whole one: the next call under the same number.
		const isNext = name !== '' && given !== '' && isWholeInput(candidate.inputText);
		return isOther || isNext ? undefined : candidate;
	}

	/** Some servers make up a new id for each piece: only a name begins another call, or what follows a whole input. */
	#goesOn({ names, inputText }: StreamedCall, name: string): boolean {
		if (name === '') {
			return names.length > 0 && !isWholeInput(inputText);
		}
		const joined = names.join('');
		const isOpen = joined !== '' && inputText === '' && !this.#tools.has(joined);
		return isOpen && [...this.#tools].some((tool) => tool.startsWith(joined + name));
	}

	#byId(id: unknown): StreamedCall | undefined {
		return nonEmptyText(id) === undefined ? this.#calls.at(-1) : this.#calls.findLast((call) => call.id === id);
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
