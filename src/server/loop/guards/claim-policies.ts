/** The last answer of a turn against what happened in it (S2-19): a claim that nothing bears out, a step that was only announced. */
import { asksSomething } from '../../turn/question.ts';
import { judgeAnnouncedStep } from './announced-step.ts';
import { type Claim, claimsIn } from './claims.ts';
import type { Receipts } from './receipts.ts';
import type { RoundPolicy } from './round-policies.ts';

/** `request`: what the user wrote. */
export function claimPolicies(request: string, receipts: Receipts): readonly RoundPolicy[] {
	return [unprovenClaims(request, receipts), judgeAnnouncedStep(request)];
}

/**
 * The model is asked once to correct its words; what is claimed again is marked for the user. After a question it is marked at
 * once: whoever asks something wants nothing done, and a model that is asked again may do it.
 */
function unprovenClaims(request: string, receipts: Receipts): RoundPolicy {
	const isAsked = asksSomething(request);
	let mayAsk = !isAsked;
	return ({ calls, text }) => {
		const isOfWork = !isAsked && !receipts.haveReadChanges;
		const [claim] = calls.length > 0 ? [] : receipts.unproven(claimsIn(text, { isOfWork }));
		if (claim === undefined) {
			return undefined;
		}
		if (!mayAsk) {
			return { kind: 'done', unproven: claim.sentence };
		}
		mayAsk = false;
		return { kind: 'again', saying: noSuchEffect(claim) };
	};
}

function noSuchEffect({ sentence }: Claim): string {
	return `You wrote: "${sentence}" No call of this turn shows that. Correct your answer: say what was done and what was not.`;
}
