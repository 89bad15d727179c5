/** Item of a thread, redrawn only when that item is replaced by another. */
import { assertNever } from '../../../base/assert-never.ts';
import { servedText } from '../../../protocol/thread/served.ts';
import { titleInWords, translateText } from '../../../protocol/text/text.ts';
import type { ThreadItem } from '../../../protocol/thread/items.ts';
import { LongText } from '../../markdown/text/long-text.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { memo } from '../../parts/memo.ts';
import { formatDuration, useElapsed } from '../../parts/times.ts';
import type { Translate } from '../../parts/translate.ts';
import { useView } from '../../actions/view-context.ts';
import { Boundary } from '../boundary.tsx';
import { Compaction, Shortening } from './compaction.tsx';
import { NoticeView } from '../thread/notice.tsx';
import { FoldedItem } from './folded-item.tsx';
import { ToldInstructionsRow, ToldMemoriesRow } from './told-rows.tsx';
import { ToolMedia } from './tools/result-media.tsx';
import { ToolCard } from './tools/tool-card.tsx';
import { UserMessageView } from './user-message.tsx';

interface ItemViewProps {
	readonly item: ThreadItem;
	/** A turn runs: messages cannot be edited or sent again. */
	readonly isRunning: boolean;
	readonly isLastTurn: boolean;
	/** Another window or terminal works in the thread. */
	readonly isElsewhere: boolean;
}

export const ItemView = memo((props: ItemViewProps) => (
	<Boundary fallback={() => <Undrawn item={props.item} />}>
		<ItemContent {...props} />
	</Boundary>
));

function ItemContent({ item, isRunning, isLastTurn, isElsewhere }: ItemViewProps) {
	const { t } = useView();
	switch (item.kind) {
		case 'user':
			return <UserMessageView item={item} isRunning={isRunning} isLast={isLastTurn} />;
		case 'text':
			return item.silent === true ? (
				<p class="message-note">{t('The agent found that no reply is needed.')}</p>
			) : (
				<>
					{item.served !== undefined && <p class="message-note">{translateText(servedText(item.served), t)}</p>}
					<AssistantText id={item.id} text={item.text} isDone={item.done || (!isRunning && isLastTurn)} />
				</>
			);
		case 'thinking':
			return <Thinking item={item} isRunning={isRunning && !item.done} />;
		case 'tool':
			return (
				<>
					<ToolCard item={item} isElsewhere={isElsewhere} />
					<ToolMedia item={item} />
				</>
			);
		case 'notice':
			return item.shortened === undefined ? (
				<NoticeView item={item} isLastTurn={isLastTurn} isRunning={isRunning && isLastTurn} />
			) : (
				<Shortening text={item.text} shortened={item.shortened} />
			);
		case 'instructions':
			return <ToldInstructionsRow item={item} />;
		case 'memories':
			return <ToldMemoriesRow item={item} />;
		case 'compaction':
			return <Compaction item={item} />;
		default:
			return assertNever(item);
	}
}

/** Shows the plain text of an item that cannot be drawn. */
function Undrawn({ item }: { item: ThreadItem }) {
	const { t } = useView();
	return (
		<div class="item undrawn" role="note">
			<p class="detail-note">{t('This part cannot be drawn. Its text:')}</p>
			<pre tabIndex={0}>
				<LongText text={toPlainItemText(item, t)} />
			</pre>
		</div>
	);
}

export function toPlainItemText(item: ThreadItem, t: Translate): string {
	switch (item.kind) {
		case 'tool':
			return titleInWords(item, t);
		case 'instructions':
			return item.files.map(({ path }) => path).join('\n');
		case 'memories':
			return item.memories.map(({ text }) => text).join('\n');
		default:
			return item.text;
	}
}

function AssistantText({ id, text, isDone }: { id: string; text: string; isDone: boolean }) {
	const { t } = useView();
	return (
		<article class="item assistant" data-items={id} aria-label={t('Prowess')} aria-busy={!isDone}>
			<Markdown text={text} isDone={isDone} />
		</article>
	);
}

type ShownThinking = Extract<ThreadItem, { kind: 'thinking' }>;

/** The model's thinking: closed, with its duration. */
function Thinking({ item, isRunning }: { item: ShownThinking; isRunning: boolean }) {
	const { t } = useView();
	const elapsed = useElapsed(item.at, isRunning);
	const label = isRunning
		? elapsed === undefined || elapsed < 1000
			? t('Thinking…')
			: t('Thinking for {time}', { time: formatDuration(Math.floor(elapsed / 1000) * 1000, t) })
		: item.durationMs === undefined || item.durationMs < 1000
			? t('Thought')
			: t('Thought for {time}', { time: formatDuration(item.durationMs, t) });
	return (
		<FoldedItem class="item thinking" icon={isRunning ? 'loading' : 'lightbulb'} title={label}>
			{() => <Markdown text={item.text} isDone={!isRunning} />}
		</FoldedItem>
	);
}
