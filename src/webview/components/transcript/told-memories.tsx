/** Memories that were told to the model with a message: closed, with their number. The view Memory changes them. */
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import type { ThreadItem } from '../../../protocol/thread/items.ts';
import { useView } from '../../view-context.ts';
import { Disclosure } from '../disclosure.tsx';
import { Icon } from '../../icon.tsx';

export function ToldMemoriesRow({ item: { memories, isLocal } }: { item: Extract<ThreadItem, { kind: 'memories' }> }) {
	const { t } = useView();
	const label =
		memories.length === 1 ? t('Recalled 1 memory') : t('Recalled {count} memories', { count: memories.length });
	return (
		<Disclosure
			class="item instructions"
			summary={
				<>
					<Icon name="lightbulb" />
					<span class="card-title">{label}</span>
				</>
			}
		>
			{() => (
				<ul class="told-files">
					{memories.map(({ id, text }) => (
						<li key={id}>{escapeInvisible(text, 'line')}</li>
					))}
					{isLocal === true && <li>{t('The embedding model did not answer; they were found on this machine.')}</li>}
				</ul>
			)}
		</Disclosure>
	);
}
