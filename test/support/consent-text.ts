import type { ApprovalDetail } from '../../src/protocol/approvals.ts';
import { consentLines } from '../../src/protocol/consent.ts';
import { inEnglish } from '../../src/protocol/text.ts';

/** A consent as a terminal shows it, one line for each thing; empty for any other question. */
export function consentText(detail: ApprovalDetail): string {
	return detail.kind === 'consent' ? consentLines(detail).map(inEnglish).join('\n') : '';
}
