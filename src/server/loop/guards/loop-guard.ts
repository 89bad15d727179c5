/**
 * Keeps a loop from going in circles (S2-13, S2-14). Calls count that show nothing new, not equal ones: a new result,
 * or a change, starts the counting anew. A call that looks at something living waits longer each time that it learns
 * nothing; one whose answer cannot have changed is not run again.
 */
import { type OpName, ops } from '../../../protocol/op-table/ops.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import type { ToolResultPart } from '../../models/model-port.ts';
import { loopLimits } from '../limits.ts';
import { type AskedRepeats, hashCallText, looksAtLivingThings, printOfResult } from './progress.ts';

interface GuardedCall {
	readonly op: OpName;
	readonly params: unknown;
}

/** `pace`: it runs after a wait. `block`: it does not run, and the model reads why. */
type GuardVerdict =
	| { readonly kind: 'allow' }
	| { readonly kind: 'pace'; readonly waitMs: number }
	| { readonly kind: 'block'; readonly said: string };

/** Facts about a call that ran, beside its result. */
export interface SettledFacts {
	readonly isDenied: boolean;
	/** Time it took, in milliseconds. */
	readonly tookMs: number;
	/** True when it left something running in the background. */
	readonly goesOn: boolean;
}

/** Why a loop has to end. */
export type Circle = 'calls' | 'failures' | 'repeats' | 'idle' | 'unchanged';

interface SeenCall {
	calls: number;
	/** Times in a row that it has shown nothing new. */
	unchanged: number;
	/** The last result was the same to the byte. */
	isExact: boolean;
	/** Another result may come by itself. */
	mayChange: boolean;
	tookMs: number;
	readonly exact: Set<string>;
	readonly shapes: Set<string>;
}

export class LoopGuard {
	readonly #mostCalls: number;
	readonly #asked: AskedRepeats;
	#seen = new Map<string, SeenCall>();
	/** Latest calls that showed nothing new. */
	#latest: string[] = [];
	/** Calls that have changed something: made again they change nothing new. */
	readonly #done = new Set<string>();
	#calls = 0;
	#failures = 0;
	/** Results that were shown in this loop. */
	readonly #shown = new Set<string>();
	#isIdle = true;
	#idleRounds = 0;
	#isBlocked = false;
	/** Rounds with a call that was not run, without progress between them. */
	#blockedRounds = 0;
	/** Something that the agent started goes on, and may change files. */
	#hasBackground = false;
	#isOutOfPatience = false;

	/** `asked`: what the user's message says of repeating; absent: nothing. */
	constructor(maxIterations: number, asked: AskedRepeats = { times: 1, isUntil: false }) {
		this.#mostCalls = Math.max(loopLimits.leastMostCalls, maxIterations * loopLimits.callsPerIteration);
		this.#asked = asked;
	}

