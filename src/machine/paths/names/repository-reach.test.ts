import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { writeFiles } from '../../../../test/support/workspace-on-disk.ts';
import { isReachedByGit, repositoryFolders } from './repository-reach.ts';

describe('What a repository has Git read beyond its own folder', () => {
	let root: string;

	beforeEach(() => {
		root = tempDir('git-reach');
	});

	const isReached = (path: string) => isReachedByGit(root, path.split('/'));

	it('is found however many worktrees and submodules there are, which a command can make', async () => {
		await writeFiles(root, { '.git/config': '[core]\n\thooksPath = checks\n[include]\n\tpath = ../more.inc\n' });
		for (const name of Array.from({ length: 60 }, (_, at) => `w${at}`)) {
			mkdirSync(join(root, '.git/worktrees', name), { recursive: true });
			await writeFiles(root, { [`.git/modules/${name}/config`]: '' });
		}
		assert.deepEqual(['checks/pre-commit', 'more.inc', 'a.ts'].map(isReached), [true, true, false]);
	});

	it('is found for a worktree and a submodule, whose settings lie elsewhere and count from their own folder', async () => {
		const main = tempDir('git-main');
		await writeFiles(main, {
			'.git/config': '[core]\n\thooksPath = checks\n',
			'.git/worktrees/w/gitdir': `${root}/tree/.git\n`,
			'.git/worktrees/w/commondir': '../..\n',
			'.git/modules/s/config': `[core]\n\tworktree = ${root}/sub\n\thooksPath = tools\n`,
		});
		await writeFiles(root, {
			'tree/.git': `gitdir: ${main}/.git/worktrees/w\n`,
			'sub/.git': `gitdir: ${main}/.git/modules/s\n`,
			'stranger/.git': `gitdir: ${main}/.git/worktrees/w\n`,
		});
		const paths = ['tree/checks/pre-commit', 'sub/tools/pre-push', 'stranger/checks/pre-commit', 'checks/pre-commit'];
		// Where the file of a worktree does not lead back, as that of a stranger, Git follows it all the same.
		assert.deepEqual(paths.map(isReached), [true, true, true, false]);
	});

	it('is found for a submodule whose name is that of a part of another repository', async () => {
		const names = ['x/lfs/a', 'x/objects/ab/c', 'x/refs/b', 'x/logs/refs/d'];
		for (const name of names) {
			const settings = `[core]\n\tworktree = ${root}/${name}\n\thooksPath = tools\n`;
			await writeFiles(root, { [`.git/modules/${name}/config`]: settings, [`.git/modules/${name}/HEAD`]: 'ref: a' });
			mkdirSync(join(root, '.git/modules', name, 'hooks'), { recursive: true });
		}
		await writeFiles(root, {
			'.git/modules/x/HEAD': 'ref: refs/heads/main',
			'.git/modules/x/refs/heads/config': `${'a'.repeat(40)}\n`,
			'.git/modules/x/objects/de/f0': '',
		});
		const found = repositoryFolders(join(root, '.git')).all.map((path) => path.slice(join(root, '.git/').length));
		assert.deepEqual(
			names.filter((name) => !found.includes(`modules/${name}`)),
			[],
		);
		assert.deepEqual(
			['modules/x/refs/heads', 'modules/x/objects/de'].filter((path) => found.includes(path)),
			[],
		);
	});

	it('is found behind settings that include more files than are followed', async () => {
		const included = Array.from({ length: 60 }, (_, at) => `\tpath = ../i${at}.inc\n`).join('');
		await writeFiles(root, { '.git/config': `[include]\n${included}[core]\n\thooksPath = checks\n` });
		assert.deepEqual(['checks/pre-commit', 'i0.inc', 'i59.inc'].map(isReached), [true, true, true]);
	});

	it('is named without the comment behind it, and with what stands in quotes', async () => {
		await writeFiles(root, {
			'.git/config': [
				'[include]',
				'\tpath = ../plain.inc ; of all',
				'\tpath = ../near.inc# of all',
				String.raw`	path = "../a#b; c.inc" # of all`,
				'[includeIf "gitdir:/a]b"] path = ../odd.inc',
				'[core]',
				'\thooksPath = "my hooks" ; of all',
			].join('\n'),
		});
		const named = ['plain.inc', 'near.inc', 'a#b; c.inc', 'odd.inc', 'my hooks/pre-push'];
		assert.deepEqual(
			named.filter((path) => !isReached(path)),
			[],
		);
	});

	it('is found where a program is named without a slash or in quotes, and where hooks lie in the work tree itself', async () => {
		await writeFiles(root, {
			'.git/config': [
				'[core]',
				'\thooksPath = .',
				'[filter "x"]',
				'\tclean = node clean.js %f',
				'[diff "x"]',
				String.raw`	textconv = \"./my tools/t.sh\" -x`,
				String.raw`	command = "\"./other tools/t.sh\" -x; true"`,
			].join('\n'),
			...Object.fromEntries(['clean.js', 'node', 'my tools/t.sh', 'other tools/t.sh'].map((path) => [path, ''])),
		});
		const named = ['clean.js', 'my tools/t.sh', 'other tools/t.sh', 'pre-commit', 'post-index-change'];
		assert.deepEqual(
			named.filter((path) => !isReached(path)),
			[],
		);
		assert.equal(isReached('a.ts'), false);
	});
});
