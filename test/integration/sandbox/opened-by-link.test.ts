/** A workspace that was opened through a link: commands find it by both names, and behind both the same. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import { GuardedPlaces } from '../../../src/machine/sandbox/mounts/guarded-places.ts';
import { homeContents } from '../../../src/machine/sandbox/mounts/home-contents.ts';
import { sandboxLayout } from '../../../src/machine/sandbox/mounts/sandbox-mounts.ts';
import { SandboxFolders } from '../../../src/machine/sandbox/sandbox-folders.ts';
import { bubblewrap, eachWithScene, type SandboxScene } from '../../support/sandbox-scene.ts';
import { startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { User } from '../cli/cli-process.ts';

describe('A workspace that was opened through a link', function () {
	this.timeout(30_000);
	let scene: SandboxScene;
	eachWithScene((made) => {
		scene = made;
	});

	/** Opens the workspace through a link there. */
	function openBy(link: string): string {
		mkdirSync(dirname(link), { recursive: true });
		symlinkSync(scene.workspace, link);
		scene.openedBy = link;
		return link;
	}

	/** A link beside the folders of the specs, which are themselves in `/tmp`. */
	function linkInTemporary(): string {
		const link = `${tempDir('opened')}-link`;
		links.push(link);
		return openBy(link);
	}
	const links: string[] = [];
	afterEach(() => {
		for (const link of links.splice(0)) rmSync(link, { force: true });
	});

	const places: readonly (readonly [name: string, open: () => string])[] = [
		['in the home', () => openBy(join(scene.userHome, 'code/link'))],
		['in a folder of /tmp', () => openBy(join(tempDir('beside'), 'link'))],
		['in /tmp itself', linkInTemporary],
	];
	for (const [name, open] of places) {
		it(`shows what is guarded by neither name, with the link ${name}`, async () => {
			execFileSync('git', ['init', '--quiet'], { cwd: scene.workspace });
			const secrets = ['.env', 'sub/.env.local', 'key.pem', '.ssh/id_ed25519', 'sub/.git-credentials'];
			for (const path of secrets) scene.write(path, 'canary');
			const steering = ['AGENTS.md', '.vscode/tasks.json', '.git/config', '.git/hooks/pre-commit'];
			for (const path of steering.slice(0, 2)) scene.write(path, 'mine\n');
			scene.write('a.txt', 'a\n');
			const before = steering.slice(0, 3).map((path) => readFileSync(scene.path(path), 'utf8'));
			const link = open();
			const thread = newId('thr');
			for (const options of [{}, { thread }, { thread, mayWrite: false }]) {
				const seen = async (root: string) => {
					const looks = ['a.txt', ...secrets, ...steering].map((path) => `cat '${root}/${path}' 2>&1 | sed 's#.*: ##'`);
					const lists = ['', '.git', '.ssh', 'sub'].map((path) => `ls -a '${root}/${path}/'`);
					return (await scene.sh([...looks, ...lists].join('; '), options)).output;
				};
				const real = await seen(scene.workspace);
				assert.match(real, /^a\n/);
				assert.doesNotMatch(real, /canary/);
				assert.equal(await seen(link), real);
			}
			const attempts = steering.map((path) => `echo evil >> '${link}/${path}'; rm -f '${link}/${path}'`);
			await scene.sh([...attempts, `mv '${link}/.git' '${link}/other'`].join('; '), { thread });
			assert.deepEqual(
				steering.slice(0, 3).map((path) => readFileSync(scene.path(path), 'utf8')),
				before,
			);
			assert.equal(readlinkSync(link), scene.workspace);
		});

		it(`is changed by both names, with the link ${name}`, async () => {
			const link = open();
			const { output, kept } = await scene.sh(`echo 1 > '${link}/one.txt' && cat one.txt && cd '${link}' && pwd && ls`);
			assert.deepEqual([output, kept], [`1\n${link}\none.txt\n`, undefined]);
			assert.equal(readFileSync(scene.path('one.txt'), 'utf8'), '1\n');
		});
	}

	it('is found in the /tmp of its thread although an earlier command put something else there', async () => {
		const link = linkInTemporary();
		const thread = newId('thr');
		scene.write('a.txt', 'a\n');
		const outside = tempDir('outside');
		writeFileSync(join(outside, 'a.txt'), 'outside');
		await scene.sh(`rm '${link}'; ln -s '${outside}' '${link}'; echo kept > /tmp/kept.txt`, { thread });
		assert.equal((await scene.sh(`cat '${link}/a.txt'`, { thread })).output, 'a\n');
		await scene.sh(`rm -rf '${link}'; mkdir '${link}'; echo b > '${link}/a.txt'`, { thread });
		assert.equal((await scene.sh(`cat '${link}/a.txt'`, { thread })).output, 'a\n');
		assert.equal(readlinkSync(link), scene.workspace);
	});

	it('is found by the names that links give to its folder, to the home and to each other', async () => {
		scene.write('sub/a.txt', 'a\n');
		scene.write('sub/.env', 'canary');
		const beside = tempDir('chains');
		const rows: readonly (readonly [links: Readonly<Record<string, string>>, opened: string])[] = [
			[{ [join(scene.userHome, 'code')]: scene.workspace }, join(scene.userHome, 'code/sub')],
			[
				{ [join(beside, 'one')]: join(scene.userHome, 'two'), [join(scene.userHome, 'two')]: scene.workspace },
				join(beside, 'one/sub'),
			],
			[
				{ [join(beside, 'home')]: scene.userHome, [join(scene.userHome, 'ws')]: scene.path('sub') },
				join(beside, 'home/ws'),
			],
			[
				{ [join(beside, 'up')]: '../', [join(beside, 'ws')]: join(beside, 'up', basename(scene.workspace)) },
				join(beside, 'ws'),
			],
		];
		for (const [each, opened] of rows) {
			for (const [link, to] of Object.entries(each)) symlinkSync(to, link);
			scene.openedBy = opened;
			const name = existsSync(join(opened, 'a.txt')) ? opened : join(opened, 'sub');
			const { output } = await scene.sh(`cat '${name}/a.txt' '${name}/.env' 2>/dev/null; echo end`);
			assert.equal(output, 'a\nend\n', opened);
			for (const link of Object.keys(each)) rmSync(link);
		}
	});

	it('is found by a link in a folder that the sandbox hides and the home does not hold', async () => {
		scene.write('a.txt', 'a\n');
		scene.write('.env', 'canary');
		const folders = new SandboxFolders(scene.prowessHome);
		const environment = { HOME: scene.userHome };
		const roots = [scene.workspace];
		const guarded = new GuardedPlaces(scene.prowessHome).find(scene.workspace);
		const made = await folders.make(roots, environment);
		try {
			for (const path of ['/mnt/code/link', '/run/link', '/usr/link', '/run', '/mnt']) {
				const own = { ...made, opened: [{ path, to: scene.workspace }] };
				const given = { own, home: scene.prowessHome, roots, guarded, above: [], placeholders: [], environment };
				const { mounts } = sandboxLayout({ ...given, reach: { read: [], write: [] }, isWritable: true });
				const script = `cat ${path}/a.txt ${path}/.env 2>/dev/null; echo end`;
				const output = execFileSync(bubblewrap ?? '', [...mounts.flags, '--', 'sh', '-c', script], {
					encoding: 'utf8',
				});
				assert.equal(output, /^\/(?:mnt|run)\/./.test(path) ? 'a\nend\n' : 'end\n', path);
			}
		} finally {
			folders.remove(made);
			await folders.close();
		}
	});

	it('is found by the name that the command line was given, and by that of the folder in which it was started', async () => {
		const user = new User();
		user.sets();
		user.writes('a.txt', 'a\n');
		user.writes('.env', 'canary');
		const link = join(dirname(user.home), 'code');
		symlinkSync(user.workspace, link);
		const command = { name: 'shell_run', input: { argv: ['cat', join(link, 'a.txt'), join(link, '.env')] } };
		const turn = [{ toolCalls: [command] }, { text: 'Done.' }];
		const server = await startModelServer([...turn, ...turn]);
		for (const [words, env] of [
			[['--workspace', link], {}],
			[['--workspace', '.'], { PWD: link }],
		] as const) {
			await user.prompts(server.baseUrl, 'go', ['--approve', 'auto', ...words], { env }).ended;
			const messages = server.requests.at(-1)?.body['messages'] as readonly { readonly content: string }[];
			assert.match(messages.at(-1)?.content ?? '', /^a\n\[exit code 0\]/, words.join(' '));
		}
		await server.close();
	});

	it('still starts commands where a folder for temporary files is the link, or two links have one name there', () => {
		const names = (...paths: readonly string[]) => {
			const opened = paths.map((path) => ({ path, to: '/srv/code' }));
			const contents = homeContents({ HOME: scene.userHome }, ['/tmp/shown/ws'], opened);
			return contents.linksInTemporary.map(({ at }) => at);
		};
		assert.deepEqual(names('/var/tmp'), []);
		assert.deepEqual(names('/tmp'), []);
		assert.deepEqual(names('/tmp/one', '/var/tmp/one', '/var/tmp/one/two', '/var/tmp/three'), ['one', 'three']);
	});

	it('still starts commands where the link cannot be shown', async () => {
		mkdirSync(join(scene.userHome, '.cargo/bin'), { recursive: true });
		for (const path of ['.npm', '.cache/pip/ws', '.cargo/bin/ws', '.prowess-caches']) {
			rmSync(join(scene.userHome, path), { recursive: true, force: true });
			openBy(join(scene.userHome, path));
			assert.equal((await scene.sh('echo started')).output, 'started\n', path);
			rmSync(join(scene.userHome, path));
		}
	});
});
