/** A ModelRequest as an AI SDK prompt. The same history gives the same bytes (the vendors' caches depend on it). */
import type {
	JSONSchema7,
	LanguageModelV4FunctionTool,
	LanguageModelV4Message,
	LanguageModelV4Prompt,
	SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { AssistantPart, ModelRequest, ProviderMetadata, ToolDeclaration } from '../model-port.ts';

export interface Dialect {
	/** Keys under which this vendor's metadata is kept; what other vendors said stays at home. */
	readonly metadataKeys: readonly string[];
	readonly systemOptions?: SharedV4ProviderOptions;
	/** Thinking goes back without a signature; else only what this vendor has signed does. */
	readonly acceptsUnsignedThinking?: boolean;
	/** A text without characters can carry a signature that has to go back. */
	readonly acceptsEmptyText?: boolean;
}

export function toPrompt(request: ModelRequest, dialect: Dialect): LanguageModelV4Prompt {
	const prompt: LanguageModelV4Prompt = [];
	if (request.system !== '') {
		const { systemOptions } = dialect;
		prompt.push({
			role: 'system',
			content: request.system,
			...(systemOptions !== undefined && { providerOptions: systemOptions }),
		});
	}
	for (const message of request.messages) {
		switch (message.role) {
			case 'user':
				prompt.push({ role: 'user', content: [{ type: 'text', text: message.text }] });
				break;
			case 'assistant': {
				const content = message.parts.flatMap((part) => assistantPart(part, dialect));
				// Endpoints refuse a message without content.
				if (content.length > 0) {
					prompt.push({ role: 'assistant', content });
				}
				break;
			}
			case 'tool':
				prompt.push({
					role: 'tool',
					content: message.results.map((result) => ({
						type: 'tool-result',
						toolCallId: wireCallId(result.callId),
						toolName: result.tool,
						output: { type: result.isError ? 'error-text' : 'text', value: result.text },
					})),
				});
		}
	}
	return prompt;
}

export function toTools(tools: readonly ToolDeclaration[]): LanguageModelV4FunctionTool[] {
	return tools.map(({ name, description, inputSchema }) => ({
		type: 'function',
		name,
		description,
		inputSchema: inputSchema as JSONSchema7,
	}));
}

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

function assistantPart(part: AssistantPart, dialect: Dialect): AssistantContent {
	const providerOptions = ownMetadata(part.metadata, dialect.metadataKeys);
	const own = providerOptions === undefined ? {} : { providerOptions };
	switch (part.kind) {
		case 'text':
			return part.text === '' && !(dialect.acceptsEmptyText === true && providerOptions !== undefined)
				? []
				: [{ type: 'text', text: part.text, ...own }];
		case 'thinking': {
			const isOurs =
				providerOptions !== undefined || (dialect.acceptsUnsignedThinking === true && part.metadata === undefined);
			return isOurs ? [{ type: 'reasoning', text: part.text, ...own }] : [];
		}
		case 'toolCall':
			return [
				{
					type: 'tool-call',
					toolCallId: wireCallId(part.callId),
					toolName: part.tool,
					input: inputOf(part.inputText),
					...own,
				},
			];
	}
}

function ownMetadata(
	metadata: ProviderMetadata | undefined,
	keys: readonly string[],
): SharedV4ProviderOptions | undefined {
	const own = Object.entries(metadata ?? {}).filter(([key]) => keys.includes(key));
	return own.length === 0 ? undefined : (Object.fromEntries(own) as SharedV4ProviderOptions);
}

/** Vendors take an object only. What is none goes back as the text it was, so that the model sees its mistake. */
function inputOf(inputText: string): unknown {
	if (inputText.trim() === '') {
		return {};
	}
	try {
		const input: unknown = JSON.parse(inputText);
		if (typeof input === 'object' && input !== null && !Array.isArray(input)) {
			return input;
		}
	} catch {
		// Not JSON: the model has been told so by the call's result.
	}
	return { unreadable_input: inputText };
}

const MAX_CALL_ID = 64;

/** Ids come from other vendors too; the strictest takes these characters and this length. Same id in, same id out. */
function wireCallId(callId: string): string {
	const safe = callId.replace(/[^\w-]/g, '_');
	if (safe.length <= MAX_CALL_ID) {
		return safe || 'call';
	}
	let hash = 0;
	for (let index = 0; index < callId.length; index += 1) {
		hash = (Math.imul(hash, 31) + callId.charCodeAt(index)) >>> 0;
	}
	return `${safe.slice(0, 48)}_${hash.toString(36)}`;
}
