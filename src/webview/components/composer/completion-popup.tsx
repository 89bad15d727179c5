/** The suggestions above the input. The focus stays in the input, which names the active one. */
import { useEffect, useRef } from 'preact/hooks';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';

export interface CompletionEntry {
	readonly icon: string;
	readonly label: string;
	readonly detail: string;
}

interface CompletionPopupProps {
	readonly id: string;
	readonly entries: readonly CompletionEntry[];
	readonly active: number;
	/** More fit than are listed. */
	readonly isCut: boolean;
	/** True while no text follows `@`: the popup then names what the list shows only once there is some. */
	readonly isBare: boolean;
	onChoose(index: number): void;
}

export function optionId(listId: string, index: number): string {
	return `${listId}-${index}`;
}

export function CompletionPopup({ id, entries, active, isCut, isBare, onChoose }: CompletionPopupProps) {
	const { t } = useView();
	const list = useRef<HTMLUListElement>(null);
	useEffect(() => {
		list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
	}, [active]);
	return (
		<div class="completion" onMouseDown={(event) => event.preventDefault()}>
			<ul
				ref={list}
				id={id}
				role="listbox"
				aria-label={t('Suggestions')}
				// Focusable because the list scrolls. Tab chooses, so the focus never gets here, and a press on its
				// scroll bar must not take the focus from the input.
				tabIndex={0}
			>
				{entries.map(({ icon, label, detail }, index) => (
					<li
						key={`${label}\n${detail}`}
						id={optionId(id, index)}
						role="option"
						aria-selected={index === active}
						// Before the input loses the focus.
						onMouseDown={(event) => {
							event.preventDefault();
							onChoose(index);
						}}
					>
						<Icon name={icon} />
						<span class="completion-label">{label}</span>
						<span class="completion-detail">{detail}</span>
					</li>
				))}
			</ul>
			{isBare && (
				<p class="completion-more" role="status">
					{t('Also: {words}, # for a symbol, https:// for a web page', { words: 'commit, thread, capability' })}
				</p>
			)}
			{isCut && !isBare && (
				<p class="completion-more" role="status">
					{t('More fit. Type on to find them.')}
				</p>
			)}
		</div>
	);
}
