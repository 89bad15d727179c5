import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
	rmSync,
	statSync,
} from 'node:fs';
import { join } from 'node:path';
import {
	capabilityFiles,
	filesBelow,
	indexFolder,
	marketplaceScene,
	never,
	writeFiles,
	zipOf,
} from '../../../test/support/marketplace-scene.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

const ref = { name: 'greet', scope: 'global' } as const;
const install = { capability: { name: 'greet' }, scope: 'global' } as const;

function change(
	path: string,
	edit: (index: { capabilities: Record<string, unknown>[] } & Record<string, unknown>) => void,
) {
	const file = join(path, 'index.json');
	const index = JSON.parse(readFileSync(file, 'utf8')) as Parameters<typeof edit>[0];
	edit(index);
	writeFileSync(file, JSON.stringify(index));
}

function signingKey() {
	const { privateKey, publicKey } = generateKeyPairSync('ed25519');
	const { x = '' } = publicKey.export({ format: 'jwk' });
	return {
		pem: privateKey.export({ type: 'pkcs8', format: 'pem' }),
		key: Buffer.from(x, 'base64url').toString('base64'),
	};
}

describe('searching the marketplace', () => {
	it('reads the other indexes when some are broken, and says what is wrong with those', async () => {
		const good = await indexFolder([{ name: 'greet' }]);
		const html = tempDir('index');
		writeFileSync(join(html, 'index.json'), '<html>Sign in</html>');
		const other = tempDir('index');
		writeFileSync(join(other, 'index.json'), '{"error":"not found"}');
		const { marketplace } = marketplaceScene([
			html,
			join(html, 'none'),
			good,
			other,
			'ftp://market.test/',
			tempDir('index'),
		]);
		const { items, indexes } = await marketplace.search({}, never);
		assert.deepEqual(
			items.map(({ name }) => name),
			['greet'],
		);
		assert.deepEqual(
			indexes.map(({ problems }) =>
				problems.map(
					(problem) =>
						/looks like a web page|does not exist|it is not a valid index|is neither an absolute path|holds no/.exec(
							problem,
						)?.[0],
				),
			),
			[
				['looks like a web page'],
				['does not exist'],
				[],
				['it is not a valid index'],
				['is neither an absolute path'],
				['holds no'],
			],
		);
	});

	it('offers the other entries of an index when some are wrong', async () => {
		const folder = await indexFolder([{ name: 'good' }, { name: 'bad' }, { name: 'climbs' }]);
		change(folder, ({ capabilities }) => {
			for (const entry of capabilities) {
				if (entry['name'] === 'bad') entry['sha256'] = 'none';
				if (entry['name'] === 'climbs') entry['download'] = '../../climbs.zip';
			}
			capabilities.push({ name: '../up' });
		});
		const { items, indexes } = await marketplaceScene([folder]).marketplace.search({}, never);
		assert.deepEqual(
			items.map(({ name }) => name),
			['good'],
		);
		assert.equal(indexes[0]?.problems.length, 3);
	});

	it('finds by text, type and tag, newest version first', async () => {
		const folder = await indexFolder([
			{ name: 'greet', version: '1.9.0' },
			{ name: 'greet', version: '1.10.0' },
			{ name: 'advise', type: 'talent' },
		]);
		change(folder, ({ capabilities }) => {
			for (const entry of capabilities) if (entry['type'] === 'talent') entry['tags'] = ['Review'];
		});
		const { marketplace } = marketplaceScene([folder]);
		const names = async (query: Parameters<typeof marketplace.search>[0]) =>
			(await marketplace.search(query, never)).items.map(({ name, version }) => `${name} ${version}`);
		assert.deepEqual(await names({ text: 'HELLO greet' }), ['greet 1.10.0']);
		assert.deepEqual(await names({ type: 'talent' }), ['advise 1.0.0']);
		assert.deepEqual(await names({ tag: 'review' }), ['advise 1.0.0']);
		assert.deepEqual(await names({ text: 'nothing of that kind' }), []);
		for (const { listing } of [
			await marketplace.show({ name: 'greet' }, never),
			await marketplace.show({ name: 'greet', version: '1.9.0' }, never),
		]) {
			assert.deepEqual(listing.versions, ['1.10.0', '1.9.0']);
		}
	});

	it('names the index that ships by a word, so that it stays the same wherever Prowess is installed', async () => {
		const builtIn = await indexFolder([{}]);
		const { marketplace } = marketplaceScene([], { builtIn });
		const installed = await marketplace.install(install, never);
		assert.equal(installed.index, 'built-in');
		const elsewhere = await indexFolder([{ version: '1.1.0' }]);
		const { items } = await marketplace.search({}, never);
		assert.deepEqual(items[0]?.installed, { global: '1.0.0', 'built-in': '1.0.0' });
		const next = marketplaceScene([], { builtIn: elsewhere, home: join(installed.path, '../../..') });
		assert.equal((await next.marketplace.update(ref, undefined, never)).version, '1.1.0');
	});

	it('says that an index is out of date', async () => {
		const folder = await indexFolder([{}], { expires: '2020-01-01T00:00:00Z' });
		const { indexes } = await marketplaceScene([folder]).marketplace.search({}, never);
		assert.match(indexes[0]?.problems[0] ?? '', /out of date since 2020/);
	});
});

