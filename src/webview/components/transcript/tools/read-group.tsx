/** Several reads in a row as one line; behind it are their cards. */
import { opCard } from '../../../../protocol/ops/cards.ts';
import type { ToolItem } from '../../../../protocol/thread/items.ts';
import { memo } from '../../../memo.ts';
import { useView } from '../../../view-context.ts';
import { Disclosure } from '../../disclosure.tsx';
import { Icon } from '../../icon.tsx';
import { ToolCard } from './tool-card.tsx';

interface ReadGroupProps {
	readonly items: readonly [ToolItem, ...ToolItem[]];
	readonly isElsewhere: boolean;
}

export const ReadGroup = memo(
	({ items, isElsewhere }: ReadGroupProps) => {
		const { t } = useView();
		const [{ tool }] = items;
		const n = items.length;
		const isOfFiles = items.every((item) => opCard(item.tool).file !== undefined);
		return (
			<Disclosure
				class="item reads"
				items={items.map(({ id }) => id)}
				summary={
					<>
						<Icon name={items.every((item) => item.tool === tool) ? opCard(tool).icon : 'search'} />
						<span class="card-title">
							{isOfFiles ? t('Read {n} files', { n }) : t('{n} reads and searches', { n })}
						</span>
					</>
				}
			>
				{() => items.map((item) => <ToolCard key={item.id} item={item} isElsewhere={isElsewhere} />)}
			</Disclosure>
		);
	},
	(one, other) =>
		one.isElsewhere === other.isElsewhere &&
		one.items.length === other.items.length &&
		one.items.every((item, index) => item === other.items[index]),
);
