/**
 * Runs the script of a job in the thread and the worktree of that job. This machine keeps what is done, so that a process that
 * goes on after another one does nothing twice.
 */
import { createHash } from 'node:crypto';
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { TakenJob } from '../../contract/ports/work-port.ts';
import type { Script } from '../../features/script/script.ts';
import { toJobThreadId } from '../../features/work/prompt-job.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import type { Mode } from '../../protocol/thread/thread.ts';
import type { ParkingPerson } from './parking-person.ts';

interface ScriptOfJob {
	readonly job: TakenJob;
	readonly script: Script;
	readonly mode: Mode;
	/** Words of the ledger. */
	readonly cause: string;
}

/** Answers to whether a step took effect, over which a process was lost. */
const IN_DOUBT = { skip: 'It took effect: go on behind it', repeat: 'It did not: do it now' } as const;

const BEGUN_ELSEWHERE =
	'another machine has begun this script, and what it has done is not known here; look at it, then run it again with "prowess work retry"';

/** The script as a run of its own, or in words why it cannot be carried out here. */
export async function readScriptOfJob(
	{ scripts }: Pick<TrustedBase, 'scripts'>,
	job: TakenJob,
	content: string,
): Promise<Script | string> {
	let read: Script;
	try {
		read = await scripts.read(content, 'script');
	} catch (error) {
		return toErrorMessage(error);
	}
	// Two jobs with the same script are two runs of it.
	const of = JSON.stringify([read.hash, job.group, job.id]);
	const script = { ...read, hash: createHash('sha256').update(of).digest('hex') };
	// Only a team has other machines: what a script has done is known where it has run.
	const isElsewhere = job.isTakenBefore && job.group !== undefined && scripts.lastRun(script) === undefined;
	return isElsewhere ? BEGUN_ELSEWHERE : script;
}

/** Rejects with the error of the step that failed or was denied. A step in doubt is a question to the person. */
export async function runScriptOfJob(
	base: TrustedBase,
	{ job, script, mode, cause }: ScriptOfJob,
	person: ParkingPerson,
	signal: AbortSignal,
): Promise<void> {
	const threadId = toJobThreadId(job);
	await base.modes.set(threadId, mode, signal);
	base.beginThread(threadId, script.name, { cause });
	const caller = { kind: 'agent', threadId, turnId: newId('trn') } as const;
	const rounds = new Map<string, number>();
	const noteStep = ({ id }: { readonly id: string }) => {
		const round = rounds.get(id) ?? 0;
		rounds.set(id, round + 1);
		person.moveTo([id, String(round)]);
	};
	const run = async (inDoubt?: { readonly step: string; readonly isRepeated: boolean }) =>
		await base.scripts.run(script, { isAnew: false, caller, inDoubt, onStep: noteStep, onRunSteps: () => {} }, signal);
	try {
		await run();
	} catch (error) {
		const step = isProwessError(error) && error.code === 'OUTCOME_IN_DOUBT' ? error.facts['step'] : undefined;
		if (typeof step !== 'string') throw error;
		const question = `A worker was lost over the step "${step}". Did that step take effect?`;
		// Lost over it once more, it is another question.
		person.moveTo([step, `attempt ${job.attempt}`]);
		const said = await person.answer({ question, options: Object.values(IN_DOUBT) }, signal);
		if (said !== IN_DOUBT.skip && said !== IN_DOUBT.repeat) throw error;
		rounds.clear();
		await run({ step, isRepeated: said === IN_DOUBT.repeat });
	}
}
