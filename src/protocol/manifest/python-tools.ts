/** Each `async def` at the left margin of a Python module: its annotations and what its docstring says. */
import type { ToolInput, WorkerTool } from './worker-tool.ts';

const DEFINITIONS = /^async[ \t]+def[ \t]+([A-Za-z]\w*)[ \t]*\(/gm;
/** Characters of one signature. */
const MAX_SIGNATURE = 10_000;

export function pythonTools(text: string): WorkerTool[] {
	return [...text.matchAll(DEFINITIONS)].flatMap((match) => {
		const from = match.index + match[0].length;
		const params = splitParams(text.slice(from, from + MAX_SIGNATURE));
		if (params === undefined) return [];
		const doc = docstringAfter(text.slice(from + params.length, from + params.length + 20_000));
		return [
			{
				name: match[1] ?? '',
				description: doc.find((line) => line !== '') ?? '',
				inputs: params.parts.flatMap((part) => parsePythonParam(part, doc)),
				takesMore: params.parts.some((part) => part.startsWith('**')),
			},
		];
	});
}

/** The params up to the bracket that closes them; undefined when none does. */
function splitParams(text: string): { readonly parts: readonly string[]; readonly length: number } | undefined {
	const parts: string[] = [];
	let depth = 0;
	let part = '';
	for (let at = 0; at < text.length; at += 1) {
		const char = text[at] ?? '';
		if (char === '#') {
			const end = text.indexOf('\n', at);
			if (end === -1) return undefined;
			at = end;
		} else if (char === '"' || char === "'") {
			const end = findPythonStringEnd(text, at);
			part += text.slice(at, end + 1);
			at = end;
		} else if (depth === 0 && (char === ',' || char === ')')) {
			if (part.trim() !== '') parts.push(part.trim());
			part = '';
			if (char === ')') return { parts, length: at + 1 };
		} else {
			if ('([{'.includes(char)) depth += 1;
			else if (')]}'.includes(char)) depth -= 1;
			part += char;
		}
	}
	return undefined;
}

function findPythonStringEnd(text: string, start: number): number {
	for (let at = start + 1; at < text.length; at += 1) {
		if (text[at] === text[start]) return at;
		if (text[at] === '\\') at += 1;
	}
	return text.length;
}

/** Lines of the docstring; none without one. */
function docstringAfter(text: string): string[] {
	const [, , body = ''] =
		/^[^\n]{0,500}?:[ \t]*(?:#[^\n]*)?\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]+[rR]?("""|'''|"|')([\s\S]*?)\1/.exec(
			text,
		) ?? [];
	return body.split(/\r?\n/).map((line) => line.trim());
}

function parsePythonParam(part: string, doc: readonly string[]): ToolInput[] {
	const [, name = '', annotation = '', preset] =
		/^([A-Za-z_]\w*)\s*(?::\s*((?:[^=]|==)+?))?\s*(?:=\s*([\s\S]*))?$/.exec(part) ?? [];
	if (name === '') return [];
	const isOptional = /^Optional\[|\bNone\b/.test(annotation);
	const words = doc.map((line) => describedIn(line, name)).find((each) => each !== undefined);
	return [
		{
			name,
			...parsePythonType(annotation),
			required: preset === undefined && !isOptional,
			...(words === undefined ? {} : { description: words }),
		},
	];
}

/** `name: what it is` and `name (str): what it is` of a list, or `:param name: what it is`. */
function describedIn(line: string, name: string): string | undefined {
	const [, found, words] = /^(?::param\s+)?(\w+)\s*(?:\([^)]*\))?:\s+(\S.*)$/.exec(line) ?? [];
	return found === name ? words : undefined;
}

const PYTHON_TYPES: Readonly<Partial<Record<string, ToolInput['type']>>> = {
	str: 'string',
	int: 'number',
	float: 'number',
	bool: 'boolean',
	dict: 'object',
	Dict: 'object',
	list: 'array',
	List: 'array',
};

function parsePythonType(annotation: string): Pick<ToolInput, 'type' | 'items'> {
	const plain = annotation
		.trim()
		.replace(/^Optional\[(.*)\]$/, '$1')
		.replaceAll(/\s*\|\s*None\b|\bNone\s*\|\s*/g, '')
		.replace(/^typing\./, '')
		.trim();
	const [, outer = plain, inner = ''] = /^(\w+)\[(.*)\]$/.exec(plain) ?? [];
	const type = PYTHON_TYPES[outer] ?? 'any';
	const items = type === 'array' ? PYTHON_TYPES[inner.trim().split('[', 1)[0] ?? ''] : undefined;
	// Python has None where JSON has null: what may be left out may also be null, which is no type here.
	return { type, ...(items === undefined || items === 'array' || items === 'any' ? {} : { items }) };
}