describe('installing', () => {
	it('never guesses which one of several is meant', async () => {
		const first = await indexFolder([{}, { type: 'talent', name: 'twice' }, { type: 'skill', name: 'twice' }]);
		const second = await indexFolder([{}]);
		const { marketplace } = marketplaceScene([first, second]);
		await assert.rejects(marketplace.install(install, never), { code: 'INVALID_PARAMS', message: /which index: / });
		await assert.rejects(marketplace.install({ ...install, capability: { name: 'twice' } }, never), {
			code: 'INVALID_PARAMS',
			message: /which type: /,
		});
		await assert.rejects(marketplace.install({ ...install, capability: { name: 'absent' } }, never), {
			code: 'CAPABILITY_NOT_FOUND',
		});
	});

	it('puts the capability in its place, switched off, with a lock file, and records it before and after', async () => {
		const { marketplace, home, ledger, enabled } = marketplaceScene([await indexFolder([{ permissions: ['shell'] }])]);
		const installed = await marketplace.install(install, never);
		const path = join(home, 'capabilities/skill/greet');
		assert.deepEqual(filesBelow(path), capabilityFiles({ permissions: ['shell'] }));
		assert.equal(installed.path, path);
		assert.deepEqual([installed.isEnabled, installed.isModified, installed.permissions], [false, false, ['shell']]);
		await assert.rejects(enabled.require(path, 'it'), { code: 'CAPABILITY_DISABLED' });
		await marketplace.setEnabled(ref, true, never);
		assert.equal(await enabled.isEnabled(path), true);
		assert.deepEqual(
			ledger.rows.map(({ op, kind, trigger, status }) => [op, kind, trigger, status]),
			[
				['marketplace.install', 'intent', 'user', null],
				['marketplace.install', 'outcome', 'user', 'done'],
				['capability.enable', 'intent', 'user', null],
				['capability.enable', 'outcome', 'user', 'done'],
			],
		);
		assert.deepEqual(readdirSync(join(home, 'marketplace/staging')), []);
	});

	it('leaves nothing in the home that others of this machine can reach', async function () {
		if (process.platform === 'win32') this.skip();
		const folder = await indexFolder([{ version: '1.0.0' }]);
		const home = join(tempDir('user'), '.prowess');
		const { marketplace } = marketplaceScene([folder], { home });
		await marketplace.install(install, never);
		await indexFolder([{ version: '2.0.0' }], {}, folder);
		await marketplace.update(ref, undefined, never);
		const all = readdirSync(home, { recursive: true, withFileTypes: true });
		assert.ok(all.length > 10);
		const open = all.filter(({ parentPath, name }) => (statSync(join(parentPath, name)).mode & 0o077) !== 0);
		assert.deepEqual(
			open.filter((entry) => entry.isFile()).map(({ name }) => name),
			[],
		);
		assert.equal(statSync(home).mode & 0o777, 0o700);
	});

	it('does nothing when it cannot be recorded', async () => {
		const { MemoryLedger } = await import('../../../test/support/memory-ledger.ts');
		const { marketplace, home } = marketplaceScene([await indexFolder([{}])], { ledger: new MemoryLedger(1) });
		await assert.rejects(marketplace.install(install, never), { code: 'LEDGER_UNWRITABLE' });
		assert.deepEqual(readdirSync(home), []);
	});

	it('is done for the project below .prowess, and not before the workspace is trusted', async () => {
		const folder = await indexFolder([{}]);
		const trusted = marketplaceScene([folder]);
		await trusted.marketplace.install({ ...install, scope: 'project' }, never);
		assert.ok(existsSync(join(trusted.workspace, '.prowess/capabilities/skill/greet/capability.yaml')));
		assert.equal(readFileSync(join(trusted.workspace, '.prowess/marketplace/.gitignore'), 'utf8'), '*\n');
		assert.deepEqual((await trusted.marketplace.search({}, never)).items[0]?.installed, { project: '1.0.0' });
		const untrusted = marketplaceScene([folder], {
			workspace: { folders: [{ name: 'app', path: trusted.workspace }], isTrusted: false },
		});
		await assert.rejects(untrusted.marketplace.install({ ...install, scope: 'project' }, never), {
			code: 'WORKSPACE_UNTRUSTED',
		});
		assert.deepEqual(await untrusted.marketplace.installed(), []);
	});

	for (const below of ['.prowess', '.prowess/capabilities', '.prowess/capabilities/skill', '.prowess/marketplace']) {
		it(`writes nothing through a link at ${below}`, async () => {
			const { marketplace, workspace } = marketplaceScene([await indexFolder([{}])]);
			const outside = tempDir('outside');
			mkdirSync(join(workspace, below, '..'), { recursive: true });
			symlinkSync(outside, join(workspace, below));
			await assert.rejects(marketplace.install({ ...install, scope: 'project' }, never), {
				code: 'PATH_OUTSIDE_WORKSPACE',
			});
			assert.deepEqual(readdirSync(outside), []);
		});
	}

	/**
	 * Writes a journal into a project, as if an installation had been killed there. A project may come with such a
	 * file.
	 */
	function projectWithJournal(workspace: string, below: string, outside: string): void {
		const id = '0198c5f0-0000-7000-8000-000000000000';
		const journal = { id, key: 'skill/greet', lockedId: null, hadTarget: true, keepsOld: false };
		writeFiles(join(workspace, '.prowess/marketplace'), { 'journal.json': JSON.stringify(journal) });
		writeFiles(outside, { 'skill/greet/mine.txt': 'mine', 'greet/mine.txt': 'mine', 'mine.txt': 'mine' });
		mkdirSync(join(workspace, '.prowess', below, '..'), { recursive: true });
		symlinkSync(outside, join(workspace, '.prowess', below));
	}

	for (const below of ['marketplace/staging', 'marketplace/previous', 'marketplace/previous/skill', 'capabilities']) {
		it(`puts nothing right through a link at .prowess/${below}, which came with the project`, async () => {
			const { marketplace, workspace } = marketplaceScene([await indexFolder([{}])]);
			const outside = tempDir('outside');
			projectWithJournal(workspace, below, outside);
			const before = filesBelow(outside);
			for (const act of [
				() => marketplace.recover(never),
				() => marketplace.install({ ...install, scope: 'project' }, never),
			]) {
				await assert.rejects(act, { code: 'PATH_OUTSIDE_WORKSPACE' });
				assert.deepEqual(filesBelow(outside), before);
			}
		});
	}

	it('makes no database where a link of the project leads', async () => {
		const { marketplace, workspace } = marketplaceScene([await indexFolder([{}])]);
		const outside = tempDir('outside');
		mkdirSync(join(workspace, '.prowess/marketplace'), { recursive: true });
		symlinkSync(join(outside, 'new.db'), join(workspace, '.prowess/marketplace/mutex.db'));
		await assert.rejects(marketplace.install({ ...install, scope: 'project' }, never), {
			code: 'PATH_OUTSIDE_WORKSPACE',
		});
		assert.deepEqual(readdirSync(outside), []);
	});

	it('leaves a capability alone that the user has written', async () => {
		const { marketplace, home } = marketplaceScene([await indexFolder([{}])]);
		writeFiles(join(home, 'capabilities/skill/greet'), { 'capability.yaml': 'mine' });
		await assert.rejects(marketplace.install(install, never), { code: 'ALREADY_EXISTS' });
		assert.deepEqual(filesBelow(join(home, 'capabilities/skill/greet')), { 'capability.yaml': 'mine' });
	});

	it('refuses what is not what was shown', async () => {
		const { marketplace, home } = marketplaceScene([await indexFolder([{}])]);
		const { contentHash } = await marketplace.show({ name: 'greet' }, never);
		await assert.rejects(marketplace.install({ ...install, contentHash: 'f'.repeat(64) }, never), {
			code: 'DOWNLOAD_FAILED',
			message: /is not what was shown/,
		});
		assert.equal(existsSync(join(home, 'capabilities/skill/greet')), false);
		await marketplace.install({ ...install, contentHash }, never);
	});

	for (const [what, edit, about] of [
		['other bytes than the index says', { sha256: 'a'.repeat(64) }, /its sha256 is/],
		['another length', { size: 12 }, /the index says 12/],
		['an archive that is not there', { download: 'gone.zip' }, /is not there/],
		['a name its manifest does not have', { name: 'meet' }, /manifest says name "greet"/],
		['a version its manifest does not have', { version: '9.0.0' }, /manifest says version/],
		['more permissions than the index says', { permissions: [] }, /asks for shell/],
		['a higher level than the index says', { level: 'SAFE' }, /its level is CONTROLLED/],
	] as const) {
		it(`refuses ${what}`, async () => {
			const folder = await indexFolder([{ permissions: ['shell'] }]);
			change(folder, ({ capabilities }) => Object.assign(capabilities[0] ?? {}, edit));
			const { marketplace, home } = marketplaceScene([folder]);
			const name = 'name' in edit ? edit.name : 'greet';
			await assert.rejects(marketplace.install({ ...install, capability: { name } }, never), { message: about });
			assert.deepEqual(readdirSync(join(home, 'capabilities/skill')), []);
			assert.deepEqual(readdirSync(join(home, 'marketplace/staging')), []);
		});
	}
});

