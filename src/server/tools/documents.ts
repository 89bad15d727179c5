/** Texts that a sub-turn was given by name: the model reads the one it needs, and the others cost it one line each. */
import type { ToolDeclaration } from '../models/model-port.ts';
import type { OwnResult, OwnTool } from './own-tool.ts';
import { type Text, text } from '../../protocol/text/text.ts';

const READ_DOCUMENT = 'read_document';

export class SubTurnDocuments implements OwnTool {
	readonly #texts: ReadonlyMap<string, string>;

	constructor(documents: readonly { readonly name: string; readonly text: string }[]) {
		this.#texts = new Map(documents.map(({ name, text }) => [name, text]));
	}

	readonly declaration: ToolDeclaration = {
		name: READ_DOCUMENT,
		description: 'Read one of the documents that are listed in your instructions.',
		inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
	};

	/** For the instructions. */
	get list(): string {
		const lines = [...this.#texts].map(([name, text]) => `- ${name} (${text.length} characters)`);
		return `Documents you can read with ${READ_DOCUMENT} when you need them:\n${lines.join('\n')}`;
	}

	title(input: unknown): Text {
		const name = readDocumentName(input);
		return typeof name === 'string' && this.#texts.has(name)
			? text('Read {path}', { path: name })
			: text('Read a document');
	}

	run(input: unknown): Promise<OwnResult> {
		const name = readDocumentName(input);
		const text = typeof name === 'string' ? this.#texts.get(name) : undefined;
		return Promise.resolve(
			text === undefined
				? {
						text: `NOT_FOUND: there is no document ${JSON.stringify(name)?.slice(0, 100)}; there are ${[...this.#texts.keys()].join(', ')}`,
						isError: true,
					}
				: { text, isError: false },
		);
	}
}

function readDocumentName(input: unknown): unknown {
	return typeof input === 'object' && input !== null && 'name' in input ? input.name : undefined;
}
