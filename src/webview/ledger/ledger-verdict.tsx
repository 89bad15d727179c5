/** Shows the result of the check of all chains: a single line when all is well, otherwise the faults and what to do. */
import type { LedgerVerdict } from '../../protocol/pages/ledger-page.ts';
import { Icon } from '../parts/icon.tsx';
import { useText } from '../parts/text-actions.ts';

interface LedgerVerdictProps {
	readonly verdict: LedgerVerdict | 'checking';
	onVerify(): void;
	onAcknowledge(): void;
	onExport(): void;
}

export function LedgerVerdictView({ verdict, onVerify, onAcknowledge, onExport }: LedgerVerdictProps) {
	const { t } = useText();
	const isChecking = verdict === 'checking';
	const state = isChecking ? 'checking' : verdict.state;
	return (
		<section class={`ledger-verdict ${state}`} aria-label={t('Verification')}>
			<p role="status">
				<Icon name={verdictIcons[state]} spin={isChecking} /> {isChecking ? t('Verifying all rows…') : verdict.text}
			</p>
			{!isChecking && verdict.problems.length > 0 && (
				<ul>
					{verdict.problems.map((problem, index) => (
						<li key={index}>{problem}</li>
					))}
				</ul>
			)}
			{!isChecking && verdict.advice !== '' && <p>{verdict.advice}</p>}
			<div class="button-row" role="group" aria-label={t('Actions')}>
				{!isChecking && verdict.canAcknowledge && (
					<button type="button" class="button secondary" onClick={onAcknowledge}>
						{t('Acknowledge…')}
					</button>
				)}
				<button
					type="button"
					class="button secondary"
					aria-disabled={isChecking}
					onClick={isChecking ? ignoreClick : onVerify}
				>
					{t('Verify')}
				</button>
				<button type="button" class="button secondary" onClick={onExport}>
					{t('Export…')}
				</button>
			</div>
		</section>
	);
}

function ignoreClick(): void {}

const verdictIcons = { intact: 'verified', damaged: 'error', failed: 'warning', checking: 'loading' } as const;
