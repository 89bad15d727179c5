/** Section of a tab: its heading opens and closes it, a sentence says what is in it. */
import { useId } from 'preact/hooks';
import type { CapabilitySection } from '../../protocol/pages/capabilities-view.ts';
import { Icon } from '../parts/icon.tsx';
import { useText } from '../parts/text-actions.ts';
import { CapabilityListRow } from './capability-row.tsx';

interface RowSectionProps {
	readonly section: CapabilitySection;
	readonly isClosed: boolean;
	onTurn(): void;
	onAct(on: string, action: string): void;
}

export function RowSection({ section, isClosed, onTurn, onAct }: RowSectionProps) {
	const { title, sentence, rows, left } = section;
	const { t } = useText();
	const id = useId();
	const count = rows.length + left;
	return (
		<section class="row-section">
			<h2>
				<button
					type="button"
					class="section-head"
					aria-expanded={!isClosed}
					aria-controls={isClosed ? undefined : id}
					onClick={onTurn}
				>
					<Icon name={isClosed ? 'chevron-right' : 'chevron-down'} />
					<bdi>{title}</bdi> <span class="section-count">{count}</span>
				</button>
			</h2>
			{!isClosed && (
				<div id={id}>
					{sentence !== '' && <p class="capabilities-sentence">{sentence}</p>}
					<ul>
						{rows.map((row) => (
							<CapabilityListRow key={row.id} row={row} onAct={(action) => onAct(row.id, action)} />
						))}
					</ul>
					{left > 0 && <p class="capabilities-sentence">{t('{left} more. Search to find them.', { left })}</p>}
				</div>
			)}
		</section>
	);
}
