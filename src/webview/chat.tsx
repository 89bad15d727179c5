/** The chat in its page: builds everything, draws once a frame. */
import { render } from 'preact';
import { chatNotifications } from '../protocol/pages/chat-view.ts';
import type { ThreadId } from '../protocol/rpc/ids.ts';
import type { Peer } from '../protocol/rpc/peer.ts';
import { ChatApp } from './components/app.tsx';
import { createConversation } from './actions/conversation.ts';
import type { ScrollMemory } from './components/transcript/transcript.tsx';
import type { EditorState, PageEnd } from './parts/page-end.tsx';
import { Store } from './state/store.ts';
import { initialState, openSnapshot, openThreadId } from './state/view-state.ts';
import { fenceCodeBlock } from '../base/text/fenced.ts';
import { type TextActions, TextProvider } from './parts/text-actions.ts';
import { createTranslator } from './parts/translate.ts';
import { type View, ViewProvider } from './actions/view-context.ts';

const MAX_SCROLLS = 20;

export function openChat({ root, editor, peer, signal }: PageEnd): void {
	const saved = new SavedState(editor);
	const store = new Store(initialState());
	const conversation = createConversation({ peer, store, signal });

	let { strings } = store.state;
	let view = createView(strings);
	let text = createTextActions(view);
	let isFrameAsked = false;
	let drawnThread: ThreadId | null = null;

	function createView(texts: Readonly<Record<string, string>>): View {
		return { ...conversation, t: createTranslator(texts), dispatch: (event) => store.dispatch(event) };
	}

	function drawFrame(): void {
		isFrameAsked = false;
		renderChat();
	}

	function renderChat(): void {
		drawnThread = openThreadId(store.state.open);
		if (store.state.strings !== strings) {
			strings = store.state.strings;
			view = createView(strings);
			text = createTextActions(view);
		}
		render(
			<ViewProvider value={view}>
				<TextProvider value={text}>
					<ChatApp state={store.state} scrolls={saved} />
				</TextProvider>
			</ViewProvider>,
			root,
		);
	}

	let title = '';
	store.onDidChange(({ open, phase }) => {
		if (phase.kind === 'ready') {
			saved.show(openThreadId(open));
		}
		const shown = openSnapshot(open)?.info.title ?? '';
		if (shown !== title) {
			title = shown;
			peer.notify(chatNotifications.title, { title });
		}
		if (openThreadId(open) !== drawnThread) {
			// At once: a key that is pressed before the next frame must go into the draft of this thread.
			renderChat();
		} else if (!isFrameAsked) {
			isFrameAsked = true;
			requestAnimationFrame(drawFrame);
		}
	});

	// A file dropped beside the input would otherwise be opened in place of the page.
	for (const type of ['dragover', 'drop'] as const) {
		window.addEventListener(type, (event) => event.preventDefault());
	}

	tellKeyboard(peer);
	renderChat();
	void conversation.start();
}

function tellKeyboard(peer: Peer): void {
	const tellFocus = (isHere: boolean) => peer.notify(chatNotifications.keyboard, { isHere });
	window.addEventListener('focus', () => tellFocus(true));
	window.addEventListener('blur', () => tellFocus(false));
	// The page may have got the focus before the script ran.
	tellFocus(document.hasFocus());
}

function createTextActions({ t, editor, threads }: View): TextActions {
	/** Where nothing says where it belongs, the agent finds the place. */
	async function applyCodeBlock(text: string, language: string): Promise<void> {
		if (!(await editor.applyCode(text))) {
			threads.sendOrQueue(`${t('Put this code where it belongs:')}\n\n${fenceCodeBlock(text, language)}`);
		}
	}
	return {
		t,
		copy: (text) => void editor.copy(text),
		openLink: (url) => void editor.openLink(url),
		openFile: (path, line) => void editor.openFile(path, line),
		opensWorkspaceFiles: true,
		run: (text, language) =>
			threads.sendOrQueue(`${t('Run this, and tell me what it says:')}\n\n${fenceCodeBlock(text, language)}`),
		apply: (text, language) => void applyCodeBlock(text, language),
		insertAtCursor: (text) => void editor.insertAtCursor(text),
	};
}

/**
 * State that the editor keeps for the next page: how far each thread was scrolled, and which one a tab shows.
 * Everything else is asked for again.
 */
class SavedState implements ScrollMemory {
	readonly #editor: EditorState;
	#scrolls: Readonly<Record<string, number>>;
	#threadId: string | null = null;

	constructor(editor: EditorState) {
		this.#editor = editor;
		const saved = editor.getState();
		const record = typeof saved === 'object' && saved !== null ? (saved as Record<string, unknown>) : {};
		const scrolls = typeof record['scrolls'] === 'object' && record['scrolls'] !== null ? record['scrolls'] : {};
		this.#scrolls = Object.fromEntries(
			Object.entries(scrolls).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
		);
	}

	read(threadId: string): number | undefined {
		return Object.hasOwn(this.#scrolls, threadId) ? this.#scrolls[threadId] : undefined;
	}

	write(threadId: string, top: number | undefined): void {
		if (top === this.read(threadId)) {
			return;
		}
		const others = Object.entries(this.#scrolls).filter(([other]) => other !== threadId);
		const own: [string, number][] = top === undefined ? [] : [[threadId, Math.round(top)]];
		this.#scrolls = Object.fromEntries([...others, ...own].slice(-MAX_SCROLLS));
		this.#save();
	}

	/** The extension reads it when the window is loaded again. */
	show(threadId: string | null): void {
		if (threadId !== this.#threadId) {
			this.#threadId = threadId;
			this.#save();
		}
	}

	#save(): void {
		this.#editor.setState({ scrolls: this.#scrolls, threadId: this.#threadId });
	}
}
