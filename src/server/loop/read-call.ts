/** What a model meant with a tool call, or what was wrong with it, said so that it can do better. */
import type { ErrorCode } from '../../protocol/errors.ts';
import { type OpName, opOfCall, ops } from '../../protocol/ops.ts';
import type { OpDef } from '../../protocol/ops/define-op.ts';
import { problemsOf } from '../../protocol/schema-problem.ts';
import type { AssistantPart } from '../models/model-port.ts';
import { isLineInList, mendInput } from './mend-input.ts';
import type { OwnResult } from '../own-tools/own-tool.ts';
import type { OfferedTools } from './offered-tools.ts';

export type ToolCall = Extract<AssistantPart, { kind: 'toolCall' }>;

export type ReadCall =
	| {
			readonly kind: 'op';
			readonly call: ToolCall;
			readonly op: OpName;
			/** As the model gave them: the host parses them again. */
			readonly input: unknown;
			/** With defaults filled in. */
			readonly params: unknown;
			readonly title: string;
			/** What of the input was read in another way than it was written; empty: nothing. */
			readonly mended: string;
			/** Changes nothing, so it may run beside others. */
			readonly isRead: boolean;
	  }
	| {
			readonly kind: 'bad';
			readonly call: ToolCall;
			readonly input: unknown;
			readonly code: ErrorCode;
			readonly message: string;
	  }
	/** Of a tool that the loop carries out by itself. */
	| {
			readonly kind: 'own';
			readonly call: ToolCall;
			readonly input: unknown;
			readonly title: string;
			/** With the input as the model gave it. */
			run(signal: AbortSignal): Promise<OwnResult>;
	  }
	/** The same call stands before it in the same response. */
	| { readonly kind: 'repeated'; readonly call: ToolCall };

export function readCalls(calls: readonly ToolCall[], offered: OfferedTools): ReadCall[] {
	const seen = new Set<string>();
	return calls.map((call) => {
		const identity = `${call.tool} ${call.inputText}`;
		if (seen.has(identity)) {
			return { kind: 'repeated', call };
		}
		seen.add(identity);
		return readCall(call, offered);
	});
}

/** One call by itself: whether it is repeated is not looked at. */
export function readCall(call: ToolCall, offered: OfferedTools): ReadCall {
	const input = parseInput(call.inputText);
	const op = opOfCall(call.tool, input.value) ?? opOfCall(plainToolName(call.tool), input.value);
	const bad = (code: ErrorCode, message: string): ReadCall => ({
		kind: 'bad',
		call,
		input: input.value,
		code,
		message,
	});
	const own = offered.own?.find(({ declaration }) => declaration.name === plainToolName(call.tool));
	if (own !== undefined) {
		const { value } = input;
		return { kind: 'own', call, input: value, title: own.title(value), run: (signal) => own.run(value, signal) };
	}
	if (op === undefined) {
		const names = offered.declarations.map(({ name }) => name).join(', ');
		return bad('UNKNOWN_TOOL', `there is no tool "${call.tool.slice(0, 100)}"; the tools are ${names}`);
	}
	const def: OpDef = ops[op];
	if (!offered.ops.has(op)) {
		// A part of a tool that is offered without it.
		const isPart = def.sharedTool !== undefined && offered.declarations.some(({ name }) => name === call.tool);
		const refused = isPart ? `${call.tool} with ${def.sharedTool.by}` : call.tool;
		return bad('DENIED_BY_RULE', `${refused} ${offered.refusal(op)}`);
	}
	if (!input.isObject) {
		return bad('INVALID_PARAMS', `the input of ${call.tool} is not a complete JSON object; send the whole call again`);
	}
	const meant = meantBy(input.value, def);
	const asWritten = def.params.safeParse(meant);
	const isMeant = asWritten.success && !isLineInList(op, meant);
	const mended = isMeant ? { value: meant, notes: [] } : mendInput(op, meant, process.platform);
	if ('refused' in mended) {
		return bad('INVALID_PARAMS', `the input of ${call.tool} is wrong: ${mended.refused}`);
	}
	const parsed = isMeant ? asWritten : def.params.safeParse(mended.value);
	return parsed.success
		? {
				kind: 'op',
				call,
				op,
				input: isMeant ? input.value : mended.value,
				params: parsed.data,
				title: def.title(parsed.data),
				mended: mended.notes.join(', '),
				isRead: def.effect === 'read',
			}
		: bad('INVALID_PARAMS', `the input of ${call.tool} is wrong: ${problemsOf(parsed.error)}`);
}

/** As some models write the name of a tool: `functions.fs_read`, `fs.read`, `FS_READ`. */
function plainToolName(name: string): string {
	return name
		.trim()
		.toLowerCase()
		.replace(/^(?:functions?|tools?|default_api)[.:/]/, '')
		.replaceAll(/[.\-\s]/g, '_');
}

/**
 * What a model meant: without the flag that only says which op it is, and without what some models fill in and leave empty.
 * Anything else that the op does not know is named to it.
 */
function meantBy(input: unknown, { params, sharedTool }: OpDef): Readonly<Record<string, unknown>> {
	const { shape = {} } = params as { readonly shape?: object };
	const isFlag = (name: string) => name === sharedTool?.by;
	const isEmpty = (value: unknown) => value === null || value === '' || value === false;
	const entries = Object.entries(input as object);
	return Object.fromEntries(
		entries.filter(([name, value]) => Object.hasOwn(shape, name) || !(isFlag(name) || isEmpty(value))),
	);
}

/** Input as a value; a text that is no JSON stays one. */
export function parseInput(text: string): { readonly isObject: boolean; readonly value: unknown } {
	// Some models send nothing for a tool without parameters, others the JSON as a text or in a fence.
	const read = text.trim() === '' ? {} : readJson(text);
	const value = typeof read === 'string' ? (readJson(read) ?? read) : (read ?? readJson(mendJson(text)) ?? text);
	return { isObject: typeof value === 'object' && value !== null && !Array.isArray(value), value };
}

/** Undefined: it is none. */
function readJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const STRING_OR_LAST_COMMA = /"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g;

/** Without a fence around it, and without commas behind the last member. */
function mendJson(text: string): string {
	const inFence = /^\s*```\w*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
	return inFence.replaceAll(STRING_OR_LAST_COMMA, (found) => (found === ',' ? '' : found));
}
