/** Button that names what is chosen, and its menu: each entry with what it means, or why it is forbidden. */
import { useLayoutEffect } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { useOpener } from '../parts/use-opener.ts';
import { useMenuFocus } from '../parts/menu-focus.ts';

export interface MenuEntry<Id extends string> {
	readonly id: Id;
	readonly icon: string;
	readonly name: string;
	/** Sentence that says what the entry means, or why it is forbidden. */
	readonly sentence: string;
	readonly isForbidden?: boolean;
}

interface MenuPickerProps<Id extends string> {
	/** Class and data of the picker, for its look. */
	readonly kind: 'level' | 'mode';
	/** Label of the menu: the kind of thing that is chosen. */
	readonly menuLabel: string;
	/** The same, with what is chosen. */
	readonly label: string;
	readonly chosen: MenuEntry<Id>;
	readonly entries: readonly MenuEntry<Id>[];
	/** Raised when the menu should open. */
	readonly openRequests: number;
	onOpen?(): void;
	onChoose(id: Id): void;
}

export function MenuPicker<Id extends string>(props: MenuPickerProps<Id>) {
	const { kind, menuLabel, label, chosen, entries, openRequests } = props;
	const { isOpen, id: menuId, button, open, leave: leaveMenu } = useOpener('menu');
	const openMenu = () => {
		props.onOpen?.();
		open();
	};
	useLayoutEffect(() => {
		if (openRequests > 0) {
			openMenu();
		}
	}, [openRequests]);
	return (
		<span class={`picker menu ${kind}`} data-chosen={chosen.id}>
			<button
				{...button}
				type="button"
				class="menu-button"
				aria-label={label}
				title={`${label}. ${chosen.sentence}`}
				onClick={() => (isOpen ? leaveMenu(false) : openMenu())}
				onKeyDown={(event) => {
					if (!isOpen && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
						event.preventDefault();
						openMenu();
					}
				}}
			>
				<Icon name={chosen.icon} />
				<span class="menu-name">{chosen.name}</span>
				<Icon name="chevron-down" />
			</button>
			{isOpen && (
				<Menu
					id={menuId}
					label={menuLabel}
					chosen={chosen.id}
					entries={entries}
					onChoose={(id) => {
						leaveMenu(true);
						if (id !== chosen.id) {
							props.onChoose(id);
						}
					}}
					onLeave={leaveMenu}
				/>
			)}
		</span>
	);
}

interface MenuProps<Id extends string> {
	readonly id: string;
	readonly label: string;
	readonly chosen: Id;
	readonly entries: readonly MenuEntry<Id>[];
	onChoose(id: Id): void;
	onLeave(givesBack: boolean): void;
}

/**
 * Menu in which a single entry has the focus, the chosen one at first. A forbidden entry can be read, but not chosen.
 */
function Menu<Id extends string>({ id, label, chosen, entries, onChoose, onLeave }: MenuProps<Id>) {
	const chooseEntry = (entry: MenuEntry<Id> | undefined) => {
		if (entry !== undefined && entry.isForbidden !== true) {
			onChoose(entry.id);
		}
	};
	const { menu, active, onKeyDown, onFocusOut } = useMenuFocus({
		count: entries.length,
		first: entries.findIndex((entry) => entry.id === chosen),
		onChoose: (index) => chooseEntry(entries[index]),
		onLeave,
	});
	return (
		<ul
			ref={menu}
			id={id}
			class="choice-menu"
			role="menu"
			aria-label={label}
			onKeyDown={onKeyDown}
			onFocusOut={onFocusOut}
		>
			{entries.map((entry, index) => (
				<li
					key={entry.id}
					role="menuitemradio"
					aria-checked={entry.id === chosen}
					aria-disabled={entry.isForbidden === true}
					tabIndex={index === active ? 0 : -1}
					onClick={() => chooseEntry(entry)}
				>
					<Icon name={entry.isForbidden === true ? 'circle-slash' : entry.icon} />
					<span class="menu-words">
						<span class="menu-name">{entry.name}</span>
						<span class="menu-sentence">{entry.sentence}</span>
					</span>
					{entry.id === chosen && <Icon name="check" />}
				</li>
			))}
		</ul>
	);
}
