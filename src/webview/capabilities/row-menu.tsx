/** Menu of a row: what is done with it less often. */
import { useState } from 'preact/hooks';
import type { CapabilityRow } from '../../protocol/pages/capabilities-view.ts';
import { Icon } from '../parts/icon.tsx';
import { useMenuFocus } from '../parts/menu-focus.ts';
import { useText } from '../parts/text-actions.ts';
import { useOpener } from '../parts/use-opener.ts';

interface RowMenuProps {
	/** Name of the row. */
	readonly name: string;
	readonly entries: CapabilityRow['menu'];
	onChoose(id: string): void;
}

export function RowMenu({ name, entries, onChoose }: RowMenuProps) {
	const { t } = useText();
	const { isOpen, id, button, open, leave: leaveMenu } = useOpener('menu');
	const [isAbove, setIsAbove] = useState(false);
	const openMenu = () => {
		const bottom = button.ref.current?.getBoundingClientRect().bottom ?? 0;
		setIsAbove(bottom > window.innerHeight / 2);
		open();
	};
	const chooseEntry = (chosen: string) => {
		leaveMenu(true);
		onChoose(chosen);
	};
	return (
		<span class="row-menu">
			<button
				{...button}
				type="button"
				class="icon-button"
				title={t('More actions')}
				aria-label={t('More actions for {name}', { name })}
				onClick={() => (isOpen ? leaveMenu(true) : openMenu())}
			>
				<Icon name="ellipsis" />
			</button>
			{isOpen && (
				<RowMenuEntries
					id={id}
					isAbove={isAbove}
					label={t('More actions for {name}', { name })}
					entries={entries}
					onChoose={chooseEntry}
					onLeave={leaveMenu}
				/>
			)}
		</span>
	);
}

interface EntriesProps {
	readonly id: string;
	readonly isAbove: boolean;
	readonly label: string;
	readonly entries: RowMenuProps['entries'];
	onChoose(id: string): void;
	onLeave(givesBack: boolean): void;
}

function RowMenuEntries({ id, isAbove, label, entries, onChoose, onLeave }: EntriesProps) {
	const { menu, active, onKeyDown, onFocusOut } = useMenuFocus({
		count: entries.length,
		first: 0,
		onChoose: (index) => onChoose(entries[index]?.id ?? ''),
		onLeave,
	});
	return (
		<ul
			ref={menu}
			id={id}
			class={isAbove ? 'row-menu-entries above' : 'row-menu-entries'}
			role="menu"
			aria-label={label}
			onKeyDown={onKeyDown}
			onFocusOut={onFocusOut}
		>
			{entries.map((entry, index) => (
				<li key={entry.id} role="menuitem" tabIndex={index === active ? 0 : -1} onClick={() => onChoose(entry.id)}>
					<Icon name={entry.icon} /> {entry.label}
				</li>
			))}
		</ul>
	);
}
