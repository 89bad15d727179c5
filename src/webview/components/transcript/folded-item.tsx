/** Item of a thread that is one line until it is opened. */
import type { ComponentChildren } from 'preact';
import { Disclosure } from '../../parts/disclosure.tsx';
import { Icon } from '../../parts/icon.tsx';

interface FoldedItemProps {
	readonly class: string;
	readonly icon: string;
	readonly title: string;
	/** Items of the thread that are behind it, to be found by. */
	readonly items?: readonly string[];
	readonly children: () => ComponentChildren;
}

export function FoldedItem({ class: className, icon, title, items, children }: FoldedItemProps) {
	return (
		<Disclosure
			class={className}
			{...(items === undefined ? {} : { items })}
			summary={
				<>
					<Icon name={icon} spin={icon === 'loading'} />
					<span class="card-title">{title}</span>
				</>
			}
		>
			{children}
		</Disclosure>
	);
}
