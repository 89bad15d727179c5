/**
 * Steps of a script for those who follow its run, as those of a capability: each op of the script, and what the capability
 * that an op runs tells of itself. Numbered, redacted and sent at the same limited rate.
 */
import { StepFeed } from '../../execution/runs/run-steps.ts';
import type { OpId } from '../../protocol/rpc/ids.ts';
import type { OpOutcome, OpProgress } from '../../protocol/turn/broker.ts';
import type { RunStep, StepStatus } from '../../protocol/turn/run-steps.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';
import type { ScriptStep } from './script.ts';

export class ScriptSteps {
	readonly #feed: StepFeed;

	constructor(tell: (steps: readonly RunStep[]) => void, redactor: Pick<Redactor, 'redact' | 'redactDeep'>) {
		this.#feed = new StepFeed(tell, redactor);
	}

	/** Follows one op of a step from now on to its one outcome. */
	follow(
		{ id, op, title }: ScriptStep,
		opId: OpId,
	): { told(progress: OpProgress): void; ended(outcome: OpOutcome): void } {
		const note = (status: StepStatus, more: Partial<RunStep> = {}) =>
			this.#feed.note(opId, undefined, { kind: 'op', op, status, title, ...more });
		note('running');
		return {
			told: (progress) => {
				if (progress.kind === 'waiting' || progress.kind === 'running') note(progress.kind);
				if (progress.kind !== 'steps') return;
				for (const { id: number, at: _, from = id, ...state } of progress.steps) {
					this.#feed.note(`${opId} ${number}`, from, state);
				}
			},
			ended: (outcome) => {
				const durationMs = Math.round(outcome.durationMs);
				if (outcome.status === 'done') note('done', { durationMs });
				else if (outcome.status === 'cancelled') note('cancelled', { durationMs });
				else note(outcome.status === 'timeout' ? 'failed' : outcome.status, { durationMs, error: outcome.error });
			},
		};
	}

	/** Tells what is left. Steps that still run go on without the script. */
	end(): void {
		this.#feed.end('unfollowed');
	}
}
