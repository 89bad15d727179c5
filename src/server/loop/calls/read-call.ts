/** Reads a tool call as the model meant it, or tells the model what was wrong with it, so that it can do better. */
import { isPlainData, parseJsonOrUndefined } from '../../../base/text/lenient.ts';
import { type OneObject, readOneObject } from '../../../base/text/one-object.ts';
import type { ErrorCode } from '../../../protocol/errors/errors.ts';
import { type OpName, opOfCall, ops } from '../../../protocol/op-table/ops.ts';
import { describeActKind, toActKind } from '../../../protocol/ops/act-kind.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import { formatSchemaProblems } from '../../../protocol/text/schema-problem.ts';
import { joinTexts, type Text } from '../../../protocol/text/text.ts';
import type { ToolCallPart } from '../../models/model-port.ts';
import type { JsonSchema } from '../../../protocol/op-table/op-tool.ts';
import type { OfferedTools } from '../../tools/tool-split.ts';
import { fitToSchema, type CallInput, withOwnNames } from './fit-to-schema.ts';
import { mendInput } from './mend-input.ts';
import { looksAtLivingThings } from '../guards/progress.ts';
import type { OwnResult, OwnTool } from '../../tools/own-tool.ts';

export type ReadCall =
	| {
			readonly kind: 'op';
			readonly call: ToolCallPart;
			readonly op: OpName;
			/** Params as the model gave them, mended where needed: the host parses them again. */
			readonly input: unknown;
			/** With defaults filled in. */
			readonly params: unknown;
			readonly title: Text;
			/** Parts of the input that were read in another way than they were written; empty: none. */
			readonly mended: string;
			/** Changes nothing, so it may run beside others. */
			readonly isRead: boolean;
	  }
	| {
			readonly kind: 'bad';
			readonly call: ToolCallPart;
			readonly input: unknown;
			/** Act that was asked for, in words; for an unknown tool, its name. */
			readonly title: Text;
			readonly code: ErrorCode;
			readonly message: string;
			readonly facts?: Readonly<Record<string, unknown>>;
	  }
	/** Call of a tool that the loop carries out by itself. */
	| {
			readonly kind: 'own';
			readonly call: ToolCallPart;
			readonly input: unknown;
			readonly title: Text;
			/** Parts of the input that were read in another way than they were written, as for an op; empty: none. */
			readonly mended: string;
			run(signal: AbortSignal): Promise<OwnResult>;
	  }
	/** The same call stands before it in the same response. */
	| { readonly kind: 'repeated'; readonly call: ToolCallPart };

/** `times`: how often the user wants a call made; as many equal ones of an answer run. */
export function readCalls(calls: readonly ToolCallPart[], offered: OfferedTools, times = 1): ReadCall[] {
	const seen = new Map<string, number>();
	return calls.map((call) => {
		const identity = `${call.tool} ${call.inputText}`;
		const count = (seen.get(identity) ?? 0) + 1;
		seen.set(identity, count);
		const read = readCall(call, offered);
		const mayRepeat = read.kind === 'op' && count <= times && looksAtLivingThings(read.op);
		return count === 1 || mayRepeat ? read : { kind: 'repeated', call };
	});
}

/** Reads a single call; does not check whether it repeats another. */
export function readCall(call: ToolCallPart, offered: OfferedTools): ReadCall {
	const input = parseInput(call.inputText);
	const { notes } = input;
	if (plainToolName(call.tool) !== call.tool) {
		notes.unshift(`the tool "${call.tool.slice(0, 100)}" as "${plainToolName(call.tool)}"`);
	}
	const op = opOfCall(call.tool, input.value) ?? opOfCall(plainToolName(call.tool), input.value);
	const title = op === undefined ? nameOnly(call.tool) : createCallTitle(op, input);
	const createBadCall = (
		code: ErrorCode,
		message: string,
		facts: Readonly<Record<string, unknown>> = {},
	): ReadCall => ({
		kind: 'bad',
		call,
		input: input.value,
		title,
		code,
		message,
		facts,
	});
	const own = offered.own?.find(({ declaration }) => declaration.name === plainToolName(call.tool));
	if (own !== undefined) {
		return readOwnCall(call, own, input);
	}
	if (op === undefined) {
		const names = offered.declarations.map(({ name }) => name).join(', ');
		return createBadCall('UNKNOWN_TOOL', `there is no tool "${call.tool.slice(0, 100)}"; the tools are ${names}`);
	}
	const def: OpDef = ops[op];
	if (!offered.ops.has(op)) {
		// A part of a tool that is offered without it.
		const isPart = def.sharedTool !== undefined && offered.declarations.some(({ name }) => name === call.tool);
		const refused = isPart ? `${call.tool} with ${def.sharedTool.by}` : call.tool;
		return createBadCall('DENIED_BY_RULE', `${refused} ${offered.refusal(op)}`, offered.refusalFacts?.(op));
	}
	if (!input.isObject) {
		return createBadCall('INVALID_PARAMS', describeNoObject(call, input));
	}
	const mended = mendInput(op, input.value as CallInput, process.platform);
	if ('refused' in mended) {
		return createBadCall('INVALID_PARAMS', `the input of ${call.tool} is wrong: ${mended.refused}`);
	}
	const parsed = def.params.safeParse(mended.value);
	return parsed.success
		? {
				kind: 'op',
				call,
				op,
				input: mended.notes.length === 0 ? input.value : mended.value,
				params: parsed.data,
				title,
				mended: [...notes, ...mended.notes].join(', '),
				isRead: def.effect === 'read',
			}
		: createBadCall('INVALID_PARAMS', `the input of ${call.tool} is wrong: ${formatSchemaProblems(parsed.error)}`);
}

