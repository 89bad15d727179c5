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

/** Changes that a command makes: each kind of entry becomes another one, goes, comes or leads elsewhere. */
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

/** A workspace in which a thread's command has changed all kinds of entries. */
async function changedWorkspace() {
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
	return {
		...{ tree, before, after: tree() },
		/** Runs the command, and kills its host before that step; false: it was not reached. */
		async isKilled(step: number, ...words: readonly string[]) {
			const env = { NODE_OPTIONS: killedBefore(step) };
			const { signal, code, stderr } = await user.runsApart(words.with(2, thread), { env });
			assert.ok(signal === 'SIGKILL' || code === 0, `${words.join(' ')} before step ${step}: ${stderr}`);
			return signal === 'SIGKILL';
		},
		runs: async (...words: readonly string[]) => await user.runs(words.with(2, thread)),
	};
}

const THREAD = 'of the thread';

/**
 * Kills a restore and its redo before each of these steps, until one is never reached. Resolves with the number of hosts that were
 * killed. Throws where the workspace is not whole after the next command.
 */
export async function killRestores(steps: Iterable<number>): Promise<number> {
	const { isKilled, runs, tree, before, after } = await changedWorkspace();
	let kills = 0;
	for (const step of steps) {
		const isRestoreKilled = await isKilled(step, 'thread', 'restore', THREAD, '1', '--files', '--yes');
		assert.equal((await runs('change', 'list', THREAD)).code, 0);
		assert.deepEqual(tree(), before, `restore killed before step ${step}`);
		const isRedoKilled = await isKilled(step, 'thread', 'redo', THREAD);
		assert.equal((await runs('change', 'list', THREAD)).code, 0);
		assert.deepEqual(tree(), after, `redo killed before step ${step}`);
		kills += Number(isRestoreKilled) + Number(isRedoKilled);
		if (!isRestoreKilled && !isRedoKilled) break;
	}
	return kills;
}

function countTemporaries(tree: Readonly<Record<string, string>>): number {
	return Object.keys(tree).filter((path) => path.endsWith('.tmp')).length;
}

/** The same of an undo, which the user begins again. `leftovers`: names that killed hosts left, gone after the next start. */
export async function killUndos(steps: Iterable<number>): Promise<{ kills: number; leftovers: number }> {
	let [kills, leftovers] = [0, 0];
	for (const step of steps) {
		const { isKilled, runs, tree, before } = await changedWorkspace();
		// Insists, for on a busy machine nothing may show that the changes are those of the command.
		if (!(await isKilled(step, 'change', 'undo', THREAD, '--force'))) break;
		kills += 1;
		leftovers += countTemporaries(tree());
		const isLeft = (await runs('change', 'list', THREAD)).stdout !== '';
		assert.equal(countTemporaries(tree()), 0, `undo killed before step ${step}`);
		// Between a folder and what takes its place there is nothing, as if the user had removed it: that needs to be insisted on.
		const again = isLeft ? await runs('change', 'undo', THREAD) : undefined;
		const forced = (again?.code ?? 0) === 0 ? undefined : await runs('change', 'undo', THREAD, '--force');
		const shown = [again?.stderr, forced?.stderr].join('');
		assert.deepEqual(tree(), before, `undo killed before step ${step}: ${shown}`);
	}
	return { kills, leftovers };
}
