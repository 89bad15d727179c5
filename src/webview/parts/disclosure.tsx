/** Line that opens the content behind it. Closed content is not drawn. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface DisclosureProps {
	readonly class: string;
	readonly summary: ComponentChildren;
	readonly children: () => ComponentChildren;
	/** Stays in sight while it is closed. */
	readonly below?: ComponentChildren;
	readonly isOpenAtFirst?: boolean;
	/** Items of the thread that are behind it, to be found by. */
	readonly items?: readonly string[];
}

export function Disclosure({
	class: className,
	summary,
	children,
	below,
	isOpenAtFirst = false,
	items,
}: DisclosureProps) {
	const [isOpen, setIsOpen] = useState(isOpenAtFirst);
	const id = useId();
	return (
		<div class={className} data-items={items?.join(' ')}>
			<button
				type="button"
				class="disclosure"
				aria-expanded={isOpen}
				aria-controls={isOpen ? id : undefined}
				onClick={() => setIsOpen(!isOpen)}
			>
				<Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
				{summary}
			</button>
			{below}
			{isOpen && (
				<div id={id} class="disclosed">
					{children()}
				</div>
			)}
		</div>
	);
}
