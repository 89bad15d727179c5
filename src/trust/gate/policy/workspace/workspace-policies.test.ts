import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '../../../../../test/support/temp-dir.ts';
import { WorkspacePaths } from '../../../../machine/paths/workspace-paths.ts';
import { WorkspacePolicies } from './workspace-policies.ts';

const never = new AbortController().signal;

async function policies(files: Readonly<Record<string, string>>, isTrusted = true) {
	const root = tempDir('workspace');
	const folders = Object.keys(files).map((name) => ({ name, path: join(root, name) }));
	const write = async (name: string, text: string) => {
		await mkdir(join(root, name, '.prowess'), { recursive: true });
		await writeFile(join(root, name, '.prowess/policy.yaml'), text);
	};
	for (const [name, text] of Object.entries(files)) await write(name, text);
	const log: string[] = [];
	const workspace = { folders, isTrusted };
	const all = new WorkspacePolicies(workspace, new WorkspacePaths(workspace), { warn: (line) => void log.push(line) });
	const denied = async () => {
		await all.refresh(never);
		return all.current.deny.map(({ text, folder }) => (folder === undefined ? text : `${folder}: ${text}`));
	};
	return { all, root, write, log, denied };
}

describe('the policies of a workspace', () => {
	it('are read again when the file has changed, also within the same size', async () => {
		const { write, denied, root } = await policies({ app: 'deny: [fs.write a]' });
		assert.deepEqual(await denied(), ['fs.write a']);
		await write('app', 'deny: [fs.write b]');
		assert.deepEqual(await denied(), ['fs.write b']);
		await utimes(join(root, 'app/.prowess/policy.yaml'), 1, 1);
		assert.deepEqual(await denied(), ['fs.write b']);
		await rm(join(root, 'app/.prowess'), { recursive: true });
		assert.deepEqual(await denied(), []);
	});

	it('say each problem once, until it is another', async () => {
		const { all, write, log, denied } = await policies({ app: 'allow: [shell.run *]\nnonsense: 1' });
		await denied();
		await denied();
		assert.equal(log.length, 2);
		assert.equal(all.problems.length, 2);
		await write('app', 'deny: []');
		await denied();
		assert.deepEqual([log.length, all.problems.length], [2, 0]);
	});

	it('count together, each for its own folder', async () => {
		const { denied } = await policies({ app: 'deny: [fs.write a]', lib: 'deny: [shell.run rm]' });
		assert.deepEqual(await denied(), ['app: fs.write a', 'lib: shell.run rm']);
	});

	it('are not looked at before the workspace is trusted', async () => {
		const { all, denied } = await policies({ app: 'broken: [' }, false);
		assert.deepEqual(await denied(), []);
		assert.deepEqual(all.problems, []);
	});

	it('are never older than the question, also when many ask in one moment', async () => {
		const { write, denied } = await policies({ app: 'deny: [fs.write a]' });
		const before = Array.from({ length: 20 }, () => denied());
		await write('app', 'deny: [fs.write b]');
		const after = Array.from({ length: 20 }, () => denied());
		assert.deepEqual([...new Set((await Promise.all(after)).flat())], ['fs.write b']);
		assert.ok((await Promise.all(before)).flat().every((rule) => rule === 'fs.write a' || rule === 'fs.write b'));
	});

	it('do not keep who was stopped waiting for a decision', async () => {
		const { all } = await policies({ app: 'deny: [fs.write a]' });
		const stop = new AbortController();
		const [stopped, others] = [all.refresh(stop.signal), all.refresh(never)];
		stop.abort(new Error('stopped'));
		await assert.rejects(stopped, /stopped/);
		await others;
		assert.deepEqual(
			all.current.deny.map(({ text }) => text),
			['fs.write a'],
		);
	});

	it('make everything a question when the folder of the file is a link to nothing', async () => {
		const { all, root, denied } = await policies({ app: '' });
		await rm(join(root, 'app/.prowess'), { recursive: true });
		await symlink(join(root, 'nowhere'), join(root, 'app/.prowess'));
		await denied();
		assert.equal(all.current.unreadable.length, 1);
	});

	it('make everything a question when the file leads out of the workspace, is a folder or too large', async () => {
		const { all, root, write, denied } = await policies({ app: 'deny: [fs.write a]' });
		const file = join(root, 'app/.prowess/policy.yaml');
		await rename(file, join(root, 'elsewhere.yaml'));
		await symlink(join(root, 'elsewhere.yaml'), file);
		await denied();
		assert.equal(all.current.unreadable.length, 1);
		await rm(file);
		await mkdir(file);
		await denied();
		assert.equal(all.current.unreadable.length, 1);
		await rm(file, { recursive: true });
		await write('app', `#${'x'.repeat(70_000)}`);
		await denied();
		assert.match(all.current.unreadable[0] ?? '', /65536 bytes/);
	});
});
