/** Threads whose worktree is damaged, in a host with the real ledger, files and gate. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import { turnHookRequests } from '../../../src/protocol/turn/turn-hooks.ts';
import { why } from '../agents/agent-scene.ts';
import { useServedBases } from '../approvals/served-base.ts';

const never = new AbortController().signal;

describe('A thread whose worktree is damaged', function () {
	this.timeout(60_000);
	const serve = useServedBases();

	/** A thread that works in the worktree `w`. */
	async function begin() {
		const scene = await serve();
		const { base, host, threadId } = scene;
		(await base.worktrees.open({ name: 'w', from: undefined }, never)).dispose();
		await base.worktrees.noteThread('w', threadId, never);
		const all = join(host.home, 'worktrees');
		const records = join(all, readdirSync(all)[0] ?? '');
		const has = (path: string) => existsSync(join(host.workspace, path));
		const write = (path: string) => scene.perform('fs.write', { path, content: 'x' });
		return { ...scene, record: join(records, 'w.json'), tree: join(records, 'w'), has, write };
	}
	const changeState = (record: string, state: string) =>
		writeFileSync(record, JSON.stringify({ ...(JSON.parse(readFileSync(record, 'utf8')) as object), state }));

	for (const [what, damage] of [
		['cannot be read', (record: string) => writeFileSync(record, '{"version": 1')],
		['is no record', (record: string) => writeFileSync(record, 'null')],
		['is missing', (record: string) => rmSync(record)],
		['says that it is half made', (record: string) => changeState(record, 'making')],
		['says that it is half removed', (record: string) => changeState(record, 'leaving')],
	] as const) {
		it(`does nothing in the folder when the record ${what}`, async () => {
			const { record, has, write, perform, performFor, base, threadId } = await begin();
			damage(record);
			assert.match(why(await write('n.txt')), /the worktree w of this thread is damaged/);
			assert.match(why(await perform('shell.run', { argv: ['touch', 'n.txt'] })), /is damaged/);
			const caller = { kind: 'agent', threadId, turnId: newId('trn') } as const;
			const asked = { opId: newId('op'), op: 'fs.write', params: { path: 'n.txt', content: 'x' } };
			const origin = { caller, onProgress: () => {}, isNewId: true } as const;
			assert.match(why(await base.perform(asked, origin, never)), /is damaged/);
			assert.equal(has('n.txt'), false);
			assert.equal((await performFor(newId('thr'), 'fs.write', { path: 'other.txt', content: 'x' })).status, 'done');
			assert.equal(has('other.txt'), true);
		});
	}

	it('goes on in the folder once the worktree is discarded, and can be deleted before', async () => {
		const { record, has, write, base } = await begin();
		const other = newId('thr');
		await base.worktrees.noteThread('w', other, never);
		writeFileSync(record, '');
		await base.endThread(other);
		assert.match(why(await write('n.txt')), /is damaged/);
		await base.worktrees.discard('w', never);
		assert.equal(why(await write('n.txt')), 'done');
		assert.equal(has('n.txt'), true);
	});

	it('rests, and has its history shortened, without a hook', async () => {
		const { record, far, threadId, turnId } = await begin();
		writeFileSync(record, '');
		const resting = { threadId, turnId, isAgain: false, text: 'The worktree is damaged.' };
		assert.deepEqual(await far.call(turnHookRequests.resting, resting, never), { again: null });
		const compacting = { threadId, trigger: 'manual', keep: '' } as const;
		assert.deepEqual(await far.call(turnHookRequests.compacting, compacting, never), {});
	});

	it('stays in its worktree after many others have worked there', async () => {
		const { base, tree, has, write } = await begin();
		for (let nth = 0; nth < 101; nth += 1) await base.worktrees.noteThread('w', newId('thr'), never);
		assert.equal(why(await write('n.txt')), 'done');
		assert.deepEqual([has('n.txt'), existsSync(join(tree, 'n.txt'))], [false, true]);
	});
});
