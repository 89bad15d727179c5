/** The answer to a request in words, with the calls that its text holds as calls. */
import { randomUUID } from 'node:crypto';
import type { ModelPart, StopReason, ToolDeclaration } from '../model-port.ts';
import { CallScanner, type Scanned } from './call-scanner.ts';

export async function* readTextCalls(
	answer: AsyncIterable<ModelPart>,
	tools: readonly ToolDeclaration[],
): AsyncGenerator<ModelPart, void, undefined> {
	const reading = new TextCallReader(tools);
	for await (const part of answer) {
		yield* reading.take(part);
	}
}

class TextCallReader {
	readonly #scanner: CallScanner;
	#isOpen = false;
	#calls = 0;
	#cutTool: string | undefined;
	/** Space that is shown only when text follows: none stands around a call. */
	#space = '';

	constructor(tools: readonly ToolDeclaration[]) {
		this.#scanner = new CallScanner(new Map(tools.map((tool) => [tool.name, tool])));
	}

	take(part: ModelPart): readonly ModelPart[] {
		switch (part.kind) {
			case 'textDelta':
				return this.#scanner.split(part.text).flatMap((piece) => this.#part(piece));
			case 'textEnd':
				// A call may go on in the next block.
				return [];
			case 'finish':
				return [
					...this.#scanner.rest(part.reason === 'length').flatMap((piece) => this.#part(piece)),
					...(part.reason === 'length' && this.#calls === 0 && this.#cutTool === undefined ? [] : this.#endText()),
					{
						...part,
						reason: this.#reason(part.reason),
						...(this.#cutTool !== undefined && { cutTool: this.#cutTool }),
					},
				];
			default:
				return [...this.#endText(), part];
		}
	}

	#reason(reason: StopReason): StopReason {
		return this.#calls > 0 && (reason === 'stop' || reason === 'unknown') ? 'toolCalls' : reason;
	}

	#part(piece: Scanned): readonly ModelPart[] {
		if (piece.kind === 'call') {
			this.#calls += 1;
			this.#space = '';
			const { tool, inputText, group } = piece;
			const callId = `call_${randomUUID()}`;
			const grouped = group === undefined ? {} : { group: String(group) };
			return [...this.#endText(), { kind: 'toolCall', callId, tool, inputText: inputText || '{}', ...grouped }];
		}
		if (piece.kind === 'cutCall') {
			this.#cutTool = piece.tool;
			return [];
		}
		const text = this.#space + piece.text;
		const shown = text.trimEnd();
		this.#space = text.slice(shown.length);
		if (shown === '' || (!this.#isOpen && this.#calls > 0 && shown.trim() === '')) {
			return [];
		}
		const begun = this.#isOpen ? shown : shown.trimStart();
		this.#isOpen = true;
		return [{ kind: 'textDelta', text: begun }];
	}

	#endText(): readonly ModelPart[] {
		const wasOpen = this.#isOpen;
		this.#isOpen = false;
		return wasOpen ? [{ kind: 'textEnd' }] : [];
	}
}
