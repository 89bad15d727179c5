import { join } from 'node:path';
import type { WorkPort } from '../../contract/ports/work-port.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import { processClaimHolder } from '../../store/threads/process-lease-holder.ts';
import { jobMigrations } from './job-migrations.ts';
import { JobStore } from './job-store.ts';
import { LocalWork } from './local-work.ts';

/**
 * Jobs that this home keeps. At most one keeper of a process takes any. `onProblem` is told of what a look could not do. Throws
 * STORAGE_UNAVAILABLE, or STORAGE_NEWER for a file of a newer version.
 */
export function openLocalWork(home: string, onProblem: (error: unknown) => void): WorkPort {
	const holder = processClaimHolder('cli', home);
	const store = new JobStore(openMigratedDatabase(join(home, 'work.db'), jobMigrations).db, holder);
	return new LocalWork({ store, onProblem, onEnd: () => holder.dispose() });
}
