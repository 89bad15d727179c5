/** Section of a tab: its heading opens and closes it, a sentence says what is in it. */
import { useId } from 'preact/hooks';
import type { CapabilityRow, CapabilitySection } from '../../protocol/pages/capabilities-view.ts';
import { Icon, IconButton } from '../parts/icon.tsx';
import { useText } from '../parts/text-actions.ts';
import { RowMenu } from './row-menu.tsx';

interface CapabilityListRowProps {
	readonly row: CapabilityRow;
	onAct(action: string): void;
}

const markIcons: { readonly [K in CapabilityRow['marks'][number]['kind']]: string } = {
	update: 'arrow-circle-up',
	consent: 'shield',
	warning: 'warning',
	error: 'error',
};

/** Row: what it is, how it stands, what asks for the user, and what can be done with it. */
function CapabilityListRow({ row, onAct }: CapabilityListRowProps) {
	const { name, icon, isBusy, isQuiet, description, facts, marks, parts, opens, buttons, menu } = row;
	return (
		<li class={isQuiet ? 'capability-row quiet' : 'capability-row'}>
			<Icon name={icon} spin={isBusy} />
			<div class="capability-about">
				<div class="capability-head">
					{opens === null ? (
						<span class="capability-name" tabIndex={-1}>
							<bdi>{name}</bdi>
						</span>
					) : (
						<button type="button" class="capability-name" title={opens} onClick={() => onAct('open')}>
							<bdi>{name}</bdi>
						</button>
					)}
					<span class="capability-buttons">
						{buttons.map(({ id, label, icon: sign }) => (
							<IconButton key={id} icon={sign} title={label} label={`${label} ${name}`} onClick={() => onAct(id)} />
						))}
						{menu.length > 0 && <RowMenu name={name} entries={menu} onChoose={onAct} />}
					</span>
				</div>
				{description !== '' && (
					<p class="capability-description">
						<bdi>{description}</bdi>
					</p>
				)}
				{facts.length > 0 && (
					<p class="capability-facts">
						<bdi>{facts.join(' · ')}</bdi>
					</p>
				)}
				{marks.map(({ kind, text }, index) => (
					<p key={index} class="capability-mark" data-kind={kind}>
						<Icon name={markIcons[kind]} /> <bdi>{text}</bdi>
					</p>
				))}
				{parts.length > 0 && (
					<ul class="capability-parts">
						{parts.map((part) => (
							<li key={part}>
								<code>{part}</code>
							</li>
						))}
					</ul>
				)}
			</div>
		</li>
	);
}

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
