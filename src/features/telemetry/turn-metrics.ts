/** Metrics that a turn adds to: those of the semantic conventions for generative AI, and our own on cost, and on what was asked or denied. */
import type { TracedItem, TurnTrace } from '../../protocol/thread/turn-trace.ts';
import type { SpanAttributes, Metric } from './otlp.ts';
import { modelAttributes, type SpanSource } from './turn-spans.ts';

/** Buckets as the conventions advise them: seconds, and tokens. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];

/** Without those that the turn adds nothing to. */
export function toTurnMetrics(trace: TurnTrace, source: SpanSource): readonly Metric[] {
	const requests = trace.items.filter(({ kind }) => kind === 'request');
	const toModel = (item: TracedItem): SpanAttributes => ({
		'gen_ai.operation.name': 'chat',
		...modelAttributes(item.model ?? trace.modelId, item.served, source),
	});
	const toTokens = (item: TracedItem, type: 'input' | 'output', value: number | undefined) =>
		value === undefined ? [] : [{ attributes: { ...toModel(item), 'gen_ai.token.type': type }, value }];
	const turnMs = Date.parse(trace.endedAt ?? trace.startedAt) - Date.parse(trace.startedAt);
	const metrics: readonly Metric[] = [
		{
			name: 'gen_ai.client.token.usage',
			unit: '{token}',
			bounds: TOKENS,
			values: requests.flatMap((item) => [
				...toTokens(item, 'input', item.inputTokens),
				...toTokens(item, 'output', item.outputTokens),
			]),
		},
		{
			name: 'gen_ai.client.operation.duration',
			unit: 's',
			bounds: SECONDS,
			values: requests.flatMap((item) => toSeconds(item, { ...toModel(item), ...toErrorType(item) })),
		},
		{
			name: 'gen_ai.invoke_agent.duration',
			unit: 's',
			bounds: SECONDS,
			values: [
				{
					attributes: { 'gen_ai.operation.name': 'invoke_agent', 'error.type': trace.error?.code },
					value: Math.max(0, turnMs) / 1_000,
				},
			],
		},
		{
			name: 'prowess.cost',
			unit: 'USD',
			values: requests.flatMap((item) =>
				item.cost === undefined ? [] : [{ attributes: toModel(item), value: item.cost }],
			),
		},
		...toCallMetrics(trace.items.filter(({ kind }) => kind === 'tool')),
	];
	return metrics.filter(({ values }) => values.length > 0);
}

/** Metrics that calls of tools add to. */
export function toCallMetrics(calls: readonly TracedItem[]): readonly Metric[] {
	const toTool = (item: TracedItem): SpanAttributes => ({
		'gen_ai.operation.name': 'execute_tool',
		'gen_ai.tool.name': item.tool,
	});
	const metrics: readonly Metric[] = [
		{
			name: 'gen_ai.execute_tool.duration',
			unit: 's',
			bounds: SECONDS,
			values: calls.flatMap((item) => toSeconds(item, { ...toTool(item), ...toErrorType(item) })),
		},
		{
			name: 'prowess.tool.denied',
			unit: '{call}',
			values: calls
				.filter(({ status }) => status === 'denied')
				.map((item) => ({ attributes: { ...toTool(item), 'error.type': item.error }, value: 1 })),
		},
		{
			name: 'prowess.tool.asked',
			unit: '{call}',
			values: calls
				.filter(({ waitedMs }) => waitedMs !== undefined)
				.map((item) => ({ attributes: toTool(item), value: 1 })),
		},
	];
	return metrics.filter(({ values }) => values.length > 0);
}

function toErrorType(item: TracedItem): SpanAttributes {
	return { 'error.type': isFine(item) ? undefined : (item.error ?? item.status) };
}

function isFine({ status }: TracedItem): boolean {
	return status === 'ok' || status === 'done';
}

function toSeconds({ durationMs }: TracedItem, attributes: SpanAttributes): Metric['values'] {
	return durationMs === undefined ? [] : [{ attributes, value: durationMs / 1_000 }];
}