describe('signatures', () => {
	const { pem, key } = signingKey();

	it('are required where the settings name a key, and must be by that key', async () => {
		const unsigned = marketplaceScene([{ location: await indexFolder([{}]), key }]);
		await assert.rejects(unsigned.marketplace.install(install, never), { message: /it is not signed, and must be by/ });
		const other = await indexFolder([{}], { signingKey: String(signingKey().pem) });
		const wrong = marketplaceScene([{ location: other, key }]);
		await assert.rejects(wrong.marketplace.install(install, never), { message: /is signed by .* and must be by/ });
		const right = marketplaceScene([{ location: await indexFolder([{}], { signingKey: String(pem) }), key }]);
		await right.marketplace.install(install, never);
	});

	it('cover name, type, version and bytes', async () => {
		const folder = await indexFolder([{ version: '1.0.0' }, { version: '2.0.0' }], { signingKey: String(pem) });
		change(folder, ({ capabilities }) => {
			const [newer, older] = capabilities;
			assert.ok(newer !== undefined && older !== undefined);
			newer['signature'] = older['signature'];
		});
		const { marketplace } = marketplaceScene([folder]);
		await assert.rejects(marketplace.install(install, never), { code: 'DOWNLOAD_FAILED', message: /is not valid/ });
		await marketplace.install({ ...install, capability: { name: 'greet', version: '1.0.0' } }, never);
	});

	it('must be by the same key in an update', async () => {
		const folder = await indexFolder([{ version: '1.0.0' }], { signingKey: String(pem) });
		const { marketplace } = marketplaceScene([folder]);
		await marketplace.install(install, never);
		await indexFolder([{ version: '2.0.0' }], { signingKey: String(signingKey().pem) }, folder);
		await assert.rejects(marketplace.update(ref, undefined, never), { message: /is not signed by/ });
		assert.equal((await marketplace.installed())[0]?.version, '1.0.0');
	});
});

