/** A sentence of ours in the thread, with what can be done about it. */
import { assertNever } from '../../base/assert-never.ts';
import { errorSentence } from '../../protocol/error-sentence.ts';
import type { Item, NoticeAction } from '../../protocol/thread.ts';
import type { Translate } from '../translate.ts';
import { useView } from '../view-context.ts';
import { Icon } from './icon.tsx';

type NoticeItem = Extract<Item, { kind: 'notice' }>;

export function Notice({ item }: { item: NoticeItem }) {
	const { t, threads, editor } = useView();
	const act = (action: NoticeAction) => {
		switch (action) {
			case 'retry':
				return threads.rerun(item.turnId);
			case 'continue':
				return threads.send('Continue.', []);
			default:
				return editor.command(action);
		}
	};
	// The sentence for a person first; what exactly failed, which is never translated, below it.
	const said = t(item.error === undefined ? item.text : errorSentence(item.error));
	return (
		<div class={`item notice ${item.level}`} role="note">
			<Icon name={item.level} />
			<div class="notice-body">
				<p>
					<span class="sr-only">{levelWord(item.level, t)} </span>
					{said}
				</p>
				{item.error !== undefined && said !== item.text && (
					<p class="detail-note">
						{item.text} <code>{item.error.code}</code>
					</p>
				)}
				{item.actions.length > 0 && (
					<div class="button-row">
						{item.actions.map((action, index) => (
							<button
								key={action}
								type="button"
								class={index === 0 ? 'button' : 'button secondary'}
								onClick={() => void act(action)}
							>
								{actionLabel(action, t)}
							</button>
						))}
					</div>
				)}
			</div>
		</div>
	);
}

function levelWord(level: NoticeItem['level'], t: Translate): string {
	return level === 'error' ? t('Error:') : level === 'warning' ? t('Warning:') : t('Note:');
}

function actionLabel(action: NoticeAction, t: Translate): string {
	switch (action) {
		case 'connectModel':
			return t('Connect a model');
		case 'switchModel':
			return t('Switch the model');
		case 'retry':
			return t('Retry');
		case 'continue':
			return t('Continue');
		case 'showLogs':
			return t('Show logs');
		case 'trustWorkspace':
			return t('Manage trust');
		default:
			return assertNever(action);
	}
}
