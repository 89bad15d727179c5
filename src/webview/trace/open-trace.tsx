/** The page of traces: how a turn went, as the server kept it. */
import { tracePageRequests } from '../../protocol/pages/trace-page.ts';
import type { PageEnd } from '../parts/page-end.ts';
import { drawStarted } from '../parts/draw-started.tsx';
import { TraceView } from './trace-view.tsx';

export function openTrace(end: PageEnd): void {
	const { editor, peer, signal } = end;
	drawStarted(end, tracePageRequests.start, {
		copy: (text) => void peer.call(tracePageRequests.copy, { text }, signal),
		draw: ({ shown }) => (
			<TraceView peer={peer} signal={signal} shownAtFirst={shown} keep={(changed) => editor.setState(changed)} />
		),
	});
}
