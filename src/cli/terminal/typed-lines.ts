/**
 * Lines that a person types, and the one reader of them: a line answers the question that waits, else it is a message
 * for the listener. The terminal itself edits lines, so no part of a line arrives before it is entered.
 */
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as wait } from 'node:timers/promises';
import type { Disposable } from '../../base/disposable.ts';
import { cliLimits } from './limits.ts';
import { isForeground } from './foreground.ts';

interface Listening extends Disposable {
	/** Gives at once what has come so far. */
	flush(): void;
}

export class TypedLines {
	readonly #stdin: Readable;
	readonly #decoder = new StringDecoder('utf8');
	readonly #onData = (chunk: Buffer | string) =>
		this.#take(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk));
	readonly #onEnd = () => this.#end();
	/** The beginning of a line. */
	#rest = '';
	/** Whole lines; undefined at the end of the input. */
	#answer: ((lines: string | undefined) => void) | undefined;
	#listener: ((text: string) => void) | undefined;
	#isSettling = false;
	#hasDropped = false;
	#hasEnded = false;
	#isReading = false;
	/** Another program reads the terminal. */
	#isLent = false;

	constructor(stdin: Readable) {
		this.#stdin = stdin;
	}

	/**
	 * Gives what is typed to `onText`, unless a question waits for it; what is pasted at once comes at once. A program in the background is not to
	 * read: the system would stop it.
	 */
	listen(onText: (text: string) => void): Listening {
		let isOver = false;
		let pasted = '';
		let timer: NodeJS.Timeout | undefined;
		const flush = () => {
			clearTimeout(timer);
			const text = pasted.trim();
			pasted = '';
			if (text !== '') {
				onText(text);
			}
		};
		const onLines = (lines: string) => {
			pasted += lines;
			clearTimeout(timer);
			timer = setTimeout(flush, cliLimits.pasteMs);
		};
		const setListener = (isOurs: boolean) => {
			this.#listener = isOurs && !isOver ? onLines : undefined;
			this.#update();
		};
		const checkForeground = () => {
			setListener(false);
			void isForeground().then(setListener);
		};
		process.on('SIGCONT', checkForeground);
		checkForeground();
		return {
			flush,
			dispose: () => {
				isOver = true;
				flush();
				process.off('SIGCONT', checkForeground);
				setListener(false);
			},
		};
	}

	/** Waits for what is on its way; true when something was typed that nobody listens to. */
	async settle(quietMs: number): Promise<boolean> {
		this.#hasDropped = false;
		this.#isSettling = true;
		this.#update();
		await wait(quietMs);
		this.#isSettling = false;
		this.#update();
		return this.#hasDropped;
	}

	/** The next line; undefined at the end of input, also of one that ended before, and when `signal` aborts. */
	next(signal: AbortSignal): Promise<string | undefined> {
		if (signal.aborted || this.#hasEnded || this.#stdin.readableEnded) {
			return Promise.resolve(undefined);
		}
		return new Promise((resolve) => {
			const settle = (lines: string | undefined) => {
				signal.removeEventListener('abort', onAbort);
				this.#answer = undefined;
				this.#update();
				// Only the first line answers; nobody has seen what the others would answer.
				resolve(lines?.slice(0, lines.indexOf('\n')));
			};
			const onAbort = () => settle(undefined);
			signal.addEventListener('abort', onAbort, { once: true });
			this.#answer = settle;
			this.#update();
		});
	}

	/** All lines before one that is `end`; undefined as for `next`. */
	until(end: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
		if (signal.aborted || this.#hasEnded || this.#stdin.readableEnded) {
			return Promise.resolve(undefined);
		}
		return new Promise((resolve) => {
			const typed: string[] = [];
			const settle = (lines: readonly string[] | undefined) => {
				signal.removeEventListener('abort', onAbort);
				this.#answer = undefined;
				this.#update();
				resolve(lines);
			};
			const onAbort = () => settle(undefined);
			signal.addEventListener('abort', onAbort, { once: true });
			this.#answer = (lines) => {
				typed.push(...(lines?.split('\n').slice(0, -1) ?? []));
				const at = typed.indexOf(end);
				if (at >= 0 || lines === undefined) {
					settle(at < 0 ? undefined : typed.slice(0, at));
				}
			};
			this.#update();
		});
	}

	/** Lends the terminal to another program while `use` runs; no line is read here meanwhile. */
	async lent<T>(use: () => Promise<T>): Promise<T> {
		this.#isLent = true;
		this.#update();
		try {
			return await use();
		} finally {
			this.#isLent = false;
			this.#update();
		}
	}

	#update(): void {
		const isWanted =
			!this.#hasEnded &&
			!this.#isLent &&
			(this.#isSettling || this.#answer !== undefined || this.#listener !== undefined);
		if (isWanted === this.#isReading) {
			return;
		}
		this.#isReading = isWanted;
		if (isWanted) {
			this.#stdin.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onEnd).resume();
		} else {
			this.#stdin.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onEnd).pause();
		}
	}

	#take(typed: string): void {
		const text = this.#rest + typed;
		const end = text.lastIndexOf('\n') + 1;
		this.#rest = text.slice(end);
		const lines = text.slice(0, end).replaceAll('\r\n', '\n');
		if (lines === '') {
			return;
		}
		if (this.#answer !== undefined) {
			this.#answer(lines);
		} else if (this.#listener === undefined) {
			this.#hasDropped = true;
		} else {
			this.#listener(lines);
		}
	}

	#end(): void {
		this.#hasEnded = true;
		this.#answer?.(undefined);
		this.#update();
	}
}
