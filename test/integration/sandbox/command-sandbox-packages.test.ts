/** Installing offline in the sandbox, from what the user's own caches have of the packages that the workspace names. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eachWithScene, type SandboxScene } from '../../support/sandbox-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';

describe('Packages in the sandbox', function () {
	this.timeout(60_000);
	let scene: SandboxScene;

	eachWithScene((made) => (scene = made));

	/** Makes a package, puts it into the user's own cache as an installation would, and names it in the lock file. */
	const packUp = (): string => {
		const folder = tempDir('package');
		writeFileSync(join(folder, 'package.json'), '{"name":"known","version":"1.0.0","main":"index.js"}');
		writeFileSync(join(folder, 'index.js'), 'module.exports = "from the cache";');
		const npm = (...words: string[]) =>
			execFileSync('npm', [...words, '--cache', join(scene.userHome, '.npm'), '--offline', '--silent'], {
				cwd: folder,
			});
		npm('pack');
		npm('cache', 'add', join(folder, 'known-1.0.0.tgz'));
		const digest = createHash('sha512').update(readFileSync(join(folder, 'known-1.0.0.tgz')));
		return `sha512-${digest.digest('base64')}`;
	};
	const lock = (integrity: string) => {
		const known = { version: '1.0.0', resolved: 'https://registry.npmjs.org/known/-/known-1.0.0.tgz', integrity };
		const root = { name: 'app', version: '1.0.0', dependencies: { known: '1.0.0' } };
		scene.write('package.json', JSON.stringify(root));
		scene.write(
			'package-lock.json',
			JSON.stringify({ name: 'app', lockfileVersion: 3, packages: { '': root, 'node_modules/known': known } }),
		);
	};
	const install = () => scene.run(['npm', 'ci', '--offline', '--no-audit', '--no-fund']);

	it('are missing where the user’s own cache has none, and appear once it has', async () => {
		lock(`sha512-${createHash('sha512').update('unknown').digest('base64')}`);
		const missing = await install();
		assert.match(missing.output, /ENOTCACHED/);
		lock(packUp());
		const { exitCode, output } = await install();
		assert.equal(exitCode, 0, output);
		assert.match(readFileSync(scene.path('node_modules/known/index.js'), 'utf8'), /from the cache/);
	});

	it('are all that is shown of the user’s own cache, and what a command changes there stays its own', async () => {
		lock(packUp());
		scene.writeHome('.npm/_cacache/content-v2/sha512/aa/bb/cc', 'canary of another project');
		scene.writeHome('.npm/_logs/debug.log', 'canary of a log');
		scene.writeHome('.npmrc', '//registry.npmjs.org/:_authToken=canary-of-a-token\n');
		const own = () =>
			readdirSync(join(scene.userHome, '.npm'), { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile())
				.map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'latin1')]);
		const before = own();
		await install();
		const { output } = await scene.sh(
			`grep -r canary ~/.npm ~/.npmrc
			find ~/.npm/_cacache/content-v2/ -type f | while read -r path; do echo spoilt > "$path"; echo done; done`,
		);
		assert.equal(output, 'done\n');
		assert.deepEqual(own(), before);
	});

	it('are put nowhere else by a link that a command left in the place of a folder of its cache', async () => {
		const outside = tempDir('outside');
		const integrity = packUp();
		for (const place of ['_cacache', '_cacache/content-v2', '_cacache/content-v2/sha512']) {
			await scene.sh(
				`rm -rf ~/.npm/_cacache; mkdir -p ~/.npm/${place}; rmdir ~/.npm/${place}; ln -s ${outside} ~/.npm/${place}`,
			);
			lock(integrity);
			await install();
			assert.deepEqual(readdirSync(outside), [], place);
		}
	});

	it('are not there for a command line that names no tool', async () => {
		lock(packUp());
		const { output } = await scene.sh('find -L ~/.n* -type f; echo done');
		assert.equal(output, 'done\n');
	});

	it('of Cargo are those that the lock file names, and only of crates.io', async () => {
		const index = 'index.crates.io-1949cf8c6b5b557f';
		const other = 'crates.acme.test-0123456789abcdef';
		for (const [path, text] of [
			[`cache/${index}/itoa-1.0.15.crate`, 'itoa'],
			[`cache/${index}/unnamed-1.0.0.crate`, 'canary'],
			[`cache/${other}/itoa-1.0.15.crate`, 'canary'],
			[`index/${index}/config.json`, '{}'],
			[`index/${index}/.cache/it/oa/itoa`, 'versions'],
			[`index/${other}/config.json`, 'canary'],
		] as const)
			scene.writeHome(`.cargo/registry/${path}`, text);
		scene.writeHome('.cargo/credentials.toml', 'token = "canary"');
		scene.write(
			'Cargo.lock',
			[
				'version = 4',
				'[[package]]\nname = "itoa"\nversion = "1.0.15"\nsource = "registry+https://github.com/rust-lang/crates.io-index"',
				'[[package]]\nname = "../../../x"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"',
			].join('\n\n'),
		);
		// A shell names the tool, as a script of a project does.
		const { output } = await scene.sh(
			'cd ~/.cargo && find -L registry credentials.toml -type f 2>/dev/null | sort; : cargo',
		);
		assert.equal(
			output,
			`registry/cache/${index}/itoa-1.0.15.crate\nregistry/index/${index}/.cache/it/oa/itoa\nregistry/index/${index}/config.json\n`,
		);
		assert.equal(existsSync(join(scene.userHome, 'x')), false);
	});
});
