/** A request to a model that calls no tools by itself: tools, calls and results are told in words. */
import { textOrEmpty } from '../../../base/text/lenient.ts';
import { stringifyWellFormed } from '../../../base/text/well-formed.ts';
import type { ImageRef } from '../../../protocol/ops/images.ts';
import { imagesIn } from '../images.ts';
import type {
	AssistantPart,
	ModelMessage,
	ModelRequest,
	ToolDeclaration,
	ToolResultPart,
	ModelUserMessage,
} from '../model-port.ts';
import { listOrEmpty, objectOrEmpty } from '../providers/loose-json.ts';
import { parseWireInput } from '../providers/wire-calls.ts';

const TOOL_INSTRUCTIONS = `# Tools

To call a tool, write this in your answer, outside of code, and stop:
<tool_call>{"name": "tool", "arguments": {"parameter": "value"}}</tool_call>
Several may follow each other. The next message has their results in <tool_response>; never write one yourself.

`;

const WITHOUT = 'There are no tools here: you can neither read nor change anything. Say so when it is needed.';

/** With the tools described to it, or told that there are none. The same request gives the same text. */
export function toTextRequest(request: ModelRequest, hasTools: boolean): ModelRequest {
	const { system, messages, tools } = request;
	const told = hasTools ? TOOL_INSTRUCTIONS + tools.map(describeTool).join('\n') : WITHOUT;
	return {
		...request,
		system: `${system}\n\n${told}`.trim(),
		messages: mergeUserMessages(messages.map(messageAsText)),
		tools: [],
	};
}

function messageAsText(message: ModelMessage): ModelMessage {
	switch (message.role) {
		case 'user':
			return message;
		case 'assistant':
			return { role: 'assistant', parts: message.parts.map(partAsText) };
		case 'tool':
			return {
				role: 'user',
				text: message.results.map(resultAsText).join('\n'),
				ownChars: 0,
				...toImagesMember(imagesIn(message)),
			};
	}
}

function toImagesMember(images: readonly ImageRef[]): Pick<ModelUserMessage, 'images'> {
	return images.length === 0 ? {} : { images };
}

function partAsText(part: AssistantPart): AssistantPart {
	if (part.kind !== 'toolCall') {
		return part;
	}
	const call = stringifyWellFormed({ name: part.tool, arguments: parseWireInput(part.inputText) });
	return { kind: 'text', text: `\n<tool_call>${call}</tool_call>` };
}

/** A result cannot end itself, whatever a file says. */
function resultAsText({ tool, text, isError }: ToolResultPart): string {
	const body = text.replaceAll('</tool_response', '<\\/tool_response');
	return `<tool_response name="${tool}"${isError ? ' error="true"' : ''}>\n${body}\n</tool_response>`;
}

/** Nobody speaks twice in a row. */
function mergeUserMessages(messages: readonly ModelMessage[]): ModelMessage[] {
	const result: ModelMessage[] = [];
	for (const message of messages) {
		const last = result.at(-1);
		if (last?.role === 'user' && message.role === 'user') {
			const images = [...imagesIn(last), ...imagesIn(message)];
			result[result.length - 1] = { role: 'user', text: `${last.text}\n\n${message.text}`, ...toImagesMember(images) };
		} else {
			result.push(message);
		}
	}
	return result;
}

/** `- fs_read {"path": string, "offset"?: integer}: Read a text file.` */
function describeTool({ name, description, inputSchema }: ToolDeclaration): string {
	return `- ${name} ${describeSchema(inputSchema)}: ${description}`;
}

function describeSchema(schema: unknown): string {
	const { type, properties, required, items, enum: choices, anyOf } = objectOrEmpty(schema);
	if (choices !== undefined) {
		return listOrEmpty(choices)
			.map((choice) => JSON.stringify(choice))
			.join(' | ');
	}
	if (anyOf !== undefined) {
		return listOrEmpty(anyOf).map(describeSchema).join(' | ');
	}
	if (type === 'array') {
		return `[${describeSchema(items)}, …]`;
	}
	if (properties === undefined) {
		return textOrEmpty(type) || 'any';
	}
	const members = Object.entries(objectOrEmpty(properties)).map(
		([name, member]) =>
			`${JSON.stringify(name)}${listOrEmpty(required).includes(name) ? '' : '?'}: ${describeSchema(member)}`,
	);
	return `{${members.join(', ')}}`;
}
