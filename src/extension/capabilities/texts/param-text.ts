/** What is typed into a form, as the value of an input, or why it is none. Nothing here knows vscode. */
import type { CapabilityInput } from '../../../protocol/manifest.ts';

export type ParamProblem = 'missing' | 'notNumber' | 'notJson' | 'notArray' | 'notObject';

/** `value` is undefined where the input is left out. `detail` is what the parser of JSON says, else empty. */
type TypedParam = { readonly value: unknown } | { readonly problem: ParamProblem; readonly detail: string };

type TypedInput = Pick<CapabilityInput, 'type' | 'required'>;

/** Text is taken as it is; of everything else the space around it does not count. */
export function readParam({ type, required }: TypedInput, text: string): TypedParam {
	const trimmed = text.trim();
	if (trimmed === '') {
		return required ? problem('missing') : { value: type === 'string' && text !== '' ? text : undefined };
	}
	switch (type) {
		case 'string':
			return { value: text };
		case 'number':
			// `Number` takes hexadecimal and infinity as well; a param is JSON in the end.
			return /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) && Number.isFinite(Number(trimmed))
				? { value: Number(trimmed) }
				: problem('notNumber');
		case 'boolean':
			return trimmed === 'true' || trimmed === 'false' ? { value: trimmed === 'true' } : problem('notJson');
		default:
			return readJson(type, trimmed);
	}
}

/** What a form shows for a value before anything is typed. */
export function textOfParam(value: unknown): string {
	return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

function readJson(type: 'array' | 'object', text: string): TypedParam {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		return problem('notJson', error instanceof Error ? error.message : String(error));
	}
	if (type === 'array') {
		return Array.isArray(value) ? { value } : problem('notArray');
	}
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? { value } : problem('notObject');
}

function problem(what: ParamProblem, detail = ''): TypedParam {
	return { problem: what, detail };
}
