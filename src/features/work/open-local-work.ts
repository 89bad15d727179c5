import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { WorkPort } from '../../contract/ports/work-port.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { Database } from '../../store/database.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import { StoreError } from '../../store/store-error.ts';
import { processClaimHolder } from '../../store/threads/process-lease-holder.ts';
import { jobMigrations } from './job-migrations.ts';
import { JobStore } from './job-store.ts';
import { LocalWork } from './local-work.ts';

/**
 * Jobs that this home keeps. At most one keeper of a process takes any. `onProblem` is told of what a look could not do. Throws
 * STORE_UNAVAILABLE, or STORE_NEWER for a file of a newer version.
 */
export function openLocalWork(home: string, onProblem: (error: unknown) => void): WorkPort {
	const holder = processClaimHolder('cli', home);
	const store = new JobStore(openJobs(join(home, 'work.db')), holder);
	return new LocalWork({ store, onProblem, onEnd: () => holder.dispose() });
}

/** Undefined: no job was ever added here. */
export function findLocalWork(home: string, onProblem: (error: unknown) => void): WorkPort | undefined {
	return existsSync(join(home, 'work.db')) ? openLocalWork(home, onProblem) : undefined;
}

/** The same file, for whoever only reads. */
export function findLocalJobs(home: string): Database | undefined {
	const file = join(home, 'work.db');
	return existsSync(file) ? openJobs(file) : undefined;
}

/** True when the jobs of a home are those of a team. */
export function isTeamJoined(home: string): boolean {
	return existsSync(teamRecordPath(home));
}

export function teamRecordPath(home: string): string {
	return join(home, 'team', 'team.json');
}

function openJobs(file: string): Database {
	try {
		return openMigratedDatabase(file, jobMigrations).db;
	} catch (error) {
		const code = error instanceof StoreError && error.code === 'newer' ? 'STORE_NEWER' : 'STORE_UNAVAILABLE';
		throw new ProwessError(code, `${file}: ${toErrorMessage(error)}`, { file }, error);
	}
}
