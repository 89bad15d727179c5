/**
 * Messages written while the agent works, sent in this order as soon as it rests, or at once. Until then each can be
 * taken back or changed.
 */
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import { IconButton } from '../../parts/icon.tsx';
import type { ThreadDraft } from '../../state/drafts.ts';
import type { QueuedMessage } from '../../state/queue.ts';
import { useView } from '../../actions/view-context.ts';

interface QueuedMessagesProps {
	readonly threadId: ThreadId;
	readonly queue: readonly QueuedMessage[];
	/** True when no turn runs: the messages then wait for the user, because the last turn did not end by itself. */
	readonly isHeld: boolean;
	/** Takes one into the input. */
	onEdit(message: ThreadDraft): void;
}

export function QueuedMessages({ threadId, queue, isHeld, onEdit }: QueuedMessagesProps) {
	const { t, dispatch } = useView();
	const removeQueued = (index: number) => dispatch({ type: 'queue', threadId, queue: queue.toSpliced(index, 1) });
	return queue.length === 0 ? null : (
		<ul class="queued" aria-label={t('Queued messages')}>
			{queue.map((message, index) => (
				<li key={message.id} class="queued-message">
					<span class="queued-word">{message.isSending === true ? t('Sending…') : t('Queued')}</span>
					<span class="queued-text" title={message.text}>
						{message.text}
					</span>
					{message.isSending !== true && (
						<>
							<IconButton
								icon="edit"
								title={t('Edit')}
								label={t('Edit the queued message')}
								onClick={() => {
									removeQueued(index);
									onEdit(message);
								}}
							/>
							<IconButton
								icon="close"
								title={t('Remove')}
								label={t('Remove the queued message')}
								onClick={() => removeQueued(index)}
							/>
							{(!isHeld || index === 0) && <SendingChoices threadId={threadId} message={message} isHeld={isHeld} />}
						</>
					)}
				</li>
			))}
		</ul>
	);
}

interface SendingChoicesProps {
	readonly threadId: ThreadId;
	readonly message: QueuedMessage;
	readonly isHeld: boolean;
}

/** To the turn that runs, or to one of its own in place of that. */
function SendingChoices({ threadId, message, isHeld }: SendingChoicesProps) {
	const { t, threads } = useView();
	return (
		<span class="queued-choices">
			<button
				type="button"
				class="link-button"
				title={isHeld ? undefined : t('The agent reads it after the step it is working on')}
				onClick={() => void (isHeld ? threads.sendQueued(threadId) : threads.steer(threadId, message.id))}
			>
				{t('Send now')}
			</button>
			{!isHeld && (
				<button
					type="button"
					class="link-button"
					title={t('Stops what the agent is doing and starts with this message')}
					onClick={() => void threads.stopAndSend(threadId, message.id)}
				>
					{t('Stop and send')}
				</button>
			)}
		</span>
	);
}
