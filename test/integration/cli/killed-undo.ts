/**
 * Undo and restore of links, folders and files by hosts that are killed right before one of their steps on the disk, each in a
 * process of its own.
 */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '../../support/model-server.ts';
import { treeOf } from '../../support/tree-of.ts';
import { User } from './cli-process.ts';

/** What a command makes of the workspace: each kind of entry becomes another one, goes, comes or leads elsewhere. */
const CHANGES = `
	ln -sfn b.txt to-file; rm gone; ln -s src made
	rm to-folder; mkdir to-folder; echo x > to-folder/x.txt
	rm broken; echo whole > broken
	rm b.txt; ln -s a.txt b.txt
	rm -r private; ln -s src private; rmdir empty; echo file > empty
	mkdir -p new/deep; echo n > new/deep/n.txt; echo A > a.txt`;

/** Options of Node with which a host kills itself right before its n-th step in the workspace, from 1. */
function killedBefore(step: number): string {
	const code = `
		import fs from 'node:fs';
		import { syncBuiltinESMExports } from 'node:module';
		let left = ${step};
		for (const name of ['symlink', 'rename', 'unlink', 'rmdir', 'mkdir', 'link', 'chmod']) {
			const real = fs.promises[name];
			fs.promises[name] = async (...given) => {
				if (given.some((each) => String(each).startsWith('/proc/self/fd/')) && --left === 0) {
					process.kill(process.pid, 'SIGKILL');
				}
				return await real(...given);
			};
		}
		syncBuiltinESMExports();`;
	return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}

/**
 * Kills before each of these steps; stops at the first that is never reached. Resolves with the number of hosts that were killed.
 * Throws where the workspace is not whole after the next command.
 */
export async function killAtSteps(steps: Iterable<number>): Promise<number> {
	const user = new User();
	user.sets();
	const at = (name: string) => join(user.workspace, name);
	for (const name of ['a.txt', 'b.txt', 'src/c.ts', 'private/p.txt']) user.writes(name, `${name}\n`);
	for (const [name, target] of [
		['to-file', 'a.txt'],
		['to-folder', 'src'],
		['broken', '/nowhere/at/all'],
		['gone', 'b.txt'],
	] as const) {
		symlinkSync(target, at(name));
	}
	chmodSync(at('private'), 0o711);
	mkdirSync(at('empty'));
	const tree = () => treeOf(user.workspace);
	const before = tree();
	const input = { argv: ['sh', '-c', CHANGES] };
	const server = await startModelServer([{ toolCalls: [{ name: 'shell_run', input }] }, { text: 'Done.' }]);
	const ran = await user.prompts(server.baseUrl, 'Change it', ['--approve', 'full']).ended;
	assert.equal(ran.code, 0, ran.stderr);
	await server.close();
	const thread = (await user.runs(['thread', 'list'])).stdout.split(' ')[0] ?? '';
	const after = tree();
	let kills = 0;
	const isKilled = async (step: number, ...words: readonly string[]) => {
		const { signal, code, stderr } = await user.runsApart(words, { env: { NODE_OPTIONS: killedBefore(step) } });
		assert.ok(signal === 'SIGKILL' || code === 0, stderr);
		kills += signal === 'SIGKILL' ? 1 : 0;
		return signal === 'SIGKILL';
	};
	const succeeds = async (...words: readonly string[]) => {
		const { code, stderr } = await user.runs(words);
		assert.equal(code, 0, stderr);
	};
	for (const step of steps) {
		const shown = `killed before step ${step}`;
		const restoring = await isKilled(step, 'thread', 'restore', thread, '1', '--files', '--yes');
		await succeeds('change', 'list', thread);
		assert.deepEqual(tree(), before, `restore ${shown}`);
		const redoing = await isKilled(step, 'thread', 'redo', thread);
		await succeeds('change', 'list', thread);
		assert.deepEqual(tree(), after, `redo ${shown}`);
		if (!restoring && !redoing) break;
	}
	for (const step of steps) {
		if (!(await isKilled(step, 'change', 'undo', thread))) break;
		const listed = await user.runs(['change', 'list', thread]);
		// Between a folder and what takes its place there is nothing, as if the user had removed it: that needs to be insisted on.
		const goesOn = listed.stdout === '' ? 0 : (await user.runs(['change', 'undo', thread])).code;
		if (goesOn !== 0) await succeeds('change', 'undo', thread, '--force');
		assert.deepEqual(tree(), before, `undo killed before step ${step}`);
		await succeeds('thread', 'restore', thread, '1', '--files', '--yes');
		await succeeds('thread', 'redo', thread);
		assert.deepEqual(tree(), after);
	}
	return kills;
}
