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

interface StageTrace {
	readonly stage: StageName;
	readonly startedAt: string;
	readonly durationMs: number;
	/** `ok`, or the code of the error it ended with. */
	readonly outcome: string;
	/** What the stage decided, for people who ask why. */
	readonly facts: Readonly<Record<string, unknown>>;
}

export class TurnTrace {
	readonly stages: StageTrace[] = [];

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
			return result;
		} catch (error) {
			const code = (error as { readonly code?: unknown } | undefined)?.code;
			add(typeof code === 'string' ? code : 'failed', failed());
			throw error;
		}
	}
}
