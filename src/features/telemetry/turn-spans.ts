/**
 * The spans of a turn, as its trace tells them: the turn, the requests to models and the calls of tools below it. Names and
 * attributes are those of the semantic conventions for generative AI
 * (open-telemetry/semantic-conventions-genai, status Development; the commit is in docs/telemetry.md), gathered in this file
 * and in `turn-metrics.ts`.
 */
import { cutText } from '../../base/text/one-line.ts';
import type { TracedItem, TurnTrace } from '../../protocol/thread/turn-trace.ts';
import type { ProviderConfig, ProviderKind } from '../../protocol/turn/models.ts';
import { telemetryLimits } from './limits.ts';
import type { SpanAttributes, Span } from './otlp.ts';
import { type SpanContext, toSpanId, type TurnContexts } from './trace-context.ts';

const AGENT_NAME = 'Prowess';

/** Names that the conventions have for vendors; another provider has the name that the user gave it. */
const PROVIDER_NAMES: Partial<Record<ProviderKind, string>> = {
	anthropic: 'anthropic',
	openai: 'openai',
	google: 'gcp.gemini',
};

export interface SpanSource {
	readonly contexts: TurnContexts;
	readonly providers: readonly Pick<ProviderConfig, 'id' | 'kind'>[];
	/** Name of the custom agent whose thread it is, or a word for any sub-agent; undefined: it is the user's own. */
	readonly agent: string | undefined;
}

/** Returns the turn's own span first, then one for each request and call that has begun, in their order. */
export function toTurnSpans(trace: TurnTrace, source: SpanSource): readonly Span[] {
	const { contexts } = source;
	const own = contexts.ofTurn(trace.turnId);
	const parts = trace.items.flatMap((item, index) => toPartSpan(item, index, trace, source));
	const told = parts.slice(0, telemetryLimits.spansPerTurn - 1);
	const name = source.agent ?? AGENT_NAME;
	const turn: Span = {
		...own,
		parentSpanId: contexts.parentOf(trace.turnId)?.spanId,
		name: `invoke_agent ${name}`,
		kind: 'internal',
		startMs: Date.parse(trace.startedAt),
		endMs: Date.parse(trace.endedAt ?? trace.startedAt),
		attributes: {
			'gen_ai.operation.name': 'invoke_agent',
			'gen_ai.agent.name': name,
			'gen_ai.conversation.id': trace.threadId,
			...modelAttributes(trace.modelId, undefined, source),
			'gen_ai.usage.input_tokens': trace.tokens.input,
			'gen_ai.usage.output_tokens': trace.tokens.output,
			'gen_ai.input.messages': toMessageList('user', trace.said?.asked),
			'gen_ai.output.messages': toMessageList('assistant', trace.said?.answered),
			'prowess.turn.id': trace.turnId,
			'prowess.turn.outcome': trace.status,
			'prowess.failover.attempts': trace.fallbackAttempts || undefined,
			'prowess.spans.left_out': parts.length - told.length || undefined,
		},
		error: trace.error?.code,
	};
	return [turn, ...told];
}

function toPartSpan(item: TracedItem, index: number, trace: TurnTrace, source: SpanSource): readonly Span[] {
	const { traceId, spanId: parentSpanId } = source.contexts.ofTurn(trace.turnId);
	const startMs = Date.parse(item.at);
	const base = { traceId, parentSpanId, startMs, endMs: toEndMs(item) };
	if (item.kind === 'request') {
		return [
			{
				...base,
				spanId: toSpanId(`${trace.turnId} request ${index}`),
				name: `chat ${item.model ?? trace.modelId}`,
				kind: 'client',
				attributes: requestAttributes(item, trace, source),
				error: item.status === 'ok' ? undefined : item.status,
			},
		];
	}
	if (item.kind !== 'tool' || item.opId === undefined) return [];
	return [
		{
			...base,
			spanId: toSpanId(item.opId),
			name: `execute_tool ${item.tool ?? 'unknown'}`,
			kind: 'internal',
			attributes: toolAttributes(item),
			error: toToolError(item),
		},
	];
}

/** Returns the span of a tool that another program called over MCP. `parent`: span in which it did; undefined: it does not say. */
export function toCallSpan(item: TracedItem, own: SpanContext, parent: SpanContext | undefined): Span {
	const method = 'tools/call';
	return {
		...own,
		parentSpanId: parent?.spanId,
		name: `${method} ${item.tool ?? 'unknown'}`,
		kind: 'server',
		startMs: Date.parse(item.at),
		endMs: toEndMs(item),
		attributes: { 'mcp.method.name': method, ...toolAttributes(item) },
		error: toToolError(item),
	};
}

function toEndMs({ at, durationMs = 0, waitedMs = 0 }: TracedItem): number {
	return Date.parse(at) + durationMs + waitedMs;
}

function toToolError({ status, error }: TracedItem): string | undefined {
	return status === 'done' ? undefined : (error ?? status);
}

function requestAttributes(item: TracedItem, trace: TurnTrace, source: SpanSource): SpanAttributes {
	return {
		'gen_ai.operation.name': 'chat',
		'gen_ai.conversation.id': trace.threadId,
		...modelAttributes(item.model ?? trace.modelId, item.served, source),
		'gen_ai.usage.input_tokens': item.inputTokens,
		'gen_ai.usage.output_tokens': item.outputTokens,
		'gen_ai.usage.cache_read.input_tokens': item.cachedInputTokens,
		'prowess.cost.usd': item.cost,
		'prowess.request.purpose': item.purpose,
	};
}

function toolAttributes(item: TracedItem): SpanAttributes {
	return {
		'gen_ai.operation.name': 'execute_tool',
		'gen_ai.tool.name': item.tool,
		'gen_ai.tool.type': 'function',
		'gen_ai.tool.call.id': item.opId,
		'gen_ai.tool.call.arguments': item.input === undefined ? undefined : toContent(JSON.stringify(item.input)),
		'gen_ai.tool.call.result': item.output === undefined ? undefined : toContent(item.output),
		'prowess.tool.status': item.status,
		'prowess.approval.waited_ms': item.waitedMs,
	};
}

/** `model` as `provider/name`. */
export function modelAttributes(
	model: string,
	served: string | undefined,
	{ providers }: Pick<SpanSource, 'providers'>,
): SpanAttributes {
	const [id = '', ...name] = model.split('/');
	const kind = providers.find((provider) => provider.id === id)?.kind;
	return {
		'gen_ai.provider.name': (kind === undefined ? undefined : PROVIDER_NAMES[kind]) ?? id,
		'gen_ai.request.model': name.join('/') || model,
		'gen_ai.response.model': served,
	};
}

function toMessageList(role: 'user' | 'assistant', content: string | undefined): string | undefined {
	return content === undefined
		? undefined
		: JSON.stringify([{ role, parts: [{ type: 'text', content: toContent(content) }] }]);
}

function toContent(content: string): string {
	return cutText(content, telemetryLimits.contentChars);
}
