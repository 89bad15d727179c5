/** In the header of a thread that is at another permission level than Ask: which one. */
import { LEVEL_ICONS, LEVEL_WORDS, type PermissionLevel } from '../../../protocol/permission-level.ts';
import { wordsOf } from '../../../protocol/text/text.ts';
import { useView } from '../../view-context.ts';
import { Icon } from '../../icon.tsx';

export function LevelMark({ level }: { level: PermissionLevel }) {
	const { t } = useView();
	if (level === 'ask') {
		return null;
	}
	const { name, sentence } = LEVEL_WORDS[level];
	const label = t('Permission level: {level}', { level: wordsOf(name, t) });
	return (
		<span
			class="level-mark"
			data-level={level}
			role="img"
			aria-label={label}
			title={`${label}. ${wordsOf(sentence, t)}`}
		>
			<Icon name={LEVEL_ICONS[level]} />
			<span class="level-name">{wordsOf(name, t)}</span>
		</span>
	);
}
