/**
 * A server's request to a model (`sampling/createMessage`), reduced to what is passed on: texts, a limit, a
 * temperature. No tools go along, and nothing of the thread, of other servers or of ours, whatever the server asks for
 * in `includeContext`.
 */
import { ProwessError } from '../../../protocol/errors/errors.ts';
import * as z from '../../../protocol/text/zod.ts';
import { SAMPLED_CHARS, SAMPLED_MESSAGES, SAMPLED_TOKENS } from '../limits.ts';

export interface SamplingRequest {
	readonly system: string;
	readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
	/** Most tokens of the answer. */
	readonly maxTokens: number;
	readonly temperature: number | undefined;
}

/** Answer to it, as the protocol has it in both revisions. */
export type SamplingAnswer = {
	readonly role: 'assistant';
	readonly content: { readonly type: 'text'; readonly text: string };
	readonly model: string;
	readonly stopReason: 'endTurn' | 'maxTokens';
};

const SamplingPart = z.object({ type: z.string(), text: z.string().optional() });
const SamplingParams = z.object({
	messages: z
		.array(z.object({ role: z.enum(['user', 'assistant']), content: z.union([SamplingPart, z.array(SamplingPart)]) }))
		.min(1),
	systemPrompt: z.string().default(''),
	maxTokens: z.number().positive(),
	temperature: z.number().optional(),
	tools: z.array(z.unknown()).default([]),
});

/** Throws MCP_SAMPLING_REFUSED for what is too much, or no text. */
export function readSampling(server: string, params: unknown): SamplingRequest {
	const read = SamplingParams.safeParse(params).data;
	if (read === undefined) {
		throw samplingRefused(server, 'its request has not the form of the protocol');
	}
	const { messages, systemPrompt: system, maxTokens, temperature, tools } = read;
	if (tools.length > 0) {
		throw samplingRefused(server, 'it wants the model to call tools');
	}
	if (messages.length > SAMPLED_MESSAGES) {
		throw samplingRefused(server, `it sent ${messages.length} messages, the limit is ${SAMPLED_MESSAGES}`);
	}
	const parts = messages.map(({ role, content }) => ({ role, parts: Array.isArray(content) ? content : [content] }));
	const other = parts.flatMap((each) => each.parts).find(({ type, text }) => type !== 'text' || text === undefined);
	if (other !== undefined) {
		throw samplingRefused(server, 'it sent something else than text');
	}
	const said = parts.map((each) => ({ role: each.role, content: each.parts.map(({ text }) => text).join('\n') }));
	const chars = said.reduce((sum, { content }) => sum + content.length, system.length);
	if (chars > SAMPLED_CHARS) {
		throw samplingRefused(server, `its prompt has ${chars} characters, the limit is ${SAMPLED_CHARS}`);
	}
	return {
		system,
		messages: said,
		maxTokens: Math.min(Math.ceil(maxTokens), SAMPLED_TOKENS),
		// Clamped: a server may not set a temperature outside of this range.
		temperature: temperature === undefined ? undefined : Math.min(Math.max(temperature, 0), 2),
	};
}

/** Off is the default. */
export function samplingOff(server: string): ProwessError {
	return samplingRefused(server, 'the setting prowess.mcp.sampling does not name it');
}

export function samplingRefused(server: string, why: string): ProwessError {
	const message = `the MCP server ${server} may not ask a model: ${why}`;
	return new ProwessError('MCP_SAMPLING_REFUSED', message, { server, why });
}
