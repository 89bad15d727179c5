import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { never, writeFiles } from '../../../test/support/workspace-on-disk.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { isProtectedName, isReadOnlyInSandbox, protectedKind } from './names/protected-names.ts';
import { readBytes } from './reading/read-file.ts';
import { isSecretName } from './names/secret-names.ts';
import { WorkspacePaths } from './workspace-paths.ts';
import { writeText } from './write-file.ts';

const one = (path: string, platform?: NodeJS.Platform) =>
	new WorkspacePaths({ folders: [{ name: 'app', path }] }, platform);

describe('WorkspacePaths', () => {
	it('refuses what no honest path holds', () => {
		const paths = one('/srv/app', 'linux');
		const cases: readonly (readonly [string, string])[] = [
			['a\0b', 'PATH_INVALID'],
			['a\nb', 'PATH_INVALID'],
			['a\u202Eb', 'PATH_INVALID'],
			['a\u200Bb', 'PATH_INVALID'],
			['\uD800', 'PATH_INVALID'],
			['x'.repeat(5000), 'PATH_INVALID'],
			['..', 'PATH_OUTSIDE_WORKSPACE'],
			['a/../../b', 'PATH_OUTSIDE_WORKSPACE'],
			['/', 'PATH_OUTSIDE_WORKSPACE'],
			['/etc/passwd', 'PATH_OUTSIDE_WORKSPACE'],
			['/srv/app-evil/x', 'PATH_OUTSIDE_WORKSPACE'],
			['/srv/app/../x', 'PATH_OUTSIDE_WORKSPACE'],
		];
		for (const [path, code] of cases) {
			assert.throws(() => paths.resolve(path), { code }, JSON.stringify(path.slice(0, 20)));
		}
	});

	it('judges a file also by the names that links in place of guarded files give it, there or not', async () => {
		const root = tempDir('linked-names');
		await writeFiles(root, { 'docs/a.md': '', 'rules/a.mdc': '', 'gh/x': '', 'real.txt': '', 'docs/b.md': '' });
		await mkdir(join(root, '.cursor'));
		const links = {
			'AGENTS.md': 'docs/a.md',
			'.cursor/rules': '../rules',
			'.github': 'gh',
			'.env': 'real.txt',
			'.envrc': 'docs/rc',
		};
		for (const [name, target] of Object.entries(links)) await symlink(target, join(root, name));
		const paths = one(root);
		const judged = async (path: string) => {
			const { protectedKind: kind, isSecret } = await paths.locate(paths.resolve(path));
			return [kind, isSecret];
		};
		assert.deepEqual(await judged('docs/a.md'), ['instructions', false]);
		assert.deepEqual(await judged('rules/new.mdc'), ['agent', false]);
		assert.deepEqual(await judged('gh/workflows/x.yml'), ['integration', false]);
		assert.deepEqual(await judged('real.txt'), ['shell', true]);
		assert.deepEqual(await judged('docs/rc'), ['shell', true]);
		assert.deepEqual(await judged('docs/b.md'), [undefined, false]);
	});

	it('finds the only name that is equal but for its form, and exact names first', async () => {
		const root = tempDir('equal-names');
		const nfd = 'cafe\u0301.txt';
		await writeFiles(root, {
			[nfd]: 'a',
			'shot 1.11\u202fAM.png': 'b',
			'a\u00a0b.txt': 'c',
			'a\u2009b.txt': 'd',
			'e\u0301te\u0301/plan.txt': 'e',
			'notes.txt': 'f',
			'caf\u00e9 2.txt': 'g',
			'cafe\u0301 2.txt': 'h',
		});
		const paths = one(root);
		const rows: readonly (readonly [asked: string, found: string | undefined])[] = [
			['caf\u00e9.txt', nfd],
			[nfd, nfd],
			['shot 1.11 AM.png', 'shot 1.11\u202fAM.png'],
			['\u00e9t\u00e9/plan.txt', 'e\u0301te\u0301/plan.txt'],
			['@notes.txt', 'notes.txt'],
			['caf\u00e9 2.txt', 'caf\u00e9 2.txt'],
			['a b.txt', undefined],
			['Notes 2.txt', undefined],
			['\u00e9t\u00e9/other.txt', undefined],
		];
		for (const [asked, found] of rows) {
			const { kind, path } = await paths.locate(paths.resolve(asked));
			assert.equal(kind === 'missing' ? undefined : path, found, asked);
		}
	});

	it('finds absolute paths through the link that opened the workspace, and leaves links inside as they are named', async () => {
		const folder = tempDir('linked-root');
		await writeFiles(folder, { 'real/a.txt': 'a', 'real/sub/b.txt': 'b', 'elsewhere/c.txt': 'c' });
		await symlink(join(folder, 'real'), join(folder, 'link'));
		await symlink('a.txt', join(folder, 'real/inner'));
		await symlink(join(folder, 'elsewhere'), join(folder, 'real/out'));
		await symlink(join(folder, 'real/sub'), join(folder, 'short'));
		const rows: readonly (readonly [opened: string, asked: string, found: string | undefined])[] = [
			['real', 'link/a.txt', 'a.txt'],
			['real', 'link', '.'],
			['real', 'link/new/file.txt', 'new/file.txt'],
			['real', 'link/inner', 'inner'],
			['real', 'short/b.txt', 'sub/b.txt'],
			['link', 'real/a.txt', 'a.txt'],
			['link', 'link/sub/b.txt', 'sub/b.txt'],
			['link', 'short/b.txt', 'sub/b.txt'],
			['real', 'link/../elsewhere/c.txt', undefined],
			['real', 'elsewhere/c.txt', undefined],
			['real', 'missing/a.txt', undefined],
		];
		for (const [opened, asked, found] of rows) {
			const paths = one(join(folder, opened));
			const resolve = () => paths.resolve(`${folder}/${asked}`);
			if (found === undefined) assert.throws(resolve, { code: 'PATH_OUTSIDE_WORKSPACE' }, asked);
			else assert.equal(resolve().path, found, `${opened}: ${asked}`);
		}
		await assert.rejects(
			async () => one(join(folder, 'real')).locate(one(join(folder, 'real')).resolve(`${folder}/link/out/c.txt`)),
			{
				code: 'PATH_OUTSIDE_WORKSPACE',
			},
		);
	});

	it('refuses what Windows would read as another name', () => {
		const paths = one(String.raw`C:\work\app`, 'win32');
		const cases = [
			'a.txt:stream',
			'NUL',
			'sub/con.txt',
			'COM1',
			'lpt9.log',
			'a.',
			'a ',
			String.raw`\\host\share`,
			'//host/share',
			String.raw`\\?\C:\work\app\a`,
			'/??/C:/x',
			'C:a',
			'aux',
		];
		for (const path of cases) {
			assert.throws(() => paths.resolve(path), { code: 'PATH_INVALID' }, path);
		}
		for (const path of [String.raw`D:\work\app\a`, String.raw`..\a`, String.raw`\work\app\a`]) {
			assert.throws(() => paths.resolve(path), { code: 'PATH_OUTSIDE_WORKSPACE' }, path);
		}
		assert.deepEqual(paths.resolve(String.raw`c:\WORK\App\src\a.ts`).path, 'src/a.ts');
		assert.deepEqual(paths.resolve(String.raw`src\a.ts`).segments, ['src', 'a.ts']);
	});

	it('accepts an absolute path inside, dots and double slashes', () => {
		const paths = one('/srv/app', 'linux');
		for (const path of ['src/a.ts', './src//a.ts', 'src/b/../a.ts', '/srv/app/src/a.ts', '/srv/./app/src/a.ts/']) {
			assert.equal(paths.resolve(path).path, 'src/a.ts', path);
		}
		assert.equal(paths.resolve('.').path, '.');
		assert.deepEqual(paths.resolve('aux.c').segments, ['aux.c']);
	});

	it('asks for the name of a folder when there are several, and takes the nearest for an absolute path', () => {
		const folders = [
			{ name: 'app', path: '/srv/app' },
			{ name: 'lib', path: '/srv/app/lib' },
		];
		const paths = new WorkspacePaths({ folders }, 'linux');
		assert.throws(() => paths.resolve('src/a.ts'), {
			code: 'PATH_INVALID',
			message: 'src/a.ts does not start with a workspace folder: app/, lib/',
		});
		assert.throws(() => paths.resolve('app/../../x'), { code: 'PATH_OUTSIDE_WORKSPACE' });
		assert.deepEqual(
			[paths.resolve('lib/a').absolutePath, paths.toWorkspacePath('/srv/app/lib/a')],
			['/srv/app/lib/a', 'lib/a'],
		);
		assert.deepEqual(
			paths.resolveScope('.').map((p) => p.path),
			['app', 'lib'],
		);
		assert.throws(() => new WorkspacePaths({ folders: [] }).resolve('a'), { code: 'NOT_AVAILABLE_HERE' });
	});

	it('never resolves to a place outside, whatever the path', () => {
		const paths = one('/srv/app', 'linux');
		const part = fc.constantFrom('..', '.', '', 'a', 'work', 'app', '%2e%2e', '..;', '...', '～', 'etc');
		fc.assert(
			fc.property(fc.array(part, { maxLength: 12 }), fc.boolean(), (parts, isAbsolute) => {
				try {
					const { absolutePath } = paths.resolve((isAbsolute ? '/' : '') + parts.join('/'));
					assert.ok(absolutePath === '/srv/app' || absolutePath.startsWith('/srv/app/'));
				} catch (error) {
					assert.ok(isProwessError(error) && error.code.startsWith('PATH_'));
				}
			}),
		);
	});

	it('follows links inside and refuses chains, loops and dangling links that do not end inside', async () => {
		const base = tempDir('links');
		const root = join(base, 'app');
		await writeFiles(base, { 'app/a/b.txt': 'b', 'outside/x': 'x' });
		await symlink('a', join(root, 'inside'));
		await symlink('../outside', join(root, 'out'));
		await symlink('out', join(root, 'chain'));
		await symlink('loop', join(root, 'loop'));
		await symlink('../nothing', join(root, 'dangling'));
		const paths = one(root);
		assert.equal((await paths.locate(paths.resolve('inside/b.txt'))).path, 'a/b.txt');
		assert.equal((await paths.locate(paths.resolve('inside/new/file'))).path, 'a/new/file');
		for (const path of ['out', 'out/x', 'chain/x', 'out/new/file']) {
			await assert.rejects(paths.locate(paths.resolve(path)), { code: 'PATH_OUTSIDE_WORKSPACE' }, path);
		}
		await assert.rejects(paths.locate(paths.resolve('loop')), { code: 'PATH_OUTSIDE_WORKSPACE' });
		await assert.rejects(paths.locate(paths.resolve('dangling')), { code: 'NOT_FOUND' });
		await assert.rejects(paths.locate(paths.resolve('a/b.txt/c')), { code: 'NOT_A_FOLDER' });
	});

	it('does not follow a root that was swapped for a link', async () => {
		const base = tempDir('root');
		const root = join(base, 'app');
		await writeFiles(base, { 'app/a': 'inside', 'outside/a': 'outside' });
		const paths = one(root);
		const located = await paths.locate(paths.resolve('a'));
		await rename(root, join(base, 'moved'));
		await symlink('outside', root);
		await assert.rejects(paths.locate(paths.resolve('a')), { code: 'PATH_OUTSIDE_WORKSPACE' });
		await assert.rejects(readBytes(located, never), { code: 'FILE_CHANGED' });
	});

	it('gives no byte from outside and writes none there while somebody swaps a folder for a link', async function () {
		this.timeout(60_000);
		if (process.platform !== 'linux') {
			this.skip();
		}
		const base = tempDir('race');
		const root = join(base, 'app');
		await writeFiles(base, { 'app/real/f': 'inside', 'outside/f': 'outside' });
		const paths = one(root);
		const attacker = new Worker(
			`const { existsSync, lstatSync, renameSync, rmSync, symlinkSync } = require('node:fs');
			const { root, outside } = require('node:worker_threads').workerData;
			const [real, kept, evil] = ['real', 'kept', 'evil'].map((name) => root + '/' + name);
			symlinkSync(outside, evil);
			for (;;) {
				try {
					renameSync(real, kept);
					renameSync(evil, real);
					renameSync(real, evil);
					renameSync(kept, real);
				} catch {
					// The writer has made the folder anew in between, maybe more than once.
					try {
						if (existsSync(kept)) {
							if (lstatSync(real).isSymbolicLink()) renameSync(real, evil);
							else rmSync(real, { recursive: true, force: true });
							renameSync(kept, real);
						}
					} catch {}
				}
			}`,
			{ eval: true, workerData: { root, outside: join(base, 'outside') }, env: {} },
		);
		await new Promise<void>((resolve) => attacker.once('online', () => resolve()));
		const seen = new Set<string>();
		for (let attempt = 0; attempt < 2000; attempt++) {
			try {
				const located = await paths.locate(paths.resolve('real/f'));
				seen.add((await readBytes(located, never)).toString());
				if (attempt % 4 === 0) {
					const fresh = await paths.locate(paths.resolve(`real/new-${attempt}`));
					await writeText(fresh, undefined, 'ours', never);
				}
			} catch (error) {
				assert.ok(isProwessError(error), String(error));
				seen.add(error.code);
			}
		}
		await attacker.terminate();
		assert.deepEqual(await readdir(join(base, 'outside')), ['f']);
		assert.ok(!seen.has('outside'), [...seen].join());
		assert.ok(seen.has('inside') && seen.size > 1, [...seen].join());
	});

	it('reads no pipe, socket or folder as a file, and does not wait for one', async () => {
		const root = tempDir('special');
		await mkdir(join(root, 'folder'));
		await writeFile(join(root, 'file'), '');
		execFileSync('mkfifo', [join(root, 'pipe')]);
		const paths = one(root);
		for (const path of ['folder', 'pipe']) {
			await assert.rejects(readBytes(await paths.locate(paths.resolve(path)), never), { code: 'NOT_A_FILE' });
		}
		// Swapped after it was looked at.
		const located = { ...(await paths.locate(paths.resolve('file'))), realPath: join(root, 'pipe') };
		await assert.rejects(readBytes(located, never), { code: 'NOT_A_FILE' });
	});
});

