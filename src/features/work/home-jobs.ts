/** Jobs of this machine, for whoever shows them. */
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { JobId, JobRecord, WorkPort } from '../../contract/ports/work-port.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { PromptWish } from '../../protocol/jobs.ts';
import { text } from '../../protocol/text/text.ts';
import type { Database } from '../../store/database.ts';
import { readShownJobs } from './job-store.ts';
import { findLocalJobs, openLocalWork } from './open-local-work.ts';
import { newPromptJob } from './prompt-job.ts';

/** Oldest first; none where there was never a job. Throws as `openLocalWork` does, also where SQLite fails later. */
export function listHomeJobs(home: string): readonly JobRecord[] {
	const view = new HomeJobsView(home);
	try {
		return view.list();
	} finally {
		view.dispose();
	}
}

/** Looks again and again: what keeps the jobs stays open, and is read only after another process or call has changed it. */
export class HomeJobsView {
	readonly #home: string;
	#db: Database | undefined;
	#seen: { readonly version: unknown; readonly jobs: readonly JobRecord[] } | undefined;

	constructor(home: string) {
		this.#home = home;
	}

	/** The very same list while nothing has changed. Throws as `listHomeJobs` does. */
	list(): readonly JobRecord[] {
		this.#db ??= findLocalJobs(this.#home);
		if (this.#db === undefined) return [];
		try {
			const version = this.#db.get<{ readonly data_version: number }>('PRAGMA data_version')?.data_version;
			if (this.#seen?.version !== version || this.#seen === undefined) {
				this.#seen = { version, jobs: readShownJobs(this.#db) };
			}
			return this.#seen.jobs;
		} catch (error) {
			throw toStoreError(error);
		}
	}

	dispose(): void {
		this.#db?.dispose();
		this.#db = undefined;
	}
}

/** Rejects as `listHomeJobs` throws. */
export async function changeHomeJobs<T>(home: string, change: (port: WorkPort) => Promise<T>): Promise<T> {
	const port = openLocalWork(home, () => {});
	try {
		return await change(port);
	} catch (error) {
		throw toStoreError(error);
	} finally {
		await port.dispose();
	}
}

/** True where a job's folder is this one, by whichever link one came there. */
export function isJobFolder(jobFolder: string, folder: string): boolean {
	try {
		return realpathSync.native(folder) === jobFolder;
	} catch {
		return false;
	}
}

/** Has the agent work on a prompt, in which nothing is secret any more, in a folder that is there. Rejects with NOT_FOUND where it is gone. */
export async function addHomeJob(home: string, wish: PromptWish, signal: AbortSignal): Promise<JobId> {
	const payload = PromptWish.parse({ ...wish, folder: resolveJobFolder(wish.folder) });
	const job = newPromptJob(randomUUID(), payload, { labels: [], priority: 0 });
	const [id = ''] = await changeHomeJobs(home, (port) => port.enqueue([job], signal));
	return id;
}

function toStoreError(error: unknown): unknown {
	const isOfSqlite = error instanceof Error && 'errcode' in error;
	return isOfSqlite ? new ProwessError('STORE_UNAVAILABLE', `the jobs: ${error.message}`, {}, error) : error;
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