describe('updating', () => {
	it('does not say that there is nothing newer when the index was not read', async () => {
		const folder = await indexFolder([{}]);
		const { marketplace, home } = marketplaceScene([folder]);
		await marketplace.install(install, never);
		const without = marketplaceScene([], { home }).marketplace;
		for (const asked of [() => without.previewUpdate(ref, never), () => without.update(ref, undefined, never)]) {
			await assert.rejects(asked(), {
				code: 'DOWNLOAD_FAILED',
				message: /skill\/greet came from .*, which is not among/,
			});
		}
		writeFileSync(join(folder, 'index.json'), '<html>');
		await assert.rejects(marketplace.update(ref, undefined, never), {
			code: 'DOWNLOAD_FAILED',
			message: /which could not be read: .*looks like a web page/,
		});
		assert.equal((await marketplace.installed())[0]?.version, '1.0.0');
	});

	it('shows what would change, keeps the old version, and can be undone', async () => {
		const folder = await indexFolder([{ version: '1.0.0', files: { 'old.txt': 'x' } }]);
		const { marketplace, home, enabled } = marketplaceScene([folder]);
		await marketplace.install(install, never);
		await marketplace.setEnabled(ref, true, never);
		assert.equal(await marketplace.previewUpdate(ref, never), undefined);
		await indexFolder(
			[{ version: '1.1.0', permissions: ['http'], level: 'RESTRICTED', files: { 'new.txt': 'y' } }],
			{},
			folder,
		);
		await marketplace.search({ refresh: true }, never);
		assert.deepEqual(await marketplace.outdated(never), [
			{ name: 'greet', type: 'skill', scope: 'global', from: '1.0.0', to: '1.1.0' },
		]);
		const preview = await marketplace.previewUpdate(ref, never);
		assert.deepEqual(preview?.diff, {
			from: '1.0.0',
			to: '1.1.0',
			permissions: { added: ['http'], removed: [] },
			level: { from: 'CONTROLLED', to: 'RESTRICTED' },
			files: { added: ['new.txt'], removed: ['old.txt'], changed: ['README.md', 'capability.yaml', 'index.js'] },
		});
		const updated = await marketplace.update(ref, preview?.contentHash, never);
		assert.deepEqual([updated.version, updated.previousVersion], ['1.1.0', '1.0.0']);
		// The new version may do more than before, so the update switches it off.
		assert.equal(await enabled.isEnabled(updated.path), false);
		const back = await marketplace.rollBack(ref, never);
		assert.deepEqual([back.version, back.previousVersion], ['1.0.0', '1.1.0']);
		assert.deepEqual(filesBelow(back.path), capabilityFiles({ files: { 'old.txt': 'x' } }));
		await marketplace.rollBack(ref, never);
		assert.equal((await marketplace.installed())[0]?.version, '1.1.0');
		assert.ok(existsSync(join(home, 'capabilities/skill/greet/new.txt')));
	});

	it('leaves it switched on when it may do no more than before', async () => {
		const folder = await indexFolder([{ version: '1.0.0' }]);
		const { marketplace } = marketplaceScene([folder]);
		await marketplace.install(install, never);
		await marketplace.setEnabled(ref, true, never);
		await indexFolder([{ version: '1.0.1' }], {}, folder);
		assert.equal((await marketplace.update(ref, undefined, never)).isEnabled, true);
	});

	it('never goes back to an older version, and never to another index', async () => {
		const folder = await indexFolder([{ version: '2.0.0' }]);
		const other = await indexFolder([{ version: '3.0.0' }]);
		const { marketplace } = marketplaceScene([folder, other]);
		await marketplace.install({ ...install, capability: { name: 'greet', index: folder } }, never);
		change(folder, (index) => (index.capabilities = []));
		await indexFolder([{ version: '1.0.0' }], {}, folder);
		const { writeIndex, buildIndex } = await import('./build-index.ts');
		const old = tempDir('old');
		writeFileSync(join(old, 'a.zip'), zipOf(capabilityFiles({ version: '1.0.0' })));
		await writeIndex(folder, { ...(await buildIndex(old, { name: 'test' }, never)) });
		assert.equal((await marketplace.update(ref, undefined, never)).version, '2.0.0');
	});

	it('is put in its place again where the files are not those that were installed', async () => {
		const { marketplace, home } = marketplaceScene([await indexFolder([{}])]);
		await marketplace.install(install, never);
		const path = join(home, 'capabilities/skill/greet');
		writeFiles(path, { 'index.js': 'something else' });
		assert.equal((await marketplace.install(install, never)).isModified, false);
		assert.deepEqual(filesBelow(path), capabilityFiles());
		rmSync(path, { recursive: true });
		const again = await marketplace.install(install, never);
		assert.deepEqual([again.isModified, again.previousVersion], [false, null]);
	});

	it('is switched off by a roll back to a version that was changed meanwhile and asks for more', async () => {
		const folder = await indexFolder([{ version: '1.0.0' }]);
		const { marketplace, home } = marketplaceScene([folder]);
		await marketplace.install(install, never);
		await marketplace.setEnabled(ref, true, never);
		await indexFolder([{ version: '2.0.0' }], {}, folder);
		await marketplace.update(ref, undefined, never);
		const kept = join(home, 'marketplace/previous/skill/greet');
		writeFiles(kept, capabilityFiles({ version: '1.0.0', permissions: ['shell'] }));
		const { permissions, isEnabled, isModified } = await marketplace.rollBack(ref, never);
		assert.deepEqual([permissions, isEnabled, isModified], [['shell'], false, true]);
		writeFiles(kept, capabilityFiles({ name: 'other' }));
		await assert.rejects(marketplace.rollBack(ref, never), { code: 'INVALID_CAPABILITY_CONFIG' });
		rmSync(kept, { recursive: true });
		const elsewhere = tempDir('elsewhere');
		writeFiles(elsewhere, capabilityFiles());
		symlinkSync(elsewhere, kept);
		await assert.rejects(marketplace.rollBack(ref, never), { code: 'PATH_OUTSIDE_WORKSPACE' });
	});

	it('shows what the user has changed, and a roll back brings it back', async () => {
		const folder = await indexFolder([{ version: '1.0.0' }]);
		const { marketplace } = marketplaceScene([folder]);
		const { path } = await marketplace.install(install, never);
		writeFileSync(join(path, 'index.js'), '// mine\n');
		assert.equal((await marketplace.installed())[0]?.isModified, true);
		await indexFolder([{ version: '2.0.0' }], {}, folder);
		await marketplace.update(ref, undefined, never);
		await marketplace.rollBack(ref, never);
		assert.equal(readFileSync(join(path, 'index.js'), 'utf8'), '// mine\n');
	});
});

