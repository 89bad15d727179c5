/** Button that names the permission level of the thread, and its menu: each level with what it means, or why it is forbidden. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
	isWider,
	LEVEL_ICONS,
	LEVEL_WORDS,
	type LevelInForce,
	PERMISSION_LEVELS,
	type PermissionLevel,
} from '../../../protocol/approvals/permission-level.ts';
import { wordsOf } from '../../../protocol/text/text.ts';
import { useView } from '../../view-context.ts';
import { Icon } from '../icon.tsx';

interface LevelPickerProps {
	readonly inForce: LevelInForce;
	/** Raised when the menu should open. */
	readonly openRequests: number;
}

export function LevelPicker({ inForce, openRequests }: LevelPickerProps) {
	const { t, levels } = useView();
	const [isOpen, setIsOpen] = useState(false);
	const button = useRef<HTMLButtonElement>(null);
	const menuId = useId();
	const open = () => {
		// A policy may have changed since.
		void levels.fetch();
		setIsOpen(true);
	};
	useEffect(() => {
		if (openRequests > 0) {
			open();
		}
	}, [openRequests]);
	const { level } = inForce;
	const { name, sentence } = LEVEL_WORDS[level];
	const label = t('Permission level: {level}', { level: wordsOf(name, t) });
	return (
		<span class="picker level" data-level={level}>
			<button
				ref={button}
				type="button"
				class="level-button"
				aria-label={label}
				aria-haspopup="menu"
				aria-expanded={isOpen}
				aria-controls={isOpen ? menuId : undefined}
				title={`${label}. ${wordsOf(sentence, t)}`}
				// Before the menu loses the focus and closes.
				onMouseDown={(event) => event.preventDefault()}
				onClick={() => (isOpen ? setIsOpen(false) : open())}
				onKeyDown={(event) => {
					if (!isOpen && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
						event.preventDefault();
						open();
					}
				}}
			>
				<Icon name={LEVEL_ICONS[level]} />
				<span class="level-name">{wordsOf(name, t)}</span>
				<Icon name="chevron-down" />
			</button>
			{isOpen && (
				<LevelMenu
					id={menuId}
					inForce={inForce}
					onChoose={(chosen) => {
						setIsOpen(false);
						button.current?.focus();
						if (chosen !== level) {
							void levels.choose(chosen);
						}
					}}
					onLeave={(isByKey) => {
						setIsOpen(false);
						if (isByKey) {
							button.current?.focus();
						}
					}}
				/>
			)}
		</span>
	);
}

interface LevelMenuProps {
	readonly id: string;
	readonly inForce: LevelInForce;
	onChoose(level: PermissionLevel): void;
	onLeave(isByKey: boolean): void;
}

/** One entry has the focus, the current level at first. A forbidden one can be read, and does nothing. */
function LevelMenu({ id, inForce, onChoose, onLeave }: LevelMenuProps) {
	const { t } = useView();
	const menu = useRef<HTMLUListElement>(null);
	const [active, setActive] = useState(PERMISSION_LEVELS.indexOf(inForce.level));
	useLayoutEffect(() => {
		const entry = menu.current?.children[active];
		if (entry instanceof HTMLElement) {
			entry.focus();
		}
	}, [active]);
	const choose = (level: PermissionLevel) => {
		if (!isWider(level, inForce.widest)) {
			onChoose(level);
		}
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const last = PERMISSION_LEVELS.length - 1;
		const moves: Readonly<Record<string, () => void>> = {
			ArrowDown: () => setActive(active === last ? 0 : active + 1),
			ArrowUp: () => setActive(active === 0 ? last : active - 1),
			Home: () => setActive(0),
			End: () => setActive(last),
			Enter: () => choose(PERMISSION_LEVELS[active] ?? inForce.level),
			' ': () => choose(PERMISSION_LEVELS[active] ?? inForce.level),
			Escape: () => onLeave(true),
		};
		const move = moves[event.key];
		if (move !== undefined) {
			event.preventDefault();
			// Outside, Escape stops the turn.
			event.stopPropagation();
			move();
		}
	};
	return (
		<ul
			ref={menu}
			id={id}
			class="level-menu"
			role="menu"
			aria-label={t('Permission level')}
			onKeyDown={onKeyDown}
			onFocusOut={(event) => {
				if (!(event.relatedTarget instanceof Node && menu.current?.contains(event.relatedTarget) === true)) {
					onLeave(false);
				}
			}}
		>
			{PERMISSION_LEVELS.map((level, index) => (
				<LevelEntry
					key={level}
					level={level}
					inForce={inForce}
					isActive={index === active}
					onChoose={() => choose(level)}
				/>
			))}
		</ul>
	);
}

interface LevelEntryProps {
	readonly level: PermissionLevel;
	readonly inForce: LevelInForce;
	readonly isActive: boolean;
	onChoose(): void;
}

function LevelEntry({ level, inForce, isActive, onChoose }: LevelEntryProps) {
	const { t } = useView();
	const { name, sentence } = LEVEL_WORDS[level];
	const isForbidden = isWider(level, inForce.widest);
	const why = inForce.why === null ? t('Forbidden') : wordsOf(inForce.why, t);
	return (
		<li
			role="menuitemradio"
			aria-checked={level === inForce.level}
			aria-disabled={isForbidden}
			tabIndex={isActive ? 0 : -1}
			data-level={level}
			onClick={onChoose}
		>
			<Icon name={isForbidden ? 'circle-slash' : LEVEL_ICONS[level]} />
			<span class="level-words">
				<span class="level-name">{wordsOf(name, t)}</span>
				<span class="level-sentence">{isForbidden ? why : wordsOf(sentence, t)}</span>
			</span>
			{level === inForce.level && <Icon name="check" />}
		</li>
	);
}
