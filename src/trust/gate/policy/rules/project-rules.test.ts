import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, realpathSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../../../test/support/temp-dir.ts';
import { isProwessError } from '../../../../protocol/errors/errors.ts';
import type { WorkspaceFolder } from '../../../../contract/ports/ports.ts';
import { ProjectRules } from './project-rules.ts';

const never = new AbortController().signal;

describe('The rules of a project', () => {
	let home: string;
	let root: string;
	let warnings: string[];
	beforeEach(() => {
		home = tempDir('home');
		root = tempDir('projects');
		warnings = [];
		for (const name of ['shop', 'tool']) {
			mkdirSync(join(root, name));
		}
	});
	const file = () => join(home, 'project-rules.json');
	const open = (...names: string[]) => of(names.map((name) => ({ name, path: join(root, name) })));
	const of = (folders: readonly WorkspaceFolder[]) =>
		new ProjectRules({ home, workspace: { folders }, log: { warn: (message) => void warnings.push(message) } });
	async function rulesOf(rules: ProjectRules): Promise<readonly string[]> {
		await rules.refresh(never);
		return rules.current;
	}

	it('are none, and none are lost, while their file is damaged', async () => {
		for (const damaged of ['', '{"projects"', '{"projects": [{"folders": [], "rules": []}]}', '[]']) {
			writeFileSync(file(), damaged);
			const rules = open('shop');
			assert.deepEqual(await rulesOf(rules), []);
			assert.match(rules.problem ?? '', /project-rules\.json cannot be read, so no rule of a project is in effect/);
			await assert.rejects(rules.add('shell.run npm test', never), (error) => isProwessError(error));
			assert.equal(readFileSync(file(), 'utf8'), damaged);
		}
		assert.equal(warnings.length, 4);
	});

	it('cannot be kept where no folder is open', async () => {
		const rules = open();
		assert.equal(rules.hasProject, false);
		assert.deepEqual(await rulesOf(rules), []);
		await assert.rejects(rules.add('shell.run npm test', never), /no folder is open/);
	});

	it('hold in their project alone', async () => {
		await open('shop').add('shell.run npm test', never);
		assert.deepEqual(await rulesOf(open('shop')), ['shell.run npm test']);
		assert.deepEqual(await rulesOf(open('tool')), []);
	});

	it('hold by the real path: another way there is the same project, what lies there now is not', async () => {
		await open('shop').add('shell.run npm test', never);
		symlinkSync(join(root, 'shop'), join(root, 'link'));
		assert.deepEqual(await rulesOf(open('link')), ['shell.run npm test']);
		renameSync(join(root, 'shop'), join(root, 'moved'));
		assert.deepEqual(await rulesOf(open('moved')), []);
		symlinkSync(join(root, 'tool'), join(root, 'shop'));
		assert.deepEqual(await rulesOf(open('shop')), []);
	});

	it('hold with several folders only where just these are open, under these names', async () => {
		await open('shop', 'tool').add('fs.write shop/src/**', never);
		assert.deepEqual(await rulesOf(open('tool', 'shop')), ['fs.write shop/src/**']);
		assert.deepEqual(await rulesOf(open('shop')), []);
		const swapped = [
			{ name: 'shop', path: join(root, 'tool') },
			{ name: 'tool', path: join(root, 'shop') },
		];
		assert.deepEqual(await rulesOf(of(swapped)), []);
	});

	it('are seen by another host of the same home as soon as they are saved or removed', async () => {
		const [one, other] = [open('shop'), open('shop')];
		const ids = await Promise.all([one.add('shell.run npm test', never), other.add('fs.edit src/**', never)]);
		assert.deepEqual([...(await rulesOf(one))].sort(), ['fs.edit src/**', 'shell.run npm test']);
		assert.equal(await one.remove([ids[0]], never), 1);
		assert.deepEqual(await rulesOf(other), ['fs.edit src/**']);
		assert.equal(await other.remove([ids[0]], never), 0);
		await other.remove(ids, never);
		assert.deepEqual(JSON.parse(readFileSync(file(), 'utf8')), { projects: [] });
	});

	it('of every project are listed in each, the open one first, and removed from wherever they are', async () => {
		const id = await open('tool').add('fs.edit docs/**', never);
		await open('shop').add('shell.run npm test', never);
		const shop = open('shop');
		const all = await shop.all();
		assert.deepEqual(
			all.map(({ rule, folders, isOpen }) => [rule, folders, isOpen]),
			[
				['shell.run npm test', [realpathSync(join(root, 'shop'))], true],
				['fs.edit docs/**', [realpathSync(join(root, 'tool'))], false],
			],
		);
		assert.equal(await shop.remove([id, 'unknown'], never), 1);
		assert.deepEqual(await rulesOf(open('tool')), []);
		assert.deepEqual(await rulesOf(shop), ['shell.run npm test']);
	});

	it('are saved once, in a file for their user alone', async () => {
		const rules = open('shop');
		await rules.add('shell.run npm test', never);
		await rules.add('shell.run npm test', never);
		assert.deepEqual(rules.current, ['shell.run npm test']);
		if (process.platform !== 'win32') {
			assert.equal(statSync(file()).mode & 0o077, 0);
		}
	});
});
