/**
 * Tools of a skill that runs in a worker, read from its text without running a line of it: each exported `async function`
 * of JavaScript, each `async def` of Python at the left margin. Others are no tools.
 */
import { withoutByteOrderMark } from '../../base/text/lenient.ts';
import type { WorkerRuntime } from '../execution/worker.ts';

export interface ToolInput {
	readonly name: string;
	/** `any`: its text does not say. */
	readonly type: 'string' | 'number' | 'boolean' | 'object' | 'array' | 'any';
	readonly items?: 'string' | 'number' | 'boolean' | 'object';
	readonly description?: string;
	readonly required: boolean;
}

/** A tool of a skill that runs in a worker, as far as its text tells. */
export interface WorkerTool {
	readonly name: string;
	/** First line of what is written about it; empty without any. */
	readonly description: string;
	readonly inputs: readonly ToolInput[];
	/** True when it takes others than `inputs`, too. */
	readonly takesMore: boolean;
	/** File that has it; absent: the program of the skill. */
	readonly program?: string;
	/** The longest that it says it takes, in milliseconds. */
	readonly timeoutMs?: number;
	/** Services that its decorators say it answers; `urls`: only for those addresses, `*` stands for anything. */
	readonly services?: readonly { readonly name: string; readonly urls: readonly string[] }[];
	/** Test of its author: its params as written, or why there is none. */
	readonly test?: { readonly params: string } | { readonly skipped: string };
}

const MAX_TOOLS = 200;

export function workerTools(runtime: WorkerRuntime, written: string): readonly WorkerTool[] {
	const text = withoutByteOrderMark(written);
	const tools = runtime === 'python-worker' ? pythonTools(text) : javaScriptTools(text);
	return tools.slice(0, MAX_TOOLS);
}

/** At the left margin, with the comment that ends right before it. */
const JAVASCRIPT_EXPORTS =
	/(?:\/\*\*((?:[^*]|\*(?!\/))*)\*\/[ \t]*\r?\n)?^export[ \t]+(?:async[ \t]+function[ \t]+([A-Za-z$][\w$]*)[ \t]*(?:<[^(]*>)?\(([^)]{0,2000})|(?:const|let)[ \t]+([A-Za-z$][\w$]*)[ \t]*=[ \t]*async\b[ \t]*(?:function[ \t]*\w*[ \t]*)?\(?([^)]{0,2000}))/gm;

/** Exported async functions of a JavaScript or TypeScript module, and what the JSDoc comment before each says. */
function javaScriptTools(text: string): WorkerTool[] {
	return [...text.matchAll(JAVASCRIPT_EXPORTS)].map(([, comment = '', named, head, assigned, arrowHead]) => {
		const inputs = inputsIn(comment);
		return {
			name: named ?? assigned ?? '',
			description: readCommentSummary(comment),
			inputs,
			// Without a word about its params, it gets whatever is given.
			takesMore: inputs.length === 0 && (head ?? arrowHead ?? '').trim() !== '',
		};
	});
}

function readCommentSummary(comment: string): string {
	const [first = ''] = splitCommentLines(comment).filter((line) => line !== '');
	return first.startsWith('@') ? '' : first;
}

function splitCommentLines(comment: string): string[] {
	return comment.split(/\r?\n/).map((line) => line.replace(/^\s*\*? ?/, '').trim());
}

/** `@param {string} q - what to look for`, `@param {number} [params.limit=5]`; a `{object} params` above its members is none. */
function inputsIn(comment: string): ToolInput[] {
	const params = splitCommentLines(comment).flatMap((line) => {
		const [, type = '', written = '', description = ''] =
			/^@param\s+\{([^}]{1,200})\}\s+(\[[^\]]{1,200}\]|[\w$.]{1,100})\s*-?\s*(.*)$/.exec(line) ?? [];
		return written === '' ? [] : [{ type, written, description }];
	});
	const names = params.map(({ written }) => /^\[?\s*([\w$.]+)/.exec(written)?.[1] ?? '');
	return params.flatMap(({ type, written, description }, at) => {
		const path = names[at] ?? '';
		if (path === '' || names.some((other) => other.startsWith(`${path}.`))) return [];
		return [
			{
				name: path.slice(path.lastIndexOf('.') + 1),
				...parseJsDocType(type),
				required: !written.startsWith('[') && !type.trim().endsWith('='),
				...(description === '' ? {} : { description }),
			},
		];
	});
}

