/** Jobs of this machine, for whoever shows them: each call opens what keeps them, and closes it again. */
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { JobId, JobRecord, WorkPort } from '../../contract/ports/work-port.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { PromptWish } from '../../protocol/jobs.ts';
import { text } from '../../protocol/text/text.ts';
import { findLocalWork, openLocalWork } from './open-local-work.ts';
import { newPromptJob } from './prompt-job.ts';

/** Oldest first; none where there was never a job. Rejects as `openLocalWork` throws, also where SQLite fails later. */
export async function listHomeJobs(home: string, signal: AbortSignal): Promise<readonly JobRecord[]> {
	return await withJobPort(
		findLocalWork(home, () => {}),
		async (port) => (await port?.state(signal))?.jobs ?? [],
	);
}

/** The same for a change. */
export async function changeHomeJobs<T>(home: string, change: (port: WorkPort) => Promise<T>): Promise<T> {
	return await withJobPort(
		openLocalWork(home, () => {}),
		change,
	);
}

/** Has the agent work on a prompt, in which nothing is secret any more, in a folder that is there. Rejects with NOT_FOUND where it is gone. */
export async function addHomeJob(home: string, wish: PromptWish, signal: AbortSignal): Promise<JobId> {
	const payload = PromptWish.parse({ ...wish, folder: resolveJobFolder(wish.folder) });
	const job = newPromptJob(randomUUID(), payload, { labels: [], priority: 0 });
	const [id = ''] = await changeHomeJobs(home, (port) => port.enqueue([job], signal));
	return id;
}

async function withJobPort<P extends WorkPort | undefined, T>(port: P, use: (port: P) => Promise<T>): Promise<T> {
	try {
		return await use(port);
	} catch (error) {
		if (!(error instanceof Error && 'errcode' in error)) throw error;
		throw new ProwessError('STORE_UNAVAILABLE', `the jobs: ${error.message}`, {}, error);
	} finally {
		await port?.dispose();
	}
}

function resolveJobFolder(folder: string): string {
	try {
		return realpathSync.native(folder);
	} catch (error) {
		const why = toErrorMessage(error);
		const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
		const said = isGone ? {} : { said: text('Cannot read {path}: {why}', { path: folder, why }) };
		throw new ProwessError('NOT_FOUND', `${folder}: ${why}`, { path: folder, ...said }, error);
	}
}
