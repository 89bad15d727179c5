/**
 * Trace of a turn: duration and outcome of each stage, or of the fast path or command that replaced some stages. Kept
 * in the turn's row, on success and on failure.
 */
const STAGES = [
	'FastPath',
	'Decide',
	'AuthResolve',
	'Compact',
	'HistorySanitize',
	'ContextGuard',
	'ToolSplit',
	'Execute',
	'FailoverDecide',
] as const;
type StageName = (typeof STAGES)[number];

/** When a trace is stored: at once, or together with what is stored next. */
export type KeepTrace = 'now' | 'soon';

/** Steps that are traced within a stage: a request to a model, a verdict of the loop's guard on a call, an answer that was revised. */
export const TRACED_STEPS = ['Request', 'Guard', 'Revision'] as const;
type StepName = (typeof TRACED_STEPS)[number];

/** Hears of a step when it begins, and of its outcome. */
export type BeginStep = (
	step: StepName,
	facts: StageTrace['facts'],
) => (outcome: string, facts?: StageTrace['facts']) => void;

/** Steps of a turn that are kept; a longer turn keeps its first ones. */
const MAX_STEPS = 400;
/** Outcome of a step that has none yet; the last word of a turn that was killed. */
export const UNENDED = 'running';

export interface StageTrace {
	readonly stage: StageName | StepName;
	readonly startedAt: string;
	readonly durationMs: number;
	/** `ok`, or the code of the error it ended with. */
	readonly outcome: string;
	/** Facts behind the stage's decision, for people who ask why. */
	readonly facts: Readonly<Record<string, unknown>>;
}

export class TurnTracer {
	readonly stages: StageTrace[] = [];
	readonly #keep: (stages: readonly StageTrace[], when: KeepTrace) => void;
	#steps = 0;

	/** `keep` hears of each step when it begins, so that a turn that is killed has its trace; of all else it may wait. */
	constructor(keep: (stages: readonly StageTrace[], when: KeepTrace) => void) {
		this.#keep = keep;
	}

	/** Begins a step of the running stage. */
	readonly begin: BeginStep = (step, facts) => {
		this.#steps += 1;
		if (this.#steps > MAX_STEPS) {
			return () => {};
		}
		const start = performance.now();
		const entry = { stage: step, startedAt: new Date().toISOString(), durationMs: 0, outcome: UNENDED, facts };
		const at = this.stages.push(entry) - 1;
		this.#keep(this.stages, 'now');
		return (outcome, more = {}) => {
			const durationMs = performance.now() - start;
			this.stages[at] = { ...entry, durationMs, outcome, facts: { ...facts, ...more } };
			this.#keep(this.stages, 'soon');
		};
	};

	/** Runs a stage; `facts` says what of its result is worth keeping, `failed` what of it when it has none. */
	async stage<T>(
		stage: StageName,
		work: () => T | Promise<T>,
		facts: (result: T) => StageTrace['facts'],
		failed: () => StageTrace['facts'] = () => ({}),
	): Promise<T> {
		const startedAt = new Date().toISOString();
		const start = performance.now();
		const addStage = (outcome: string, found: StageTrace['facts']) =>
			this.stages.push({ stage, startedAt, durationMs: performance.now() - start, outcome, facts: found });
		try {
			const result = await work();
			addStage('ok', this.#withLeftOut(facts(result)));
			this.#keep(this.stages, 'soon');
			return result;
		} catch (error) {
			addStage(readErrorCode(error), this.#withLeftOut(failed()));
			this.#keep(this.stages, 'soon');
			throw error;
		}
	}

	/** Keeps all of it at the end of the turn. */
	end(): void {
		this.#keep(this.stages, 'now');
	}

	/** Says of the stage that has them how many steps were too many to be kept. */
	#withLeftOut(facts: StageTrace['facts']): StageTrace['facts'] {
		const stepsLeftOut = Math.max(0, this.#steps - MAX_STEPS);
		this.#steps = Math.min(this.#steps, MAX_STEPS);
		return stepsLeftOut === 0 ? facts : { ...facts, stepsLeftOut };
	}
}

/** Code of an error, or that there is none. */
export function readErrorCode(error: unknown): string {
	const code = (error as { readonly code?: unknown } | undefined)?.code;
	return typeof code === 'string' ? code : 'failed';
}