const JSDOC_TYPES: Readonly<Partial<Record<string, ToolInput['type']>>> = {
	string: 'string',
	number: 'number',
	boolean: 'boolean',
	object: 'object',
	Object: 'object',
	array: 'array',
	Array: 'array',
};

function parseJsDocType(written: string): Pick<ToolInput, 'type' | 'items'> {
	const plain = written.trim().replace(/=$/, '');
	const [, entry] = /^(?:Array<\s*(\w+)\s*>|(\w+)\[\])$/.exec(plain)?.filter((each) => each !== undefined) ?? [];
	if (entry !== undefined) {
		const items = JSDOC_TYPES[entry];
		return { type: 'array', ...(items === undefined || items === 'array' || items === 'any' ? {} : { items }) };
	}
	return { type: JSDOC_TYPES[plain] ?? (plain.startsWith('{') || plain.startsWith('Record<') ? 'object' : 'any') };
}

/** Beginnings of lines at the left margin: a decorator, a tool, or anything else. */
const PYTHON_DEFINITIONS = /^(?:@([\w.]+)[ \t]*(\()?|async[ \t]+def[ \t]+([A-Za-z]\w*)[ \t]*\(|[A-Za-z_])/gm;
/** A skill for AgentOS, whose decorators say more about its tools. */
const FOR_AGENT_OS = /^[ \t]*(?:from|import)[ \t]+agentos\b/m;
/** Characters of one signature. */
const MAX_SIGNATURE = 10_000;
/** Characters of all signatures and decorators of a module; the rest of a text that needs more is not read. */
const MAX_SIGNATURES = 2_000_000;

/** Each `async def` at the left margin of a Python module: its annotations and what its docstring says. */
function pythonTools(text: string): WorkerTool[] {
	const isForAgentOs = FOR_AGENT_OS.test(text);
	const tools: WorkerTool[] = [];
	let marks: PythonMark[] = [];
	let scanned = 0;
	for (const { index, 0: head, 1: mark, 2: opened, 3: name } of text.matchAll(PYTHON_DEFINITIONS)) {
		const from = index + head.length;
		const isOpen = name !== undefined || opened !== undefined;
		const params = isOpen ? splitParams(text.slice(from, from + MAX_SIGNATURE)) : undefined;
		scanned += isOpen ? (params?.length ?? MAX_SIGNATURE) : 0;
		if (scanned > MAX_SIGNATURES) break;
		if (mark !== undefined) {
			marks.push({ name: mark.replace(/^agentos\./, ''), given: params?.parts ?? [] });
			continue;
		}
		const own = isForAgentOs ? marks : [];
		marks = [];
		if (name === undefined || params === undefined) continue;
		const doc = docstringAfter(text.slice(from + params.length, from + params.length + 20_000));
		const inputs = params.parts.flatMap((part) => parsePythonParam(part, doc));
		tools.push({
			name,
			description: [doc.find((line) => line !== '') ?? '', ...describeMarks(own)]
				.filter((each) => each !== '')
				.join(' '),
			// The worker fills in those that AgentOS does; a key never comes from a model.
			inputs: withoutFilledIn(inputs, own),
			takesMore: params.parts.some((part) => part.startsWith('**')),
			...readServices(own),
			...readLimitAndTest(own),
		});
	}
	return tools;
}

/** Leaves out what the worker fills in; of several connections, the name of one may be given. */
function withoutFilledIn(inputs: readonly ToolInput[], marks: readonly PythonMark[]): readonly ToolInput[] {
	const connection = marks.find((each) => each.name === 'connection')?.given[0];
	if (connection === undefined) return inputs;
	const names = [...connection.matchAll(/["']([^"']+)["']/g)].map(([, name = '']) => name);
	const choice = {
		name: 'connection',
		type: 'string',
		required: false,
		description: `One of: ${names.join(', ')}`,
	} as const;
	const others = inputs.filter((each) => each.name !== 'auth' && each.name !== 'connection');
	return names.length > 1 ? [...others, choice] : others;
}

/** A decorator of a tool: `@returns("post[]")` is `{ name: 'returns', given: ['"post[]"'] }`. */
interface PythonMark {
	readonly name: string;
	readonly given: readonly string[];
}

const MAX_MARK_CHARS = 200;

/** Puts into words what decorators say of a tool's result and of its service. */
function describeMarks(marks: readonly PythonMark[]): string[] {
	return marks.flatMap(({ name, given: [first = ''] }) => {
		if (name !== 'returns' && name !== 'provides') return [];
		const keys = [...first.matchAll(/[{,]\s*["']([^"']+)["']\s*:/g)].map(([, key = '']) => key);
		const written = keys.length > 0 ? keys.join(', ') : first.replaceAll(/^["']|["']$/g, '');
		const words = written.replaceAll(/\s+/g, ' ').slice(0, MAX_MARK_CHARS).trim();
		return words === '' ? [] : [name === 'returns' ? `Returns ${words}.` : `Provides ${words}.`];
	});
}

/** Addresses of one service of a tool. */
const MAX_ADDRESSES = 50;

function readServices(marks: readonly PythonMark[]): Pick<WorkerTool, 'services'> {
	const services = marks.flatMap(({ name, given: [service = '', ...more] }) => {
		const [called] = /^\w+$/.exec(service.replaceAll(/^["']|["']$/g, '')) ?? [];
		if (name !== 'provides' || called === undefined) return [];
		const written = more.find((each) => /^urls\s*=/.test(each)) ?? '';
		const urls = [...written.matchAll(/["']([^"']{1,200})["']/g)].map(([, url = '']) => url).slice(0, MAX_ADDRESSES);
		return [{ name: called, urls }];
	});
	return services.length === 0 ? {} : { services };
}

/** Says whether a service is for this address; all are where none is named. `www.` in front makes no difference. */
export function isServiceFor(urls: readonly string[], address: string): boolean {
	const plain = (written: string) => written.replace(/^[a-z]+:\/\//i, '').replace(/^www\./i, '');
	return (
		urls.length === 0 ||
		urls.some((url) => {
			const [first = '', ...parts] = plain(url).split('*');
			const asked = plain(address);
			const last = parts.pop();
			if (last === undefined) return asked === first;
			if (!asked.startsWith(first)) return false;
			let at = first.length;
			for (const part of parts) {
				const found = asked.indexOf(part, at);
				if (found === -1) return false;
				at = found + part.length;
			}
			return asked.length - last.length >= at && asked.endsWith(last);
		})
	);
}

function readLimitAndTest(marks: readonly PythonMark[]): Pick<WorkerTool, 'timeoutMs' | 'test'> {
	const seconds = Number(marks.find(({ name }) => name === 'timeout')?.given[0]?.replace(/^\w+\s*=/, '') ?? Number.NaN);
	const test = marks.find(({ name }) => name === 'test' || name === 'test.skip');
	const words = (test?.given.join(', ') ?? '')
		.replace(/^(?:params|reason)\s*=\s*/, '')
		.replaceAll(/\s+/g, ' ')
		.slice(0, MAX_MARK_CHARS);
	return {
		...(Number.isFinite(seconds) && seconds > 0 ? { timeoutMs: Math.ceil(seconds * 1_000) } : {}),
		...(test === undefined
			? {}
			: { test: test.name === 'test' ? { params: words } : { skipped: words.replaceAll(/^["']|["']$/g, '') } }),
	};
}

/** The params up to the bracket that closes them; undefined when none does. */
export function splitParams(text: string): { readonly parts: readonly string[]; readonly length: number } | undefined {
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
