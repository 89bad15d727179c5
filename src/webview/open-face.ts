/** Opens what the element of a page asks for, with the peer of the extension that the page belongs to. */
import { toDisposable } from '../base/disposable.ts';
import { Peer } from '../protocol/rpc/peer.ts';
import { postMessageWire } from '../protocol/rpc/post-message-wire.ts';
import type { EditorState, PageEnd } from './parts/page-end.tsx';

declare function acquireVsCodeApi(): EditorState & { postMessage(message: unknown): void };

/** `faces`: by the name in the element's `data-face`. Throws for a page without an element, or of another script. */
export function openFace(faces: Readonly<Record<string, (page: PageEnd) => void>>): void {
	const root = document.getElementById('root');
	if (root === null) {
		throw new Error('the page has no element "root" to draw into');
	}
	const name = root.dataset['face'] ?? '';
	const open = Object.hasOwn(faces, name) ? faces[name] : undefined;
	if (open === undefined) {
		throw new Error(`this script draws no page "${name}"`);
	}
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
	open({ root, editor, peer: new Peer(wire), signal: lifetime.signal });
}
