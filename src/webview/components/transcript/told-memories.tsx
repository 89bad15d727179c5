/** Memories that were told to the model with a message: closed, with their number. The view Memory changes them. */
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import type { ThreadItem } from '../../../protocol/thread/items.ts';
import { useView } from '../../actions/view-context.ts';
import { FoldedItem } from './folded-item.tsx';

export function ToldMemoriesRow({ item: { memories, isLocal } }: { item: Extract<ThreadItem, { kind: 'memories' }> }) {
	const { t } = useView();
	const label =
		memories.length === 1 ? t('Recalled 1 memory') : t('Recalled {count} memories', { count: memories.length });
	return (
		<FoldedItem class="item instructions" icon="lightbulb" title={label}>
			{() => (
				<ul class="told-files">
					{memories.map(({ id, text }) => (
						<li key={id}>{escapeInvisible(text, 'line')}</li>
					))}
					{isLocal === true && <li>{t('The embedding model did not answer; they were found on this machine.')}</li>}
				</ul>
			)}
		</FoldedItem>
	);
}
