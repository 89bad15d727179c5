/** The last answer of a turn against what happened in it (S2-19): a claim that nothing bears out, a step that was only announced. */
import { announcesStep } from './announcement.ts';
import { type Claim, claimsIn } from './claims.ts';
import type { Receipts } from './receipts.ts';
import type { RoundPolicy } from './round-policies.ts';

/** `request`: what the user wrote. */
export function claimPolicies(request: string, receipts: Receipts): readonly RoundPolicy[] {
	return [unprovenClaims(receipts), announcedStep(request)];
}

/** Asked about once; what is claimed again is marked for the user. */
function unprovenClaims(receipts: Receipts): RoundPolicy {
	let hasAsked = false;
	return ({ calls, text }) => {
		const [claim] = calls.length > 0 ? [] : receipts.unproven(claimsIn(text));
		if (claim === undefined) {
			return undefined;
		}
		if (hasAsked) {
			return { kind: 'done', unproven: claim.sentence };
		}
		hasAsked = true;
		return { kind: 'again', saying: noSuchEffect(claim) };
	};
}

function announcedStep(request: string): RoundPolicy {
	let hasNudged = false;
	return ({ calls, text }) => {
		if (hasNudged || calls.length > 0 || !announcesStep(text, request)) {
			return undefined;
		}
		hasNudged = true;
		return { kind: 'again', saying: ANNOUNCED };
	};
}

const ANNOUNCED =
	'You announced a step and made no call, so nothing happened. Make the call now; if nothing is left to do, say what the result is.';

function noSuchEffect({ sentence }: Claim): string {
	return `You wrote: "${sentence}" No result of a call shows that. Do it now with your tools, or say plainly that it was not done.`;
}
