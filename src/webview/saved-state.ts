/** What survives the view itself: drafts, messages that wait, and how far a thread was scrolled. Everything else is asked for again. */
import type { ScrollMemory } from './components/transcript/transcript.tsx';
import { type Drafts, readDrafts } from './state/drafts.ts';
import { type Queues, readQueues } from './state/queue.ts';

export interface EditorState {
	getState(): unknown;
	setState(state: unknown): void;
}

const MAX_SCROLLS = 20;

export class SavedState implements ScrollMemory {
	readonly #editor: EditorState;
	#drafts: Drafts;
	#queues: Queues;
	#scrolls: Readonly<Record<string, number>>;

	constructor(editor: EditorState) {
		this.#editor = editor;
		const saved = editor.getState();
		const record = typeof saved === 'object' && saved !== null ? (saved as Record<string, unknown>) : {};
		this.#drafts = readDrafts(record['drafts']);
		this.#queues = readQueues(record['queues']);
		const scrolls = typeof record['scrolls'] === 'object' && record['scrolls'] !== null ? record['scrolls'] : {};
		this.#scrolls = Object.fromEntries(
			Object.entries(scrolls).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
		);
	}

	get drafts(): Drafts {
		return this.#drafts;
	}

	set drafts(drafts: Drafts) {
		if (drafts !== this.#drafts) {
			this.#drafts = drafts;
			this.#save();
		}
	}

	get queues(): Queues {
		return this.#queues;
	}

	set queues(queues: Queues) {
		if (queues !== this.#queues) {
			this.#queues = queues;
			this.#save();
		}
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

	#save(): void {
		this.#editor.setState({ drafts: this.#drafts, queues: this.#queues, scrolls: this.#scrolls });
	}
}
