/** The view *Capabilities*: a tab at a time, as the extension has put it into words. */
import { render } from 'preact';
import { capabilitiesRequests } from '../../protocol/pages/capabilities-view.ts';
import type { ResultOf } from '../../protocol/rpc/message.ts';
import { type TextActions, TextProvider } from '../markdown/text/text-actions.ts';
import type { PageEnd } from '../page-end.ts';
import type { EditorState } from '../saved-state.ts';
import { createTranslator } from '../translate.ts';
import { CapabilitiesTabs } from './capabilities-view.tsx';
import { readShownTab, type ShownTab } from './shown-tab.ts';

export function openCapabilities(end: PageEnd<EditorState>): void {
	// A page that is gone before it has its answer draws nothing.
	void end.peer
		.call(capabilitiesRequests.start, {}, end.signal)
		.then((started) => renderCapabilities(end, started), ignoreRequest);
}

function renderCapabilities(
	{ root, editor, peer, signal }: PageEnd<EditorState>,
	{ revealed, strings }: ResultOf<typeof capabilitiesRequests.start>,
): void {
	const text: TextActions = {
		t: createTranslator(strings),
		copy: ignoreRequest,
		openLink: ignoreRequest,
		openFile: ignoreRequest,
	};
	const before = readShownTab(editor.getState());
	const first: ShownTab = revealed === null ? before : { ...before, tab: revealed.tab };
	render(
		<TextProvider value={text}>
			<CapabilitiesTabs
				peer={peer}
				signal={signal}
				shownAtFirst={first}
				isSearchAtFirst={revealed?.isSearch === true}
				keep={(shown) => editor.setState(shown)}
			/>
		</TextProvider>,
		root,
	);
}

function ignoreRequest(): void {}
