/** A way back to a message in a workspace of several folders: with the real server, and with hosts that have some of them. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTrustedBase } from '../../../src/host/compose.ts';
import type { TrustedBase } from '../../../src/host/trusted-base.ts';
import { brokerRequests } from '../../../src/protocol/turn/broker.ts';
import { ProwessError } from '../../../src/protocol/errors/errors.ts';
import { newId, type ThreadId, type TurnId } from '../../../src/protocol/rpc/ids.ts';
import type { Peer } from '../../../src/protocol/rpc/peer.ts';
import { inEnglish, type Text } from '../../../src/protocol/text/text.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { testHost } from '../../support/host-ports.ts';
import { linkedPeers } from '../../support/linked-peers.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { ServerUnderTest } from './server-under-test.ts';

const signal = new AbortController().signal;

describe('A way back in several folders', () => {
	const folders = { app: '', lib: '' };
	let home: string;
	let model: ModelServer;
	let server: ServerUnderTest;
	let threadId: ThreadId;
	let turns: TurnId[];
	let bases: TrustedBase[];

	beforeEach(async () => {
		[home, folders.app, folders.lib, bases] = [tempDir('home'), tempDir('app'), tempDir('lib'), []];
		writeFileSync(join(folders.app, 'a.txt'), 'app\n');
		writeFileSync(join(folders.lib, 'a.txt'), 'lib\n');
		model = await startModelServer(() => ({ text: 'Done.' }));
		server = await ServerUnderTest.startHere({ home, host: new MemoryHost({}), modelUrl: model.baseUrl });
		({ id: threadId } = await server.peer.call(threadRequests.create, {}, signal));
		turns = [];
		for (const text of ['First', 'Second']) {
			server.updates.length = 0;
			turns.push((await server.peer.call(threadRequests.prompt, { threadId, text }, signal)).turnId);
			await server.event(({ type }) => type === 'turn.end');
		}
		const base = await host(['app', 'lib']);
		await base.performs(0, 'fs.read', { path: 'app/a.txt' });
		await base.performs(0, 'fs.write', { path: 'app/a.txt', content: 'app, first\n' });
		await base.performs(1, 'fs.read', { path: 'lib/a.txt' });
		await base.performs(1, 'fs.write', { path: 'lib/a.txt', content: 'lib, second\n' });
		await base.performs(1, 'shell.run', { argv: ['sh', '-c', 'echo "app, second" > a.txt; echo > b.txt'], cwd: 'app' });
		await base.performs(1, 'fs.write', { path: 'lib/new/c.txt', content: 'c\n' });
		assert.deepEqual(texts(), ['app, second\n', '\n', 'lib, second\n', 'c\n']);
	});
	afterEach(async () => {
		await Promise.all(bases.map((base) => base.close()));
		await server.stop();
		await model.close();
	});

	/** With those folders open; `peer` is where its conversations are. */
	async function host(names: readonly (keyof typeof folders)[], peer: Pick<Peer, 'call'> = server.peer) {
		const { ports, log } = testHost({ home, approvalMode: 'full', server: () => Promise.resolve(peer as Peer) });
		const open = names.map((name) => ({ name, path: folders[name] }));
		const base = await createTrustedBase({ ...ports, workspace: { ...ports.workspace, folders: open } });
		bases.push(base);
		const { near, far } = linkedPeers();
		base.serveServer(near);
		base.beginThread(threadId);
		return {
			...{ base, log },
			async performs(turn: number, op: string, params: unknown) {
				const turnId = turns[turn] ?? newId('trn');
				const outcome = await far.call(
					brokerRequests.perform,
					{ opId: newId('op'), op, params, threadId, turnId },
					signal,
				);
				assert.equal(outcome.status, 'done', JSON.stringify(outcome));
			},
			restore: (turn: number, conversation = false) =>
				base.restores.restore(
					{ threadId, turnId: turns[turn] ?? newId('trn'), files: true, conversation, force: false },
					signal,
				),
		};
	}
	const texts = () =>
		[
			join(folders.app, 'a.txt'),
			join(folders.app, 'b.txt'),
			join(folders.lib, 'a.txt'),
			join(folders.lib, 'new/c.txt'),
		].map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined));
	const said = async () =>
		(await server.peer.call(threadRequests.open, { threadId }, signal)).items.flatMap((item) =>
			item.kind === 'user' ? [item.text] : [],
		);

	it('gives each file of each folder back as it was, and comes again', async () => {
		const { base, restore } = await host(['app', 'lib']);
		const shown = (await base.restores.preview(threadId, turns[1] ?? newId('trn'))).map(({ path, kind }) => [
			path,
			kind,
		]);
		assert.deepEqual(shown, [
			['app/a.txt', 'changes'],
			['app/b.txt', 'goes'],
			['lib/a.txt', 'changes'],
			['lib/new/c.txt', 'goes'],
		]);
		assert.equal((await restore(1, true)).restored, 4);
		assert.deepEqual([texts(), await said()], [['app, first\n', undefined, 'lib\n', undefined], ['First']]);
		assert.ok(!existsSync(join(folders.lib, 'new')));
		await base.restores.redo(threadId, signal);
		assert.deepEqual(texts(), ['app, second\n', '\n', 'lib, second\n', 'c\n']);
		await restore(0);
		assert.deepEqual(texts(), ['app\n', undefined, 'lib\n', undefined]);
	});

	it('leaves the files of a folder alone that is not open, and gives them back when it is', async () => {
		const some = await host(['app']);
		assert.equal((await some.restore(1)).restored, 2);
		assert.deepEqual(texts(), ['app, first\n', undefined, 'lib, second\n', 'c\n']);
		const all = await host(['lib', 'app']);
		assert.equal((await all.restore(1)).restored, 2);
		assert.deepEqual(texts(), ['app, first\n', undefined, 'lib\n', undefined]);
	});

	it('is not redone by half where a folder is not open: it says which file, and waits', async () => {
		const all = await host(['app', 'lib']);
		await all.restore(1, true);
		const some = await host(['app']);
		const gone = ['app, first\n', undefined, 'lib\n', undefined];
		await assert.rejects(some.base.restores.redo(threadId, signal), (error: ProwessError) => {
			assert.equal(error.code, 'PATH_OUTSIDE_WORKSPACE');
			const words = inEnglish(error.facts['said'] as Text);
			assert.match(words, /^Nothing was brought back: lib\/a\.txt is in a folder that is not open here\./);
			return true;
		});
		assert.deepEqual([texts(), await said()], [gone, ['First']]);
		assert.equal((await some.base.restores.last(threadId))?.files, 4);
		await all.base.restores.redo(threadId, signal);
		assert.deepEqual(
			[texts(), await said()],
			[
				['app, second\n', '\n', 'lib, second\n', 'c\n'],
				['First', 'Second'],
			],
		);
	});

	it('that broke off before the conversation moved waits for a host with all of its folders, which does the whole of it', async () => {
		const broken: Pick<Peer, 'call'> = {
			call: (def, params, within) =>
				def.method === threadRequests.rewind.method
					? Promise.reject(new ProwessError('SERVER_GONE', 'the server ended'))
					: server.peer.call(def, params, within),
		};
		await assert.rejects((await host(['app', 'lib'], broken)).restore(1, true), { code: 'SERVER_GONE' });
		const some = await host(['lib']);
		await some.base.changes.list(threadId);
		assert.deepEqual(
			[texts(), await said()],
			[
				['app, second\n', '\n', 'lib, second\n', 'c\n'],
				['First', 'Second'],
			],
		);
		const all = await host(['app', 'lib']);
		await all.base.changes.list(threadId);
		assert.deepEqual([texts(), await said()], [['app, first\n', undefined, 'lib\n', undefined], ['First']]);
		assert.ok(all.log.includes('info a restore that was interrupted is whole'));
	});
});
