/** Lists the risks of an act, the worst first, and why it asks. */
import type { Approval, RiskWarning } from '../../../protocol/approvals/approvals.ts';
import { type Text, translateText } from '../../../protocol/text/text.ts';
import { useView } from '../../actions/view-context.ts';

/** For what the dock is described by. */
export const RISKS_ID = 'approval-risks';

export function Risks({ warning, id }: { warning: RiskWarning | null; id?: string | undefined }) {
	const { t } = useView();
	return warning === null ? null : (
		<ul id={id} class="risks">
			{warning.reasons.map((risk, index) => (
				<li key={index}>{translateText(risk, t)}</li>
			))}
		</ul>
	);
}

/** Why it asks, where that is no risk that stands above. */
export function ApprovalReason({ approval: { warning, reason } }: { approval: Approval }) {
	const { t } = useView();
	const isSaid = warning?.reasons.some((risk) => isSameReason(risk, reason)) === true;
	return isSaid ? null : <p class="dock-reason">{translateText(reason, t)}</p>;
}

function isSameReason(one: Text, other: Text): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}
