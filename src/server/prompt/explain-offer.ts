/** Says which capabilities a thread would be told of that begins so, each with what it is worth and what it takes. */
import type { CapabilityOffer, offerRequests } from '../../protocol/offer/capability-offer.ts';
import { capabilityValues, inTellingOrder } from '../../protocol/offer/capability-values.ts';
import type { ParamsOf } from '../../protocol/rpc/message.ts';
import { estimateTokens } from '../models/windows/token-estimate.ts';
import { capabilityRoom, createOffer } from './offered-capabilities.ts';

export function explainOffer(
	{ capabilities, text, paths = [], used = [] }: ParamsOf<typeof offerRequests.explain>,
	contextWindow: number,
): CapabilityOffer {
	const room = capabilityRoom(contextWindow);
	const sorted = inTellingOrder(capabilities);
	const values = capabilityValues(sorted, { text, paths }, new Map(used));
	const offer = createOffer({ capabilities: sorted, values, total: sorted.length, areAll: true }, room);
	return {
		contextWindow,
		room,
		tokens: offer.text === undefined ? 0 : estimateTokens(JSON.stringify(offer.text)),
		gap: offer.gap,
		capabilities: offer.rows.map(({ capability: { name, type, source }, value, told, tokens, missing, neededBy }) => ({
			name,
			type,
			source,
			told,
			value: value.whole,
			...(tokens === undefined ? {} : { tokens }),
			isNamed: value.isNamed,
			words: [...value.words],
			...(value.used === undefined ? {} : { used: value.used }),
			...(missing.length === 0 ? {} : { missing: [...missing] }),
			...(neededBy.length === 0 ? {} : { neededBy: [...neededBy] }),
		})),
	};
}
