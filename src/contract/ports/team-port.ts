/** Agreement between the command line and the package of a team (`src/team`). */
import type { JobState, WorkPort } from './work-port.ts';

/** Form of this agreement: a package that says another one is not loaded. */
export const TEAM_PACKAGE_FORM = 1;

/** `member`: adds jobs and answers about its own. `worker`: carries jobs out. */
export type TeamPart = 'member' | 'worker';

interface TeamProcess {
	readonly host: string;
	readonly pid: number;
	/** Time since its last sign of life, by the clock of the database. */
	readonly silentMs: number;
}

export interface TeamView {
	/** Name that the database knows this login by. */
	readonly person: string;
	readonly parts: readonly TeamPart[];
	/** Version of what the team keeps its jobs in. */
	readonly schemaVersion: number;
	readonly jobs: Readonly<Record<JobState, number>>;
	/** Processes that take jobs, the latest heard of first. */
	readonly workers: readonly TeamProcess[];
}

/** All that a package of a team exports. Errors of it are ours by name, not by class. */
export interface TeamPackage {
	readonly form: typeof TEAM_PACKAGE_FORM;
	/**
	 * The address without its password. Throws INVALID_PARAMS for what is no address, and for one on another machine that TLS
	 * would not protect.
	 */
	showAddress(url: string): string;
	/** Makes schema, roles and rights, or brings them to this version; doing it again changes nothing. Rejects with REQUEST_FAILED. */
	makeTeam(url: string, signal: AbortSignal): Promise<void>;
	/** Rejects with REQUEST_FAILED when the database cannot be reached, or the login may not look at the team. */
	lookAtTeam(url: string, signal: AbortSignal): Promise<TeamView>;
	/** `onProblem` is told of what the connection could not do; it goes on by itself. */
	openWork(place: {
		readonly url: string;
		readonly as: TeamPart;
		readonly onProblem: (error: unknown) => void;
	}): Promise<WorkPort>;
	/**
	 * Calls `onNews` when a job may be there to take: one was added, answered or given back, or news may have been missed. Holds one
	 * connection, also again after it was lost. Rejects with REQUEST_FAILED when the database cannot be reached.
	 */
	followJobs(url: string, onNews: () => void): Promise<JobFeed>;
}

export interface JobFeed {
	/** Ends the connection and all news, within a bounded time. Never rejects. */
	close(): Promise<void>;
}
