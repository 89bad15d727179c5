/** Models whose requests the host has granted and counts: one invocation for each line of them. */
import type { AccessOfThread } from '../../protocol/approvals/access.ts';
import type { SubTurnId, ThreadId } from '../../protocol/rpc/ids.ts';
import type { SkillTools } from '../../protocol/ops/skill-tools-left.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { type QuotaUse, usageNotifications, usageRequests } from '../../protocol/turn/usage.ts';
import type { ModelPart, ModelPort, ModelRequest, ModelUsage } from './model-port.ts';
import { computeRequestCost } from './windows/prices.ts';
import { estimateRequest } from './windows/usage.ts';
import { estimateTokens } from './windows/token-estimate.ts';

interface Metered {
	readonly access?: AccessOfThread | undefined;
	readonly skillTools?: readonly SkillTools[] | undefined;
	readonly meter: (model: ModelPort) => ModelPort;
}

/** Rejects with QUOTA_EXCEEDED where no other turn may begin, and with ACCESS_DENIED where the thread may ask no model. */
export async function beginMetered(
	host: Peer,
	{ threadId, subTurnId }: { readonly threadId?: ThreadId; readonly subTurnId?: SubTurnId },
	signal: AbortSignal,
): Promise<Metered> {
	const { invocation, quotas, access, skillTools } = await host.call(
		usageRequests.begin,
		{ ...(threadId === undefined ? {} : { threadId }), ...(subTurnId === undefined ? {} : { subTurnId }) },
		signal,
	);
	let known: readonly QuotaUse[] = quotas;
	const requestGrant = async (until: AbortSignal) => {
		if (quotas.length > 0) {
			known = (await host.call(usageRequests.grant, { invocation }, until)).quotas;
		}
	};
	const meterModel = (model: ModelPort): ModelPort =>
		model.isScripted === true
			? model
			: {
					...model,
					get takesImages() {
						return model.takesImages;
					},
					get contextWindow() {
						return model.contextWindow;
					},
					quotas: () => known,
					stream: (request, until) =>
						streamMetered(
							model,
							request,
							requestGrant,
							(usage) => reportModelUsage(host, invocation, model, usage),
							until,
						),
				};
	return { access, skillTools, meter: meterModel };
}

function reportModelUsage(host: Peer, invocation: string, { id, price }: ModelPort, usage: ModelUsage): void {
	const { inputTokens, outputTokens } = usage;
	const cost = price === undefined ? {} : { cost: computeRequestCost(usage, price) };
	host.notify(usageNotifications.used, { model: id, invocation, inputTokens, outputTokens, ...cost });
}

/** A request that is broken off after its first part has cost something, too: its tokens are estimated. */
async function* streamMetered(
	model: ModelPort,
	request: ModelRequest,
	grant: (signal: AbortSignal) => Promise<void>,
	onUsed: (usage: ModelUsage) => void,
	signal: AbortSignal,
): AsyncGenerator<ModelPart> {
	await grant(signal);
	let said = '';
	let isOpen = false;
	try {
		for await (const part of model.stream(request, signal)) {
			isOpen = part.kind !== 'finish';
			if (part.kind === 'finish') {
				onUsed(part.usage);
			} else if (part.kind === 'textDelta' || part.kind === 'thinkingDelta') {
				said += part.text;
			}
			yield part;
		}
	} finally {
		if (isOpen) {
			const usage = { inputTokens: estimateRequest(request), outputTokens: estimateTokens(said) };
			onUsed({ ...usage, cachedInputTokens: 0, estimated: true });
		}
	}
}
