/**
 * Strip that says what left the thread, with the only way to have it again. When hidden, the strip comes back with the
 * next news.
 */
import { useEffect, useState } from 'preact/hooks';
import { useView } from '../../../actions/view-context.ts';
import { IconButton } from '../../../parts/icon-button.tsx';

interface TakenBackStripProps {
	readonly label: string;
	readonly words: string;
	readonly action: { readonly label: string; readonly title: string; act(): void };
	/** A turn runs: then nothing can be taken back. */
	readonly isRunning: boolean;
	/** With another one it is shown again. */
	readonly news: unknown;
}

export function TakenBackStrip({ label, words, action, isRunning, news }: TakenBackStripProps) {
	const { t } = useView();
	const [isHidden, setIsHidden] = useState(false);
	useEffect(() => setIsHidden(false), [news]);
	return isHidden || isRunning ? null : (
		<section class="strip set-aside" aria-label={label}>
			<span class="strip-title">{words}</span>
			<div class="strip-actions">
				<button type="button" class="link-button" title={action.title} onClick={() => action.act()}>
					{action.label}
				</button>
				<IconButton icon="close" title={t('Hide')} onClick={() => setIsHidden(true)} />
			</div>
		</section>
	);
}
