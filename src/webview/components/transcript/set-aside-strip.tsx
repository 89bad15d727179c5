/** Messages that a retry of an older one, or a way back to one, has removed from the thread, and the way to have them again. */
import { useEffect, useState } from 'preact/hooks';
import type { ThreadInfo } from '../../../protocol/thread/thread.ts';
import { useView } from '../../view-context.ts';
import { Icon } from '../icon.tsx';

export function SetAsideStrip({ info }: { info: ThreadInfo }) {
	const { t, threads } = useView();
	const { id, setAside = 0, running } = info;
	const [isHidden, setIsHidden] = useState(false);
	useEffect(() => setIsHidden(false), [id, setAside]);
	if (setAside === 0 || running || isHidden) {
		return null;
	}
	return (
		<section class="strip set-aside" aria-label={t('Removed messages')}>
			<span class="strip-title">
				{setAside === 1 ? t('1 message was removed') : t('{n} messages were removed', { n: setAside })}
			</span>
			<div class="strip-actions">
				<button
					type="button"
					class="link-button"
					title={t('Puts them back in place of what has come since. Files stay as they are.')}
					onClick={() => void threads.restore(id)}
				>
					{t('Restore')}
				</button>
				<button
					type="button"
					class="icon-button"
					title={t('Hide')}
					aria-label={t('Hide')}
					onClick={() => setIsHidden(true)}
				>
					<Icon name="close" />
				</button>
			</div>
		</section>
	);
}
