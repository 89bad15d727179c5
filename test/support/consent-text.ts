import type { ApprovalDetail } from '../../src/protocol/approvals/approvals.ts';
import { consentLines } from '../../src/protocol/approvals/consent.ts';
import { inEnglish } from '../../src/protocol/text/text.ts';

/** A consent as a terminal shows it, one line for each thing; empty for any other question. */
export function consentText(detail: ApprovalDetail): string {
	return detail.kind === 'consent' ? consentLines(detail).map(inEnglish).join('\n') : '';
}
