/** Requests of a sub-turn to models, as steps of the capability that it belongs to: each from its beginning to its one end. */
import type { NotedStep } from '../../contract/ops/perform-op.ts';
import { inEnglish, text } from '../../protocol/text/text.ts';
import { MAX_STEP_CHARS } from '../../protocol/turn/run-steps.ts';

/** Characters of an answer that are kept, roughly. */
const KEPT_CHARS = 4 * MAX_STEP_CHARS;

/** Receives the state of a request, by its number in the sub-turn. */
type NoteRequest = (request: number, state: NotedStep) => void;

export class RequestSteps {
	readonly #note: NoteRequest;
	#count = 0;
	/** Request that is under way, with the first words of its answer. */
	#current: { readonly model: string; readonly since: number; words: string } | undefined;

	constructor(note: NoteRequest) {
		this.#note = note;
	}

	/** A request begins; one that was not told to be done has failed. */
	begin(model: string): void {
		this.end('failed');
		this.#count += 1;
		this.#current = { model, since: performance.now(), words: '' };
		this.#tell('running');
	}

	/** Keeps the beginning of the answer, and more than is shown: a secret that is cut in half is not found any more. */
	add(words: string): void {
		if (this.#current !== undefined && this.#current.words.length < KEPT_CHARS) this.#current.words += words;
	}

	/** Does nothing when no request is under way. */
	end(status: 'done' | 'failed' | 'cancelled'): void {
		this.#tell(status);
		this.#current = undefined;
	}

	#tell(status: 'running' | 'done' | 'failed' | 'cancelled'): void {
		if (this.#current === undefined) return;
		const { model, since, words } = this.#current;
		const said = text('Ask {model}', { model });
		this.#note(this.#count, {
			kind: 'model',
			status,
			title: inEnglish(said),
			said,
			...(status === 'running' ? {} : { durationMs: Math.round(performance.now() - since) }),
			...(words.trim() === '' ? {} : { words }),
		});
	}
}
