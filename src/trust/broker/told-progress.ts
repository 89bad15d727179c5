/**
 * Progress of an op, told to two: to who asked for it, and, for an op of a running capability, to who follows that. The
 * first hears that it runs only once it has for a moment: most ops end within it, and their outcome says all that is left
 * to say; each message less is a write to another process and its waking.
 */
import type { NoteStep, OpOrigin, RequestedOp } from '../../contract/ops/perform-op.ts';
import { ONE_WAY_OPS } from '../../protocol/execution/execution.ts';
import type { OpOutcome, OpProgress } from '../../protocol/turn/broker.ts';
import type { StepStatus } from '../../protocol/turn/run-steps.ts';
import { inEnglish, type Text } from '../../protocol/text/text.ts';

/** Milliseconds; shorter than what a view lets pass between two updates. */
const HELD_MS = 25;

export class ToldProgress {
	readonly #tell: (progress: OpProgress) => void;
	#held: { readonly progress: OpProgress; readonly timer: NodeJS.Timeout } | undefined;
	#hasTold = false;

	constructor(tell: (progress: OpProgress) => void) {
		this.#tell = tell;
	}

	/** Held back is only the first word, if it says nothing but that the op runs. */
	told(progress: OpProgress): void {
		const isFirst = !this.#hasTold && this.#held === undefined;
		if (isFirst && progress.kind === 'running' && progress.allowedBy === undefined) {
			this.#held = { progress, timer: setTimeout(() => this.#release(), HELD_MS) };
			return;
		}
		this.#release();
		this.#hasTold = true;
		this.#tell(progress);
	}

	/** The outcome follows: what is held back is not told any more. */
	ended(): void {
		clearTimeout(this.#held?.timer);
		this.#held = undefined;
	}

	#release(): void {
		const held = this.#held;
		this.ended();
		if (held !== undefined) {
			this.#hasTold = true;
			this.#tell(held.progress);
		}
	}
}

/** Ops that are parts of others, or a report: a step only where they wait, fail or are denied. */
const MINOR_OPS: ReadonlySet<string> = new Set([...ONE_WAY_OPS, 'net.connect']);

/** Notes an op of an execution as a step of it, from when its title is known to its one outcome. */
export function followOp(
	{ opId, op }: RequestedOp,
	origin: OpOrigin,
	titleNow: () => Text,
	noteStep: NoteStep | undefined,
): { readonly origin: OpOrigin; ended(outcome: OpOutcome): void } {
	const { caller } = origin;
	if (noteStep === undefined || caller.kind !== 'execution') {
		return { origin, ended: () => {} };
	}
	let isNoted = false;
	const note = (status: StepStatus, more: Partial<Parameters<NoteStep>[2]> = {}) => {
		isNoted = true;
		const said = titleNow();
		noteStep(caller.executionId, opId, { kind: 'op', op, status, title: inEnglish(said), said, ...more });
	};
	return {
		origin: {
			...origin,
			onProgress(progress) {
				if (progress.kind === 'waiting' || (progress.kind === 'running' && (isNoted || !MINOR_OPS.has(op)))) {
					note(progress.kind);
				}
				origin.onProgress(progress);
			},
		},
		ended(outcome) {
			const { status } = outcome;
			const durationMs = Math.round(outcome.durationMs);
			const isOver = status === 'done' || status === 'cancelled';
			if (isOver && !isNoted && MINOR_OPS.has(op)) return;
			const error = status === 'done' || status === 'cancelled' ? {} : { error: outcome.error };
			note(status === 'timeout' ? 'failed' : status, { durationMs, ...error });
		},
	};
}
