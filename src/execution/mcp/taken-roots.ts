/**
 * Time that a server is left to take the folders of the workspace, which it asks for once it is greeted. The protocol has no
 * message for "taken", and the first call would find a server that knows no folder yet. Servers that have not asked do not
 * wait.
 */
import { ROOTS_MS } from './limits.ts';

export class TakenRoots {
	#givenAt = -Infinity;
	#isUsed = false;
	#isLate = false;

	/** The server was told the folders. In the course of a call, it waits for the answer itself, or fails the first time. */
	given(now: number): void {
		if (this.#isUsed && this.#givenAt === -Infinity) this.#isLate = true;
		if (!this.#isUsed || this.#isLate) this.#givenAt = now;
	}

	/** True once, for a server that asked for the folders first when it was in use already. */
	takeLate(): boolean {
		const isLate = this.#isLate;
		this.#isLate = false;
		return isLate;
	}

	/** Milliseconds until it may be used; 0: now. */
	use(now: number): number {
		this.#isUsed = true;
		return Math.max(0, Math.ceil(this.#givenAt + ROOTS_MS - now));
	}
}
