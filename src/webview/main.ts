/** The script of every page of ours: the chat, the view of capabilities, a page about capabilities, the ledger, or the trace of a turn. The element it draws into says which. */
import '../protocol/text/without-eval.ts';
import { toDisposable } from '../base/disposable.ts';
import { Peer } from '../protocol/rpc/peer.ts';
import { postMessageWire } from '../protocol/rpc/post-message-wire.ts';
import { openCapabilities } from './capabilities/capabilities-view.tsx';
import { openChat } from './chat.tsx';
import { openLedgerPage } from './ledger/ledger-view.tsx';
import { openPage } from './page/open-page.tsx';
import type { EditorState } from './parts/page-end.tsx';
import { openTrace } from './trace/trace-view.tsx';

declare function acquireVsCodeApi(): EditorState & { postMessage(message: unknown): void };

const editor = acquireVsCodeApi();
const wire = postMessageWire({
	post: (frame) => editor.postMessage(frame),
	listen(receive) {
		const onMessage = (event: MessageEvent) => receive(event.data);
		window.addEventListener('message', onMessage);
		return toDisposable(() => window.removeEventListener('message', onMessage));
	},
});
const lifetime = new AbortController();
window.addEventListener('pagehide', () => lifetime.abort());

const pageRoot = requireRoot(document);
const faces = {
	chat: openChat,
	capabilities: openCapabilities,
	page: openPage,
	ledger: openLedgerPage,
	trace: openTrace,
};
faces[readFace(pageRoot)]({ root: pageRoot, editor, peer: new Peer(wire), signal: lifetime.signal });

function requireRoot(page: Document): HTMLElement {
	const element = page.getElementById('root');
	if (element === null) {
		throw new Error('the page has no element "root" to draw into');
	}
	return element;
}

function readFace({ dataset }: HTMLElement): keyof typeof faces {
	const face = dataset['face'] ?? '';
	return Object.hasOwn(faces, face) ? (face as keyof typeof faces) : 'chat';
}
