/** Ctrl+C and its relatives: the first asks for a stop, the second ends all that runs and then the process, a third the process. */
import type { Disposable } from '../../base/disposable.ts';
import { exitCodes } from './exit-codes.ts';
import { cliLimits } from './limits.ts';

/** The reason of everything that ends because the user, the system or the reader of our output wants no more. */
export class Stopped extends Error {
	override readonly name = 'Stopped';
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export class Interruption implements Disposable {
	readonly #controller = new AbortController();
	readonly #ends: (() => Promise<void>)[] = [];
	#killing = false;
	readonly #onSignal = (name: NodeJS.Signals) => this.#interrupt(name);

	constructor() {
		for (const name of signals) {
			process.on(name, this.#onSignal);
		}
	}

	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	stop(why: string): void {
		this.#controller.abort(new Stopped(why));
	}

	onKill(end: () => Promise<void>): void {
		this.#ends.push(end);
	}

	dispose(): void {
		for (const name of signals) {
			process.off(name, this.#onSignal);
		}
	}

	#interrupt(name: NodeJS.Signals): void {
		if (!this.#controller.signal.aborted) {
			this.stop(`stopped by ${name}`);
			return;
		}
		const exit = () => process.exit(exitCodes.stopped);
		if (this.#killing) {
			exit();
		}
		this.#killing = true;
		setTimeout(exit, cliLimits.killMs);
		void Promise.allSettled(this.#ends.map((end) => end())).then(exit);
	}
}
