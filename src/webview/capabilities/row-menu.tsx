/** Menu of a row: what is done with it less often. */
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CapabilityRow } from '../../protocol/pages/capabilities-view.ts';
import { Icon } from '../components/icon.tsx';
import { useText } from '../markdown/text/text-actions.ts';

interface RowMenuProps {
	/** Of the row. */
	readonly name: string;
	readonly entries: CapabilityRow['menu'];
	onChoose(id: string): void;
}

export function RowMenu({ name, entries, onChoose }: RowMenuProps) {
	const { t } = useText();
	const [isOpen, setIsOpen] = useState(false);
	const [active, setActive] = useState(0);
	const [isAbove, setIsAbove] = useState(false);
	const button = useRef<HTMLButtonElement>(null);
	const menu = useRef<HTMLUListElement>(null);
	const id = useId();
	useLayoutEffect(() => {
		const entry = menu.current?.children[active];
		if (entry instanceof HTMLElement) {
			entry.focus();
		}
	}, [isOpen, active]);
	const open = () => {
		const bottom = button.current?.getBoundingClientRect().bottom ?? 0;
		setIsAbove(bottom > window.innerHeight / 2);
		setActive(0);
		setIsOpen(true);
	};
	const leave = (givesBack: boolean) => {
		setIsOpen(false);
		if (givesBack) {
			button.current?.focus();
		}
	};
	const choose = (chosen: string) => {
		leave(true);
		onChoose(chosen);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const last = entries.length - 1;
		const moves: Readonly<Record<string, () => void>> = {
			ArrowDown: () => setActive(active === last ? 0 : active + 1),
			ArrowUp: () => setActive(active === 0 ? last : active - 1),
			Home: () => setActive(0),
			End: () => setActive(last),
			Enter: () => choose(entries[active]?.id ?? ''),
			' ': () => choose(entries[active]?.id ?? ''),
			Escape: () => leave(true),
		};
		const move = moves[event.key];
		if (move !== undefined) {
			event.preventDefault();
			event.stopPropagation();
			move();
		}
	};
	return (
		<span class="row-menu">
			<button
				ref={button}
				type="button"
				class="icon-button"
				title={t('More actions')}
				aria-label={t('More actions for {name}', { name })}
				aria-haspopup="menu"
				aria-expanded={isOpen}
				aria-controls={isOpen ? id : undefined}
				// Before the menu loses the focus and closes.
				onMouseDown={(event) => event.preventDefault()}
				onClick={() => (isOpen ? leave(true) : open())}
			>
				<Icon name="ellipsis" />
			</button>
			{isOpen && (
				<ul
					ref={menu}
					id={id}
					class={isAbove ? 'row-menu-entries above' : 'row-menu-entries'}
					role="menu"
					aria-label={t('More actions for {name}', { name })}
					onKeyDown={onKeyDown}
					onFocusOut={(event) => {
						if (!(event.relatedTarget instanceof Node && menu.current?.contains(event.relatedTarget) === true)) {
							leave(false);
						}
					}}
				>
					{entries.map((entry, index) => (
						<li key={entry.id} role="menuitem" tabIndex={index === active ? 0 : -1} onClick={() => choose(entry.id)}>
							<Icon name={entry.icon} /> {entry.label}
						</li>
					))}
				</ul>
			)}
		</span>
	);
}