	/** Undefined: it may go on. */
	get circle(): Circle | undefined {
		if (this.#calls > this.#mostCalls) {
			return 'calls';
		}
		if (this.#isOutOfPatience) {
			return 'unchanged';
		}
		if (this.#blockedRounds > loopLimits.triesAfterBlock) {
			return 'repeats';
		}
		if (this.#failures >= loopLimits.failuresInRow) {
			return 'failures';
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
		const seen = this.#of(id, call.op);
		this.#calls += 1;
		seen.calls += 1;
		if (this.#calls > this.#mostCalls) {
			return this.#block(`this turn has made ${this.#mostCalls} calls`);
		}
		const isPaced = this.#mayChange(seen) || (seen.unchanged > 0 && !seen.isExact);
		const patience = loopLimits.pacedCalls * (this.#asked.isUntil && seen.mayChange ? loopLimits.untilFactor : 1);
		if (isPaced && seen.unchanged >= patience) {
			this.#isOutOfPatience = true;
			return this.#block(`this same call has had the same result ${seen.unchanged + 1} times, with waits between`);
		}
		if (isPaced) {
			const pauseMs = Math.min(loopLimits.longestPaceMs, loopLimits.paceMs * 2 ** (seen.unchanged - 1));
			const waitMs = seen.unchanged === 0 ? 0 : pauseMs - seen.tookMs;
			return waitMs > 0 ? { kind: 'pace', waitMs } : { kind: 'allow' };
		}
		if (seen.unchanged + 1 >= loopLimits.sameResults) {
			return this.#block('this same call has had the same result each time, and nothing has changed since');
		}
		return this.#takesTurns(id)
			? this.#block('the same calls were made in turns, and showed nothing new')
			: { kind: 'allow' };
	}

	/** Records the result of a call that was run. Returns a remark to add behind the result; empty: none. */
	settled(call: GuardedCall, { text, isError }: Pick<ToolResultPart, 'text' | 'isError'>, facts: SettledFacts): string {
		const id = hashCall(call);
		const seen = this.#of(id, call.op);
		const { exact, shape } = printOfResult(text);
		const isAsked = looksAtLivingThings(call.op) && seen.calls <= this.#asked.times;
		const isNews = !seen.shapes.has(shape);
		seen.isExact = seen.exact.has(exact);
		seen.exact.add(exact);
		seen.shapes.add(shape);
		seen.tookMs = facts.tookMs;
		const { effect }: OpDef = ops[call.op];
		// A call that is denied, or cannot be started, stays so.
		seen.mayChange = looksAtLivingThings(call.op) && !facts.isDenied && !(isError && effect === 'execute');
		seen.unchanged = isNews || isAsked ? 0 : seen.unchanged + 1;
		this.#hasBackground ||= facts.goesOn;
		if (looksAtLivingThings(call.op) && facts.tookMs >= loopLimits.paceMs) {
			this.waited();
		}
		this.#latest = isNews ? [] : [...this.#latest, id].slice(-loopLimits.latestCalls);
		if (isError) {
			this.#failures += 1;
			return remarkOn(seen);
		}
		this.#failures = 0;
		const isShown = this.#shown.has(shape);
		this.#shown.add(shape);
		// To ask how something stands that takes its time is to wait.
		this.#isIdle &&= isShown && !isAsked && !(seen.mayChange && seen.unchanged > 0);
		if (isNews && !isShown) {
			this.#forgetWaits(id);
		}
		if ((effect === 'write' || effect === 'execute') && !this.#done.has(id)) {
			this.#done.add(id);
			this.#seen = new Map([[id, seen]]);
			this.#latest = [];
			this.#isIdle = false;
			return '';
		}
		return remarkOn(seen);
	}

	/** Time went by, so that anything may have changed since. */
	waited(): void {
		this.#latest = [];
		for (const seen of this.#seen.values()) {
			seen.unchanged = seen.mayChange ? seen.unchanged : 0;
		}
	}

	/** After the calls of an answer. */
	roundEnded(): void {
		// A round that failed is counted with the failures, and says nothing of the idle ones around it.
		if (!this.#isIdle) {
			this.#idleRounds = 0;
			this.#blockedRounds = 0;
		} else {
			this.#idleRounds += this.#failures === 0 && !this.#isBlocked ? 1 : 0;
			this.#blockedRounds += this.#isBlocked ? 1 : 0;
		}
		this.#isIdle = true;
		this.#isBlocked = false;
	}

	/** A call that was refused, or could not be read, gets nowhere either. */
	failed(): void {
		this.#failures += 1;
	}

	#block(why: string): GuardVerdict {
		this.#isBlocked = true;
		this.#failures += 1;
		const tries = loopLimits.triesAfterBlock - this.#blockedRounds;
		const left =
			tries > 0 && !this.#isOutOfPatience
				? ` This turn ends after ${tries} more such ${tries === 1 ? 'try' : 'tries'}.`
				: '';
		return { kind: 'block', said: `Not run: ${why}. Do something else, or end and say what is in the way.${left}` };
	}

	#of(id: string, op: OpName): SeenCall {
		let seen = this.#seen.get(id);
		if (seen === undefined) {
			const mayChange = looksAtLivingThings(op);
			seen = { calls: 0, unchanged: 0, isExact: false, mayChange, tookMs: 0, exact: new Set(), shapes: new Set() };
			this.#seen.set(id, seen);
		}
		return seen;
	}

	/** A program in the background, or something that the user waits for, may change what is still by itself. */
	#mayChange(seen: SeenCall): boolean {
		return seen.mayChange || this.#hasBackground || this.#asked.isUntil;
	}

	/** Something else has moved on, so the waits for living things begin anew. */
	#forgetWaits(exceptId: string): void {
		for (const [id, seen] of this.#seen) {
			if (id !== exceptId && this.#mayChange(seen)) {
				seen.unchanged = 0;
			}
		}
	}

	/** With this one, the last calls are two or three different ones, so many times over, and none showed anything new. */
	#takesTurns(id: string): boolean {
		const calls = [...this.#latest, id];
		return [2, 3].some((length) => {
			const last = calls.slice(-length * (loopLimits.turnsInRow - 1));
			const first = last.slice(0, length);
			return (
				last.length === length * (loopLimits.turnsInRow - 1) &&
				new Set(first).size === length &&
				last.every((each, index) => each === first[index % length])
			);
		});
	}
}

function remarkOn({ unchanged }: SeenCall): string {
	if (unchanged === 0) {
		return '';
	}
	return unchanged === 1
		? '[The result is the same as the last time.]'
		: `[The result is the same as the last ${unchanged} times. Try something else, or say what is in the way.]`;
}

function hashCall({ op, params }: GuardedCall): string {
	return hashCallText(`${op} ${JSON.stringify(params)}`);
}
