/**
 * Lists the work of messages that are left out, without a model: things looked at, things changed and run with their
 * outcome, and the end of each answer. The newest entries take precedence when the list does not fit whole.
 */
import { toolName } from '../../protocol/op-table/op-tool.ts';
import { OP_NAMES, opOfCall, ops } from '../../protocol/op-table/ops.ts';
import { type OpDef, TodoItem } from '../../protocol/ops/define-op.ts';
import type { AssistantPart, ModelMessage, ToolCallPart, ToolResultPart } from '../models/model-port.ts';
import { createExcerpt } from './excerpt.ts';
import { historyLimits } from './limits.ts';
import { stripResultRules } from './messages.ts';
import { inEnglish } from '../../protocol/text/text.ts';

/** At most so many characters; empty when nothing was done. `asked`: what the user said that stays nowhere else. */
export function createWorkDigest(
	messages: readonly ModelMessage[],
	maxChars: number,
	asked: readonly string[] = [],
): string {
	const share = Math.floor(maxChars / 3);
	const earlier = messages.flatMap((each) =>
		each.role === 'user' && each.leftOut !== undefined ? [each.leftOut.done] : [],
	);
	const seen = new Set<string>();
	const steps: string[] = [];
	for (const [index, message] of messages.entries()) {
		if (message.role === 'assistant') {
			const next = messages[index + 1];
			const results = next?.role === 'tool' ? next.results : [];
			for (const part of message.parts) {
				const step = part.kind === 'toolCall' ? describeStep(part, results, seen) : undefined;
				steps.push(...(step === undefined ? [] : [step]));
			}
			steps.push(...describeSaidText(message.parts));
		}
	}
	const before = createExcerpt(earlier.join('\n'), share).text;
	const said = asked.map((text) => `- the user said: ${truncateToLine(text, historyLimits.askedChars)}`);
	const asks = joinNewestTexts(said, Math.floor(share / 2), '\n');
	const looked = joinNewestTexts([...seen], share - before.length > 0 ? share - asks.length : 0, ', ');
	const head = [before, asks, looked === '' ? '' : `Looked at: ${looked}`].filter((text) => text !== '').join('\n');
	const listed = joinNewestTexts(
		steps.map((step) => `- ${step}`),
		maxChars - head.length - 1,
		'\n',
	);
	return [head, listed].filter((text) => text !== '').join('\n');
}

/** The agent's steps as it stated them last, one a line; empty without any. */
export function planIn(messages: readonly ModelMessage[]): string {
	for (const message of messages.toReversed()) {
		if (message.role === 'user' && message.leftOut !== undefined) {
			return message.leftOut.plan;
		}
		const call = message.role === 'assistant' ? message.parts.findLast(isPlan) : undefined;
		const items = call === undefined ? undefined : TodoItem.array().safeParse(readInputField(call, 'items'));
		if (items?.success === true) {
			return items.data.map(({ text, status }) => `- ${text} (${status})`).join('\n');
		}
	}
	return '';
}

function isPlan(part: AssistantPart): part is ToolCallPart {
	return part.kind === 'toolCall' && PLANS.has(part.tool);
}

/** Tools with which the agent states its plan. */
const PLANS = new Set(OP_NAMES.filter((name) => (ops[name] as OpDef).todos !== undefined).map(toolName));

/**
 * Returns a line for a call that failed or may have changed something. A call that only read goes to `seen` and is no
 * step of its own; a housekeeping call is left out.
 */
function describeStep(call: ToolCallPart, results: readonly ToolResultPart[], seen: Set<string>): string | undefined {
	const input = parseCallInput(call);
	const op = opOfCall(call.tool, input);
	const result = results.find(({ callId }) => callId === call.callId);
	const def: OpDef | undefined = op === undefined ? undefined : ops[op];
	const title = callTitle(call);
	if (def?.isHousekeeping === true) {
		return undefined;
	}
	if (result?.isError === true) {
		return `${title}: failed: ${truncateToLine(stripResultRules(result), historyLimits.outcomeChars)}`;
	}
	if (def?.effect === 'read') {
		seen.delete(title);
		seen.add(title);
		return undefined;
	}
	return result === undefined
		? title
		: `${title}: ${truncateToTail(stripResultRules(result), historyLimits.outcomeChars)}`;
}

/** A call in one line. */
export function callTitle(call: ToolCallPart): string {
	const input = parseCallInput(call);
	const op = opOfCall(call.tool, input);
	const title = formatCallTitle(op === undefined ? undefined : ops[op], input);
	return truncateToLine(title ?? `${call.tool} ${call.inputText}`, historyLimits.calledChars);
}

function formatCallTitle(def: OpDef | undefined, input: unknown): string | undefined {
	const params = def?.params.safeParse(input);
	return params?.success === true && def !== undefined ? inEnglish(def.title(params.data)) : undefined;
}

function describeSaidText(parts: readonly AssistantPart[]): string[] {
	const said = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
	return said.trim() === '' ? [] : [`said: ${truncateToLine(said, historyLimits.saidChars)}`];
}

function parseCallInput({ inputText }: ToolCallPart): unknown {
	try {
		return JSON.parse(inputText);
	} catch {
		return undefined;
	}
}

function readInputField(call: ToolCallPart, name: string): unknown {
	const input = parseCallInput(call);
	return typeof input === 'object' && input !== null ? Reflect.get(input, name) : undefined;
}

/** The newest that fit, in their order. */
function joinNewestTexts(texts: readonly string[], room: number, separator: string): string {
	const kept: string[] = [];
	let free = room;
	for (const text of texts.toReversed()) {
		free -= text.length + separator.length;
		if (free < 0) {
			break;
		}
		kept.unshift(text);
	}
	return kept.join(separator);
}

export function truncateToLine(text: string, maxChars: number): string {
	const flat = text.replaceAll(/\s+/g, ' ').trim();
	return flat.length <= maxChars ? flat : `${[...flat].slice(0, maxChars - 1).join('')}…`;
}

/** The end of a text tells what became of a command. */
function truncateToTail(text: string, maxChars: number): string {
	const flat = text.replaceAll(/\s+/g, ' ').trim();
	return flat.length <= maxChars ? flat : `…${[...flat].slice(1 - maxChars).join('')}`;
}
