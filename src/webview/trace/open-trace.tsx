/** The page of traces: how a turn went, as the server kept it. */
import { render } from 'preact';
import type { ResultOf } from '../../protocol/rpc/message.ts';
import { type ShownTrace, tracePageRequests } from '../../protocol/pages/trace-page.ts';
import { type TextActions, TextProvider } from '../markdown/text/text-actions.ts';
import type { PageEnd } from '../page-end.ts';
import type { EditorState } from '../saved-state.ts';
import { createTranslator } from '../translate.ts';
import { TraceView } from './trace-view.tsx';

export function openTrace(end: PageEnd<EditorState>): void {
	// A page that is gone before it has its answer draws nothing.
	void end.peer
		.call(tracePageRequests.start, {}, end.signal)
		.then((started) => renderTrace(end, started), ignoreTraceFailure);
}

function renderTrace(
	{ root, editor, peer, signal }: PageEnd<EditorState>,
	{ shown, strings }: ResultOf<typeof tracePageRequests.start>,
): void {
	const text: TextActions = {
		t: createTranslator(strings),
		copy: (copied) => void peer.call(tracePageRequests.copy, { text: copied }, signal),
		openLink: () => {},
		openFile: () => {},
	};
	const keepShownTrace = (changed: ShownTrace) => editor.setState(changed);
	render(
		<TextProvider value={text}>
			<TraceView peer={peer} signal={signal} shownAtFirst={shown} keep={keepShownTrace} />
		</TextProvider>,
		root,
	);
}

function ignoreTraceFailure(): void {}
