/** Message of the user, which can be edited and sent again, or sent again as it is. Both drop everything after it. */
import { useState } from 'preact/hooks';
import { contextLabel } from '../../../protocol/thread/context.ts';
import type { UserItem } from '../../../protocol/thread/items.ts';
import { LongText } from '../../markdown/text/long-text.tsx';
import { useView } from '../../actions/view-context.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { EditInPlace } from '../edit-in-place.tsx';
import { Picture, refIcon } from '../composer/context-chips.tsx';
import { Icon, IconButton } from '../../parts/icon.tsx';

export function UserMessageView({ item, isRunning, isLast }: { item: UserItem; isRunning: boolean; isLast: boolean }) {
	const { t, threads, restores, dispatch } = useView();
	const [isEditing, setIsEditing] = useState(false);
	if (isEditing && !isRunning) {
		return <MessageEditor item={item} isLast={isLast} onEnd={() => setIsEditing(false)} />;
	}
	return (
		<article class="item user" data-items={item.id}>
			<h2 class="sr-only">{item.from === undefined ? t('You') : t('Sub-agent {name}', { name: item.from.name })}</h2>
			{item.from !== undefined && (
				<p class="message-note">{t('From the agent {name}, not from you', { name: item.from.name })}</p>
			)}
			{item.isSteering === true && item.from === undefined && (
				<p class="message-note">{t('Sent while the agent worked')}</p>
			)}
			<div class="bubble">
				<LongText text={item.text} />
			</div>
			{item.context.length > 0 && (
				<ul class="chips" aria-label={t('Context')}>
					{item.context.map((ref, index) => (
						<li key={index} class="chip">
							{ref.kind === 'image' ? <Picture image={ref} /> : <Icon name={refIcon(ref)} />}
							<span class="chip-label">{contextLabel(ref)}</span>
						</li>
					))}
				</ul>
			)}
			{!isRunning && item.isSteering !== true && (
				<span class="message-actions">
					<IconButton icon="edit" title={t('Edit and send again')} onClick={() => setIsEditing(true)} />
					<IconButton
						icon="discard"
						title={t('Go back to before this message')}
						onClick={() => dispatch({ type: 'goBack', to: item.turnId })}
					/>
					<IconButton
						icon="repo-forked"
						title={t('Fork the thread before this message')}
						onClick={() => void restores.fork(item.turnId)}
					/>
					{isLast ? (
						<IconButton
							icon="refresh"
							title={t('Retry')}
							label={t('Retry this message')}
							onClick={() => void threads.rerun(item.turnId)}
						/>
					) : (
						<ConfirmButton
							class="icon-button"
							label={t('Retry this message')}
							question={t(
								'Retry from here? Everything after this message is removed, until you restore it. Files stay as they are.',
							)}
							act={t('Retry')}
							onConfirm={() => void threads.rerun(item.turnId)}
						>
							<Icon name="refresh" />
						</ConfirmButton>
					)}
				</span>
			)}
		</article>
	);
}

function MessageEditor({ item, isLast, onEnd }: { item: UserItem; isLast: boolean; onEnd(): void }) {
	const { t, threads } = useView();
	const [text, setText] = useState(item.text);
	const sendEdited = () => {
		if (text.trim() !== '') {
			onEnd();
			void threads.rerun(item.turnId, text);
		}
	};
	return (
		<article class="item user editing">
			<EditInPlace
				class="message-field"
				label={t('Edit the message')}
				text={item.text}
				size="lines"
				onInput={setText}
				onSave={sendEdited}
				onCancel={onEnd}
			/>
			{!isLast && <p class="hint">{t('This removes all later messages from the thread. Files are not changed.')}</p>}
			<div class="button-row">
				<button type="button" class="button" disabled={text.trim() === ''} onClick={sendEdited}>
					{t('Send again')}
				</button>
				<button type="button" class="button secondary" onClick={onEnd}>
					{t('Cancel')}
				</button>
			</div>
		</article>
	);
}
