/**
 * Carries a job out: a turn of the agent in a worktree of its folder, with the settings, rules and permission level that the
 * user of this machine has there. The thread and each message have ids that come from the job, so that a process that goes on
 * after another one sends nothing twice.
 */
import { toErrorMessage } from '../../base/text/message-of.ts';
import { cutText } from '../../base/text/one-line.ts';
import type { JobHandler, JobOutcome, TakenJob } from '../../contract/ports/work-port.ts';
import type { ScheduledTurnEnd, TurnPorts } from '../../features/schedule/scheduled-turn.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { Approval } from '../../protocol/approvals/approvals.ts';
import type { EndedWork } from '../../protocol/background.ts';
import { JobAnswer, type PromptResult, type PromptWish } from '../../protocol/jobs.ts';
import { type ItemId, newId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { Mode } from '../../protocol/thread/thread.ts';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import type { CliHost } from '../ports/cli-host.ts';
import { causeInEnglish } from '../terminal/messages.ts';
import { escapeUnseen } from '../terminal/visible.ts';
import { workLimits } from './limits.ts';
import { ParkingPerson } from './parking-person.ts';
import { countPatchLines } from './patch-lines.ts';
import { readScriptOfJob, runScriptOfJob } from './run-script.ts';
import {
	JOB_REASONS,
	toFirstMessageId,
	toAnswerMessageId,
	readPromptWish,
	toJobThreadId,
	toWorktreeName,
} from '../../features/work/prompt-job.ts';
import type { WorkHost } from './work-host.ts';

interface CarryOutDeps {
	readonly host: WorkHost;
	readonly invocation: Invocation;
	readonly context: CommandContext;
	/** Real path of a folder that is trusted. A job that names another one is refused. */
	readonly folder: string;
	/** Told of each job that has ended or is parked here. */
	onEnded(work: EndedWork): void;
}

/** Words for a model whose turn was cut off. */
const CUT_OFF =
	'The process that worked on this has ended before you had finished. What had begun then may have taken effect, or not: look before you do any of it again. Go on with what is left.';

/** The same where the thread begins anew. */
const BEGUN_BEFORE =
	'An earlier process has begun this, perhaps on another machine, and what it wrote is not in this thread. What had begun then may have taken effect, or not: look before you do any of it again.';

export function carryOutPrompts(deps: CarryOutDeps): JobHandler {
	return async (job, signal) => {
		const wish = readPromptWish(job);
		const outcome: JobOutcome =
			typeof wish === 'string'
				? { state: 'failed', reason: wish }
				: wish.folder === deps.folder
					? await workOnPrompt(deps, job, wish, signal)
					: { state: 'failed', reason: `it names ${wish.folder}, and its worker works in ${deps.folder}` };
		const line = typeof wish === 'string' ? job.key : (wish.prompt.split('\n')[0] ?? '');
		const title = cutText(line, workLimits.titleChars);
		const why = outcome.state === 'failed' ? { why: cutText(outcome.reason, workLimits.whyChars) } : {};
		const { state } = outcome;
		const threadId = toJobThreadId(job);
		deps.onEnded({ kind: 'job', folder: deps.folder, title, threadId, state, ...why, at: Date.now() });
		return outcome;
	};
}

async function workOnPrompt(
	{ host, invocation, context, folder }: CarryOutDeps,
	job: TakenJob,
	wish: PromptWish,
	signal: AbortSignal,
): Promise<JobOutcome> {
	const parking = new AbortController();
	const until = AbortSignal.any([signal, parking.signal]);
	const answer = JobAnswer.safeParse(job.answer).data;
	const showApproval = (approval: Approval) => shownWhole(host, approval);
	const person = new ParkingPerson(answer, showApproval, () => parking.abort(new Error('a person is asked')));
	const options = { workspace: folder, approvalMode: 'ask', behind: { client: { principal: 'cli', person } } } as const;
	return await host.withHost(invocation, { ...context, signal, server: undefined }, options, async (opened) => {
		const base = await opened.trustedBase();
		const script = wish.script === undefined ? undefined : await readScriptOfJob(base, job, wish.script);
		if (typeof script === 'string') return { state: 'failed', reason: script };
		const { worktree, mode, result } = await prepareWorktree(opened, job, signal);
		try {
			if (script !== undefined) {
				const asked = { job, script, mode, cause: nameCause(job) };
				await runScriptOfJob(base, asked, person, until);
				until.throwIfAborted();
				return { state: 'done', result: await result(signal) };
			}
			const turn = await prepareTurn(host, opened, { job, mode, folder: worktree.folder }, signal);
			const isBegun = await turn.isBegun();
			// Another machine may have used a yes: it counts once, so here it is asked for again.
			if (!isBegun) person.forgetAnswer();
			const asked = toMessage(job, wish, answer, isBegun);
			let end: ScheduledTurnEnd = (await turn.isSent(asked.messageId))
				? { state: 'interrupted' }
				: await turn.run(asked, until);
			if (end.state === 'interrupted') {
				// The answer may have been used: it allows nothing more.
				person.forgetAnswer();
				end = await turn.run({ messageId: newId('itm'), text: CUT_OFF }, until);
			}
			if (end.state === 'done') await base.agents.settled(toJobThreadId(job), until);
			until.throwIfAborted();
			return toOutcome(end, end.state === 'done' ? await result(signal) : undefined);
		} catch (error) {
			signal.throwIfAborted();
			if (person.question !== undefined) return { state: 'parked', question: person.question };
			// A step that fails once more would say the same.
			if (script !== undefined) return { state: 'failed', reason: toErrorMessage(error) };
			throw error;
		}
	});
}

/** Throws where it was cut off once more, which counts as a lost attempt. */
function toOutcome({ state, error }: ScheduledTurnEnd, result: PromptResult | undefined): JobOutcome {
	switch (state) {
		case 'done':
			return { state: 'done', result };
		case 'interrupted':
			throw new Error(JOB_REASONS.cutOff);
		case 'stopped':
			return { state: 'failed', reason: JOB_REASONS.stopped };
		case 'failed':
			return { state: 'failed', reason: error === undefined ? JOB_REASONS.failed : causeInEnglish(error) };
	}
}

interface Message {
	readonly messageId: ItemId;
	readonly text: string;
}

interface PreparedTurn {
	/** True when an earlier process has worked in this thread, on this machine. */
	isBegun(): Promise<boolean>;
	/** True when an earlier process has sent that message. */
	isSent(messageId: ItemId): Promise<boolean>;
	run(message: Message, signal: AbortSignal): Promise<ScheduledTurnEnd>;
}

/** Makes the worktree, or goes on in it, and has the thread work there from its first call on. */
async function prepareWorktree(opened: CliHost, job: TakenJob, signal: AbortSignal) {
	const base = await opened.trustedBase();
	const threadId = toJobThreadId(job);
	const name = toWorktreeName(job);
	const worktree = await base.worktrees.open({ name, from: undefined }, signal);
	// The turn holds it, as long as it works there.
	worktree.dispose();
	await base.worktrees.noteThread(name, threadId, signal);
	const { works } = await base.commandSandbox();
	const mode = works ? opened.settings.current['prowess.mode'] : 'ask';
	const result = async (until: AbortSignal): Promise<PromptResult> => {
		const { view, found } = await base.worktrees.show(name, until);
		const files = [...found.changes, ...found.outside.map((path) => ({ path, kind: 'changed' as const }))];
		return {
			threadId,
			worktree: name,
			branch: view.branch ?? null,
			files: files.slice(0, workLimits.namedFiles),
			changed: files.length,
			...countPatchLines(await base.worktrees.diff(name, until)),
			onlyRead: !works,
		};
	};
	return { worktree, mode, result };
}

/** Words of the ledger. */
function nameCause({ id, attempt }: TakenJob): string {
	return `the job ${id}${attempt === 1 ? '' : `, attempt ${attempt}`}`;
}

async function prepareTurn(
	host: WorkHost,
	opened: CliHost,
	{ job, mode, folder }: { readonly job: TakenJob; readonly mode: Mode; readonly folder: string },
	signal: AbortSignal,
): Promise<PreparedTurn> {
	const base = await opened.trustedBase();
	const threadId = toJobThreadId(job);
	const { peer } = await opened.server(signal);
	const ports = turnPorts(base, peer);
	const cause = nameCause(job);
	const listLast = async (items: number) =>
		(await peer.call(host.openRequest, { threadId, items }, signal).catch(() => undefined))?.items ?? [];
	return {
		isBegun: async () => (await listLast(1)).length > 0,
		isSent: async (messageId) => (await listLast(workLimits.lookedThroughItems)).some(({ id }) => id === messageId),
		async run({ messageId, text }, until) {
			const run = { threadId, messageId, folder };
			return await host.scheduledTurn(ports, { schedule: { text, mode }, run, cause }, () => {}, until);
		},
	};
}

function turnPorts(base: TrustedBase, peer: Peer): TurnPorts {
	return {
		server: async () => peer,
		keepMode: (threadId, mode, signal) => base.modes.set(threadId, mode, signal),
		beginThread: (threadId, text, cause) => base.beginThread(threadId, text, { cause }),
		hooked: (threadId, text, signal) => base.hooks.prompted(threadId, text, signal),
		clean: (text) => base.redact(text),
	};
}

/** All that a yes would allow. */
function shownWhole({ formatApproval }: WorkHost, approval: Approval): string {
	const { detail } = approval;
	const diffs = detail.kind === 'diff' ? [detail.diff] : detail.kind === 'diffs' ? detail.diffs : [];
	return [formatApproval(approval).trimEnd(), ...diffs.map(({ patch }) => escapeUnseen(patch).trimEnd())].join('\n');
}

/** Returns the prompt, or the answer to what was asked; both where the thread that asked is on another machine. */
function toMessage(job: TakenJob, { prompt }: PromptWish, answer: JobAnswer | undefined, isBegun: boolean): Message {
	const wished = isBegun || !job.isTakenBefore ? prompt : `${prompt}\n\n${BEGUN_BEFORE}`;
	if (answer === undefined) return { messageId: toFirstMessageId(job), text: wished };
	const said = answerText(answer);
	return { messageId: toAnswerMessageId(answer.questionId), text: isBegun ? said : `${wished}\n\n${said}` };
}

function answerText({ asked, isYes, words }: JobAnswer): string {
	const said = isYes ? 'yes, do it now' : words === '' ? 'no' : words;
	return `My answer to what you asked (${asked}): ${said}\nGo on.`;
}
