/** Files that commands change by themselves, in the foreground, in the background and on the way from one to the other. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import type { SweptFiles } from '../../contract/ops/op-implementation.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import type { CommandState } from '../../protocol/ops/definitions/commands/shell.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import { ops } from '../../protocol/op-table/ops.ts';
import { WorkspaceSweeps } from '../../machine/sweep/workspace-sweeps.ts';

describe('what commands change', () => {
	const agent = { kind: 'agent', threadId: newId('thr'), turnId: newId('trn') } as const;
	const next = { ...agent, turnId: newId('trn') };
	let disk: WorkspaceOnDisk;
	let sweeps: WorkspaceSweeps;
	let kept: string[][];
	/** Turn that runs now. */
	let now: Caller;
	let turns: Caller[];

	beforeEach(async () => {
		[kept, turns, now] = [[], [], agent];
		sweeps = new WorkspaceSweeps({
			workerUrl: new URL('../../machine/sweep/worker.ts', import.meta.url),
			home: tempDir('home'),
			folders: () => [disk.root],
			keptBytes: () => 1_000_000,
			onFailed: (error) => assert.fail(String(error)),
		});
		disk = await workspaceOnDisk(
			{ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' },
			{
				sweeps,
				beforeImages: {
					keep: ({ absolutePath }) => Promise.resolve(sweeps.expect(absolutePath)),
					written: () => undefined,
					swept({ caller, files }: SweptFiles) {
						turns.push(caller);
						kept.push(files.map(({ path }) => path));
						return Promise.resolve();
					},
					callerNow: () => now,
					lastWritten: () => Promise.resolve(undefined),
					changedSince: () => Promise.resolve([]),
				},
			},
		);
	});
	afterEach(async () => {
		await disk.close();
		await sweeps.close();
	});

	const names = ({ changed = [] }: CommandState) => changed.map(({ path, kind }) => `${kind} ${path}`);
	const run = (code: string, more: { readonly background?: boolean } = {}, as: { emit?(): void } = {}) => {
		const opId = newId('op');
		const argv = [process.execPath, '-e', `const fs = require('fs'); ${code}`];
		return {
			opId,
			ended: disk.perform('shell.run', { argv, cwd: '.', background: false, ...more }, { opId, caller: agent, ...as }),
		};
	};
	const begun = `console.log('begun'); setInterval(() => {}, 1000);`;
	async function inBackground(code: string) {
		const { commandId } = await run(`${code}; ${begun}`, { background: true }).ended;
		const { output } = await disk.perform('shell.output', { commandId, waitMs: 10_000 }, { caller: agent });
		assert.equal(output, 'begun\n');
		return {
			output: () => disk.perform('shell.output', { commandId, waitMs: 0 }, { caller: agent }),
			stop: () => disk.perform('shell.stop', { commandId }, { caller: agent }),
		};
	}

	it('in the background is found when it ends, told once, and never counts what the agent or the user wrote meanwhile', async () => {
		const command = await inBackground(`fs.writeFileSync('a.txt', 'A'); fs.writeFileSync('new.txt', 'n')`);
		await disk.perform('fs.write', { path: 'made.txt', content: 'by the agent' }, { caller: agent });
		writeFileSync(join(disk.root, 'b.txt'), 'by the user');
		sweeps.expect(join(disk.root, 'b.txt'));
		assert.deepEqual(names(await command.output()), []);
		assert.deepEqual(names(await command.stop()), ['modified a.txt', 'created new.txt']);
		assert.deepEqual(names(await command.output()), []);
		assert.deepEqual(kept, [['a.txt', 'new.txt']]);
	});

	it('in the background is told apart from what a command beside it changes, and is kept before that one runs', async () => {
		const command = await inBackground(`fs.writeFileSync('a.txt', 'A')`);
		assert.deepEqual(names(await run(`fs.writeFileSync('b.txt', 'B')`).ended), ['modified b.txt']);
		assert.deepEqual(kept, [['a.txt'], ['b.txt']]);
		assert.deepEqual(names(await command.stop()), ['modified a.txt']);
	});

	it('belongs to the turn that ran when it was looked for', async () => {
		const command = await inBackground(`fs.writeFileSync('a.txt', 'A')`);
		const looked = sweeps.lookNow();
		now = next;
		await looked;
		writeFileSync(join(disk.root, 'c.txt'), 'later');
		await command.stop();
		assert.deepEqual(
			[kept, turns],
			[
				[['a.txt'], ['c.txt']],
				[agent, next],
			],
		);
	});

	it('until the user sends it to the background is in its result, and the rest is told when it has ended', async () => {
		const said = Promise.withResolvers<void>();
		const { opId, ended } = run(`fs.writeFileSync('a.txt', 'A'); ${begun}`, {}, { emit: () => said.resolve() });
		await said.promise;
		disk.deps.commands.continueInBackground(opId, agent.threadId);
		const state = await ended;
		assert.deepEqual([state.running, names(state)], [true, ['modified a.txt']]);
		writeFileSync(join(disk.root, 'c.txt'), 'later');
		const { commandId } = state;
		const stopped = await disk.perform('shell.stop', { commandId }, { caller: agent });
		assert.deepEqual([names(stopped), kept], [['modified c.txt'], [['a.txt'], ['c.txt']]]);
	});

	it('is said by its number where it is too much to be kept', async () => {
		const state = await run(`for (let i = 0; i < 2010; i++) fs.writeFileSync('f' + i, '')`).ended;
		assert.deepEqual([names(state), state.changedBeyond, kept], [[], 2010, [[]]]);
		assert.match(ops['shell.run'].present(state), /\[changed, or may have: 2010 files, too many to name or undo\]$/u);
	});

	it('in the background is kept when the host closes', async () => {
		await inBackground(`fs.writeFileSync('a.txt', 'A')`);
		await disk.close();
		await sweeps.close();
		assert.deepEqual(kept, [['a.txt']]);
	});
});
