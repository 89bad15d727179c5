import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { httpSite, type HttpSite } from '../../../../test/support/http-site.ts';
import {
	type Files,
	filesBelow,
	marketplaceScene,
	never,
	writeFiles,
} from '../../../../test/support/marketplace-scene.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';

const plugin: Files = {
	'.claude-plugin/plugin.json': '{"name":"kit","version":"2.0.0"}',
	'skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets\n---\nGreet.\n',
	'commands/go.md': 'Go.\n',
};

function folderWith(files: Files): string {
	const folder = tempDir('elsewhere');
	writeFiles(folder, files);
	return folder;
}

function git(folder: string, ...args: string[]): string {
	const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
	const who = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'init.defaultBranch=main'];
	return execFileSync('git', [...who, ...args], { cwd: folder, env, encoding: 'utf8' }).trim();
}

const marketplaceOf = (source: unknown) =>
	folderWith({
		'.claude-plugin/marketplace.json': JSON.stringify({ name: 'tools', plugins: [{ name: 'kit', source }] }),
	});

describe('A plugin that lies elsewhere', () => {
	let repository: string;
	let first: string;
	before(() => {
		repository = folderWith({
			...plugin,
			'deep/plugin/skills/low/SKILL.md': '---\nname: low\ndescription: d\n---\nL.\n',
		});
		git(repository, 'init', '--quiet');
		git(repository, 'add', '--all', '--force');
		git(repository, 'commit', '--quiet', '-m', 'x');
		git(repository, 'branch', 'stable');
		first = git(repository, 'rev-parse', 'HEAD');
		writeFiles(repository, { 'commands/new.md': 'New.\n' });
		git(repository, 'add', '--all');
		git(repository, 'commit', '--quiet', '-m', 'y');
	});

	const parts = async (source: unknown) => {
		const { marketplace } = marketplaceScene([marketplaceOf(source)]);
		return (await marketplace.show({ name: 'kit' }, never)).parts.map(({ kind, name }) => `${kind} ${name}`);
	};

	for (const [what, source, expected] of [
		['an address', (url: string) => ({ source: 'url', url }), ['skill greet', 'command go', 'command new']],
		['a branch', (url: string) => ({ source: 'url', url, ref: 'stable' }), ['skill greet', 'command go']],
		['a commit', (url: string) => ({ source: 'url', url, sha: first }), ['skill greet', 'command go']],
		['a folder', (url: string) => ({ source: 'git-subdir', url, path: 'deep/plugin' }), ['skill low']],
	] as const) {
		it(`is fetched by ${what} when somebody looks at it`, async () => {
			assert.deepEqual(await parts(source(`file://${repository}`)), expected);
		});
	}

	it('is listed without being fetched, and installed as one beside its marketplace is', async () => {
		const { marketplace, home } = marketplaceScene([marketplaceOf({ source: 'url', url: `file://${repository}` })]);
		const { items, indexes } = await marketplace.search({}, never);
		assert.deepEqual([items.map(({ type, name }) => `${type}/${name}`), indexes[0]?.problems], [['plugins/kit'], []]);
		const installed = await marketplace.install({ capability: { name: 'kit' }, scope: 'global' }, never);
		assert.equal(installed.version, '2.0.0');
		assert.ok(Object.keys(filesBelow(join(home, 'capabilities'))).includes('plugins/kit/skills/greet/SKILL.md'));
	});

	it('is not read from this machine for an index of another', async () => {
		const index = marketplaceOf({ source: 'url', url: `file://${repository}` });
		git(index, 'init', '--quiet');
		git(index, 'add', '--all');
		git(index, 'commit', '--quiet', '-m', 'x');
		const { marketplace } = marketplaceScene([`git+file://${index}`]);
		await assert.rejects(marketplace.show({ name: 'kit' }, never), { message: /lies on this machine, and the index/ });
	});

	for (const [source, message] of [
		[{ source: 'github', repo: '../etc' }, /is no repository/],
		[{ source: 'url', url: 'http://plain.test/x.git' }, /only https is accepted/],
		[{ source: 'npm', package: '--registry=x' }, /names no version of a package/],
		[{ source: 'npm', package: 'kit', version: '1 || 2; touch x' }, /names no version of a package/],
		[
			{ source: 'git-subdir', url: 'file:///nowhere.git', path: '../up' },
			/cannot read the repository|does not lie below/,
		],
	] as const) {
		it(`is refused in words where it is ${JSON.stringify(source)}`, async () => {
			await assert.rejects(parts(source), { code: 'DOWNLOAD_FAILED', message });
		});
	}
});

describe("A plugin in a package of the user's npm", function () {
	this.timeout(60_000);
	let site: HttpSite;
	let tarball: Buffer;
	let integrity: string | undefined;
	let told: string;

	before(async () => {
		const folder = folderWith({
			...plugin,
			'package.json': JSON.stringify({ name: 'kit', version: '1.2.3', scripts: { prepack: 'exit 9' } }),
		});
		execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: folder, stdio: 'ignore' });
		tarball = readFileSync(join(folder, 'kit-1.2.3.tgz'));
		integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
		site = await httpSite(({ path }, response) => {
			if (path.endsWith('.tgz')) return void response.end(tarball);
			const dist = { tarball: `${told}/kit-1.2.3.tgz`, ...(integrity === undefined ? {} : { integrity }) };
			const version = { name: 'kit', version: '1.2.3', dist };
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ name: 'kit', 'dist-tags': { latest: '1.2.3' }, versions: { '1.2.3': version } }));
		});
		told = `http://127.0.0.1:${site.port}`;
	});
	after(() => site.close());

	const market = () => {
		const cache = tempDir('npm-cache');
		const environment = {
			PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(':'),
			HOME: cache,
			npm_config_registry: told,
			npm_config_cache: cache,
			npm_config_update_notifier: 'false',
			npm_config_fetch_retries: '0',
		};
		return marketplaceScene([marketplaceOf({ source: 'npm', package: 'kit' })], { environment });
	};

	it('is packed, checked by its integrity and installed, and runs no script', async () => {
		const { marketplace, home } = market();
		await marketplace.install({ capability: { name: 'kit' }, scope: 'global' }, never);
		const files = Object.keys(filesBelow(join(home, 'capabilities/plugins/kit')));
		assert.ok(files.includes('skills/greet/SKILL.md') && files.includes('prowess-plugin/plugin.json'));
	});

	it('is refused when the registry gives no sha512 of it', async () => {
		const before = integrity;
		integrity = undefined;
		try {
			await assert.rejects(market().marketplace.show({ name: 'kit' }, never), {
				message: /gives no sha512|EINTEGRITY/,
			});
		} finally {
			integrity = before;
		}
	});

	it('is refused when its bytes are others', async () => {
		const before = integrity;
		integrity = `sha512-${Buffer.alloc(64).toString('base64')}`;
		try {
			await assert.rejects(market().marketplace.show({ name: 'kit' }, never), {
				code: 'DOWNLOAD_FAILED',
				message: /EINTEGRITY|integrity|sha512/,
			});
		} finally {
			integrity = before;
		}
	});
});
