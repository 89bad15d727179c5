/** What was written while the agent works: sent in this order as soon as it rests. Until then each can be taken back or changed. */
import type { ThreadId } from '../../protocol/ids.ts';
import type { Draft } from '../state/drafts.ts';
import { useView } from '../view-context.ts';
import { Icon } from './icon.tsx';

interface QueuedMessagesProps {
	readonly threadId: ThreadId;
	readonly queue: readonly Draft[];
	/** Nothing runs: then they wait for the user, because the last turn did not end by itself. */
	readonly isHeld: boolean;
	/** Takes one into the input. */
	onEdit(message: Draft): void;
}

export function QueuedMessages({ threadId, queue, isHeld, onEdit }: QueuedMessagesProps) {
	const { t, threads, dispatch } = useView();
	const remove = (index: number) => dispatch({ type: 'queue', threadId, queue: queue.toSpliced(index, 1) });
	return queue.length === 0 ? null : (
		<ul class="queued" aria-label={t('Queued messages')}>
			{queue.map((message, index) => (
				<li key={index} class="queued-message">
					<span class="queued-word">{t('Queued')}</span>
					<span class="queued-text" title={message.text}>
						{message.text}
					</span>
					{isHeld && index === 0 && (
						<button type="button" class="link-button" onClick={() => void threads.sendQueued(threadId)}>
							{t('Send now')}
						</button>
					)}
					<button
						type="button"
						class="icon-button"
						title={t('Edit')}
						aria-label={t('Edit the queued message')}
						onClick={() => {
							remove(index);
							onEdit(message);
						}}
					>
						<Icon name="edit" />
					</button>
					<button
						type="button"
						class="icon-button"
						title={t('Remove')}
						aria-label={t('Remove the queued message')}
						onClick={() => remove(index)}
					>
						<Icon name="close" />
					</button>
				</li>
			))}
		</ul>
	);
}
