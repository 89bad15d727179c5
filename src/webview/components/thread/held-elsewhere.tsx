/** Banner that says whether another window or a terminal works in the shown thread, with the ways to continue here. */
import { useState } from 'preact/hooks';
import type { ThreadSnapshot } from '../../../protocol/thread/thread.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';
import { NewThreadButton } from './banners.tsx';

export function HeldElsewhere({ snapshot }: { snapshot: ThreadSnapshot }) {
	const { t, threads, dispatch } = useView();
	const [isAsked, setIsAsked] = useState(false);
	const { id, heldBy } = snapshot.info;
	if (heldBy === undefined) {
		return null;
	}
	const isWaiting = snapshot.items.some((item) => item.kind === 'tool' && item.status === 'waiting');
	const takeOver = async () => {
		setIsAsked(true);
		await threads.takeOver(id);
		setIsAsked(false);
		dispatch({ type: 'focusInput' });
	};
	return (
		<div class="banner info held" role="status">
			<Icon name="eye" />
			<span>
				{heldBy === 'editor'
					? t('Another window is working in this thread.')
					: t('A terminal is working in this thread.')}{' '}
				{isWaiting && t('It waits for your answer there.')}
			</span>
			<span class="banner-actions">
				<button
					type="button"
					class="button"
					title={t('Stops the turn there, so that you can continue here')}
					disabled={isAsked}
					onClick={() => void takeOver()}
				>
					{isAsked ? t('Taking over…') : t('Take over')}
				</button>
				<NewThreadButton onShown={() => dispatch({ type: 'focusInput' })} />
			</span>
		</div>
	);
}
