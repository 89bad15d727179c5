/**
 * Parts that fill the window of a model: the shares of our estimate, scaled to the tokens that the provider counted.
 */
import type { ContextTokens } from '../../protocol/thread/thread.ts';
import { collectMessageRules, messageTokens, readAttachments } from '../history/messages.ts';
import { imageTokens } from '../models/images.ts';
import type { ModelMessage, ModelRequest, ModelUsage, ToolDeclaration } from '../models/model-port.ts';
import { estimateTokens } from '../models/windows/token-estimate.ts';

type Counted = Pick<ModelUsage, 'inputTokens' | 'outputTokens'>;

const NO_CONTEXT_PARTS: ContextTokens = { rules: 0, tools: 0, files: 0, results: 0, conversation: 0 };

/** Returns the tokens of each part; their sum is what the request and its answer take of the window. */
export function contextParts(
	{ system, tools, messages }: Pick<ModelRequest, 'system' | 'tools' | 'messages'>,
	{ inputTokens, outputTokens }: Counted,
): ContextTokens {
	const parts = {
		...NO_CONTEXT_PARTS,
		rules: estimateTokens(system),
		tools: tools.reduce((sum, tool) => sum + estimateToolTokens(tool), 0),
	};
	for (const message of messages) {
		const { rules, files, results, conversation } = estimateMessageParts(message);
		parts.rules += rules;
		parts.files += files;
		parts.results += results;
		parts.conversation += conversation;
	}
	const estimated = Object.values(parts).reduce((sum, part) => sum + part, 0);
	const scaleTokens = (part: number) => (estimated === 0 ? 0 : Math.floor((part * inputTokens) / estimated));
	const [rules, toolsShare, files, results] = [parts.rules, parts.tools, parts.files, parts.results].map(
		scaleTokens,
	) as [number, number, number, number];
	const conversation = inputTokens - rules - toolsShare - files - results + outputTokens;
	return { rules, tools: toolsShare, files, results, conversation };
}

/** Estimated once: neither a message nor a tool changes. */
const partsOfMessage = new WeakMap<ModelMessage, ContextTokens>();
const tokensOfTool = new WeakMap<ToolDeclaration, number>();

function estimateMessageParts(message: ModelMessage): ContextTokens {
	const known = partsOfMessage.get(message);
	if (known !== undefined) {
		return known;
	}
	const all = messageTokens(message);
	const rules = Math.min(all, estimateTokens(collectMessageRules(message)));
	const files =
		message.role === 'user' && message.ownChars !== 0
			? Math.min(all - rules, estimateTokens(readAttachments(message)) + imageTokens(message.images))
			: 0;
	const rest = all - rules - files;
	const isResult = message.role === 'tool';
	const parts = { ...NO_CONTEXT_PARTS, rules, files, results: isResult ? rest : 0, conversation: isResult ? 0 : rest };
	partsOfMessage.set(message, parts);
	return parts;
}

function estimateToolTokens(tool: ToolDeclaration): number {
	let tokens = tokensOfTool.get(tool);
	if (tokens === undefined) {
		tokens = estimateTokens(`${tool.name} ${tool.description} ${JSON.stringify(tool.inputSchema)}`);
		tokensOfTool.set(tool, tokens);
	}
	return tokens;
}
