/** The page of the chat view: builds everything, draws once a frame. */
import '../protocol/without-eval.ts';
import { render } from 'preact';
import { toDisposable } from '../base/disposable.ts';
import { Peer } from '../protocol/rpc/peer.ts';
import { postMessageWire } from '../protocol/rpc/post-message-wire.ts';
import { App } from './components/app.tsx';
import { converse } from './conversation.ts';
import { type EditorState, SavedState } from './saved-state.ts';
import { Store } from './state/store.ts';
import { initialState } from './state/view-state.ts';
import { translator } from './translate.ts';
import { type View, ViewProvider } from './view-context.ts';

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
const saved = new SavedState(editor);
const store = new Store(initialState(saved.drafts));
const lifetime = new AbortController();
const conversation = converse({ peer: new Peer(wire), store, signal: lifetime.signal });

const root = rootOf(document);

let view = viewOf(store.state.strings);
let strings = store.state.strings;
let isFrameAsked = false;

function viewOf(texts: Readonly<Record<string, string>>): View {
	return { ...conversation, t: translator(texts), dispatch: (event) => store.dispatch(event) };
}

function rootOf(page: Document): HTMLElement {
	const element = page.getElementById('root');
	if (element === null) {
		throw new Error('the page has no element "root" to draw into');
	}
	return element;
}

function draw(): void {
	isFrameAsked = false;
	if (store.state.strings !== strings) {
		strings = store.state.strings;
		view = viewOf(strings);
	}
	render(
		<ViewProvider value={view}>
			<App state={store.state} scrolls={saved} />
		</ViewProvider>,
		root,
	);
}

store.onDidChange((state) => {
	saved.drafts = state.drafts;
	if (!isFrameAsked) {
		isFrameAsked = true;
		requestAnimationFrame(draw);
	}
});

// A file dropped beside the input would otherwise be opened in place of the page.
for (const type of ['dragover', 'drop'] as const) {
	window.addEventListener(type, (event) => event.preventDefault());
}
window.addEventListener('pagehide', () => lifetime.abort());

draw();
void conversation.start();
