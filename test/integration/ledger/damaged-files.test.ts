/** Databases that a disk, a crash or another program has damaged. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { User } from '../cli/cli-process.ts';
import { openDamagedFiles } from './damaged-files.ts';
import { ledgerSalvage } from '../threads/kept-databases.ts';
import { useServedBases } from '../approvals/served-base.ts';
import { ServerUnderTest } from '../threads/server-under-test.ts';

/** A sample; `npm run soak` has the long run. */
const files = 200;
const limitMs = 120_000;
const never = new AbortController().signal;

describe('A damaged database', function () {
	this.timeout(limitMs);
	const start = useServedBases();

	it(`is kept as it was found, and does not keep us from working: ${files} of them (R-45)`, () => {
		const { putAside } = openDamagedFiles(files, 20_261_121);
		// Neither is every change taken for damage, nor none.
		assert.ok(putAside > files / 10 && putAside < files, String(putAside));
		// Some were empty or text; of the others most rows are still there.
		assert.ok(ledgerSalvage.rows > ledgerSalvage.files * 150, JSON.stringify(ledgerSalvage));
	});

	it('of which one message is lost shows the rest of the thread, and the thread goes on (R-45)', async () => {
		const home = tempDir('home');
		const model = await startModelServer(() => ({ text: 'Good.' }));
		const options = { home, host: new MemoryHost({}), modelUrl: model.baseUrl };
		const first = await ServerUnderTest.start(options);
		const { id } = await first.peer.call(threadRequests.create, { modelId: 'test/scripted' }, never);
		const prompt = async (server: ServerUnderTest, text: string) => {
			await server.peer.call(threadRequests.prompt, { threadId: id, text }, never);
			await server.event((event) => event.type === 'turn.end' && event.outcome === 'done');
		};
		await prompt(first, 'Explain this');
		await first.stop();
		const db = new DatabaseSync(join(home, 'threads.db'));
		db.exec(`UPDATE items SET body = replace(body, '{', 'x') WHERE position = 1;
			UPDATE messages SET body = replace(body, '{', 'x') WHERE position = 1; UPDATE threads SET todos = '[', usage = '{'`);
		db.close();

		const second = await ServerUnderTest.start(options);
		const { items } = await second.peer.call(threadRequests.open, { threadId: id }, never);
		assert.deepEqual(
			items.map((item) => item.kind),
			['user', 'notice'],
		);
		assert.ok(items[1]?.kind === 'notice' && /damaged/.test(items[1].text));
		await prompt(second, 'Explain that');
		const sent = model.requests.at(-1)?.text ?? '';
		assert.ok(sent.includes('Explain this') && sent.includes('is damaged') && sent.includes('Explain that'));
		await second.stop();
		await model.close();
	});

	it('is named to whoever works in the terminal, and the turn goes on (R-45)', async () => {
		const user = new User();
		const junk = 'nothing of ours '.repeat(500);
		const names = ['threads.db', 'ledger.db', 'checkpoints.db'];
		mkdirSync(user.home, { recursive: true });
		for (const name of names) {
			writeFileSync(join(user.home, name), junk);
		}
		const model = await startModelServer([
			{ toolCalls: [{ name: 'fs_write', input: { path: 'a.txt', content: 'one\n' } }] },
			{ text: 'Good.' },
		]);
		const { code, stderr } = await user.prompts(model.baseUrl, 'x', ['--approve', 'auto']).ended;
		await model.close();
		assert.equal(code, 0, stderr);
		assert.equal(readFileSync(join(user.workspace, 'a.txt'), 'utf8'), 'one\n');
		for (const name of names) {
			const [kept = ''] = readdirSync(user.home).filter((each) => each.startsWith(`${name}.damaged-`));
			assert.equal(readFileSync(join(user.home, kept), 'utf8'), junk);
			assert.ok(stderr.includes(kept), `${name}: ${stderr}`);
		}
	});

	it('fails ledger verify and the doctor until the user acknowledges it, with the rows that were saved (R-45)', async () => {
		const user = new User();
		const model = await startModelServer([
			{ toolCalls: [{ name: 'fs_write', input: { path: 'a.txt', content: 'one\n' } }] },
			{ text: 'Good.' },
		]);
		assert.equal((await user.prompts(model.baseUrl, 'x', ['--approve', 'auto']).ended).code, 0);
		await model.close();
		const path = join(user.home, 'ledger.db');
		writeFileSync(path, readFileSync(path).fill(0, 0, 100));
		for (let time = 0; time < 2; time += 1) {
			const { code, stdout } = await user.runs(['ledger', 'verify']);
			assert.equal(code, 1, stdout);
			assert.match(stdout, / 0 rows cannot be read, \d+ were saved.*\n.*prowess ledger acknowledge\nBROKEN/);
		}
		const doctor = await user.runs(['doctor']);
		assert.match(doctor.stdout, /FAILED {3}Ledger .* 0 rows cannot be read/);
		assert.match((await user.runs(['ledger', 'list', '--op', 'fs.write'])).stdout, /a\.txt/);
		assert.match((await user.runs(['ledger', 'acknowledge'])).stdout, /^acknowledged: the ledger was damaged/);
		const { code, stdout } = await user.runs(['ledger', 'verify']);
		assert.equal(code, 0, stdout);
		assert.match(stdout, /^intact/);
		assert.equal(readdirSync(user.home).filter((each) => /^ledger\.db\.damaged-.*Z$/.test(each)).length, 1);
	});

	it('of which one thread makes no sense lists, shows and deletes all of them', async () => {
		const user = new User();
		const model = await startModelServer([{ text: 'Good.' }, { text: 'Better.' }]);
		for (const prompt of ['first', 'second']) {
			assert.equal((await user.prompts(model.baseUrl, prompt).ended).code, 0);
		}
		await model.close();
		const db = new DatabaseSync(join(user.home, 'threads.db'));
		const { id } = db.prepare("SELECT id FROM threads WHERE title = 'first'").get() as { id: string };
		db.prepare("UPDATE threads SET mode = 'magic', seq = 9223372036854775807 WHERE id = ?").run(id);
		db.prepare("UPDATE threads SET lease_owner = 'elsewhere/1/x', lease_expires = ? WHERE id = ?").run(
			4_102_444_800_000,
			id,
		);
		db.prepare("UPDATE items SET body = 'null' WHERE turn_id IN (SELECT id FROM turns WHERE thread_id = ?)").run(id);
		db.close();

		const listed = await user.runs(['thread', 'list']);
		assert.deepEqual([listed.code, listed.stdout.split('\n').length], [0, 3], listed.stderr);
		const shown = await user.runs(['thread', 'show', id]);
		assert.equal(shown.code, 0, shown.stderr);
		assert.match(shown.stdout, /damaged on the disk/);
		const deleted = await user.runs(['thread', 'delete', id]);
		assert.equal(deleted.code, 0, deleted.stderr);
	});

	it('that a later version wrote are left as they are, with the way out', async () => {
		const user = new User();
		mkdirSync(user.home, { recursive: true });
		const path = join(user.home, 'ledger.db');
		const db = new DatabaseSync(path);
		db.exec('CREATE TABLE rows (later TEXT); PRAGMA user_version = 7');
		db.close();
		const before = readFileSync(path);
		const model = await startModelServer([
			{ toolCalls: [{ name: 'fs_write', input: { path: 'a.txt', content: 'one\n' } }] },
			{ text: 'Not done.' },
		]);
		const { stderr } = await user.prompts(model.baseUrl, 'x', ['--approve', 'auto']).ended;
		await model.close();
		assert.match(stderr, /ledger\.db was written by a later version \(schema 7, known 3\): update Prowess/);
		assert.deepEqual([existsSync(join(user.workspace, 'a.txt')), readFileSync(path).equals(before)], [false, true]);
		assert.deepEqual(
			readdirSync(user.home).filter((each) => each.includes('.damaged-')),
			[],
		);

		const trust = '{"version": 99, "folders": [], "more": true}';
		writeFileSync(join(user.home, 'trust.json'), trust);
		const refused = await user.runs(['run', 'x', '--trust']);
		assert.equal(refused.code, 1);
		assert.match(
			refused.stderr,
			/^prowess: A newer version of Prowess has written \S+trust\.json\. \(STORE_NEWER\)\n[^]*Update this one/,
		);
		assert.doesNotMatch(refused.stderr, /conversations/);
		assert.equal(readFileSync(join(user.home, 'trust.json'), 'utf8'), trust);
	});

	it('that has lost the text before a change does not take the file for one that the thread made (R-45)', async () => {
		const { perform, base, host, threadId } = await start({ files: { 'a.txt': 'one\n' } });
		await perform('fs.read', { path: 'a.txt' });
		assert.equal((await perform('fs.write', { path: 'a.txt', content: 'two\n' })).status, 'done');
		// Damages only the stored texts; the state the turn has left is recorded beside them, as a hash.
		const db = new DatabaseSync(join(host.home, 'checkpoints.db'), { timeout: 5_000 });
		db.exec("UPDATE texts SET text = 'another text'");
		db.close();

		const [change] = await base.changes.list(threadId);
		assert.deepEqual([change?.path, change?.kind], ['a.txt', 'modified']);
		await assert.rejects(base.changes.before(threadId, 'a.txt'), { code: 'STORE_UNAVAILABLE' });
		await assert.rejects(base.changes.undo(threadId, undefined, true, never), { code: 'STORE_UNAVAILABLE' });
		assert.ok(existsSync(join(host.workspace, 'a.txt')));
		assert.deepEqual((await base.changes.keep(threadId, undefined)).changes, []);
	});
});
