/** A real PostgreSQL in a folder of its own, reached by a socket there: no port, no service, nothing of this machine's. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from './temp-dir.ts';
import { waitFor } from './wait-for.ts';

export interface PostgresServer {
	/** Address of its database, for the superuser. */
	readonly url: string;
	/** Ends it as a power cut would: nothing is written any more. */
	kill(): Promise<void>;
	start(): Promise<void>;
	stop(): Promise<void>;
}

/** On Debian and elsewhere: PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

export async function startPostgres(): Promise<PostgresServer> {
	const bin = process.env['PROWESS_POSTGRES'] ?? '';
	if (!existsSync(join(bin, 'initdb'))) {
		throw new Error(`PROWESS_POSTGRES is "${bin}", where no initdb is; \`npm test\` sets it`);
	}
	const isRoot = process.getuid?.() === 0;
	// The temporary folder of a run is its user's alone.
	const root = isRoot ? mkdtempSync('/tmp/prowess-pg-') : tempDir('pg');
	const data = join(root, 'data');
	mkdirSync(data, { mode: 0o700 });
	const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
	if (isRoot) {
		chownSync(root, NOBODY, NOBODY);
		chownSync(data, NOBODY, NOBODY);
	}
	const options = { cwd: root, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC', HOME: root }, ...as };
	const args = ['-D', data, '-U', 'owner', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C'];
	const made = spawnSync(join(bin, 'initdb'), args, { ...options, encoding: 'utf8' });
	if (made.status !== 0) {
		rmSync(root, { recursive: true, force: true });
		throw new Error(`initdb failed: ${made.stderr}${made.error?.message ?? ''}`);
	}
	let child: ChildProcess | undefined;
	const end = async (signal: NodeJS.Signals) => {
		if (child?.exitCode === null && child.signalCode === null) {
			child.kill(signal);
			await once(child, 'exit');
		}
	};
	const start = async () => {
		// Words of this start alone: parts of a killed server may still tell of its end.
		let said = '';
		const settings = ['listen_addresses=', `unix_socket_directories=${root}`, 'fsync=off', 'max_connections=60'];
		const given = ['-D', data, ...settings.flatMap((each) => ['-c', each])];
		child = spawn(join(bin, 'postgres'), given, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
		child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
		await waitFor('PostgreSQL', () => /database system is ready/.test(said) || failed(said));
	};
	const failed = (text: string) => {
		if (/FATAL: {2}(?!the database system is)/.test(text)) {
			throw new Error(text);
		}
		return false;
	};
	await start();
	return {
		url: `postgres://owner@/postgres?host=${encodeURIComponent(root)}`,
		start,
		kill: () => end('SIGKILL'),
		async stop() {
			// "Fast": clients are sent away.
			await end('SIGINT');
			rmSync(root, { recursive: true, force: true });
		},
	};
}
