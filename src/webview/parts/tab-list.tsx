/** The tabs of a page: one of them has the focus, arrows go from one to the next and show it. */
import { useLayoutEffect } from 'preact/hooks';

interface ListedTab {
	readonly id: string;
	readonly label: string;
	/** A number beside the label, and in words what it counts. */
	readonly badge: { readonly count: number; readonly text: string } | null;
}

interface TabListProps {
	readonly label: string;
	readonly tabs: readonly ListedTab[];
	readonly shown: string;
	onShow(id: string): void;
}

export function TabList({ label, tabs, shown, onShow }: TabListProps) {
	useLayoutEffect(() => {
		document.getElementById(tabId(shown))?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
	}, [shown]);
	const moveTabFocus = (event: KeyboardEvent) => {
		const focused = tabs.findIndex(({ id }) => tabId(id) === document.activeElement?.id);
		const at = focused === -1 ? tabs.findIndex(({ id }) => id === shown) : focused;
		const moves: Readonly<Record<string, number>> = {
			ArrowRight: (at + 1) % tabs.length,
			ArrowLeft: (at + tabs.length - 1) % tabs.length,
			Home: 0,
			End: tabs.length - 1,
		};
		const next = tabs[moves[event.key] ?? -1];
		if (next !== undefined) {
			event.preventDefault();
			onShow(next.id);
			document.getElementById(tabId(next.id))?.focus();
		}
	};
	return (
		<div class="tab-list" role="tablist" aria-label={label} onKeyDown={moveTabFocus}>
			{tabs.map(({ id, label: name, badge }) => (
				<button
					key={id}
					id={tabId(id)}
					type="button"
					role="tab"
					aria-selected={id === shown}
					aria-controls={id === shown ? panelId(id) : undefined}
					tabIndex={id === shown ? 0 : -1}
					title={badge?.text}
					onClick={() => onShow(id)}
				>
					{name}
					{badge !== null && (
						<>
							<span class="tab-badge" aria-hidden="true">
								{badge.count > 99 ? '99+' : badge.count}
							</span>
							<span class="sr-only"> {badge.text}</span>
						</>
					)}
				</button>
			))}
		</div>
	);
}

export function tabId(id: string): string {
	return `tab-${id}`;
}

export function panelId(id: string): string {
	return `panel-${id}`;
}
