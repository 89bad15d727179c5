/**
 * Looks for work in any project of the home, and has it done by one process for each folder. The background host does
 * no work of a project itself, and knows of runs and goals only what is stored: so it may be killed at any moment.
 */
import { Emitter } from '../../base/emitter.ts';
import type { Attachable } from '../../features/background/listen.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { BackgroundState, EndedWork } from '../../protocol/background.ts';
import type { FolderProcess } from './folder-process.ts';
import { backgroundWorkLimits } from './limits.ts';

type WaitingFolder = BackgroundState['waiting'][number];

interface BackgroundHostDeps {
	readonly version: string;
	readonly startedAt: number;
	readonly schedules: Pick<TrustedBase['schedules'], 'dueFolders' | 'nextDue'>;
	readonly goals: Pick<TrustedBase['goals'], 'leftOpen'>;
	/** Resolves with the folders for which there are jobs. */
	jobFolders(signal: AbortSignal): Promise<readonly string[]>;
	/** Why nothing may be done in a folder; undefined: it may. */
	whyNot(folder: string): 'gone' | 'untrusted' | undefined;
	/** A process for what is due in a folder, or for its jobs. */
	begin(folder: string, what: FolderWork, onEnded: (work: EndedWork) => void): FolderProcess;
	onWaiting(waiting: WaitingFolder): void;
	onFailure(error: unknown): void;
}

type FolderWork = 'due' | 'jobs';

interface FolderPause {
	readonly until: number;
	readonly ms: number;
	/** Processes of it that were killed one after the other before any work of theirs had ended. */
	readonly kills: number;
}

interface WorkingFolder {
	readonly folder: string;
	readonly process: FolderProcess;
	readonly since: number;
}

export class BackgroundHost implements Attachable {
	readonly #deps: BackgroundHostDeps;
	/** Processes by what they do and where. */
	readonly #working = new Map<string, WorkingFolder>();
	readonly #pauses = new Map<string, FolderPause>();
	readonly #told = new Set<string>();
	readonly #endedWork = new Emitter<EndedWork>();
	readonly #stopping = new AbortController();
	#waiting: Readonly<Record<FolderWork, readonly WaitingFolder[]>> = { due: [], jobs: [] };
	#ended: EndedWork[] = [];
	/** Set while it is found out where there are jobs; `again`: once more after that. */
	#jobLook: 'under way' | 'again' | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	readonly onDidEnd = this.#endedWork.event;

	constructor(deps: BackgroundHostDeps) {
		this.#deps = deps;
	}

