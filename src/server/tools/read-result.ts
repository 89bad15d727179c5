/**
 * Reads on in a result that was cut: the mark in it names a short id and an offset. The text comes from what is stored of
 * this conversation alone, so no other thread's result can be named, and it is redacted again with the secrets known now.
 */
import { formatSchemaProblems } from '../../protocol/text/schema-problem.ts';
import * as z from '../../protocol/text/zod.ts';
import { READ_RESULT, type StoredResults } from '../history/stored-texts.ts';
import { wholeCharacters } from '../history/excerpt.ts';
import type { ToolDeclaration } from '../models/model-port.ts';
import { type OwnResult, type OwnTool, ownToolLimits } from './own-tool.ts';
import { type Text, text } from '../../protocol/text/text.ts';

/** Some models write numbers as text. */
const ReadResultInput = z.strictObject({
	id: z.string().trim().toLowerCase(),
	offset: z.coerce.number().int().min(0).default(0),
});

type Redact = (text: string, signal: AbortSignal) => Promise<string>;

export class ReadResult implements OwnTool {
	readonly #results: StoredResults;
	readonly #redact: Redact;

	constructor(results: StoredResults, redact: Redact) {
		this.#results = results;
		this.#redact = redact;
	}

	readonly declaration: ToolDeclaration = {
		name: READ_RESULT,
		description: 'Read on in a result that was cut.',
		inputSchema: {
			type: 'object',
			properties: { id: { type: 'string' }, offset: { type: 'integer' } },
			required: ['id', 'offset'],
		},
	};

	title(): Text {
		return text('Read on in a result');
	}

	async run(input: unknown, signal: AbortSignal): Promise<OwnResult> {
		const read = ReadResultInput.safeParse(input);
		if (!read.success) {
			return createFailedResult(
				`INVALID_PARAMS: the input of ${READ_RESULT} is wrong: ${formatSchemaProblems(read.error)}`,
			);
		}
		const { id, offset } = read.data;
		const stored = this.#results.result(id);
		if (stored === undefined) {
			return createFailedResult(
				`NOT_FOUND: this conversation has no result ${JSON.stringify(id.slice(0, 40))}. Take the id from the mark in a cut result, or make the call again.`,
			);
		}
		const text = await this.#redact(stored, signal);
		if (offset >= text.length) {
			return createFailedResult(
				`INVALID_PARAMS: the result ${id} has ${text.length} characters; there is nothing at ${offset}`,
			);
		}
		const start = wholeCharacters(text, offset);
		const end = wholeCharacters(text, Math.min(text.length, start + ownToolLimits.readOnChars));
		const rest = end < text.length ? `goes on at offset ${end} of ${text.length}` : 'ends here';
		return {
			text: `${text.slice(start, end)}\n[the result ${id} ${rest}]`,
			isError: false,
			readOn: { id, from: start },
		};
	}
}

function createFailedResult(text: string): OwnResult {
	return { text, isError: true };
}
