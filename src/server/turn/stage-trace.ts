/** What each stage of a turn, or the fast path or command in place of some, took and came to; kept in the turn's row, on success and on failure. */
const STAGES = [
	'FastPath',
	'AuthResolve',
	'Compact',
	'HistorySanitize',
	'ContextGuard',
	'ToolSplit',
	'Execute',
	'FailoverDecide',
] as const;
type StageName = (typeof STAGES)[number];

/** What is traced within a stage: a request to a model, and what the guard of the loop says of a call. */
export const STEPS = ['Request', 'Guard'] as const;
type StepName = (typeof STEPS)[number];

/** Hears of a step when it begins, and of its outcome. */
export type BeginStep = (
	step: StepName,
	facts: StageTrace['facts'],
) => (outcome: string, facts?: StageTrace['facts']) => void;

/** Steps of a turn that are kept; a longer turn keeps its first ones. */
const MAX_STEPS = 400;
/** Outcome of a step that has none yet; the last word of a turn that was killed. */
export const UNENDED = 'running';

interface StageTrace {
	readonly stage: StageName | StepName;
	readonly startedAt: string;
	readonly durationMs: number;
	/** `ok`, or the code of the error it ended with. */
	readonly outcome: string;
	/** What the stage decided, for people who ask why. */
	readonly facts: Readonly<Record<string, unknown>>;
}

export class TurnTrace {
	readonly stages: StageTrace[] = [];
	readonly #keep: (stages: readonly StageTrace[]) => void;
	#steps = 0;

	/** `keep` hears of each step and stage that went well, so that a turn that is killed has its trace. */
	constructor(keep: (stages: readonly StageTrace[]) => void) {
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
		this.#keep(this.stages);
		return (outcome, more = {}) => {
			const durationMs = performance.now() - start;
			this.stages[at] = { ...entry, durationMs, outcome, facts: { ...facts, ...more } };
			this.#keep(this.stages);
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
		const add = (outcome: string, found: StageTrace['facts']) =>
			this.stages.push({ stage, startedAt, durationMs: performance.now() - start, outcome, facts: found });
		try {
			const result = await work();
			add('ok', facts(result));
			this.#keep(this.stages);
			return result;
		} catch (error) {
			add(codeOf(error), failed());
			throw error;
		}
	}
}

/** Code of an error, or that there is none. */
export function codeOf(error: unknown): string {
	const code = (error as { readonly code?: unknown } | undefined)?.code;
	return typeof code === 'string' ? code : 'failed';
}
