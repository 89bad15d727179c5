/** News of jobs, as PostgreSQL tells them: whoever takes jobs need not ask for them again and again. */
import { type ConstructorOptions, PgBoss } from 'pg-boss';
import { raceTimeout } from '../base/time/bounded-wait.ts';
import type { JobFeed } from '../contract/ports/team-port.ts';
import { teamLimits } from './limits.ts';
import { askDatabase, databaseWaits, stopBoss } from './team-work.ts';

interface FollowedJobs {
	/** Address of the database, as PostgreSQL's own programs take it. */
	readonly url: string;
	readonly schema: string;
	/** Absent where nothing leaves this machine. */
	readonly ssl?: ConstructorOptions['ssl'];
}

/** Follows the jobs of a team, as its package promises. Queues of all kinds are one channel, which pg-boss names after the schema. */
export async function followTeamJobs({ url, schema, ssl }: FollowedJobs, onNews: () => void): Promise<JobFeed> {
	const boss = new PgBoss({
		connectionString: url,
		...(ssl !== undefined && { ssl }),
		schema,
		max: 1,
		...databaseWaits,
		migrate: false,
		createSchema: false,
		supervise: false,
		schedule: false,
		registerInstance: false,
		openTelemetry: { enabled: false },
	});
	// A connection that is lost comes back by itself, and what was missed counts as news.
	boss.on('error', () => {});
	boss.on('warning', () => {});
	const close = async (listening?: JobFeed) => {
		const closing = (listening?.close() ?? Promise.resolve()).catch(() => {}).then(() => stopBoss(boss, () => {}));
		await raceTimeout(closing, teamLimits.closeMs);
	};
	try {
		const listening = await askDatabase(async () => {
			await boss.start();
			const db = boss.getDb();
			const { rows } = await db.executeSql(
				`SELECT 'pgboss_' || left(encode(sha224('${schema}'::bytea), 'hex'), 24) AS channel`,
			);
			const [{ channel } = { channel: '' }] = rows as { readonly channel: string }[];
			let isConnectedBefore = false;
			const noteConnected = () => {
				if (isConnectedBefore) onNews();
				isConnectedBefore = true;
			};
			return await db.listen?.(channel, onNews, noteConnected);
		});
		return { close: () => close(listening) };
	} catch (error) {
		await close();
		throw error;
	}
}
