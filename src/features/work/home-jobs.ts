/** Jobs of this machine, for whoever shows them: each call opens what keeps them, and closes it again. */
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import type { JobId, JobRecord, WorkPort } from '../../contract/ports/work-port.ts';
import { PromptWish } from '../../protocol/jobs.ts';
import { findLocalWork, openLocalWork } from './open-local-work.ts';
import { newPromptJob } from './prompt-job.ts';

/** Oldest first; none where there was never a job. Rejects as `openLocalWork` throws. */
export async function listHomeJobs(home: string, signal: AbortSignal): Promise<readonly JobRecord[]> {
	const port = findLocalWork(home, () => {});
	try {
		return (await port?.state(signal))?.jobs ?? [];
	} finally {
		await port?.dispose();
	}
}

/** The same for a change. */
export async function changeHomeJobs<T>(home: string, change: (port: WorkPort) => Promise<T>): Promise<T> {
	const port = openLocalWork(home, () => {});
	try {
		return await change(port);
	} finally {
		await port.dispose();
	}
}

/** Has the agent work on a prompt, in which nothing is secret any more, in a folder that is there. Rejects where it is gone. */
export async function addHomeJob(home: string, wish: PromptWish, signal: AbortSignal): Promise<JobId> {
	const payload = PromptWish.parse({ ...wish, folder: realpathSync.native(wish.folder) });
	const job = newPromptJob(randomUUID(), payload, { labels: [], priority: 0 });
	const [id = ''] = await changeHomeJobs(home, (port) => port.enqueue([job], signal));
	return id;
}
