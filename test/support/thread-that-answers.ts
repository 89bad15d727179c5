/** Thread that answers calls, and fails in every way that it is asked to. */
import { parentPort } from 'node:worker_threads';
import { answerCalls, tellHost } from '../../src/machine/threads/answer-calls.ts';
import { type ErrorCode, ProwessError } from '../../src/protocol/errors/errors.ts';

export interface FailingCalls {
	echo(text: string): string;
	/** Waits for so many milliseconds, and does nothing else meanwhile. */
	wait(ms: number): string;
	refuse(code: ErrorCode): never;
	breakDown(nothing: null): never;
	/** Answers with what no message can hold. */
	giveFunction(nothing: null): unknown;
	/** Ends the thread, by itself or by an error that cannot be sent. */
	die(how: 'exit' | 'throw'): void;
	/** Lists the texts that were echoed. */
	heard(nothing: null): string[];
}

export interface FailingEvents {
	readonly echoed: string;
	readonly closed: null;
}

const port = parentPort;
if (port === null) throw new Error('this runs as a thread only');
const heard: string[] = [];

answerCalls<FailingCalls>(
	port,
	{
		echo(text) {
			heard.push(text);
			tellHost<FailingEvents, 'echoed'>(port, 'echoed', text);
			return text;
		},
		wait(ms) {
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
			return 'waited';
		},
		refuse(code) {
			throw new ProwessError(code, 'refused as asked', { why: 'a spec' });
		},
		breakDown() {
			throw new TypeError('broken as asked');
		},
		giveFunction: () => () => undefined,
		die(how) {
			if (how === 'exit') process.exit(3);
			const facts = {
				get why(): string {
					throw new Error('nobody catches this');
				},
			};
			// Fails once more while its answer is sent.
			throw new ProwessError('INTERNAL', 'thrown as asked', facts);
		},
		heard: () => heard,
	},
	() => tellHost<FailingEvents, 'closed'>(port, 'closed', null),
);
