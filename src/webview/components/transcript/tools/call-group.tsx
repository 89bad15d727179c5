/** Several calls in a row as one line; behind it are their cards. */
import { opCard } from '../../../../protocol/op-table/cards.ts';
import type { ToolItem } from '../../../../protocol/thread/items.ts';
import { memo } from '../../../parts/memo.ts';
import { useView } from '../../../actions/view-context.ts';
import { FoldedItem } from '../folded-item.tsx';
import type { GroupKind } from '../rows.ts';
import { ToolMedia } from './result-media.tsx';
import { ToolCard } from './tool-card.tsx';

interface CallGroupProps {
	readonly kind: GroupKind;
	readonly items: readonly [ToolItem, ...ToolItem[]];
	readonly isElsewhere: boolean;
}

export const CallGroup = memo(
	({ kind, items, isElsewhere }: CallGroupProps) => {
		const { t } = useView();
		const [{ tool }] = items;
		const n = items.length;
		const isOfFiles = items.every((item) => opCard(item.tool).file !== undefined);
		const isOfOneTool = items.every((item) => item.tool === tool);
		return (
			<>
				<FoldedItem
					class={`item calls ${kind}`}
					items={items.map(({ id }) => id)}
					icon={kind === 'repeats' ? 'circle-slash' : isOfOneTool ? opCard(tool).icon : 'search'}
					title={
						kind === 'repeats'
							? t('{n} repeated calls were not run', { n })
							: isOfFiles
								? t('Read {n} files', { n })
								: t('{n} reads and searches', { n })
					}
				>
					{() => items.map((item) => <ToolCard key={item.id} item={item} isElsewhere={isElsewhere} />)}
				</FoldedItem>
				{items.map((item) => (
					<ToolMedia key={item.id} item={item} />
				))}
			</>
		);
	},
	(one, other) =>
		one.kind === other.kind &&
		one.isElsewhere === other.isElsewhere &&
		one.items.length === other.items.length &&
		one.items.every((item, index) => item === other.items[index]),
);
