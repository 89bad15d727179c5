/** Where our files lie: on disks that cannot be written, below names that mean something to SQLite, with the older journal. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { useServedBases } from '../approvals/served-base.ts';
import { ServerUnderTest } from '../threads/server-under-test.ts';
import { specProgram } from '../../support/programs.ts';

const never = new AbortController().signal;
const program = specProgram(join(import.meta.dirname, '../../fixtures/processes/writes-in-workspace.ts'));

const NAMES = [
	'what#is 100%25 ü日本😀',
	"a'b;--$HOME%3f",
	'file%3Amemory&mode=memory',
	...(process.platform === 'win32' ? [] : ['a?mode=ro#x', 'file:x?vfs=none', '-wal']),
];

describe('a home', function () {
	this.timeout(60_000);
	const start = useServedBases();

	for (const name of NAMES) {
		it(`called ${name} holds what was done, and nothing lies beside it`, async () => {
			const root = tempDir('names');
			const [home, workspace] = [join(root, name, 'home'), join(root, name, 'workspace')];
			mkdirSync(home, { recursive: true, mode: 0o700 });
			mkdirSync(workspace);
			const first = await start({ home, workspace });
			assert.equal((await first.perform('fs.write', { path: `${name}.txt`, content: 'one\n' })).status, 'done');
			assert.equal((await first.perform('fs.read', { path: `${name}.txt` })).status, 'done');
			await first.base.close();
			const { base } = await start({ home, workspace });
			const { ok, rows } = await base.ledger.verify(never);
			assert.deepEqual([ok, rows], [true, 4]);
			assert.equal((await base.changes.list(first.threadId)).length, 1);
			assert.ok(existsSync(join(home, 'ledger.db')) && existsSync(join(home, 'checkpoints.db')));
			assert.deepEqual([readdirSync(root), readdirSync(join(root, name)).toSorted()], [[name], ['home', 'workspace']]);
		});
	}

	it('called by any name keeps threads', async () => {
		const home = join(tempDir('names'), NAMES[0] ?? '');
		mkdirSync(home, { mode: 0o700 });
		const model = await startModelServer(() => ({ text: 'Good.' }));
		const server = await ServerUnderTest.start({ home, host: new MemoryHost({}), modelUrl: model.baseUrl });
		try {
			const { id } = await server.peer.call(threadRequests.create, { modelId: 'test/scripted' }, never);
			await server.peer.call(threadRequests.prompt, { threadId: id, text: 'Hello you' }, never);
			await server.event(({ type }) => type === 'turn.end');
		} finally {
			await server.stop();
			await model.close();
		}
		const db = new DatabaseSync(join(home, 'threads.db'), { readOnly: true });
		assert.equal(db.prepare('SELECT count(*) AS threads FROM threads').get()?.['threads'], 1);
		db.close();
	});

	for (const [which, used] of [
		['that was used before', true],
		['that is empty', false],
	] as const) {
		it(`${which} and cannot be written lets nothing happen, and says why`, async function () {
			const [home, workspace] = [tempDir('home'), tempDir('workspace')];
			writeFileSync(join(workspace, 'a.txt'), 'old\n');
			if (used) {
				const before = await start({ home, workspace });
				assert.equal((await before.perform('fs.read', { path: 'a.txt' })).status, 'done');
				await before.base.close();
			}
			const run = readOnly(home);
			if (run === undefined) {
				// Root may write everywhere, and this one may not make a mount of its own.
				this.skip();
			}
			const outcomes = JSON.parse(run([process.execPath, '--no-warnings', program, home, workspace])) as {
				code?: string;
				message?: string;
			}[];
			assert.deepEqual(
				outcomes.map(({ code }) => code),
				['LEDGER_UNWRITABLE', 'LEDGER_UNWRITABLE'],
			);
			assert.match(
				outcomes[0]?.message ?? '',
				/the ledger does not answer: .*(?:readonly|read-only|unable to open|permitted|EACCES|EROFS)/,
			);
			assert.equal(readFileSync(join(workspace, 'a.txt'), 'utf8'), 'old\n');
		});
	}
});

/** Runs a program for which the folder cannot be written; undefined where that cannot be had. */
function readOnly(folder: string): ((argv: readonly string[]) => string) | undefined {
	const mount = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"';
	const apart = ['unshare', '--map-root-user', '--mount', 'sh', '-c', mount, 'sh', folder];
	const run = (argv: readonly string[]) => {
		const [file = '', ...rest] = argv;
		return execFileSync(file, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
	};
	try {
		run([...apart, 'true']);
		return (argv) => run([...apart, ...argv]);
	} catch {
		if (process.platform === 'win32' || process.getuid?.() === 0) return undefined;
	}
	return (argv) => {
		chmodSync(folder, 0o500);
		try {
			return run(argv);
		} finally {
			chmodSync(folder, 0o700);
		}
	};
}
