/**
 * Keeps a loop from going in circles: the same call again and again, two or three calls in turns, the same call with
 * the same result, calls that all fail, too many calls in all (S2-13, S2-14). A call that changes something new starts
 * the counting anew, so that a test may run after every edit.
 */
import { createHash } from 'node:crypto';
import { type OpName, ops } from '../../../protocol/op-table/ops.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import type { ToolResultPart } from '../../models/model-port.ts';
import { loopLimits } from '../limits.ts';
import { inEnglish, type Text } from '../../../protocol/text/text.ts';

interface GuardedCall {
	readonly op: OpName;
	readonly params: unknown;
	readonly title: Text;
}

/** `warn` goes behind the result, `block` in its place; the model reads both. */
type GuardVerdict = { readonly kind: 'allow' } | { readonly kind: 'warn' | 'block'; readonly said: string };

/** Why a loop has to end. */
export type Circle = 'calls' | 'failures' | 'repeats' | 'idle';

interface SeenCall {
	calls: number;
	warnings: number;
	lastResult: string | undefined;
	sameResults: number;
}

export class LoopGuard {
	readonly #mostCalls: number;
	#seen = new Map<string, SeenCall>();
	#latest: string[] = [];
	/** Calls that have changed something: made again they change nothing new. */
	readonly #done = new Set<string>();
	#calls = 0;
	#failures = 0;
	/** Number of the failures that were calls not run, because they repeat themselves. */
	#repeats = 0;
	/** Results that were shown in this loop. */
	readonly #shown = new Set<string>();
	#isIdle = true;
	#idleRounds = 0;

	constructor(maxIterations: number) {
		this.#mostCalls = Math.max(loopLimits.leastMostCalls, maxIterations * loopLimits.callsPerIteration);
	}

	/** Undefined: it may go on. */
	get circle(): Circle | undefined {
		if (this.#calls > this.#mostCalls) {
			return 'calls';
		}
		if (this.#failures >= loopLimits.failuresInRow) {
			return this.#repeats * 2 > this.#failures ? 'repeats' : 'failures';
		}
		return this.#idleRounds >= loopLimits.idleRounds ? 'idle' : undefined;
	}

	/** Returns true when the call was not made since the last change, so that it cannot be a circle. */
	isNew(call: GuardedCall): boolean {
		return !this.#seen.has(hashCall(call));
	}

	/** Before a call is run. */
	check(call: GuardedCall): GuardVerdict {
		const id = hashCall(call);
		const seen = this.#of(id);
		const factor = isPoll(call) ? loopLimits.pollFactor : 1;
		this.#calls += 1;
		seen.calls += 1;
		const takesTurns = this.#takesTurns(id);
		this.#latest = [...this.#latest, id].slice(-loopLimits.latestCalls);
		if (this.#calls > this.#mostCalls) {
			return createBlockVerdict(`this turn has made ${this.#mostCalls} calls`);
		}
		if (seen.sameResults >= loopLimits.sameResults * factor) {
			return createBlockVerdict('this same call has had the same result each time');
		}
		if (seen.calls >= loopLimits.blockAt * factor) {
			return createBlockVerdict(`this same call was made ${seen.calls - 1} times before`);
		}
		if (takesTurns && factor === 1) {
			return createBlockVerdict('the same calls were made in turns, again and again');
		}
		if (seen.calls >= loopLimits.warnAt * factor) {
			seen.warnings += 1;
			return seen.warnings > loopLimits.warnings
				? createBlockVerdict(`this same call was made ${seen.calls - 1} times before`)
				: {
						kind: 'warn',
						said: `[This same call was made ${seen.calls} times. Try something else, or say what is in the way.]`,
					};
		}
		return { kind: 'allow' };
	}

	/** Records the result of a call that was run. Returns a remark to add behind the result; empty: none. */
	settled(call: GuardedCall, { text, isError }: ToolResultPart): string {
		const id = hashCall(call);
		const seen = this.#of(id);
		const result = hashCallText(text);
		const isSame = seen.lastResult === result;
		seen.sameResults = isSame ? seen.sameResults + 1 : 1;
		seen.lastResult = result;
		if (isError) {
			this.#failures += 1;
			return '';
		}
		this.#failures = 0;
		this.#repeats = 0;
		// To ask how something stands that takes its time is to wait.
		this.#isIdle &&= this.#shown.has(result) && !isPoll(call);
		this.#shown.add(result);
		const { effect }: OpDef = ops[call.op];
		if ((effect === 'write' || effect === 'execute') && !this.#done.has(id)) {
			this.#done.add(id);
			this.#seen = new Map([[id, seen]]);
			this.#latest = [];
			this.#isIdle = false;
			return '';
		}
		return isSame && !isPoll(call) ? '[The result is the same as the last time.]' : '';
	}

	/** After the calls of an answer. */
	roundEnded(): void {
		// A round that failed is counted with the failures, and says nothing of the idle ones around it.
		if (!this.#isIdle) {
			this.#idleRounds = 0;
		} else if (this.#failures === 0) {
			this.#idleRounds += 1;
		}
		this.#isIdle = true;
	}

	/** A call that was refused, or could not be read, gets nowhere either. */
	failed(): void {
		this.#failures += 1;
	}

	/** Neither does one that was not run by what `check` said. */
	blocked(): void {
		this.#failures += 1;
		this.#repeats += 1;
	}

	#of(id: string): SeenCall {
		let seen = this.#seen.get(id);
		if (seen === undefined) {
			seen = { calls: 0, warnings: 0, lastResult: undefined, sameResults: 0 };
			this.#seen.set(id, seen);
		}
		return seen;
	}

	/** With this one, the last calls are two or three different ones, so many times over. */
	#takesTurns(id: string): boolean {
		const calls = [...this.#latest, id];
		return [2, 3].some((length) => {
			const last = calls.slice(-length * loopLimits.turnsInRow);
			const first = last.slice(0, length);
			return (
				last.length === length * loopLimits.turnsInRow &&
				new Set(first).size === length &&
				last.every((each, index) => each === first[index % length])
			);
		});
	}
}

function createBlockVerdict(why: string): GuardVerdict {
	return { kind: 'block', said: `Not run: ${why}. Do something else, or end and say what is in the way.` };
}

const POLLS: ReadonlySet<string> = new Set(['shell.output', 'capability.status']);
/** The program, or one of the two words after it, unless those are what it looks for. */
const POLLING_COMMAND =
	/^Run (?:\S*\/)?(?:(?:tail|watch|jobs|pgrep|ps)(?: |$)|(?!(?:grep|rg|ag|cat|echo|find|sed|awk|ls) )\S+ (?:\w[\w-]* )?(?:status|poll|wait|watch)(?: |$))/i;

/** Asks how something stands that takes its time: by what it is, since a file may have any name. */
function isPoll({ op, title }: GuardedCall): boolean {
	return POLLS.has(op) || (op === 'shell.run' && POLLING_COMMAND.test(inEnglish(title)));
}

function hashCall({ op, params }: GuardedCall): string {
	return hashCallText(`${op} ${JSON.stringify(params)}`);
}

function hashCallText(text: string): string {
	return createHash('sha256').update(text).digest('base64');
}
