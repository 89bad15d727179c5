/**
 * Rules on what a server may send: messages of the protocol, answers to what it was asked, and a limited amount of
 * anything else.
 */
import { FOREIGN_LINES, UNASKED_MESSAGES, UNASKED_WINDOW_MS } from '../limits.ts';

/** Reason of an end that we wanted. */
export const STOPPED = 'it was stopped';

type MessageId = string | number;

export class MessageRules {
	readonly #asked = new Set<MessageId>();
	readonly #answered = new Set<MessageId>();
	#foreignLines = 0;
	#unasked = 0;
	#windowFrom = -Infinity;

	/** Called with each message to the server. */
	sent(message: object): void {
		if ('id' in message && 'method' in message) this.#asked.add(message.id as MessageId);
	}

	/** Why a message ends the server; undefined: it is passed on. */
	received(message: object, now: number): string | undefined {
		if ('method' in message) {
			return this.#unaskedAt(now);
		}
		const id = 'id' in message ? (message.id as MessageId) : undefined;
		if (id === undefined || !this.#asked.has(id)) {
			return `it answered a request that it was not sent (${JSON.stringify(id ?? null)})`;
		}
		if (this.#answered.has(id)) {
			return `it answered the request ${JSON.stringify(id)} twice`;
		}
		this.#answered.add(id);
		return undefined;
	}

	/** True while this message to the server still waits for its answer. */
	isOpen(message: object): boolean {
		return 'id' in message && 'method' in message && !this.#answered.has(message.id as MessageId);
	}

	/** A line that is no message. */
	foreignLine(): string | undefined {
		this.#foreignLines += 1;
		return this.#foreignLines > FOREIGN_LINES
			? `it wrote more than ${FOREIGN_LINES} lines that are no messages`
			: undefined;
	}

	#unaskedAt(now: number): string | undefined {
		if (now - this.#windowFrom > UNASKED_WINDOW_MS) {
			this.#windowFrom = now;
			this.#unasked = 0;
		}
		this.#unasked += 1;
		return this.#unasked > UNASKED_MESSAGES
			? `it sent more than ${UNASKED_MESSAGES} messages in ${UNASKED_WINDOW_MS / 1_000} s without being asked`
			: undefined;
	}
}
