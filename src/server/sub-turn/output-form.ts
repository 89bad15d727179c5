/** JSON that a model writes in a form its caller has asked for: what the model is told, and whether it did it. */
import * as z from '../../protocol/text/zod.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { formatSchemaProblems } from '../../protocol/text/schema-problem.ts';

/** Answers again after one that is not what the schema asks for. */
export const CORRECTIONS = 1;
/** Problems of such an answer that the model is told. */
const MAX_OUTPUT_PROBLEMS = 10;

type ReadOutput =
	| { readonly ok: true; readonly value: unknown }
	/** For the model to read. */
	| { readonly ok: false; readonly problem: string };

interface OutputForm {
	readonly instructions: string;
	read(text: string): ReadOutput;
}

/** Rejects a schema that cannot be used with INVALID_PARAMS. */
export function outputForm(schema: Readonly<Record<string, unknown>>): OutputForm {
	const pattern = patternIn(schema);
	if (pattern !== undefined) {
		throw createOutputSchemaError(`${pattern} is not supported; describe the form in words and check it yourself`);
	}
	let form: z.ZodType;
	try {
		form = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
	} catch (error) {
		throw createOutputSchemaError(error instanceof Error ? error.message : String(error));
	}
	const text = JSON.stringify(schema);
	return {
		instructions: `Answer with one JSON value and nothing else, in the form of this JSON Schema:\n${text}`,
		read(answer) {
			const found = findJsonValue(answer);
			if (found === undefined) {
				return { ok: false, problem: 'the answer is no JSON' };
			}
			const parsed = form.safeParse(found.value);
			return parsed.success
				? { ok: true, value: parsed.data }
				: { ok: false, problem: formatSchemaProblems(parsed.error, MAX_OUTPUT_PROBLEMS) };
		},
	};
}

/** Returns the message for a model whose answer was not in the wanted form. */
export function formatCorrection(problem: string): string {
	return `That was not the form asked for: ${problem}. Answer again with the corrected JSON value and nothing else.`;
}

export function createOutputError(problem: string, what: string): ProwessError {
	return new ProwessError('DATA_MALFORMED', `${what}: the model did not answer in the form of the schema: ${problem}`);
}

function createOutputSchemaError(why: string): ProwessError {
	return new ProwessError('INVALID_PARAMS', `schema: ${why}`);
}

/** Models like to wrap JSON in a fence, and to say something before it. */
function findJsonValue(answer: string): { readonly value: unknown } | undefined {
	const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(answer)?.[1];
	const starts = [answer.indexOf('{'), answer.indexOf('[')].filter((at) => at !== -1);
	const end = Math.max(answer.lastIndexOf('}'), answer.lastIndexOf(']'));
	const inner = starts.length === 0 ? undefined : answer.slice(Math.min(...starts), end + 1);
	for (const candidate of [answer, fenced, inner]) {
		try {
			if (candidate !== undefined) return { value: JSON.parse(candidate) };
		} catch {
			// The next one, then.
		}
	}
	return undefined;
}

/** Where the schema has a regular expression: one of a stranger could take for ever. */
function patternIn(schema: unknown, isProperties = false): string | undefined {
	if (typeof schema !== 'object' || schema === null) {
		return undefined;
	}
	for (const [key, each] of Object.entries(schema)) {
		// Below `properties` the keys are names of properties: one may be called "pattern".
		if (!isProperties && !Array.isArray(schema) && (key === 'pattern' || key === 'patternProperties')) {
			return `"${key}"`;
		}
		const found = patternIn(each, key === 'properties' && !isProperties && !Array.isArray(schema));
		if (found !== undefined) return found;
	}
	return undefined;
}
