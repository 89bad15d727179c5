/** Older messages that the model is not shown any more: closed, with their number; open, what it is told of them. */
import type { Item } from '../../../protocol/thread/thread.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { useView } from '../../view-context.ts';
import { Disclosure } from '../disclosure.tsx';
import { Icon } from '../icon.tsx';

type CompactionItem = Extract<Item, { kind: 'compaction' }>;

export function Compaction({ item: { messages, text, model } }: { item: CompactionItem }) {
	const { t } = useView();
	return (
		<Disclosure
			class="item compaction"
			summary={
				<>
					<Icon name="fold" />
					<span class="card-title">
						{t('{count} older messages were summarized for the model', { count: messages })}
					</span>
				</>
			}
		>
			{() => (
				<>
					<p class="detail-note">
						{model === undefined
							? t('The model reads this list of what was done. You can still read the messages above.')
							: t('The model reads this summary by {model}. You can still read the messages above.', { model })}
					</p>
					<Markdown text={text} isDone />
				</>
			)}
		</Disclosure>
	);
}
