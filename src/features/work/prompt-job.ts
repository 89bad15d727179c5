/** A job that has the agent work on a prompt: how it is added, read and named. */
import { createHash, randomUUID } from 'node:crypto';
import type { JobRecord, NewJob } from '../../contract/ports/work-port.ts';
import { PromptWish } from '../../protocol/jobs.ts';
import type { ItemId, ThreadId } from '../../protocol/rpc/ids.ts';
import { text } from '../../protocol/text/text.ts';

export const PROMPT_KIND = 'prompt';

/** Reasons of ours why a job failed. They are kept in English, and translated where they are shown. */
export const JOB_REASONS = {
	lost: text('its worker was lost').template,
	cutOff: text('its turn was cut off').template,
	stopped: text('its turn was stopped').template,
	failed: text('its turn failed').template,
} as const;

export function newPromptJob(
	key: string,
	payload: PromptWish,
	{ labels, priority }: { readonly labels: readonly string[]; readonly priority: number },
): NewJob {
	return { kind: PROMPT_KIND, key, labels: [toFolderLabel(payload.folder), ...labels], payload, priority };
}

/** The same once more, with a thread and a worktree of its own. */
export function retriedJob({ kind, labels, payload, priority, group }: JobRecord): NewJob {
	return { kind, labels, payload, priority, key: randomUUID(), ...(group !== undefined && { group }) };
}

/** Label that a worker has for a folder: only one that works there takes jobs for it. */
export function toFolderLabel(folder: string): string {
	return `in-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
}

/** Labels that whoever added it chose. */
export function pickChosenLabels(labels: readonly string[]): string[] {
	return labels.filter((label) => !/^in-[0-9a-f]{32}$/.test(label));
}

/** The wish, or in words why it cannot be carried out. */
export function readPromptWish({ labels, payload }: Pick<JobRecord, 'labels' | 'payload'>): PromptWish | string {
	const wish = PromptWish.safeParse(payload);
	if (!wish.success) {
		const { path, message } = wish.error.issues[0] ?? { path: [], message: '' };
		return `what it asks for cannot be read: ${[...path, message].join(': ')}`;
	}
	return labels.includes(toFolderLabel(wish.data.folder))
		? wish.data
		: `it names ${wish.data.folder}, and was added for another folder`;
}

type NamedJob = Pick<JobRecord, 'id' | 'group'>;

/** Thread in which the job is worked on, whichever process does. */
export function toJobThreadId(job: NamedJob): ThreadId {
	return `thr_${toOwnName(job)}` as ThreadId;
}

/** The message that begins it. */
export function toFirstMessageId(job: NamedJob): ItemId {
	return `itm_${toOwnName(job)}` as ItemId;
}

/** The message that brings the answer to a question. */
export function toAnswerMessageId(questionId: string): ItemId {
	return `itm_${questionId}` as ItemId;
}

export function toWorktreeName(job: NamedJob): string {
	return `job-${toOwnName(job).replaceAll('-', '').slice(-16)}`;
}

/**
 * Name that no job of anybody else gets. In a team, whoever adds a job can choose its UUID, but not whose it is: otherwise that
 * would lead into threads and worktrees of others.
 */
function toOwnName({ id, group }: NamedJob): string {
	return group === undefined
		? id.replace(/^(?:.*\/|[a-z]+_)/, '')
		: createHash('sha256')
				.update(JSON.stringify([group, id]))
				.digest('hex')
				.slice(0, 32);
}
