import assert from 'node:assert/strict';
import { newId } from '../../protocol/rpc/ids.ts';
import type { TracedItem, TurnTrace } from '../../protocol/thread/turn-trace.ts';
import { TurnContexts } from './trace-context.ts';
import { toCallMetrics, toTurnMetrics } from './turn-metrics.ts';
import { toCallSpan, toTurnSpans } from './turn-spans.ts';

/**
 * Names that the conventions for generative AI have, as far as we use them. Source: open-telemetry/semantic-conventions-genai,
 * attributes (docs/registry/attributes) as of 002c8a6ea1c8a42b14a4527db83b3cabcded610a, metrics (docs/gen-ai/gen-ai-metrics.md)
 * as of 004902b8cb70aa5ae6ca4ae07132b7daabcd3e10.
 */
const attributes = new Set(
	'gen_ai.agent.name gen_ai.conversation.id gen_ai.input.messages gen_ai.operation.name gen_ai.output.messages gen_ai.provider.name gen_ai.request.model gen_ai.response.model gen_ai.token.type gen_ai.tool.call.arguments gen_ai.tool.call.id gen_ai.tool.call.result gen_ai.tool.name gen_ai.tool.type gen_ai.usage.cache_read.input_tokens gen_ai.usage.input_tokens gen_ai.usage.output_tokens mcp.method.name error.type'.split(
		' ',
	),
);
const metrics = new Set(
	'gen_ai.client.token.usage gen_ai.client.operation.duration gen_ai.invoke_agent.duration gen_ai.execute_tool.duration'.split(
		' ',
	),
);

describe('Names of telemetry', () => {
	const at = '2026-01-01T00:00:00.000Z';
	const call: TracedItem = {
		at,
		kind: 'tool',
		text: '',
		opId: newId('op'),
		tool: 'fs_read',
		input: {},
		output: 'read',
		status: 'denied',
		error: 'DENIED_BY_USER',
		durationMs: 1,
		waitedMs: 1,
	};
	const request: TracedItem = {
		at,
		kind: 'request',
		text: '',
		status: 'ok',
		durationMs: 1,
		model: 'openai/one',
		served: 'one-2',
		purpose: 'check',
		inputTokens: 1,
		outputTokens: 1,
		cachedInputTokens: 1,
		cost: 1,
	};
	const trace: TurnTrace = {
		turnId: newId('trn'),
		threadId: newId('thr'),
		modelId: 'openai/one',
		tokens: { input: 1, output: 1 },
		status: 'done',
		startedAt: at,
		endedAt: at,
		fallbackAttempts: 1,
		stages: [],
		items: [call, request],
		said: { asked: 'a', answered: 'b' },
	};
	const contexts = new TurnContexts();
	const source = { contexts, providers: [{ id: 'openai', kind: 'openai' as const }], agent: undefined };
	const isOurs = (name: string) => name.startsWith('prowess.');

	it('are names of the conventions, or begin with ours', () => {
		const spans = [
			...toTurnSpans(trace, source),
			toCallSpan(call, contexts.ofTurn(trace.turnId), contexts.ofTurn(trace.turnId)),
		];
		const told = [...toTurnMetrics(trace, source), ...toCallMetrics([call])];
		const all = [...spans, ...told.flatMap(({ values }) => values)].flatMap((each) => Object.keys(each.attributes));
		assert.deepEqual(
			all.filter((name) => !isOurs(name) && !attributes.has(name)),
			[],
		);
		assert.deepEqual(
			told.map(({ name }) => name).filter((name) => !isOurs(name) && !metrics.has(name)),
			[],
		);
		assert.deepEqual(
			[...attributes].filter((name) => name !== 'error.type' && !all.includes(name)),
			[],
		);
	});
});
