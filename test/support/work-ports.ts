/** Both keepers of jobs, as hosts of their own have them: each `open` is another host. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { TestClock } from 'pg-boss';
import type { WorkPort } from '../../src/contract/ports/work-port.ts';
import { jobMigrations } from '../../src/features/work/job-migrations.ts';
import { JobStore } from '../../src/features/work/job-store.ts';
import { LocalWork } from '../../src/features/work/local-work.ts';
import { openMigratedDatabase } from '../../src/store/open-database.ts';
import { processClaimHolder } from '../../src/store/threads/process-lease-holder.ts';
import { openTeamWork } from '../../src/team/team-work.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { tempDir } from './temp-dir.ts';

export interface WorkPorts {
	open(): Promise<WorkPort>;
	/** A host whose time the spec drives. */
	openTimed(): Promise<{ readonly port: WorkPort; advance(ms: number): Promise<void> }>;
	/**
	 * A host in a process of its own, which takes jobs of the kind `held` and ends none until it is told that it has lost it.
	 * Then it says `lost`.
	 */
	startHolding(): Promise<ChildProcess>;
}

/** Where a host finds its jobs, for a process of its own. */
type WorkPlace = { readonly home: string } | { readonly url: string; readonly schema: string };

const holders: Record<string, ReturnType<typeof processClaimHolder>> = {};

export async function openWorkAt(
	place: WorkPlace,
	clock?: { readonly now: () => number } | TestClock,
): Promise<WorkPort> {
	// A database that is away is what specs want.
	const onProblem = () => {};
	if ('url' in place) {
		const timed = clock instanceof TestClock ? { clock } : {};
		return await openTeamWork({ ...place, mayMigrate: true, onProblem, lookMs: 50, ...timed });
	}
	// Hosts of a process share its holder: to another holder, a claim with its own process number is left over.
	const holder = (holders[place.home] ??= processClaimHolder('cli', place.home));
	const { db } = openMigratedDatabase(join(place.home, 'work.db'), jobMigrations);
	const store = new JobStore(db, { ...holder, now: clock?.now ?? holder.now });
	return new LocalWork({ store, onProblem, lookMs: 50 });
}

export function localWorkPorts(): WorkPorts {
	const place = { home: tempDir('home') };
	return {
		open: () => openWorkAt(place),
		async openTimed() {
			let ahead = 0;
			const port = await openWorkAt(place, { now: () => Date.now() + ahead });
			const advance = async (ms: number) => {
				ahead += ms;
			};
			return { port, advance };
		},
		startHolding: () => startHolding(place),
	};
}

let server: PostgresServer | undefined;
let schemas = 0;

/** Hosts on the server of the file, in a schema of their own. */
export function teamWorkPorts(): WorkPorts {
	const place = { url: teamServer().url, schema: `work_${++schemas}` };
	return {
		open: () => openWorkAt(place),
		async openTimed() {
			const clock = new TestClock(new Date());
			const port = await openWorkAt(place, clock);
			const advance = async (ms: number) => {
				// Each timer that is passed by fires once, as after a sleep, and not at each of its times.
				await clock.setTime(clock.now() + ms - 1);
				await clock.tick(1);
			};
			return { port, advance };
		},
		startHolding: () => startHolding(place),
	};
}

export async function startTeamServer(): Promise<void> {
	server = await startPostgres();
}

export function teamServer(): PostgresServer {
	return server ?? assert.fail('no PostgreSQL was started');
}

export async function stopTeamServer(): Promise<void> {
	await server?.stop();
	server = undefined;
}

async function startHolding(place: WorkPlace): Promise<ChildProcess> {
	const script = `
		const { openWorkAt } = await import(${JSON.stringify(import.meta.url)});
		const port = await openWorkAt(${JSON.stringify(place)});
		const offer = { kinds: ['held'], labels: [], mostAtOnce: 1, mostOfGroup: 1 };
		port.take(offer, async (job, signal) => {
			await new Promise((resolve) => signal.addEventListener('abort', resolve));
			process.stdout.write('lost ');
			return { state: 'done', result: 'of the first' };
		});
		process.stdout.write('open ');
	`;
	const args = ['--input-type=module', '-e', script];
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
	await once(child.stdout, 'data');
	return child;
}

/** The keeper of a team, as `keepsContract` takes it. */
export const teamKeeper = {
	title: 'Work of a team',
	setUp: teamWorkPorts,
	start: startTeamServer,
	stop: stopTeamServer,
} as const;