describe('names that steer or hold secrets', () => {
	it('are those of files in daily use, and none of their samples and sources', () => {
		const secret = [
			...[
				'kubeconfig',
				'#.env#',
				'prod.kubeconfig',
				'k8s/secret.yaml',
				'wp-config.php',
				'credentials.yml',
				'env.production',
			],
			...['firebase-adminsdk.json', 'client_secret_1.json', '.env~', '.env-prod', 'local.settings.json', '.s3cfg'],
			...['appsettings.Production.json', '.boto', 'token.txt', 'password.txt', 'passwords.csv', 'vault.yml'],
			...['.msmtprc', 'rclone.conf', 'home.ovpn', '.password-store/a.gpg', '.vault_pass.txt', 'secrets.prod.yaml'],
			...['secret.json', 'android/keystore.properties'],
		];
		assert.deepEqual(
			secret.filter((name) => !isSecretName(name.split('/'))),
			[],
		);
		const steering = [
			...['.pnpmfile.mjs', '.pnp.cjs', '.pnp.loader.mjs', '.roomodes', '.vs/a', '.nova/a', 'a.sublime-project'],
			...['.Renviron', 'sitecustomize.py', '.config/nvim/init.lua', '.local/bin/git', 'bunfig.toml'],
			...['mise.local.toml', '.config/mise/config.toml', 'lefthook-local.yml', '.lefthook.toml', '.huskyrc.json'],
			...['CRUSH.md', 'QWEN.md', 'WARP.md', '.crush.json', '.augment/rules/a.md', 'rust-toolchain.toml', '.prototools'],
			...[
				'.amazonq/rules/a.md',
				'.pearai/a',
				'.qodo/a',
				'.void/a',
				'.idx/dev.nix',
				'.gitpod.yml',
				'.replit',
				'replit.md',
			],
			...[
				'.overcommit.yml',
				'.azure-pipelines/a.yml',
				'azure-pipelines-release.yml',
				'.builds/a.yml',
				'.ycm_extra_conf.py',
				'.iex.exs',
				'.RData',
			],
		];
		assert.deepEqual(
			steering.filter((name) => !isProtectedName(name.split('/'))),
			[],
		);
		const ordinary = [
			...['.env-example', 'src/kubeconfig.go', 'credentials.ts', 'credentials/index.ts', 'tokens.json'],
			...['appsettings.json', 'appsettings.Development.json', 'secret.go', 'vault.go', 'password.ts', 'env.d.ts'],
		];
		assert.deepEqual(
			ordinary.filter((name) => isSecretName(name.split('/')) || isProtectedName(name.split('/'))),
			[],
		);
	});

	it('are found in any spelling that some disk takes for the same', () => {
		const spellings = (name: string) => [
			name,
			name.toUpperCase(),
			`${name}.`,
			`${name} `,
			`a/${name}`,
			name.replace('g', 'g\u200C'),
			name.normalize('NFD'),
		];
		for (const name of [
			'.git/config',
			'.vscode/settings.json',
			'.prowess/x',
			'.mcp.json',
			'.husky/pre-commit',
			'.claude/settings.json',
			'.bashrc',
			'.env.local',
			'.github/workflows/a.yml',
		]) {
			for (const spelling of spellings(name)) {
				assert.ok(isProtectedName(spelling.split('/')), JSON.stringify(spelling));
			}
		}
		for (const name of [
			'.env',
			'.env.production',
			'deploy/server.pem',
			'id_ed25519',
			'.npmrc',
			'.aws/credentials',
			'x/.ssh/config',
			'Server.KEY',
			'.\u017Fsh/config',
		]) {
			assert.ok(isSecretName(name.split('/')), name);
		}
	});

	for (const [kind, names] of [
		['git', '.config/git/config .git/hooks/x .husky/pre-commit'],
		[
			'agent',
			'.agents/skills/a/SKILL.md .github/skills/a .github/hooks/a.json opencode.json .amp/x .prowess/policy.yaml',
		],
		['instructions', 'AGENTS.md sub/CLAUDE.md .cursorrules .clinerules .windsurfrules .github/copilot-instructions.md'],
		[
			'integration',
			'.travis.yml .drone.yml bitbucket-pipelines.yml .forgejo/workflows/a.yml .gitea/x appveyor.yml cloudbuild.yaml .teamcity/a .gitlab/ci/a.yml Jenkinsfile',
		],
		['shell', '.curlrc .wgetrc .tmux.conf .screenrc .psqlrc .sqliterc .irbrc .pryrc .Rprofile .gemrc .pdbrc .bashrc'],
		['build', '.cargo/config.toml .mvn/extensions.xml .bundle/config .bazelrc .npmrc'],
		['programs', '.venv/bin/python venv/bin/pip bin/activate node_modules/.bin/tsc'],
		['packages', 'node_modules/typescript/lib/tsc.js'],
	] as const) {
		for (const name of names.split(' ')) {
			it(`knows what reads ${name}: ${kind}`, () => assert.equal(protectedKind(name.split('/')), kind));
		}
	}

	it('keep a package manager from nothing that it writes', () => {
		const isReadOnly = (name: string) => isReadOnlyInSandbox(name.split('/'));
		assert.deepEqual(['node_modules/a/b.js', 'node_modules/.bin/tsc', '.venv/bin/pip'].map(isReadOnly), [
			false,
			false,
			false,
		]);
		assert.deepEqual(['AGENTS.md', '.git/hooks/a', '.npmrc'].map(isReadOnly), [true, true, true]);
	});

	it('leave ordinary names alone', () => {
		for (const name of ['.env.example', 'id_rsa.pub', 'environment.ts', 'keyboard.ts', 'src/id_mapping.ts', 'a.keys']) {
			assert.ok(!isSecretName(name.split('/')), name);
		}
		for (const name of [
			'src/hooks/use-git.ts',
			'git/config.ts',
			'.gitignore',
			'vscode/a',
			'README.md',
			'.github/CODEOWNERS',
		]) {
			assert.ok(!isProtectedName(name.split('/')), name);
		}
	});
});
