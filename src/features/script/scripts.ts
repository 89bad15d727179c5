/**
 * Scripts as this host runs them: each step is an op through the one gate. A run that failed or was killed goes on behind what
 * is done; an effect of which nobody knows whether it took place is left to the user.
 */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import type { OpKnowledge, OpOutcome } from '../../protocol/turn/broker.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { newId, type OpId, type ThreadId } from '../../protocol/rpc/ids.ts';
import { isOpName, ops } from '../../protocol/op-table/ops.ts';
import type { OpDef } from '../../protocol/ops/define-op.ts';
import { ExecutionState } from '../../protocol/capability/capability-ops.ts';
import { describeOverTime } from '../../protocol/ops/commands/over-time.ts';
import { CommandState } from '../../protocol/ops/definitions/commands/shell.ts';
import { text } from '../../protocol/text/text.ts';
import type { RunStep } from '../../protocol/turn/run-steps.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import type { ClaimHolder } from '../../store/threads/lease-holder.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import type { PerformOp } from '../../contract/ops/perform-op.ts';
import type { WorkspacePort } from '../../contract/ports/ports.ts';
import { fillReferences } from './fill.ts';
import { scriptLimits } from './limits.ts';
import { parseScriptText } from './read-script.ts';
import type { Script, ScriptStep } from './script.ts';
import { ScriptSteps } from './script-steps.ts';
import { type LastScriptRun, scriptMigrations, type ScriptRun, ScriptStore } from './script-store.ts';

interface ScriptRunsDeps {
	readonly home: string;
	readonly holder: ClaimHolder;
	readonly workspace: Pick<WorkspacePort, 'folders' | 'isTrusted'>;
	readonly perform: PerformOp;
	/** Returns the ledger's knowledge of an op. */
	knowledge(opId: OpId): Promise<OpKnowledge>;
	/** From now on ops may be asked for in that thread. */
	beginThread(threadId: ThreadId): void;
	hasCapability(type: string, name: string): Promise<boolean>;
	readonly redactor: Pick<Redactor, 'redact' | 'redactDeep'>;
}

interface RunOptions {
	/** From the first step, whatever an earlier run has done. */
	readonly isAnew: boolean;
	/** Step of which it is not known whether it took effect: it is done once more, or counts as done. */
	readonly inDoubt?: { readonly step: string; readonly isRepeated: boolean } | undefined;
	/** The agent that runs it; absent: the user, in a thread of its own. */
	readonly caller?: Extract<Caller, { kind: 'agent' }>;
	/** Told before each step. `isKept`: an earlier run has done it. */
	onStep(step: ScriptStep, isKept: boolean): void;
	/** Told of the ops of its steps, and of what the capabilities that these run do; at a limited rate. */
	onRunSteps(steps: readonly RunStep[]): void;
}

/** A run with those who follow it. */
interface ShownScriptRun extends RunOptions {
	readonly steps: ScriptSteps;
}

interface EndedScript {
	readonly threadId: ThreadId;
	/** Results by step; a step with rounds has a list. */
	readonly results: ReadonlyMap<string, unknown>;
}

const SCRIPTS_FILE = 'scripts.db';

export class Scripts {
	readonly #deps: ScriptRunsDeps;
	readonly #ownThreads = new Set<ThreadId>();
	#opened: ScriptStore | undefined;

	constructor(deps: ScriptRunsDeps) {
		this.#deps = deps;
	}

