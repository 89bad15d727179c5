/** The tabs: one of them has the focus, arrows go from one to the next and show it. */
import { useLayoutEffect } from 'preact/hooks';
import type { CapabilitiesBadges } from '../../protocol/pages/capabilities-view.ts';
import { CapabilitiesTab } from '../../protocol/pages/capabilities-view.ts';
import { useText } from '../parts/text-actions.ts';
import type { Translate } from '../parts/translate.ts';

interface TabListProps {
	readonly shown: CapabilitiesTab;
	readonly badges: CapabilitiesBadges;
	onShow(tab: CapabilitiesTab): void;
}

export function TabList({ shown, badges, onShow }: TabListProps) {
	const { t } = useText();
	const tabs = CapabilitiesTab.options;
	useLayoutEffect(() => {
		document.getElementById(tabId(shown))?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
	}, [shown]);
	const moveTabFocus = (event: KeyboardEvent) => {
		const at = tabs.indexOf(shown);
		const moves: Readonly<Record<string, number>> = {
			ArrowRight: (at + 1) % tabs.length,
			ArrowLeft: (at + tabs.length - 1) % tabs.length,
			Home: 0,
			End: tabs.length - 1,
		};
		const next = tabs[moves[event.key] ?? -1];
		if (next !== undefined) {
			event.preventDefault();
			onShow(next);
			document.getElementById(tabId(next))?.focus();
		}
	};
	return (
		<div class="tab-list" role="tablist" aria-label={t('Capabilities')} onKeyDown={moveTabFocus}>
			{tabs.map((tab) => {
				const badge = badges[tab];
				return (
					<button
						key={tab}
						id={tabId(tab)}
						type="button"
						role="tab"
						aria-selected={tab === shown}
						aria-controls={tab === shown ? panelId(tab) : undefined}
						tabIndex={tab === shown ? 0 : -1}
						title={badge?.text}
						onClick={() => onShow(tab)}
					>
						{describeTab(tab, t)}
						{badge !== null && (
							<>
								<span class="tab-badge" aria-hidden="true">
									{badge.count > 99 ? '99+' : badge.count}
								</span>
								<span class="sr-only"> {badge.text}</span>
							</>
						)}
					</button>
				);
			})}
		</div>
	);
}

export function tabId(tab: CapabilitiesTab): string {
	return `tab-${tab}`;
}

export function panelId(tab: CapabilitiesTab): string {
	return `panel-${tab}`;
}

function describeTab(tab: CapabilitiesTab, t: Translate): string {
	switch (tab) {
		case 'installed':
			return t('Installed');
		case 'marketplace':
			return t('Marketplace');
		case 'mcp':
			return t('MCP');
		case 'runs':
			return t('Runs');
		default:
			return tab satisfies never;
	}
}