	/** Works until `signal` aborts or it is stopped; resolves when nothing that it has started runs any more. */
	async run(signal: AbortSignal): Promise<void> {
		const stopped = new Promise<void>((resolve) => {
			this.#stopping.signal.addEventListener('abort', () => resolve(), { once: true });
		});
		const stop = () => this.stop();
		signal.addEventListener('abort', stop, { once: true });
		if (signal.aborted) {
			stop();
		}
		this.#look();
		await stopped;
		signal.removeEventListener('abort', stop);
		clearTimeout(this.#timer);
		const all = [...this.#working.values()].map(({ process }) => process);
		all.forEach((process) => process.stop());
		const late = setTimeout(() => all.forEach((process) => process.kill()), backgroundWorkLimits.stopMs);
		await Promise.all(all.map(({ ended }) => ended));
		clearTimeout(late);
		this.#endedWork.dispose();
	}

	state(): BackgroundState {
		const { version, startedAt } = this.#deps;
		return {
			pid: process.pid,
			version,
			startedAt,
			working: [...this.#working.values()].map(({ folder, process: { pid }, since }) => ({ folder, pid, since })),
			waiting: [...new Map([...this.#waiting.due, ...this.#waiting.jobs].map((each) => [each.folder, each])).values()],
			nextDue: this.#deps.schedules.nextDue() ?? null,
			ended: this.#ended,
		};
	}

	/** Also where it was to wait before it tries again. */
	look(): void {
		this.#pauses.clear();
		this.#look();
	}

	/** Looks for jobs alone. A folder that is to wait before it tries again waits. */
	lookForJobs(): void {
		if (!this.#stopping.signal.aborted) void this.#lookForJobs();
	}

	stop(): void {
		this.#stopping.abort();
	}

	#look(): void {
		clearTimeout(this.#timer);
		if (this.#stopping.signal.aborted) {
			return;
		}
		let delay: number = backgroundWorkLimits.lookMs;
		try {
			const { schedules, goals } = this.#deps;
			const due = [...schedules.dueFolders({ reminds: false }), ...goals.leftOpen().map(({ folder }) => folder)];
			// Reminders wait for somebody to see them.
			this.#takeAll('due', due);
			const next = (schedules.nextDue() ?? 0) - Date.now();
			delay = Math.min(backgroundWorkLimits.lookMs, next > 0 ? next : backgroundWorkLimits.lookMs);
		} catch (error) {
			this.#deps.onFailure(error);
		}
		this.#timer = setTimeout(() => this.#look(), delay);
		void this.#lookForJobs();
	}

	/** Looks once at a time: a database that is slow gets no second look meanwhile. */
	async #lookForJobs(): Promise<void> {
		if (this.#jobLook !== undefined) {
			this.#jobLook = 'again';
			return;
		}
		do {
			this.#jobLook = 'under way';
			try {
				const folders = await this.#deps.jobFolders(this.#stopping.signal);
				if (!this.#stopping.signal.aborted) this.#takeAll('jobs', folders);
			} catch (error) {
				if (!this.#stopping.signal.aborted) this.#deps.onFailure(error);
			}
		} while (this.#isJobLookWanted());
		this.#jobLook = undefined;
	}

	#isJobLookWanted(): boolean {
		return this.#jobLook === 'again' && !this.#stopping.signal.aborted;
	}

	#takeAll(what: FolderWork, folders: readonly string[]): void {
		const waiting = [...new Set(folders)].flatMap((folder) => this.#take(folder, what));
		this.#waiting = { ...this.#waiting, [what]: waiting };
	}

	/** Begins work in a folder; what keeps it from that. */
	#take(folder: string, what: FolderWork): WaitingFolder[] {
		const name = `${what} ${folder}`;
		if (this.#working.has(name)) {
			return [];
		}
		const why = this.#deps.whyNot(folder);
		if (why !== undefined) {
			const waiting = { folder, why };
			if (!this.#told.has(folder)) {
				this.#told.add(folder);
				this.#deps.onWaiting(waiting);
			}
			return [waiting];
		}
		this.#told.delete(folder);
		const pause = this.#pauses.get(name);
		if (pause !== undefined && pause.until > Date.now()) {
			return [];
		}
		this.#begin(folder, what, pause ?? { ms: backgroundWorkLimits.lookMs / 2, kills: 0 });
		return [];
	}

	#begin(folder: string, what: FolderWork, before: Pick<FolderPause, 'ms' | 'kills'>): void {
		const name = `${what} ${folder}`;
		let hasWorked = false;
		const process = this.#deps.begin(folder, what, (work) => {
			hasWorked = true;
			this.#ended = [work, ...this.#ended].slice(0, backgroundWorkLimits.shownEnded);
			this.#endedWork.fire(work);
		});
		this.#working.set(name, { folder, process, since: Date.now() });
		void process.ended.then((code) => {
			this.#working.delete(name);
			this.#pauses.delete(name);
			const kills = code === null && !hasWorked ? before.kills + 1 : 0;
			const isKilledOften = kills > backgroundWorkLimits.killsAtOnce;
			if (what === 'jobs' && (hasWorked || code === null) && !isKilledOften) {
				// Jobs may have come as it ended; one that was killed has lost its own, and the next goes on with it.
				if (kills > 0) this.#pauses.set(name, { until: 0, ms: before.ms, kills });
				if (!this.#stopping.signal.aborted) void this.#lookForJobs();
			} else if (!hasWorked) {
				// Another host was faster, or something is wrong: it is not tried again and again.
				const ms = Math.min(backgroundWorkLimits.longestPauseMs, before.ms * 2);
				this.#pauses.set(name, { until: Date.now() + ms, ms, kills });
			}
		});
	}
}