	/** Rejects with INVALID_PARAMS, each problem with its path and line. */
	read(text: string, file: string): Promise<Script> {
		return parseScriptText(text, file, { hasCapability: (type, name) => this.#deps.hasCapability(type, name) });
	}

	/** Rejects with the code of the op that failed or was denied; the next run of the same script goes on there. */
	async run(script: Script, options: RunOptions, signal: AbortSignal): Promise<EndedScript> {
		const [folder] = this.#deps.workspace.isTrusted ? this.#deps.workspace.folders : [];
		if (folder === undefined) {
			throw new ProwessError('WORKSPACE_UNTRUSTED', 'a script runs in a folder that is trusted', {});
		}
		const of = { hash: script.hash, folder: realpathSync.native(folder.path) };
		const run = this.#store.claim(`run_${v7()}`, of, options.isAnew);
		const steps = new ScriptSteps((told) => options.onRunSteps(told), this.#deps.redactor);
		try {
			if (options.caller === undefined) {
				this.#deps.beginThread(run.threadId);
				this.#ownThreads.add(run.threadId);
			}
			const results = new Map<string, unknown>();
			for (const step of script.steps) {
				signal.throwIfAborted();
				results.set(step.id, await this.#runStep(run, step, results, { ...options, steps }, signal));
			}
			this.#store.done(run.id);
			return { threadId: run.threadId, results };
		} finally {
			steps.end();
			this.#ownThreads.delete(run.threadId);
			this.#store.release(run.id);
		}
	}

	/** True while the user runs a script in that thread, which nobody can open. */
	ownsThread(threadId: ThreadId): boolean {
		return this.#ownThreads.has(threadId);
	}

	/** Returns those of the threads that only name the run of a script, and which nobody can open. */
	runsAmong(threadIds: readonly string[]): ReadonlySet<string> {
		return threadIds.length === 0 ? new Set() : this.#store.runsAmong(threadIds);
	}

	/** Last run of exactly this script in the open folder; undefined: it has not run here. */
	lastRun({ hash }: Pick<Script, 'hash'>): LastScriptRun | undefined {
		const [folder] = this.#deps.workspace.isTrusted ? this.#deps.workspace.folders : [];
		return folder === undefined ? undefined : this.#store.last(hash, realpathSync.native(folder.path));
	}

	close(): void {
		this.#opened?.dispose();
	}

	async #runStep(
		run: ScriptRun,
		step: ScriptStep,
		results: ReadonlyMap<string, unknown>,
		options: ShownScriptRun,
		signal: AbortSignal,
	): Promise<unknown> {
		if (step.rounds === undefined) {
			return await this.#once(run, step, 0, results, options, signal);
		}
		const items = runAtStep(step, () => fillReferences(step.rounds, results));
		if (!Array.isArray(items) || items.length > scriptLimits.mostRounds) {
			const message = `${describeStepPlace(step)}: "for" needs a list of at most ${scriptLimits.mostRounds}`;
			throw new ProwessError('INVALID_PARAMS', message, {
				step: step.id,
				said: text('{where}: "for" needs a list of at most {n}.', {
					where: describeStepPlace(step),
					n: scriptLimits.mostRounds,
				}),
			});
		}
		const all: unknown[] = [];
		for (const [round, item] of items.entries()) {
			signal.throwIfAborted();
			all.push(await this.#once(run, step, round, new Map([...results, ['item', item]]), options, signal));
		}
		return all;
	}

	async #once(
		run: ScriptRun,
		step: ScriptStep,
		round: number,
		results: ReadonlyMap<string, unknown>,
		options: ShownScriptRun,
		signal: AbortSignal,
	): Promise<unknown> {
		const earlier = this.#store.act(run.id, step.id, round);
		const isDone =
			earlier !== undefined && (earlier.isDone || (await this.#hasTakenEffect(step, earlier.opId, options)));
		options.onStep(step, isDone);
		if (isDone) {
			if (!earlier.isDone) this.#store.ended(run.id, step.id, round, null);
			return earlier.result;
		}
		const params = runAtStep(step, () => fillReferences(step.params, results));
		const opId = newId('op');
		this.#store.begun(run.id, step.id, round, opId);
		const caller = options.caller ?? { kind: 'agent', threadId: run.threadId, turnId: newId('trn') };
		const followed = options.steps.follow(step, opId);
		const origin = { caller, onProgress: followed.told, isNewId: true } as const;
		const outcome = await this.#deps.perform({ opId, op: step.op, params }, origin, signal);
		followed.ended(outcome);
		if (outcome.status !== 'done') {
			this.#store.failed(run.id, step.id, round);
			throw createStepError(step, outcome);
		}
		const failed = failedResult(step.op, outcome.result);
		if (failed !== undefined) {
			this.#store.failed(run.id, step.id, round);
			throw new ProwessError('STEP_FAILED', `${describeStepPlace(step)}: ${failed}`, { step: step.id });
		}
		this.#store.ended(run.id, step.id, round, this.#kept(outcome.result));
		return outcome.result;
	}

	/**
	 * Tells whether a step that was begun has taken effect; false means that it can be done. Throws OUTCOME_IN_DOUBT
	 * when that is unknown and the user has not decided.
	 */
	async #hasTakenEffect(step: ScriptStep, opId: OpId, { inDoubt }: RunOptions): Promise<boolean> {
		const def: OpDef | undefined = isOpName(step.op) ? ops[step.op] : undefined;
		if (def?.effect === 'read') {
			return false;
		}
		const known = await this.#deps.knowledge(opId);
		if (known.kind === 'recorded' || known.kind === 'settled') {
			return (known.kind === 'recorded' ? known.status : known.outcome.status) === 'done';
		}
		if (known.kind === 'unknown') {
			return false;
		}
		if (inDoubt?.step === step.id) {
			return !inDoubt.isRepeated;
		}
		const message = `${describeStepPlace(step)}: it was begun before, and whether it took effect is not known`;
		throw new ProwessError('OUTCOME_IN_DOUBT', message, { step: step.id });
	}

	#kept(result: unknown): string | null {
		const text = this.#deps.redactor.redact(JSON.stringify(result ?? null));
		return text.length > scriptLimits.keptResultChars ? null : text;
	}

	get #store(): ScriptStore {
		this.#opened ??= new ScriptStore(
			openMigratedDatabase(join(this.#deps.home, SCRIPTS_FILE), scriptMigrations).db,
			this.#deps.holder,
		);
		return this.#opened;
	}
}

function describeStepPlace({ id, line }: ScriptStep): string {
	return `step "${id}" (line ${line})`;
}

/** A failure of `work` names the step. */
function runAtStep<T>(step: ScriptStep, work: () => T): T {
	try {
		return work();
	} catch (error) {
		const message = `${describeStepPlace(step)}: ${error instanceof Error ? error.message : String(error)}`;
		throw new ProwessError('INVALID_PARAMS', message, { step: step.id });
	}
}

function createStepError(step: ScriptStep, outcome: Exclude<OpOutcome, { status: 'done' }>): ProwessError {
	const { code, message, facts } = outcome.error;
	return new ProwessError(code, `${describeStepPlace(step)}: ${message}`, { ...facts, step: step.id });
}

/** Reason why an op that was done has failed all the same, so that what follows must not run; undefined: it did what it is for. */
function failedResult(op: string, result: unknown): string | undefined {
	if (op === 'shell.run') {
		const state = CommandState.safeParse(result).data;
		const isEnded = state !== undefined && !state.running;
		return isEnded && (state.exitCode !== 0 || state.timedOut)
			? state.timedOut
				? `the command was stopped: ${describeOverTime(state.overTime)}`
				: `the command ended with ${state.signal ?? `exit code ${state.exitCode}`}`
			: undefined;
	}
	const execution = op === 'capability.start' ? ExecutionState.safeParse(result).data : undefined;
	return execution?.success === false
		? `the capability ended as ${execution.status}: ${execution.error?.message ?? 'no reason was given'}`
		: undefined;
}
