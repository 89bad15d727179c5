/**
 * Requests of one server to a model, one after the other, each in the name of whoever uses the server just then. Few wait; who
 * said no is not asked again while their op lasts; and with the op ends what was asked during it.
 */
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import { orAborted } from '../../../base/time/bounded-wait.ts';
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import { SAMPLINGS_WAITING } from '../limits.ts';
import type { McpUser } from '../user.ts';
import { readSampling, type SamplingAnswer, samplingRefused } from './sampling-request.ts';

export class SamplingTurns {
	readonly #server: string;
	readonly #uses = new Map<McpUser, AbortController>();
	readonly #refusedBy = new WeakSet<McpUser>();
	#last: Promise<unknown> = Promise.resolve();
	#waiting = 0;

	constructor(server: string) {
		this.#server = server;
	}

	/** Rejects with MCP_SAMPLING_REFUSED, as the user answers, as the model does, or with the signal's reason. */
	async ask(params: unknown, user: McpUser | undefined, signal: AbortSignal): Promise<SamplingAnswer> {
		const request = readSampling(this.#server, params);
		if (user === undefined) {
			throw samplingRefused(this.#server, 'nobody uses it now');
		}
		if (this.#waiting >= SAMPLINGS_WAITING) {
			throw samplingRefused(this.#server, `${SAMPLINGS_WAITING} requests of it wait already`);
		}
		const during = deriveSignal(signal);
		const use = this.#useOf(user);
		const abortRequest = () => during.abort(use.reason);
		use.addEventListener('abort', abortRequest, { once: true });
		this.#waiting += 1;
		const asked = this.#last.then(async () => {
			during.signal.throwIfAborted();
			if (this.#refusedBy.has(user)) {
				throw samplingRefused(this.#server, 'the user has said no');
			}
			try {
				return await user.sample(request, during.signal);
			} catch (error) {
				if (isProwessError(error) && error.code === 'DENIED_BY_USER') this.#refusedBy.add(user);
				throw error;
			}
		});
		this.#last = asked.catch(() => undefined);
		try {
			return await orAborted(asked, during.signal);
		} finally {
			this.#waiting -= 1;
			use.removeEventListener('abort', abortRequest);
			during.dispose();
		}
	}

	/** The user's op does not use the server any more. */
	ended(user: McpUser): void {
		this.#uses.get(user)?.abort(new ProwessError('CANCELLED', `nobody uses the MCP server ${this.#server} any more`));
		this.#uses.delete(user);
	}

	#useOf(user: McpUser): AbortSignal {
		const use = this.#uses.get(user) ?? new AbortController();
		this.#uses.set(user, use);
		return use.signal;
	}
}
