/** Several calls in a row as one line; behind it are their cards. */
import { opCard } from '../../../../protocol/ops/cards.ts';
import type { ToolItem } from '../../../../protocol/thread/items.ts';
import { memo } from '../../../memo.ts';
import { useView } from '../../../view-context.ts';
import { Disclosure } from '../../disclosure.tsx';
import { Icon } from '../../../icon.tsx';
import type { GroupKind } from '../rows.ts';
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
			<Disclosure
				class={`item calls ${kind}`}
				items={items.map(({ id }) => id)}
				summary={
					<>
						<Icon name={kind === 'repeats' ? 'circle-slash' : isOfOneTool ? opCard(tool).icon : 'search'} />
						<span class="card-title">
							{kind === 'repeats'
								? t('{n} repeated calls were not run', { n })
								: isOfFiles
									? t('Read {n} files', { n })
									: t('{n} reads and searches', { n })}
						</span>
					</>
				}
			>
				{() => items.map((item) => <ToolCard key={item.id} item={item} isElsewhere={isElsewhere} />)}
			</Disclosure>
		);
	},
	(one, other) =>
		one.kind === other.kind &&
		one.isElsewhere === other.isElsewhere &&
		one.items.length === other.items.length &&
		one.items.every((item, index) => item === other.items[index]),
);
