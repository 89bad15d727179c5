/** Checks the number of a turn's writes to the disk, and that each step is on the disk before anything acts on it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readStoredItem } from '../../src/protocol/thread/stored-thread.ts';
import { Database } from '../../src/store/database.ts';
import { openMigratedDatabase } from '../../src/store/open-database.ts';
import { threadMigrations } from '../../src/store/threads/thread-migrations.ts';
import { tempDir } from '../support/temp-dir.ts';
import { MemoryHost } from './memory-host.ts';
import { call, scriptedModel, text } from './scripted-model.ts';
import { Transcript } from './transcript.ts';

const ROUNDS = 20;

class CountingDatabase extends Database {
	commits = 0;
	#depth = 0;

	override transaction<T>(...[durability, work]: Parameters<typeof Database.prototype.transaction<T>>): T {
		this.commits += this.#depth === 0 ? 1 : 0;
		this.#depth += 1;
		try {
			return super.transaction(durability, work);
		} finally {
			this.#depth -= 1;
		}
	}
}

function opened(): { readonly path: string; readonly database: CountingDatabase } {
	const path = join(tempDir(), 'threads.db');
	openMigratedDatabase(path, threadMigrations).db.dispose();
	const database = new CountingDatabase(path, { readOnly: false });
	database.exec('PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON');
	return { path, database };
}

describe('A turn', () => {
	/** Commits of a turn with so many rounds of calls. */
	async function commitsOf(rounds: number, callsPerRound: number): Promise<number> {
		const { database } = opened();
		const files = Object.fromEntries(Array.from({ length: rounds * callsPerRound }, (_, n) => [`${n}.ts`, `let a${n};`]));
		const names = Object.keys(files);
		const answers = Array.from({ length: rounds }, (_, round) =>
			names
				.slice(round * callsPerRound, (round + 1) * callsPerRound)
				.map((path) => call('fs_read', { path }, `call_${path}`)),
		);
		const model = scriptedModel([...answers, text('All is read.')]);
		const transcript = new Transcript({ model, host: new MemoryHost(files), database });
		try {
			const threadId = await transcript.create();
			database.commits = 0;
			await transcript.prompt(threadId, 'Read all');
			return database.commits;
		} finally {
			transcript.close();
		}
	}

	for (const calls of [1, 3]) {
		it(`takes two commits for a round with ${calls === 1 ? 'a call' : `${calls} calls`}`, async () => {
			const more = (await commitsOf(ROUNDS, calls)) - (await commitsOf(0, 0));
			// Beside them numbers of updates are reserved, and each second a trace is stored.
			assert.ok(more <= 2 * ROUNDS + 6, `${more} commits for ${ROUNDS} rounds`);
		});
	}

	it('has stored each call, and the answer that makes it, before the host is asked for it', async () => {
		const { path, database } = opened();
		const model = scriptedModel([
			[call('fs_read', { path: 'a.ts' }), call('fs_read', { path: 'b.ts' }, 'call_2')],
			[call('fs_write', { path: 'a.ts', content: 'x' }, 'call_3')],
			text('Done.'),
		]);
		// Another connection sees only what is committed.
		const seen = new Database(path, { readOnly: true });
		const asked: string[] = [];
		class WatchedHost extends MemoryHost {
			override perform(...[request, ...rest]: Parameters<MemoryHost['perform']>): ReturnType<MemoryHost['perform']> {
				const rows = seen.all<{ readonly body: string }>('SELECT * FROM items WHERE op_id = ?', request.opId);
				const answers = seen.get<{ readonly n: number }>(`SELECT count(*) AS n FROM messages WHERE body LIKE '%"assistant"%'`);
				const [row] = rows;
				const isTold = request.op.startsWith('fs.');
				if (isTold) {
					asked.push(`${request.op} ${row === undefined ? 'not stored' : itemStatus(row)}, ${answers?.n} answers`);
				}
				return super.perform(request, ...rest);
			}
		}
		const itemStatus = (row: object) => {
			const item = readStoredItem(row as never);
			return item.kind === 'tool' ? item.status : item.kind;
		};
		const transcript = new Transcript({ model, host: new WatchedHost({ 'a.ts': 'let a;', 'b.ts': 'let b;' }), database });
		try {
			const threadId = await transcript.create();
			await transcript.prompt(threadId, 'Do it');
		} finally {
			transcript.close();
			seen.dispose();
		}
		assert.deepEqual(
			asked.filter((line) => !line.includes('not stored, 0')),
			['fs.read pending, 1 answers', 'fs.read pending, 1 answers', 'fs.write pending, 2 answers'],
		);
	});

	it('has stored what a call came to before the model is asked again', async () => {
		const { path, database } = opened();
		const seen = new Database(path, { readOnly: true });
		const stored: string[] = [];
		const scripted = scriptedModel([[call('fs_read', { path: 'a.ts' })], text('Done.')]);
		const model = {
			...scripted,
			stream: (...asked: Parameters<typeof scripted.stream>) => {
				const rows = seen.all<{ readonly body: string }>('SELECT body FROM messages ORDER BY position');
				stored.push(rows.map(({ body }) => (JSON.parse(body) as { readonly role: string }).role).join(' '));
				return scripted.stream(...asked);
			},
		};
		const transcript = new Transcript({ model, host: new MemoryHost({ 'a.ts': 'let a;' }), database });
		try {
			await transcript.prompt(await transcript.create(), 'Do it');
		} finally {
			transcript.close();
			seen.dispose();
		}
		assert.deepEqual(stored, ['user', 'user assistant tool']);
	});
});
