/** Another process that holds the files of our home, and one that dies while it changes their shape. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isProwessError } from '../../../src/protocol/errors/errors.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { openMigratedDatabase } from '../../../src/store/open-database.ts';
import { threadMigrations } from '../../../src/store/threads/thread-migrations.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { useServedBases } from '../approvals/served-base.ts';
import { ServerUnderTest } from './server-under-test.ts';
import { specProgram } from '../../support/programs.ts';

const programs = join(import.meta.dirname, '../../fixtures/processes');
const signal = new AbortController().signal;
const limitMs = 120_000;

function run(program: string, ...words: string[]): ChildProcess {
	return spawn(process.execPath, ['--no-warnings', specProgram(join(programs, program)), ...words], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
}

/** Resolves when the file is locked. */
async function lock(path: string): Promise<ChildProcess> {
	const holder = run('holds-a-lock.ts', path);
	if (holder.stdout !== null) {
		await once(holder.stdout, 'data');
	}
	return holder;
}

async function kill(holder: ChildProcess): Promise<void> {
	const exited = once(holder, 'exit');
	holder.kill('SIGKILL');
	await exited;
}

describe('A store that another process holds', function () {
	this.timeout(limitMs);
	const start = useServedBases();
	let model: ModelServer;
	let server: ServerUnderTest | undefined;
	afterEach(async () => {
		await server?.stop();
		server = undefined;
		await model?.close();
	});

	async function serverAt(home: string) {
		model = await startModelServer(() => ({ text: 'Good.' }));
		const started = await ServerUnderTest.start({ home, host: new MemoryHost({}), modelUrl: model.baseUrl });
		server = started;
		const { id } = await started.peer.call(threadRequests.create, { modelId: 'test/scripted' }, signal);
		const prompt = () => started.peer.call(threadRequests.prompt, { threadId: id, text: 'Hello you' }, signal);
		return { started, prompt, id };
	}

	it('is waited for, and used when that process is killed (R-44)', async () => {
		const home = tempDir('home');
		const { started, prompt } = await serverAt(home);
		const holder = await lock(join(home, 'threads.db'));
		const prompted = prompt();
		// The server stands in its wait now, or is about to.
		await kill(holder);
		await prompted;
		const end = await started.event(({ type }) => type === 'turn.end');
		assert.equal(end.type === 'turn.end' && end.outcome, 'done');
	});

	it('for too long is said by name, and nothing of the turn is left behind (R-44)', async () => {
		const home = tempDir('home');
		const { started, prompt, id } = await serverAt(home);
		const holder = await lock(join(home, 'threads.db'));
		await assert.rejects(
			prompt(),
			(error) => isProwessError(error) && error.code === 'STORE_UNAVAILABLE' && /locked/.test(error.message),
		);
		await kill(holder);
		assert.deepEqual((await started.peer.call(threadRequests.open, { threadId: id }, signal)).items, []);
		await prompt();
		const end = await started.event(({ type }) => type === 'turn.end');
		assert.equal(end.type === 'turn.end' && end.outcome, 'done');
	});

	it('ends no turn whose lease it keeps from being renewed', async () => {
		const home = tempDir('home');
		model = await startModelServer([{ chunks: ['Wait'], then: 'stall' }]);
		const started = await ServerUnderTest.start({ home, host: new MemoryHost({}), modelUrl: model.baseUrl });
		server = started;
		const { id } = await started.peer.call(threadRequests.create, { modelId: 'test/scripted' }, signal);
		await started.peer.call(threadRequests.prompt, { threadId: id, text: 'Work' }, signal);
		await started.event(({ type }) => type === 'item.delta');
		// Opening a thread stores what streams, so nothing else waits to be stored.
		await started.peer.call(threadRequests.open, { threadId: id }, signal);
		const holder = await lock(join(home, 'threads.db'));
		const isTold = () => started.logged.some((line) => line.startsWith('warn the lease of a thread was not renewed'));
		await waitFor('a renewal that was refused', isTold, limitMs);
		await kill(holder);
		const { items } = await started.peer.call(threadRequests.open, { threadId: id }, signal);
		assert.deepEqual(
			items.map(({ kind }) => kind),
			['user', 'text'],
		);
		await started.peer.call(threadRequests.stop, { threadId: id }, signal);
		const end = await started.event(({ type }) => type === 'turn.end');
		assert.deepEqual(end.type === 'turn.end' && [end.outcome, end.error], ['stopped', undefined]);
	});

	it('is waited for by an op whose intent must be in the ledger first (R-44, R-49)', async () => {
		const { perform, base, host } = await start({ files: { 'a.txt': 'one\n' } });
		assert.equal((await perform('fs.read', { path: 'a.txt' })).status, 'done');
		const holder = await lock(join(host.home, 'ledger.db'));
		const read = perform('fs.read', { path: 'a.txt' });
		await kill(holder);
		assert.equal((await read).status, 'done');
		assert.equal((await base.ledger.verify(signal)).ok, true);
	});
});

describe('A migration whose process is killed', function () {
	this.timeout(limitMs);

	it('at any of its steps leaves the old shape or the new one (R-47)', async () => {
		let steps = 0;
		for (let dieAt = 1; ; dieAt += stride(dieAt)) {
			const path = join(tempDir('migration'), 'threads.db');
			const child = run('dies-in-migration.ts', path, String(dieAt));
			const [code] = (await once(child, 'exit')) as [number | null];
			if (code === 0) {
				break;
			}
			assert.equal(child.signalCode, 'SIGKILL');
			steps += 1;
			const { db, putAside } = openMigratedDatabase(path, threadMigrations);
			assert.equal(putAside, undefined, `killed at action ${dieAt}`);
			assert.equal(db.get<{ integrity_check: string }>('PRAGMA integrity_check')?.integrity_check, 'ok');
			db.run(
				"INSERT INTO threads (id, title, mode, created_at, updated_at) VALUES ('thr_1', 'x', 'agent', 'now', 'now')",
			);
			db.dispose();
		}
		assert.ok(steps > 10, String(steps));
	});
});

/**
 * Returns the step to the next action to test. SQLite performs hundreds of actions for a migration: the first ones are
 * tested each, later ones ever more sparsely.
 */
function stride(at: number): number {
	return Math.max(1, Math.floor(at / 4));
}
