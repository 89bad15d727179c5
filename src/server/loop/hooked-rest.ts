/** Hooks of the user have a say when the agent would rest: one may have it go on, a few times at most. */
import { NOTICE_TEXTS } from '../../protocol/text/notice-texts.ts';
import type { Loop } from './loop.ts';
import type { RoundVerdict } from './guards/round-policies.ts';

/** Times that hooks may have one turn go on: one that never agrees would never end. */
const MAX_AGAIN = 5;

export class HookedRest {
	readonly #loop: Pick<Loop, 'beforeRest'>;
	#times = 0;

	constructor(loop: Pick<Loop, 'beforeRest'>) {
		this.#loop = loop;
	}

	/** Undefined: it rests. Rejects when the signal aborts. */
	async reasonToGoOn(text: string, signal: AbortSignal): Promise<RoundVerdict | undefined> {
		const { beforeRest } = this.#loop;
		if (beforeRest === undefined || this.#times >= MAX_AGAIN) {
			return undefined;
		}
		const reason = await beforeRest(text, this.#times > 0, signal);
		if (reason === undefined) {
			return undefined;
		}
		this.#times += 1;
		const saying = `<hook event="Stop">\n${reason}\n</hook>\nA hook of the user does not let you end here: do what it says, then end.`;
		return { kind: 'again', saying, notice: NOTICE_TEXTS.hookedOn };
	}
}
