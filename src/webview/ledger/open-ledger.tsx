/** The page of the ledger: what was recorded, newest first, as the extension has put it into words. */
import { render } from 'preact';
import { type LedgerPageFilter, ledgerPageRequests } from '../../protocol/pages/ledger-page.ts';
import type { ResultOf } from '../../protocol/rpc/message.ts';
import { type TextActions, TextProvider } from '../markdown/text/text-actions.ts';
import type { PageEnd } from '../page-end.ts';
import type { EditorState } from '../saved-state.ts';
import { createTranslator } from '../translate.ts';
import { LedgerView } from './ledger-view.tsx';

export function openLedgerPage(end: PageEnd<EditorState>): void {
	// A page that is gone before it has its answer draws nothing.
	void end.peer
		.call(ledgerPageRequests.start, {}, end.signal)
		.then((started) => renderLedger(end, started), ignoreLedgerFailure);
}

function renderLedger(
	{ root, editor, peer, signal }: PageEnd<EditorState>,
	{ filter, strings }: ResultOf<typeof ledgerPageRequests.start>,
): void {
	const text: TextActions = {
		t: createTranslator(strings),
		copy: (copied) => void peer.call(ledgerPageRequests.copy, { text: copied }, signal),
		openLink: () => {},
		openFile: () => {},
	};
	const keepFilter = (changed: LedgerPageFilter) => editor.setState(changed);
	render(
		<TextProvider value={text}>
			<LedgerView peer={peer} signal={signal} filterAtFirst={filter} keep={keepFilter} />
		</TextProvider>,
		root,
	);
}

function ignoreLedgerFailure(): void {}
