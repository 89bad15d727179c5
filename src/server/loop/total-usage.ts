/** Adds the usage of an answer to the usage of its thread. */
import type { ContextTokens, Usage } from '../../protocol/thread/thread.ts';
import type { ModelPort, ModelUsage } from '../models/model-port.ts';
import { computeRequestCost } from '../models/windows/prices.ts';

export function totalUsage(
	before: Usage | null,
	usage: ModelUsage,
	model: Pick<ModelPort, 'contextWindow' | 'price' | 'quotas'>,
	parts?: ContextTokens,
): Usage {
	const quotas = model.quotas?.() ?? [];
	return {
		inputTokens: (before?.inputTokens ?? 0) + usage.inputTokens,
		outputTokens: (before?.outputTokens ?? 0) + usage.outputTokens,
		cachedInputTokens: (before?.cachedInputTokens ?? 0) + usage.cachedInputTokens,
		contextTokens: usage.inputTokens + usage.outputTokens,
		contextWindow: model.contextWindow,
		...(parts === undefined ? {} : { contextParts: parts }),
		estimated: usage.estimated || (before?.estimated ?? false),
		...totalCost(before, usage, model.price),
		...(quotas.length === 0 ? {} : { quotas: [...quotas] }),
	};
}

/** The same with a request beside the conversation, which takes nothing of its window. */
export function usageBeside(
	before: Usage | null,
	usage: ModelUsage,
	model: Pick<ModelPort, 'contextWindow' | 'price' | 'quotas'>,
): Usage {
	const { contextTokens = 0, contextWindow = model.contextWindow, contextParts } = before ?? {};
	return { ...totalUsage(before, usage, model, contextParts), contextTokens, contextWindow };
}

/** Returns the usage of a thread at the start of a turn, which has cost nothing yet. */
export function usageBeforeTurn(usage: Usage | null): Usage | null {
	if (usage === null) {
		return null;
	}
	const ofThread = { ...usage };
	delete ofThread.turnCost;
	delete ofThread.requestCost;
	return ofThread;
}

function totalCost(
	before: Usage | null,
	usage: ModelUsage,
	price: ModelPort['price'],
): Pick<Usage, 'cost' | 'turnCost' | 'requestCost' | 'isCostPartial'> {
	const earlier = before?.cost;
	const turnCost = before?.turnCost;
	const wasPartial = before !== null && (earlier === undefined || before.isCostPartial === true);
	if (price === undefined) {
		const known = { ...(earlier !== undefined && { cost: earlier, isCostPartial: true }) };
		return { ...known, ...(turnCost !== undefined && { turnCost }) };
	}
	const requestCost = computeRequestCost(usage, price);
	return {
		cost: (earlier ?? 0) + requestCost,
		turnCost: (turnCost ?? 0) + requestCost,
		requestCost,
		...(wasPartial && { isCostPartial: true }),
	};
}
