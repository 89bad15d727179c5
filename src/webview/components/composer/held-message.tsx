/** A message that contains keys: they are removed unless the user says otherwise, and keys that are stored always are. */
import { useId } from 'preact/hooks';
import type { HeldMessage } from '../../state/view-state.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';

export function HeldMessageDock({ held }: { held: HeldMessage }) {
	const { t, threads, dispatch } = useView();
	const id = useId();
	const { known, lookalikes } = held.found;
	const count = known + lookalikes;
	const removed =
		count === 1
			? t('1 key was removed from your message. Send it anyway?')
			: t('{n} keys were removed from your message. Send it anyway?', { n: count });
	return (
		<section class="dock held" role="alert" aria-labelledby={id}>
			<div class="dock-head">
				<Icon name="key" />
				<h2 id={id}>{removed}</h2>
			</div>
			{known > 0 && <p class="dock-reason">{t('Keys that are stored in Prowess are never sent.')}</p>}
			<div class="button-row">
				<button type="button" class="button" onClick={() => void threads.sendHeld('remove')}>
					{count === 1 ? t('Send without the key') : t('Send without the keys')}
				</button>
				{lookalikes > 0 && (
					<button type="button" class="button secondary" onClick={() => void threads.sendHeld('keep')}>
						{known === 0 ? t('Send as typed') : t('Remove only stored keys')}
					</button>
				)}
				<button
					type="button"
					class="button secondary"
					onClick={() => {
						dispatch({ type: 'held', held: null });
						dispatch({ type: 'focusInput' });
					}}
				>
					{t('Do not send')}
				</button>
			</div>
		</section>
	);
}
