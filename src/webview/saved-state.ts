/**
 * State that the editor keeps for the next page: how far each thread was scrolled, and which one a tab shows.
 * Everything else is asked for again.
 */
import type { ScrollMemory } from './components/transcript/transcript.tsx';
import type { EditorState } from './parts/page-end.ts';

const MAX_SCROLLS = 20;

export class SavedState implements ScrollMemory {
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
