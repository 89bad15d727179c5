/** The page of the ledger: what was recorded, newest first, as the extension has put it into words. */
import { ledgerPageRequests } from '../../protocol/pages/ledger-page.ts';
import type { PageEnd } from '../parts/page-end.ts';
import { drawStarted } from '../parts/draw-started.tsx';
import { LedgerView } from './ledger-view.tsx';

export function openLedgerPage(end: PageEnd): void {
	const { editor, peer, signal } = end;
	drawStarted(end, ledgerPageRequests.start, {
		copy: (text) => void peer.call(ledgerPageRequests.copy, { text }, signal),
		draw: ({ filter }) => (
			<LedgerView peer={peer} signal={signal} filterAtFirst={filter} keep={(changed) => editor.setState(changed)} />
		),
	});
}
