/** On the thread of a sub-agent: whose work it does, and the way back. */
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';

export function ParentLink({ parent }: { parent: ThreadId }) {
	const { t, threads } = useView();
	return (
		<p class="parent-link">
			<span>{t('A sub-agent works in this thread. It may do no more than the thread that started it.')}</span>{' '}
			<button type="button" class="link-button" onClick={() => void threads.show(parent)}>
				<Icon name="arrow-left" /> {t('Back to that thread')}
			</button>
		</p>
	);
}

/** On a thread of the user that follows a custom agent: which one. */
export function FollowedAgent({ name }: { name: string }) {
	const { t } = useView();
	return <p class="parent-link">{t('This thread follows the custom agent {name}.', { name })}</p>;
}
