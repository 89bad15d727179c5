/** Where a worker of a home finds jobs, and when it is to look for them again. */
import { isAbsolute } from 'node:path';
import type { JobFeed } from '../../contract/ports/team-port.ts';
import { PromptWish } from '../../protocol/jobs.ts';
import { readJoinedTeam } from '../team/joined-team.ts';
import { workLimits } from './limits.ts';
import { findWorkToTake } from './open-work.ts';
import { PROMPT_KIND, toFolderLabel } from '../../features/work/prompt-job.ts';

interface JobWatchDeps {
	readonly home: string;
	/** Labels that this worker has, beside those of folders. */
	readonly labels: readonly string[];
	/** Called when the team tells of a job that may be there to take, at most once in `workLimits.newsMs`. */
	onNews(): void;
}

/** Follows the team that the home has joined, whichever that is; jobs of this machine are told to the background host by whoever adds them. */
export class JobWatch {
	readonly #deps: JobWatchDeps;
	/** The feed of a team, by its address and package; undefined inside: it cannot be had, and the next look tries again. */
	#followed: { readonly of: string; readonly feed: Promise<JobFeed | undefined> } | undefined;
	#news: NodeJS.Timeout | undefined;
	#toldAt = Number.NEGATIVE_INFINITY;
	#isOver = false;

	constructor(deps: JobWatchDeps) {
		this.#deps = deps;
	}

	/** Folders for which there are jobs with labels of this worker. None of them is trusted yet. */
	async findFolders(signal: AbortSignal): Promise<readonly string[]> {
		const { home, labels } = this.#deps;
		// Before the look, so that nothing comes between the two unseen.
		await this.#follow();
		// No job is taken here, so no look can go wrong.
		const port = await findWorkToTake(home, () => {});
		try {
			const { jobs = [] } = (await port?.state(signal)) ?? {};
			return jobs.flatMap((job) => {
				const { folder } = PromptWish.safeParse(job.payload).data ?? {};
				// Also those whose worker may have been killed: whoever takes jobs looks whether it lives.
				const isOpen = job.kind === PROMPT_KIND && (job.state === 'waiting' || job.state === 'working');
				// Folders in jobs of others can be anything: a real path is absolute, and no system takes a NUL in one.
				if (!isOpen || folder === undefined || !isAbsolute(folder) || folder.includes('\0')) return [];
				const ours = [toFolderLabel(folder), ...labels];
				return job.labels.every((label) => ours.includes(label)) ? [folder] : [];
			});
		} finally {
			await port?.dispose();
		}
	}

	async dispose(): Promise<void> {
		this.#isOver = true;
		await this.#unfollow();
	}

	async #follow(): Promise<void> {
		const team = readJoinedTeam(this.#deps.home);
		const of = team?.as === 'worker' ? `${team.integrity} ${team.url}` : undefined;
		if (of === undefined || of !== this.#followed?.of) await this.#unfollow();
		if (team === undefined || of === undefined || this.#followed !== undefined) return;
		const { followJobsOfTeam } = await import('../team/team.ts');
		// Nobody would close a connection that is opened later.
		if (this.#isOver) return;
		// The look that follows says why a database cannot be reached.
		const feed = followJobsOfTeam(team, () => this.#noteNews()).catch(() => undefined);
		this.#followed = { of, feed };
		if ((await feed) === undefined) this.#followed = undefined;
	}

	async #unfollow(): Promise<void> {
		clearTimeout(this.#news);
		this.#news = undefined;
		const followed = this.#followed;
		this.#followed = undefined;
		await (await followed?.feed)?.close();
	}

	/** The first at once; those that come soon after it are one. */
	#noteNews(): void {
		if (this.#news !== undefined || this.#isOver) return;
		const waitMs = Math.max(0, this.#toldAt + workLimits.newsMs - performance.now());
		this.#news = setTimeout(() => {
			this.#news = undefined;
			this.#toldAt = performance.now();
			this.#deps.onNews();
		}, waitMs);
	}
}
