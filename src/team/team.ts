/** The package of a team: everything that it exports. */
import { readFileSync } from 'node:fs';
import { type ConstructorOptions, PgBoss } from 'pg-boss';
import { orAborted } from '../base/time/bounded-wait.ts';
import { TEAM_PACKAGE_FORM, type TeamPackage, type TeamPart, type TeamView } from '../contract/ports/team-port.ts';
import type { JobState } from '../contract/ports/work-port.ts';
import { ProwessError } from '../protocol/errors/errors.ts';
import { followTeamJobs } from './follow-jobs.ts';
import { runInTransaction } from './job-data.ts';
import { teamLimits } from './limits.ts';
import { readTeamAddress } from './team-address.ts';
import { listTeamRights, teamGroups } from './team-rights.ts';
import { askDatabase, databaseWaits, openTeamWork, queueOptions, stopBoss } from './team-work.ts';

/** Everything of a team is in it. */
const TEAM_SCHEMA = 'prowess';
/** The owner's program alone changes it. */
const asOwner = { supervise: false, registerInstance: false } as const;
const asGuest = { ...asOwner, schedule: false, migrate: false, createSchema: false } as const;

const team: TeamPackage = {
	form: TEAM_PACKAGE_FORM,
	showAddress: (url) => readTeamAddress(url).shown,
	async makeTeam(url, signal) {
		await withDatabase(url, asOwner, signal, async (boss) => {
			await runInTransaction(boss, async (db) => {
				// Two may make the team at the same time: one waits for the other.
				await db.executeSql(`SELECT pg_advisory_xact_lock(hashtextextended('${TEAM_SCHEMA}', 0))`);
				await db.executeSql(listTeamRights(TEAM_SCHEMA, queueOptions));
			});
		});
	},
	async lookAtTeam(url, signal) {
		return await withDatabase(url, asGuest, signal, async (boss) => await viewTeam(boss));
	},
	async openWork({ url, as, onProblem }) {
		return await openTeamWork({ ...connectToTeam(url), schema: TEAM_SCHEMA, mayMigrate: false, as, onProblem });
	},
	followJobs: async (url, onNews) => await followTeamJobs({ ...connectToTeam(url), schema: TEAM_SCHEMA }, onNews),
};

// Names by which `require` of this package finds them.
export const { form, showAddress, makeTeam, lookAtTeam, openWork, followJobs } = team;

async function withDatabase<T>(
	url: string,
	options: ConstructorOptions,
	signal: AbortSignal,
	work: (boss: PgBoss) => Promise<T>,
): Promise<T> {
	signal.throwIfAborted();
	const { url: connectionString, ssl } = connectToTeam(url);
	const boss = new PgBoss({
		...options,
		connectionString,
		...(ssl !== undefined && { ssl }),
		schema: TEAM_SCHEMA,
		max: 1,
		...databaseWaits,
		openTelemetry: { enabled: false },
	});
	// A failure rejects; problems beside it end with this connection.
	boss.on('error', () => {});
	boss.on('warning', () => {});
	const asked = askDatabase(async () => {
		await boss.start();
		return await work(boss);
	});
	try {
		return await orAborted(asked, signal);
	} finally {
		await stopBoss(boss, () => {});
	}
}

/** Throws INVALID_PARAMS. */
function connectToTeam(text: string) {
	const { url, tls } = readTeamAddress(text);
	if (tls === false) {
		return { url, ssl: undefined };
	}
	const { rootsFile } = tls;
	try {
		const ca = rootsFile === undefined ? {} : { ca: readFileSync(rootsFile, 'utf8') };
		return { url, ssl: { rejectUnauthorized: true, ...ca } };
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
		throw new ProwessError('INVALID_PARAMS', `sslrootcert=${rootsFile}: the file cannot be read (${code})`);
	}
}

async function viewTeam(boss: PgBoss): Promise<TeamView> {
	const queryRows = async (text: string) => (await boss.getDb().executeSql(text)).rows as Record<string, unknown>[];
	const isPart = (part: TeamPart) => `pg_has_role(session_user, '${teamGroups[part]}', 'MEMBER') AS ${part}`;
	const [login = {}] = await queryRows(`SELECT session_user::text AS person, ${isPart('member')}, ${isPart('worker')}`);
	const [{ version } = {}] = await queryRows(`SELECT version FROM ${TEAM_SCHEMA}.version`);
	const counted = await queryRows(
		`SELECT CASE WHEN state = 'retry' AND data ? 'question' THEN 'parked' ELSE state::text END AS state, count(*)::int AS count
			FROM ${TEAM_SCHEMA}.job WHERE name LIKE 'work/%' GROUP BY 1`,
	);
	const workers = await queryRows(
		`SELECT host, pid, greatest(0, extract(epoch FROM now() - heartbeat_on) * 1000)::float8 AS silent
			FROM ${TEAM_SCHEMA}.instance WHERE stopped_on IS NULL ORDER BY heartbeat_on DESC LIMIT ${teamLimits.shownWorkers}`,
	);
	const sumStates = (...states: string[]) =>
		counted.reduce((sum, { state, count }) => (states.includes(String(state)) ? sum + Number(count) : sum), 0);
	const jobs: Record<JobState, number> = {
		waiting: sumStates('created', 'retry'),
		working: sumStates('active'),
		parked: sumStates('parked'),
		done: sumStates('completed'),
		failed: sumStates('failed'),
		cancelled: sumStates('cancelled'),
	};
	return {
		person: String(login['person']),
		parts: (['member', 'worker'] as const).filter((part) => login[part] === true),
		schemaVersion: Number(version),
		jobs,
		workers: workers.map(({ host, pid, silent }) => ({
			host: String(host),
			pid: Number(pid),
			silentMs: Math.round(Number(silent)),
		})),
	};
}