describe('removing', () => {
	it('takes away the capability, the version before, and its line in the lock file', async () => {
		const folder = await indexFolder([{ version: '1.0.0' }]);
		const { marketplace, home } = marketplaceScene([folder]);
		await marketplace.install(install, never);
		await indexFolder([{ version: '2.0.0' }], {}, folder);
		await marketplace.update(ref, undefined, never);
		await marketplace.remove(ref, never);
		assert.deepEqual(await marketplace.installed(), []);
		for (const below of ['capabilities/skill', 'marketplace/previous/skill', 'marketplace/staging']) {
			assert.deepEqual(readdirSync(join(home, below)), []);
		}
		await assert.rejects(marketplace.remove(ref, never), { code: 'NOT_FOUND' });
		await assert.rejects(marketplace.rollBack(ref, never), { code: 'NOT_FOUND' });
	});
});

describe('a lock file', () => {
	it('of a project that is a link without an end is read by nobody', async () => {
		const { marketplace, workspace } = marketplaceScene([await indexFolder([{}])]);
		mkdirSync(join(workspace, '.prowess'));
		symlinkSync('/dev/zero', join(workspace, '.prowess/prowess-lock.json'));
		await assert.rejects(marketplace.installed(), { code: 'INVALID_STATE', message: /is a link/ });
	});

	for (const [what, text] of [
		['that is no JSON', '{'],
		['with a capability whose name is a path', '{"prowessLock":1,"capabilities":{"../../x":{}}}'],
	] as const) {
		it(`${what} stops every change, and is left as it is`, async () => {
			const { marketplace, home } = marketplaceScene([await indexFolder([{}])]);
			writeFileSync(join(home, 'prowess-lock.json'), text);
			await assert.rejects(marketplace.install(install, never), { code: 'INVALID_STATE' });
			assert.equal(readFileSync(join(home, 'prowess-lock.json'), 'utf8'), text);
			assert.equal(existsSync(join(home, 'capabilities/skill/greet')), false);
		});
	}
});