/** Returns the title that the op gives; for an input that cannot be read, words for the kind of act. */
function createCallTitle(op: OpName, { isObject, value }: ParsedInput): Text {
	const def: OpDef = ops[op];
	const mended = isObject ? mendInput(op, value as CallInput, process.platform) : undefined;
	const parsed = mended === undefined || 'refused' in mended ? undefined : def.params.safeParse(mended.value);
	return parsed?.success === true ? def.title(parsed.data) : describeActKind(toActKind(def), false);
}

/** Title of a call of a tool that nobody knows. */
export function nameOnly(tool: string): Text {
	return joinTexts(tool.slice(0, 100));
}

/** No name of a tool has one of these, so most calls need no pattern. */
const TOOL_NAME_MARKS = ['.', ':', '/', '-', ' ', '\n', '\t'];

/** Tool that some models were taught, and call though it is not offered. */
const PATCH_TOOL = 'apply_patch';

/** Returns the plain name of a tool. Some models write it as `functions.fs_read`, `fs.read` or `FS_READ`. */
function plainToolName(name: string): string {
	const plain = name.trim().toLowerCase();
	const own = TOOL_NAME_MARKS.some((mark) => plain.includes(mark))
		? plain.replace(/^(?:functions?|tools?|default_api)[.:/]/, '').replaceAll(/[.\-\s]/g, '_')
		: plain;
	return own === PATCH_TOOL ? 'fs_edit' : own;
}

/**
 * Fits a call to the schema that the model was given for the tool. The tool itself reports an input that does not fit.
 */
function readOwnCall(call: ToolCallPart, own: OwnTool, { isObject, value, notes }: ParsedInput): ReadCall {
	const schema: JsonSchema = own.declaration.inputSchema;
	const input = isObject ? fitToSchema(withOwnNames(value as CallInput, schema, notes), schema, notes) : value;
	const mended = notes.join(', ');
	return { kind: 'own', call, input: value, title: own.title(input), mended, run: (signal) => own.run(input, signal) };
}

interface ParsedInput {
	readonly isObject: boolean;
	readonly value: unknown;
	/** Parts that were read in another way; later steps add to them. */
	readonly notes: string[];
	/** Where it stops to be an object, in an input that is whole. */
	readonly broken?: BrokenInput;
}

type BrokenInput = Extract<OneObject, { kind: 'broken' }>;

/** Input as a value; a text that means no single object stays one. */
export function parseInput(text: string): ParsedInput {
	const read = readOneObject(text);
	if (read.kind !== 'read') {
		return { isObject: false, value: text, notes: [], ...(read.kind === 'broken' && { broken: read }) };
	}
	const inner = typeof read.value === 'string' ? readOneObject(read.value) : undefined;
	const isText = inner?.kind === 'read' && typeof inner.value === 'object';
	const notes = isText ? ['the JSON text in the input', ...inner.notes] : [...read.notes];
	const given = isText ? inner.value : (read.value ?? text);
	const [only, ...others] = Array.isArray(given) ? (given as unknown[]) : [];
	const isListed = isPlainData(only) && others.length === 0;
	if (isListed) notes.push('the only object of a list');
	const value = isListed ? only : given;
	return { isObject: isPlainData(value), value, notes };
}

/** Characters that are shown around the place where an input breaks. */
const NEAR_BREAK = 30;

function describeNoObject({ tool, inputText }: ToolCallPart, { broken }: ParsedInput): string {
	const mayBeCut = /^\s*[{["'`~\uFEFF]/.test(inputText) && parseJsonOrUndefined(inputText) === undefined;
	const at = Math.max(0, inputText.search(/\S/));
	const fault: BrokenInput | undefined =
		broken ?? (mayBeCut ? undefined : { kind: 'broken', at, problem: 'an object is expected' });
	return fault === undefined
		? `the input of ${tool} is not a complete JSON object; send the whole call again`
		: describeBroken(tool, inputText, fault);
}

function describeBroken(tool: string, text: string, { at, problem }: BrokenInput): string {
	const line = text.slice(0, at).split('\n').length;
	const near = JSON.stringify(text.slice(Math.max(0, at - NEAR_BREAK), at + NEAR_BREAK).toWellFormed());
	const place = line === 1 ? `character ${at + 1}` : `character ${at + 1} (line ${line})`;
	return `the input of ${tool} is no JSON object: at ${place} ${problem}, near ${near}; mend it and send the whole call again`;
}
