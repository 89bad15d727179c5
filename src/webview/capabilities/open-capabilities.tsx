/** The view *Capabilities*: a tab at a time, as the extension has put it into words. */
import { capabilitiesRequests } from '../../protocol/pages/capabilities-view.ts';
import type { PageEnd } from '../parts/page-end.ts';
import { drawStarted } from '../parts/draw-started.tsx';
import { CapabilitiesTabs } from './capabilities-view.tsx';
import { readShownTab } from './shown-tab.ts';

export function openCapabilities(end: PageEnd): void {
	const { editor, peer, signal } = end;
	drawStarted(end, capabilitiesRequests.start, {
		draw({ revealed }) {
			const before = readShownTab(editor.getState());
			return (
				<CapabilitiesTabs
					peer={peer}
					signal={signal}
					shownAtFirst={revealed === null ? before : { ...before, tab: revealed.tab }}
					isSearchAtFirst={revealed?.isSearch === true}
					keep={(shown) => editor.setState(shown)}
				/>
			);
		},
	});
}
