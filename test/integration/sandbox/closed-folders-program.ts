/**
 * Has commands close folders of their workspace, which a later command opens again, and writes what came of it as one line of
 * JSON: the superuser looks into any folder, so this has to be somebody else. Started as: node closed-folders-program.ts
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, linkSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asLine } from '../../support/command-host.ts';
import { SandboxScene } from '../../support/sandbox-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';

export interface ClosedFolders {
	/** Output of a command that had nothing to do with the closed folders. */
	readonly beside: string;
	/** Output of a command that tried to open them, and to read the secrets in them. */
	readonly inside: string;
	/** Output of a command from a file whose other name lies in a closed folder. */
	readonly otherName: string;
	/** A file of a store outside that packages share, after commands wrote to its other names. */
	readonly store: string;
	/** Folders of Git whose closing let a command change its settings, or had them moved away. */
	readonly changedGit: readonly string[];
	/** True where everything was found that is to be hidden, with a closed folder among packages that hides a secret. */
	readonly isWhole: boolean;
	/** Why no command runs in a sandbox where the workspace itself is closed. */
	readonly unfit: string | undefined;
}

const SECRET = 'KEY=hunter22';

async function inScene<Result>(act: (scene: SandboxScene) => Promise<Result>): Promise<Result> {
	const scene = new SandboxScene();
	try {
		return await act(scene);
	} finally {
		await scene.close();
	}
}

const MODES = ['000', '444', '311'];

const readBehind = () =>
	inScene(async (scene) => {
		for (const mode of MODES) scene.write(`sub${mode}/.env`, SECRET);
		scene.write('other/a', '2');
		await scene.sh(MODES.map((mode) => `chmod ${mode} sub${mode}`).join('; '));
		const inside = await scene.sh(MODES.map((mode) => `chmod 755 sub${mode}; cat sub${mode}/.env`).join('; '));
		return { beside: (await scene.sh('cat other/a')).output, inside: inside.output };
	});

const readOtherName = () =>
	inScene(async (scene) => {
		scene.write('sub/.env', SECRET);
		linkSync(scene.path('sub/.env'), scene.path('notes.txt'));
		await scene.sh('chmod 000 sub');
		return (await scene.sh('cat notes.txt')).output;
	});

const changeStore = () =>
	inScene(async (scene) => {
		const store = join(tempDir('store'), 'x.js');
		writeFileSync(store, 'as it was');
		for (const folder of ['node_modules', 'app/node_modules']) {
			scene.write(`${folder}/x/y.js`, '');
			linkSync(store, scene.path(`${folder}/x/index.js`));
		}
		const closed = ['node_modules', 'app/node_modules/x'];
		await scene.sh(closed.map((folder) => `chmod 000 ${folder}`).join('; '));
		const change = (folder: string) =>
			`chmod 755 ${folder}; find ${folder} -name index.js -exec sh -c 'echo evil >> {}' ';'`;
		await scene.sh(closed.map(change).join('; '));
		return readFileSync(store, 'utf8');
	});

const CLOSED_OF_GIT = ['.git/modules/libs/one', '.git/modules/libs', '.git/modules', '.git'];

const changeGit = () =>
	inScene(async (scene) => {
		const git = (cwd: string, ...args: string[]) =>
			execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always', ...args], {
				cwd,
			});
		const library = tempDir('library');
		for (const folder of [library, scene.workspace]) {
			git(folder, 'init', '--quiet');
			git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'one');
		}
		git(scene.workspace, 'submodule', '--quiet', 'add', library, 'libs/one');
		const settings = ['.git/config', '.git/modules/libs/one/config'].map((path) => scene.path(path));
		const read = () => settings.map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : 'gone'));
		const before = read();
		const changed: string[] = [];
		for (const closed of CLOSED_OF_GIT) {
			await scene.sh(`chmod 000 ${closed}`);
			await scene.sh(`chmod 755 ${closed}; for each in ${settings.join(' ')}; do echo evil >> $each; done`);
			chmodSync(scene.path(closed), 0o755);
			if (read().join('') !== before.join('')) changed.push(closed);
		}
		return changed;
	});

const hideAmongPackages = () =>
	inScene(async (scene) => {
		scene.write('sub/.env', SECRET);
		await scene.sh('mkdir node_modules; mv sub node_modules/; chmod 000 node_modules');
		return scene.sandbox.hidesSecrets();
	});

const closeWorkspace = () =>
	inScene(async (scene) => {
		await scene.sh('chmod 311 .');
		const use = await scene.sandbox.state();
		return use.works ? undefined : use.why.template;
	});

const outcome: ClosedFolders = {
	...(await readBehind()),
	otherName: await readOtherName(),
	store: await changeStore(),
	changedGit: await changeGit(),
	isWhole: await hideAmongPackages(),
	unfit: await closeWorkspace(),
};
process.stdout.write(asLine(outcome));
