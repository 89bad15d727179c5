/** Lines on the thread of a sub-agent, and on one that follows a custom agent. */
import { useEffect, useState } from 'preact/hooks';
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import type { HandOff } from '../../../protocol/agents/agent-view.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';

/** On the thread of a sub-agent: whose work it does, and the way back. */
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

/** After an answer in a thread that follows a custom agent: what its author offers as the next step, by another agent. */
export function HandOffButtons({ threadId }: { readonly threadId: ThreadId }) {
	const { t, agents } = useView();
	const [offered, setOffered] = useState<readonly HandOff[]>([]);
	useEffect(() => {
		let isShown = true;
		void agents.handOffs(threadId).then((found) => isShown && setOffered(found));
		return () => {
			isShown = false;
		};
	}, [threadId]);
	return offered.length === 0 ? null : (
		<div class="button-row hand-offs" role="group" aria-label={t('Hand over')}>
			{offered.map(({ label, agent, send }, at) => (
				<button
					key={at}
					type="button"
					class="button secondary"
					title={
						send
							? t('Sends its prompt to {agent}, in a new thread', { agent: escapeInvisible(agent, 'line') })
							: t('Begins a thread with {agent}, its prompt ready to send', { agent: escapeInvisible(agent, 'line') })
					}
					onClick={() => void agents.handOff(threadId, at)}
				>
					<Icon name="arrow-right" /> {escapeInvisible(label, 'line')}
				</button>
			))}
		</div>
	);
}
