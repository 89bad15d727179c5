/** Lists the risks of an act, the worst first, and why it asks. */
import type { Approval, RiskWarning } from '../../../protocol/approvals/approvals.ts';
import { type Text, translateText } from '../../../protocol/text/text.ts';
import { Icon } from '../../parts/icon.tsx';
import { useView } from '../../actions/view-context.ts';

/** For what the dock is described by. */
export const RISKS_ID = 'approval-risks';

export function Risks({ warning, id }: { warning: RiskWarning | null; id?: string | undefined }) {
	const { t } = useView();
	return warning === null ? null : (
		<div id={id}>
			{warning.reasons.length > 0 && (
				<ul class="risks">
					{warning.reasons.map((risk, index) => (
						<li key={index}>{translateText(risk, t)}</li>
					))}
				</ul>
			)}
			{warning.contained?.map((risk, index) => (
				<p key={index} class="contained">
					<Icon name="shield" /> {t('{risk}, inside the sandbox', { risk: translateText(risk, t) })}
				</p>
			))}
		</div>
	);
}

/** Why it asks, where that is no risk that stands above. */
export function ApprovalReason({ approval: { warning, reason, textsRead = [] } }: { approval: Approval }) {
	const { t, editor } = useView();
	const isSaid = warning?.reasons.some((risk) => isSameReason(risk, reason)) === true;
	return isSaid ? null : (
		<p class="dock-reason">
			{translateText(reason, t)}
			{textsRead.map(({ said, opId }) => (
				<button type="button" class="link-button" key={opId} onClick={() => void editor.showRecorded(opId)}>
					<Icon name="verified" /> {translateText(said, t)}
				</button>
			))}
		</p>
	);
}

function isSameReason(one: Text, other: Text): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}
