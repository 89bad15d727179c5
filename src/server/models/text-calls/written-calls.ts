/**
 * Answers of models that were given tools and write their calls as text all the same, as behind a server without the right
 * parser. An answer counts as calls when it is nothing else. Once a model has answered so, calls beside text are read, too.
 */
import type { ModelPart, ToolDeclaration } from '../model-port.ts';
import { CallScanner, MAX_CALL_CHARS } from './call-scanner.ts';
import { readTextCalls } from './read-text-calls.ts';

interface WrittenCalls {
	readonly tools: readonly ToolDeclaration[];
	/** True when an answer of this model was nothing but calls before. */
	readonly isKnown: boolean;
	/** Called once an answer was. */
	onFound(): void;
}

/** The answer with the calls that it is. Holds text back only as long as it may be nothing but calls. */
export async function* readWrittenCalls(
	answer: AsyncIterable<ModelPart>,
	{ tools, isKnown, onFound }: WrittenCalls,
): AsyncGenerator<ModelPart, void, undefined> {
	if (isKnown) {
		yield* readTextCalls(answer, tools);
		return;
	}
	const held = new HeldAnswer(tools);
	for await (const part of answer) {
		const calls = held.take(part);
		if (calls !== undefined) {
			onFound();
			yield { kind: 'note', note: 'callsWritten' };
			yield* readTextCalls(replayParts(calls), tools);
			return;
		}
		yield* held.released();
	}
	yield* held.all();
}

async function* replayParts(parts: readonly ModelPart[]): AsyncGenerator<ModelPart, void, undefined> {
	await Promise.resolve();
	yield* parts;
}

/** Marks that templates leave at the end of an answer, such as `<|im_end|>` or `</s>`; nothing is meant by them. */
const TEMPLATE_MARKS = /^\s*(?:<(?:[|｜][^<>\n]{1,40}[|｜]|\/s|eos|end_of_turn)>\s*)*$/;

class HeldAnswer {
	readonly #tools: ReadonlySet<string>;
	/** Undefined: the answer is more than calls. */
	#scanner: CallScanner | undefined;
	#held: ModelPart[] = [];
	#chars = 0;
	#calls = 0;

	constructor(tools: readonly ToolDeclaration[]) {
		this.#tools = new Set(tools.map(({ name }) => name));
		this.#scanner = new CallScanner(new Map(tools.map((tool) => [tool.name, tool])));
	}

	/** The parts of the whole answer, where it is nothing but calls; undefined: it is not, or has not ended. */
	take(part: ModelPart): readonly ModelPart[] | undefined {
		this.#held.push(part);
		if (this.#scanner === undefined) {
			return undefined;
		}
		if (part.kind === 'textDelta') {
			this.#chars += part.text.length;
			this.#look(this.#scanner.split(part.text));
			// Beyond the longest call, nothing is held: no later part of the stream bounds it.
			if (this.#chars > MAX_CALL_CHARS) this.#scanner = undefined;
		} else if (part.kind === 'toolCall') {
			this.#scanner = undefined;
		} else if (part.kind === 'finish') {
			const isCut = part.reason === 'length';
			this.#look(this.#scanner.rest(isCut));
			const isCalls = this.#scanner !== undefined && this.#calls > 0 && !isCut;
			this.#scanner = undefined;
			return isCalls ? this.all() : undefined;
		}
		return undefined;
	}

	/** Parts that are clear to be no call. */
	released(): readonly ModelPart[] {
		const isText = (part: ModelPart) => part.kind === 'textDelta' || part.kind === 'textEnd';
		const first = this.#scanner === undefined ? -1 : this.#held.findIndex(isText);
		const count = this.#scanner === undefined || first === -1 ? this.#held.length : first;
		return this.#held.splice(0, count);
	}

	all(): readonly ModelPart[] {
		return this.#held.splice(0);
	}

	#look(pieces: ReturnType<CallScanner['split']>): void {
		for (const piece of pieces) {
			const isCall = piece.kind === 'call' && this.#tools.has(piece.tool);
			this.#calls += isCall ? 1 : 0;
			if (!isCall && !(piece.kind === 'text' && TEMPLATE_MARKS.test(piece.text))) {
				this.#scanner = undefined;
			}
		}
	}
}
