/** Progress of a call, in words for a client that asked for it, at a bounded rate. */
import type { ServerContext } from '@modelcontextprotocol/server';
import { cutText } from '../../../base/text/one-line.ts';
import { inEnglish } from '../../../protocol/text/text.ts';
import type { OpProgress } from '../../../protocol/turn/broker.ts';
import { mcpDoorLimits } from '../limits.ts';

export class ClientProgress {
	readonly #request: Pick<ServerContext['mcpReq'], '_meta' | 'notify'>;
	readonly #redact: (words: string) => string;
	#count = 0;
	#last = 0;
	/** Newest of a stream that came too soon after another: told as soon as the rate allows it, so the last is never left out. */
	#held: { readonly progress: OpProgress; readonly telling: NodeJS.Timeout } | undefined;
	#isOver = false;

	constructor(request: Pick<ServerContext['mcpReq'], '_meta' | 'notify'>, redact: (words: string) => string) {
		this.#request = request;
		this.#redact = redact;
	}

	/** Tells a state at once, in place of what is held, and a stream by its newest, once in `progressMs`. */
	tell(progress: OpProgress): void {
		if (this.#isOver || this.#request._meta?.progressToken === undefined) return;
		clearTimeout(this.#held?.telling);
		this.#held = undefined;
		const isStream = progress.kind === 'output' || progress.kind === 'steps';
		const waitMs = isStream ? this.#last + mcpDoorLimits.progressMs - performance.now() : 0;
		if (waitMs <= 0) this.#send(progress);
		else this.#held = { progress, telling: setTimeout(() => this.#send(progress), waitMs).unref() };
	}

	/** Ends the telling: the result of the call follows, and nothing may come behind it. */
	end(): void {
		clearTimeout(this.#held?.telling);
		this.#held = undefined;
		this.#isOver = true;
	}

	#send(progress: OpProgress): void {
		const { _meta: meta, notify } = this.#request;
		const token = meta?.progressToken;
		if (token === undefined) return;
		this.#held = undefined;
		this.#last = performance.now();
		this.#count += 1;
		const message = cutText(this.#redact(progressInWords(progress).trim()), mcpDoorLimits.progressChars);
		const params = { progressToken: token, progress: this.#count, ...(message !== '' && { message }) };
		notify({ method: 'notifications/progress', params }).catch(() => {});
	}
}

function progressInWords(progress: OpProgress): string {
	switch (progress.kind) {
		case 'output':
			return progress.chunk;
		case 'titled':
			return inEnglish(progress.said);
		case 'steps':
			return progress.steps.at(-1)?.title ?? '';
		case 'waiting':
			return 'Waits for an approval.';
		case 'paced':
			return progress.limit === undefined
				? 'Waits, because the same call has had the same result before.'
				: `Waits, because this thread makes at most ${progress.limit} calls a minute.`;
		case 'running':
			return 'Runs.';
		case 'hooks':
			return 'Waits for hooks.';
		default:
			return progress satisfies never;
	}
}
