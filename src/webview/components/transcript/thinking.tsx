/** The model's thinking: closed, with its duration. */
import type { ThreadItem } from '../../../protocol/thread/items.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { useView } from '../../actions/view-context.ts';
import { FoldedItem } from './folded-item.tsx';
import { formatDuration, useElapsed } from '../../parts/times.ts';

type ShownThinking = Extract<ThreadItem, { kind: 'thinking' }>;

export function Thinking({ item, isRunning }: { item: ShownThinking; isRunning: boolean }) {
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
