/** A job that has the agent work on a prompt: how it is added, read and named. */
import { createHash } from 'node:crypto';
import type { JobId, JobRecord, NewJob } from '../../contract/ports/work-port.ts';
import { PromptWish } from '../../protocol/jobs.ts';
import type { ItemId, ThreadId } from '../../protocol/rpc/ids.ts';

export const PROMPT_KIND = 'prompt';

export function newPromptJob(
	key: string,
	payload: PromptWish,
	{ labels, priority }: { readonly labels: readonly string[]; readonly priority: number },
): NewJob {
	return { kind: PROMPT_KIND, key, labels: [toFolderLabel(payload.folder), ...labels], payload, priority };
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

/** Thread in which the job is worked on, whichever process does. */
export function toJobThreadId(id: JobId): ThreadId {
	return `thr_${bareJobId(id)}` as ThreadId;
}

/** The message that begins it. */
export function toFirstMessageId(id: JobId): ItemId {
	return `itm_${bareJobId(id)}` as ItemId;
}

/** The message that brings the answer to a question. */
export function toAnswerMessageId(questionId: string): ItemId {
	return `itm_${questionId}` as ItemId;
}

export function toWorktreeName(id: JobId): string {
	return `job-${bareJobId(id).slice(-12)}`;
}

/** Keepers of jobs may put words before it. */
function bareJobId(id: JobId): string {
	return id.replace(/^(?:.*\/|[a-z]+_)/, '');
}
