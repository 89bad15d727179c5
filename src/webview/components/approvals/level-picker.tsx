/** Choice of the permission level of the thread: each level with what it means, or why it is forbidden. */
import {
	isWiderLevel,
	LEVEL_ICONS,
	LEVEL_WORDS,
	type LevelInForce,
	PERMISSION_LEVELS,
	type PermissionLevel,
} from '../../../protocol/ops/permission-level.ts';
import { translateText } from '../../../protocol/text/text.ts';
import { useView } from '../../actions/view-context.ts';
import { type MenuEntry, MenuPicker } from '../menu-picker.tsx';

interface LevelPickerProps {
	readonly inForce: LevelInForce;
	/** Raised when the menu should open. */
	readonly openRequests: number;
}

export function LevelPicker({ inForce, openRequests }: LevelPickerProps) {
	const { t, levels } = useView();
	const why = inForce.why === null ? t('Forbidden') : translateText(inForce.why, t);
	const toLevelEntry = (level: PermissionLevel): MenuEntry<PermissionLevel> => {
		const { name, sentence } = LEVEL_WORDS[level];
		const isForbidden = isWiderLevel(level, inForce.widest);
		return {
			id: level,
			icon: LEVEL_ICONS[level],
			name: translateText(name, t),
			sentence: isForbidden ? why : translateText(sentence, t),
			isForbidden,
		};
	};
	const chosen = toLevelEntry(inForce.level);
	return (
		<MenuPicker
			kind="level"
			menuLabel={t('Permission level')}
			label={t('Permission level: {level}', { level: chosen.name })}
			chosen={chosen}
			entries={PERMISSION_LEVELS.map(toLevelEntry)}
			openRequests={openRequests}
			// A policy may have changed since.
			onOpen={() => void levels.fetch()}
			onChoose={(level) => void levels.choose(level)}
		/>
	);
}
