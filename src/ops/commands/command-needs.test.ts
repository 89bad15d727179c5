import assert from 'node:assert/strict';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { CommandNeeds } from '../../protocol/ops/commands/command-needs.ts';
import { findNeeds, type NeedsPlaces } from './command-needs.ts';

describe('What a command needs beyond its sandbox', () => {
	let root: string;
	let places: NeedsPlaces;
	const find = (needs: CommandNeeds) => findNeeds(needs, places);
	const paths = async (needs: CommandNeeds) =>
		(await find(needs)).targets.map((target) => (target.kind === 'beyond' ? [target.access, target.path] : []));

	beforeEach(async () => {
		root = await realpath(tempDir('needs'));
		const [workspace, userHome, home] = ['app', 'me', 'me/.prowess'].map((name) => join(root, name));
		for (const folder of [workspace, userHome, home]) await mkdir(folder ?? '', { recursive: true });
		places = { cwd: workspace ?? '', workspace: [workspace ?? ''], userHome: userHome ?? '', home: home ?? '' };
	});

	for (const path of ['~/.prowess', '~/.prowess/ledger.db', '~', '../me', '/']) {
		it(`is never the home of Prowess: ${path}`, async () => {
			await assert.rejects(find({ read: [path] }), { code: 'PATH_OUTSIDE_WORKSPACE' });
			await assert.rejects(find({ write: [path] }), { code: 'PATH_OUTSIDE_WORKSPACE' });
		});
	}

	it('is never the home of Prowess through a link', async () => {
		await symlink(join(root, 'me'), join(root, 'app/link'));
		await assert.rejects(find({ read: ['link/.prowess/ledger.db'] }), { code: 'PATH_OUTSIDE_WORKSPACE' });
	});

	for (const host of ['', 'a b', 'user@example.org', 'example.org/path', 'ex\u0430mple.org', 'file:///etc']) {
		it(`is no host: ${JSON.stringify(host)}`, async () => {
			await assert.rejects(find({ network: [host] }), { code: 'INVALID_PARAMS' });
		});
	}

	it('is no path with a NUL character', async () => {
		await assert.rejects(find({ read: ['a\0b'] }), { code: 'INVALID_PARAMS' });
	});

	it('is named as it lies on the disk, without links', async () => {
		await mkdir(join(root, 'opt'));
		await symlink(join(root, 'opt'), join(root, 'app/opt'));
		assert.deepEqual(await paths({ write: ['opt/new/file'], read: ['~/notes'] }), [
			['write', join(root, 'opt/new/file')],
			['read', join(root, 'me/notes')],
		]);
	});

	it('leaves out what the sandbox gives anyway', async () => {
		assert.deepEqual(await find({ read: ['src', '.git/hooks'], write: ['src/a.ts'] }), {
			targets: [],
			needs: undefined,
		});
	});

	it('marks secrets, and protected files that would be changed, in the workspace and outside', async () => {
		await writeFile(join(root, 'app/.env'), '');
		await symlink(join(root, 'app/.env'), join(root, 'app/notes.txt'));
		const { targets } = await find({ read: ['notes.txt', '~/.ssh/id_rsa'], write: ['.git/hooks/pre-commit'] });
		assert.deepEqual(
			targets.map((each) => (each.kind === 'beyond' ? [each.isSecret, each.isProtected] : [])),
			[
				[false, true],
				[true, false],
				[true, false],
			],
		);
	});

	it('names each host once, as rules write it', async () => {
		const { needs } = await find({ network: ['example.org', 'https://example.org/x', 'example.org:8443'] });
		assert.deepEqual(needs, { network: ['example.org', 'example.org:8443'] });
	});

	it('is everything at once without a sandbox', async () => {
		assert.deepEqual(await find({ noSandbox: true, read: ['/opt'] }), { targets: [], needs: { noSandbox: true } });
	});
});
