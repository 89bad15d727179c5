/** In the header of a thread that is at another permission level than Ask: which one. */
import { LEVEL_ICONS, LEVEL_WORDS, type PermissionLevel } from '../../../protocol/ops/permission-level.ts';
import { translateText } from '../../../protocol/text/text.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';

export function LevelBadge({ level }: { level: PermissionLevel }) {
	const { t } = useView();
	if (level === 'ask') {
		return null;
	}
	const { name, sentence } = LEVEL_WORDS[level];
	const label = t('Permission level: {level}', { level: translateText(name, t) });
	return (
		<span
			class="level-mark"
			data-level={level}
			role="img"
			aria-label={label}
			title={`${label}. ${translateText(sentence, t)}`}
		>
			<Icon name={LEVEL_ICONS[level]} />
			<span class="level-name">{translateText(name, t)}</span>
		</span>
	);
}
