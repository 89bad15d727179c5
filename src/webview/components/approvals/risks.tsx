/** What is risky about an act, one by one, the worst first. */
import type { RiskWarning } from '../../../protocol/approvals/approvals.ts';
import { wordsOf } from '../../../protocol/text/text.ts';
import { useView } from '../../view-context.ts';

/** For what the dock is described by. */
export const RISKS_ID = 'approval-risks';

export function Risks({ warning, id }: { warning: RiskWarning | null; id?: string | undefined }) {
	const { t } = useView();
	return warning === null ? null : (
		<ul id={id} class="risks">
			{warning.reasons.map((risk, index) => (
				<li key={index}>{wordsOf(risk, t)}</li>
			))}
		</ul>
	);
}
