/** Reads the text between the marks of a call as the calls it means. */
import { nonEmptyText } from '../../../base/text/lenient.ts';
import type { ToolDeclaration } from '../model-port.ts';
import { listOrEmpty, objectOrEmpty } from '../providers/loose-json.ts';
import { readOneObject } from '../../../base/text/one-object.ts';
import { readArguments } from '../../../base/text/literal.ts';

export interface TextCall {
	readonly tool: string;
	/** JSON where it could be read; else as the model wrote it, so that it is told what is wrong. */
	readonly inputText: string;
}

export type Tools = ReadonlyMap<string, ToolDeclaration>;

/** `name(arg=value, …)` (S0-12). */
export function skillCall(body: string): TextCall[] {
	const [, tool, written = ''] = /^\s*([\w.-]+)\s*\(([\s\S]*)\)\s*$/.exec(body) ?? [];
	if (tool === undefined) {
		return [];
	}
	const input = readArguments(written);
	return [{ tool, inputText: input === undefined ? written : JSON.stringify(input) }];
}

/** Hermes and Qwen write JSON, Qwen's coders parameters in tags, GLM keys and values in tags. */
export function taggedCall(body: string, tools: Tools): TextCall[] {
	const json = jsonCalls(body);
	if (json.length > 0) {
		return json;
	}
	const [, named, inner = ''] = /<function=([\w.-]+)>([\s\S]*?)(?:<\/function>|$)/.exec(body) ?? [];
	if (named !== undefined) {
		return functionCall(named, inner, tools);
	}
	const pairs = [...body.matchAll(/<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g)];
	const [tool = ''] = /^[\w.-]+/.exec(body.trim()) ?? [];
	return tool === '' ? parseBrokenCall(body) : [withValues(tool, pairs, tools)];
}

/** `<function=name>…`: JSON, or parameters in tags. */
export function functionCall(tool: string, body: string, tools: Tools): TextCall[] {
	const pairs = [...body.matchAll(/<parameter(?:=|\s+name=)"?([\w.-]+)"?[^>]*>([\s\S]*?)<\/parameter>/g)];
	if (pairs.length > 0) {
		return [withValues(tool, pairs, tools)];
	}
	return [{ tool, inputText: body.trim() || '{}' }];
}

/** `[…]` as Mistral writes it, or `name[ARGS]{…}`, once or several times. */
export function mistralCalls(body: string): TextCall[] {
	const json = jsonCalls(body);
	if (json.length > 0) {
		return json;
	}
	return body
		.split('[TOOL_CALLS]')
		.map((each) => /^\s*([\w.-]+)\s*(?:\[CALL_ID\]\w*)?\s*(?:\[ARGS\])?\s*(\{[\s\S]*)$/.exec(each))
		.flatMap((match) => (match === null ? [] : [{ tool: match[1] ?? '', inputText: (match[2] ?? '').trim() }]));
}

/** Blocks of `type<sep>name`, then fenced JSON, or `name<sep>{…}`. */
export function deepSeekCalls(body: string): TextCall[] {
	return body
		.split('<｜tool▁call▁begin｜>')
		.slice(1)
		.flatMap((block) => {
			const [whole = ''] = block.split('<｜tool▁call▁end｜>');
			const [before = '', after = ''] = whole.split('<｜tool▁sep｜>');
			const [, fenced] = /```(?:json)?\s*\n([\s\S]*?)```/.exec(after) ?? [];
			return fenced === undefined
				? [{ tool: before.trim(), inputText: after.trim() || '{}' }]
				: [{ tool: (after.split('\n')[0] ?? '').trim(), inputText: fenced.trim() || '{}' }];
		});
}

/** Calls of tools that there are, in a text that is nothing but JSON; none when it is anything else. */
export function knownJsonCalls(text: string, tools: Tools): TextCall[] {
	const calls = jsonCalls(text);
	return calls.every(({ tool }) => tools.has(tool)) ? calls : [];
}

/** `{name, arguments}` under whichever of their names, or a list of them. */
function jsonCalls(text: string): TextCall[] {
	const read = text.trim() === '' ? undefined : readOneObject(text);
	if (read?.kind !== 'read') {
		return [];
	}
	const { value } = read;
	const calls = (Array.isArray(value) ? listOrEmpty(value) : [value]).map((each) => {
		const call = objectOrEmpty(each);
		const named = { ...call, ...objectOrEmpty(call['function']) };
		const tool = nonEmptyText(named['name']) ?? nonEmptyText(named['tool_name']) ?? nonEmptyText(named['tool']);
		const input = named['arguments'] ?? named['parameters'] ?? named['input'] ?? named['args'] ?? {};
		return tool === undefined
			? undefined
			: { tool, inputText: typeof input === 'string' ? input : JSON.stringify(input) };
	});
	return calls.every((call) => call !== undefined) ? calls : [];
}

/** JSON that is broken names its tool all the same. */
function parseBrokenCall(body: string): TextCall[] {
	const [, tool] = /"name"\s*:\s*"([^"]+)"/.exec(body) ?? [];
	const [, input = ''] = /"(?:arguments|parameters)"\s*:\s*([\s\S]*?)\}?\s*$/.exec(body) ?? [];
	return tool === undefined ? [] : [{ tool, inputText: input }];
}

/** Values are texts here: what the tool wants as another type is read as JSON. */
function withValues(tool: string, pairs: readonly RegExpMatchArray[], tools: Tools): TextCall {
	const properties = objectOrEmpty(tools.get(tool)?.inputSchema['properties']);
	const values = pairs.map(([, name = '', given = '']) => {
		const value = given.replace(/^\n/, '').replace(/\n$/, '');
		const isText = objectOrEmpty(properties[name.trim()])['type'] === 'string';
		return [name.trim(), isText ? value : jsonOr(value)] as const;
	});
	return { tool, inputText: JSON.stringify(Object.fromEntries(values)) };
}

function jsonOr(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
