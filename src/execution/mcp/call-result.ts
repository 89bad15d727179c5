/** The result of a tool as an op gives it: its texts, cut; of everything else what it is. */
import { textOrEmpty } from '../../base/text/lenient.ts';
import { escapeHidden } from '../../base/text/hidden-characters.ts';
import { cutText } from '../../base/text/one-line.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import { MCP_RESULT_CHARS } from './limits.ts';

/** A part of a result, as the protocol has it; unknown kinds too. */
export interface ResultPart {
	readonly type: string;
	readonly [member: string]: unknown;
}

interface ToolResult {
	readonly content?: readonly ResultPart[] | undefined;
	readonly structuredContent?: unknown;
	readonly isError?: boolean | undefined;
}

export function callResult(
	server: string,
	tool: string,
	{ content = [], structuredContent, isError }: ToolResult,
): OpResult<'mcp.call'> {
	// Servers say the same again as text, for hosts that do not read it.
	const isOnly = structuredContent !== undefined && !content.some((part) => readPart(part).text !== undefined);
	const structured = isOnly ? [{ type: 'text', text: JSON.stringify(structuredContent) }] : [];
	return { server, tool, isError: isError === true, ...joinPartTexts([...content, ...structured]) };
}

/** Texts of parts as one, cut; of everything else what it is. */
export function joinPartTexts(parts: readonly ResultPart[]): { text: string; leftOut: string[] } {
	const read = parts.map(readPart);
	const text = escapeHidden(read.flatMap((part) => part.text ?? []).join('\n'));
	const cut =
		text.length > MCP_RESULT_CHARS ? [`the text has ${text.length} characters and is cut to ${MCP_RESULT_CHARS}`] : [];
	return { text: cutText(text, MCP_RESULT_CHARS), leftOut: [...read.flatMap(({ leftOut }) => leftOut ?? []), ...cut] };
}

function readPart(part: ResultPart): { readonly text?: string; readonly leftOut?: string } {
	const kind = typeof part['mimeType'] === 'string' ? ` (${cutText(escapeHidden(part['mimeType']), 100)})` : '';
	switch (part.type) {
		case 'text':
			return { text: textOrEmpty(part['text']) };
		case 'image':
		case 'audio':
			return { leftOut: `${part.type === 'image' ? 'a picture' : 'a sound'}${kind} is left out` };
		case 'resource_link':
			return { text: `Resource: ${textOrEmpty(part['uri'])} ${textOrEmpty(part['name'])}`.trim() };
		case 'resource': {
			const resource = part['resource'];
			const text = typeof resource === 'object' && resource !== null ? Reflect.get(resource, 'text') : undefined;
			return typeof text === 'string' ? { text } : { leftOut: `a file${kind} that is no text is left out` };
		}
		default:
			return { leftOut: `a part of the unknown kind "${cutText(escapeHidden(part.type), 40)}" is left out` };
	}
}
