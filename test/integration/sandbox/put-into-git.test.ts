/** Files that a command puts into a commit, a stash or the index steer nobody once Git has written them into a folder. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandSandbox } from '../../../src/machine/sandbox/command-sandbox.ts';
import { HeldInGit } from '../../../src/machine/sandbox/left/held-in-git.ts';
import { GIT_NOTES } from '../../../src/machine/sandbox/limits.ts';
import { WorkspacePaths } from '../../../src/machine/paths/workspace-paths.ts';
import { bubblewrap, eachWithScene, type SandboxScene } from '../../support/sandbox-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import { workspaceOnDisk } from '../../support/workspace-on-disk.ts';

const SAID = /Git now has (.+) in a commit, a stash or the index/;
/** Puts a file at `path` into the index, and never into the folder. */
const stage = (path: string, text = 'POISON') =>
	`git update-index --add --cacheinfo 100644,$(echo ${text} | git hash-object -w --stdin),${path}`;
const AS_SOMEBODY = '-c user.name=a -c user.email=a@b -c commit.gpgSign=false';
const commit = (title = 'work') => `git ${AS_SOMEBODY} commit -qm ${title}`;
const writeTree = `tree=$(git write-tree); git reset -q; made=$(git ${AS_SOMEBODY} commit-tree -m x -p HEAD $tree)`;

/** Ways to have Git bring a file into the folder later: what the command does, and then the user. */
const WAYS: readonly (readonly [way: string, command: string, ...user: string[]])[] = [
	['the index', stage('CLAUDE.md'), 'git checkout -q -- .'],
	['a commit', `${stage('CLAUDE.md')}; ${commit()}`, 'git reset -q --hard'],
	[
		'a commit on top of which all is as before',
		`${stage('CLAUDE.md')}; ${commit()}; git reset -q --hard HEAD~1`,
		'git reset -q --hard ORIG_HEAD',
	],
	[
		'another branch, checked out, merged, picked from or rebased onto',
		`${stage('CLAUDE.md')}; ${writeTree}; git branch next $made`,
		'git checkout -q next',
		`git ${AS_SOMEBODY} merge -q --no-ff next`,
		`git ${AS_SOMEBODY} cherry-pick next`,
		`git ${AS_SOMEBODY} rebase -q next`,
	],
	['a tag', `${stage('CLAUDE.md')}; ${writeTree}; git ${AS_SOMEBODY} tag -m x v1 $made`, 'git checkout -q v1'],
	[
		'what a remote seems to have',
		`${stage('CLAUDE.md')}; ${writeTree}; git update-ref refs/remotes/origin/main $made`,
		`git ${AS_SOMEBODY} merge -q origin/main`,
	],
	[
		'references in one file',
		`${stage('CLAUDE.md')}; ${writeTree}; git branch next $made; git pack-refs --all`,
		'git checkout -q next',
	],
	[
		'what was fetched last',
		`${stage('CLAUDE.md')}; ${writeTree}; echo "$made		branch x of y" > .git/FETCH_HEAD`,
		`git ${AS_SOMEBODY} merge -q FETCH_HEAD`,
	],
	[
		'a stash',
		`${stage('CLAUDE.md')}; ${writeTree}; base=$(git rev-parse HEAD); one=$(git ${AS_SOMEBODY} commit-tree -m i -p $base $base^{tree}); git stash store -m x $(git ${AS_SOMEBODY} commit-tree -m w -p $base -p $one $tree)`,
		'git stash pop -q',
	],
	[
		'a commit that merges and has what no side has',
		`${stage('CLAUDE.md')}; ${writeTree}; git branch next $(git ${AS_SOMEBODY} commit-tree -m m -p HEAD -p side $tree)`,
		'git checkout -q next',
	],
	[
		'what a bisection began from',
		`${stage('CLAUDE.md')}; ${writeTree}; echo $made > .git/BISECT_START; touch .git/BISECT_LOG`,
		'git bisect reset',
	],
	[
		'what was put aside before a merge',
		`${stage('CLAUDE.md')}; ${writeTree}; base=$(git rev-parse HEAD); one=$(git ${AS_SOMEBODY} commit-tree -m i -p $base $base^{tree}); git ${AS_SOMEBODY} commit-tree -m w -p $base -p $one $tree > .git/MERGE_AUTOSTASH; git rev-parse side > .git/MERGE_HEAD`,
		'git merge --abort',
	],
	[
		'what a branch seems to have been',
		`${stage('CLAUDE.md')}; ${writeTree}; printf "$(git rev-parse HEAD) $made a <a@b> 1 +0000\tx\n$made $(git rev-parse HEAD) a <a@b> 2 +0000\tx\n" > .git/logs/refs/heads/main`,
		'git reset -q --hard @{1}',
	],
	[
		'what a branch seems to have been that is named as a patch',
		`${stage('CLAUDE.md')}; ${writeTree}; git branch patch; printf "$(git rev-parse HEAD) $made a <a@b> 1 +0000\tx\n$made $(git rev-parse HEAD) a <a@b> 2 +0000\tx\n" > .git/logs/refs/heads/patch`,
		'git reset -q --hard patch@{1}',
	],
	[
		'what a remote branch seems to have been',
		`${stage('CLAUDE.md')}; ${writeTree}; git update-ref refs/remotes/origin/main HEAD; mkdir -p .git/logs/refs/remotes/origin; printf "$(git rev-parse HEAD) $made a <a@b> 1 +0000\tx\n$made $(git rev-parse HEAD) a <a@b> 2 +0000\tx\n" > .git/logs/refs/remotes/origin/main`,
		'git reset -q --hard origin/main@{1}',
	],
	[
		'what a tag seems to have been',
		`${stage('CLAUDE.md')}; ${writeTree}; mkdir -p .git/logs/refs/tags; printf "$(git rev-parse HEAD) $made a <a@b> 1 +0000\tx\n$made $(git rev-parse HEAD) a <a@b> 2 +0000\tx\n" > .git/logs/refs/tags/start`,
		'git checkout -q start@{1}',
	],
	[
		'a step of a rebase that shortens the name of a commit',
		`${stage('CLAUDE.md')}; ${writeTree}; mkdir .git/rebase-merge; printf 'pick %s x\\n' $(echo $made | cut -c1-10) > .git/rebase-merge/git-rebase-todo; git rev-parse HEAD | tee .git/rebase-merge/onto > .git/rebase-merge/orig-head; echo 'detached HEAD' > .git/rebase-merge/head-name; touch .git/rebase-merge/interactive`,
		`git ${AS_SOMEBODY} rebase --continue`,
	],
	[
		'what was put aside before a rebase, shortened',
		`${stage('CLAUDE.md')}; ${writeTree}; base=$(git rev-parse HEAD); one=$(git ${AS_SOMEBODY} commit-tree -m i -p $base $base^{tree}); mkdir .git/rebase-merge; git ${AS_SOMEBODY} commit-tree -m w -p $base -p $one $tree | cut -c1-10 > .git/rebase-merge/autostash; echo $base | tee .git/rebase-merge/onto > .git/rebase-merge/orig-head; echo 'detached HEAD' > .git/rebase-merge/head-name; touch .git/rebase-merge/interactive`,
		'git rebase --abort',
	],
	[
		'what a bisection began from, shortened',
		`${stage('CLAUDE.md')}; ${writeTree}; echo $made | cut -c1-10 > .git/BISECT_START; touch .git/BISECT_LOG`,
		'git bisect reset',
	],
	[
		'a reference to a name of its own, in capitals',
		`${stage('CLAUDE.md')}; ${writeTree}; echo $made | tr a-f A-F > .git/next; printf 'ref: next' > .git/refs/heads/next`,
		'git checkout -q next',
	],
	[
		'a tree without a commit',
		`${stage('CLAUDE.md')}; ${writeTree}; git update-ref refs/tags/tree $tree`,
		'git checkout -q tree -- .',
	],
	['text that Git had at another path', `${stage('CLAUDE.md', 'HARMLESS')}; ${commit()}`, 'git reset -q --hard'],
	[
		'a link in the place of a folder',
		`git update-index --add --cacheinfo 120000,$(printf .hidden | git hash-object -w --stdin),.github; ${stage('.hidden/copilot-instructions.md')}; ${commit()}`,
		'git reset -q --hard',
	],
];

describe('What a command puts into Git', function () {
	this.timeout(60_000);
	let scene: SandboxScene;
	eachWithScene((made) => (scene = made));

	const inFolder = (line: string, folder = scene.workspace, home = scene.userHome) =>
		execFileSync('sh', ['-ec', line], { cwd: folder, encoding: 'utf8', env: { ...process.env, HOME: home } });
	async function followed(folder = scene.workspace) {
		const sandbox = new CommandSandbox({
			home: scene.prowessHome,
			folders: () => [folder],
			bubblewrapCandidates: () => [bubblewrap ?? ''],
		});
		await sandbox.warnUnsandboxed(() => undefined);
		const paths = new WorkspacePaths({ folders: [{ name: 'app', path: folder }] });
		const disk = await workspaceOnDisk({}, { paths, wall: sandbox });
		const told = await disk.perform('workspace.instructions', { touched: ['sub/a.ts'], told: [], again: [] });
		await disk.close();
		await sandbox.close();
		return told.files.map(({ path }) => path);
	}

	/** The repository that each spec begins with. */
	let made: string;
	before(() => {
		made = tempDir('repository');
		for (const [path, text] of Object.entries({ 'AGENTS.md': 'mine', 'a.ts': 'a', 'notes.txt': 'HARMLESS\n' })) {
			writeFileSync(join(made, path), text);
		}
		inFolder(
			`git init -q -b main; git add -A; ${commit('one')}; git checkout -q -b side; echo s > s; git add s; ${commit('side')}; git checkout -q main; git tag start`,
			made,
			tempDir('user-home'),
		);
	});
	beforeEach(() => {
		cpSync(made, scene.workspace, { recursive: true });
		// A copy has times of its own.
		inFolder('git update-index -q --refresh');
	});

	for (const [way, command, ...acts] of WAYS) {
		it(`is told and not followed by way of ${way}`, async () => {
			const { kept = [], output, exitCode } = await scene.sh(`set -e; ${command}`);
			assert.equal(exitCode, 0, output);
			assert.match(kept.join('\n'), SAID, output);
			assert.match(SAID.exec(kept.join('\n'))?.[1] ?? '', /CLAUDE\.md|\.github/);
			for (const act of acts) {
				inFolder(act);
				assert.deepEqual(await followed(), ['AGENTS.md'], act);
				if (acts.length > 1) inFolder('git checkout -q main; git reset -q --hard start');
			}
		});
	}

	it('is told and not followed where the file that an index is split into was changed, and the index was not', async () => {
		inFolder('git update-index --split-index');
		const { kept = [], output } = await scene.sh(
			`set -e; one=$(ls .git/sharedindex.*); cp .git/index .git/copy; export GIT_INDEX_FILE=$PWD/.git/copy; ${stage('CLAUDE.md')}
			git update-index --no-split-index; git update-index --split-index; other=$(ls .git/sharedindex.* | grep -v $one)
			(head -c -20 $other; tail -c 20 $one) > made; cat made > $one`,
		);
		assert.match(kept.join('\n'), SAID, output);
		inFolder('git checkout -q -- .');
		assert.ok(existsSync(scene.path('CLAUDE.md')));
		assert.deepEqual(await followed(), ['AGENTS.md']);
	});

	it('is not followed in a worktree, nor in place of what was followed before', async () => {
		const { kept = [] } = await scene.sh(
			`${stage('AGENTS.md')}; ${stage('.vscode/tasks.json')}; ${stage('.husky/pre-commit')}; ${commit()}`,
		);
		assert.equal(SAID.exec(kept.join('\n'))?.[1], '.husky/pre-commit, .vscode/tasks.json, AGENTS.md');
		// The file that was there before is still the user's.
		assert.deepEqual(await followed(), ['AGENTS.md']);
		const tree = join(tempDir('trees'), 'tree');
		inFolder(`git worktree add -q ${tree}`);
		assert.deepEqual(await followed(tree), []);
		inFolder('git checkout -q HEAD -- AGENTS.md');
		assert.deepEqual(await followed(), []);
	});

	it('is not followed where the note on it cannot be read, and no other of that repository is let go', async () => {
		await scene.sh(`${stage('CLAUDE.md')}; ${commit()}`);
		inFolder('git reset -q --hard');
		const notes = join(scene.prowessHome, 'held', 'git');
		const [note = ''] = readdirSync(notes, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('/'));
		writeFileSync(join(notes, note), '{"repository":"');
		assert.deepEqual(await followed(), ['AGENTS.md']);
		await scene.sh(`${stage('GEMINI.md')}; ${commit()}`);
		inFolder('git reset -q --hard');
		assert.deepEqual(await followed(), ['AGENTS.md']);
		writeFileSync(join(notes, note), '{"repository":"');
		assert.deepEqual(await followed(), ['AGENTS.md']);
	});

	it('is followed again where Git brings back a text that the user has saved, or had there before', async () => {
		await scene.sh(`${stage('AGENTS.md')}; ${stage('CLAUDE.md')}; ${commit()}`);
		inFolder('git reset -q --hard');
		assert.deepEqual(await followed(), []);
		inFolder('git checkout -q HEAD~1 -- AGENTS.md');
		assert.deepEqual(await followed(), ['AGENTS.md']);
		await scene.sh('sleep 0.1');
		scene.write('CLAUDE.md', 'checked');
		assert.deepEqual(await followed(), ['AGENTS.md', 'CLAUDE.md']);
		inFolder(`git add -A; ${commit('mine')}; git checkout -q HEAD~1; git checkout -q main`);
		assert.deepEqual(await followed(), ['AGENTS.md', 'CLAUDE.md']);
		inFolder('git checkout -q HEAD~1');
		assert.deepEqual(await followed(), []);
	});

	it('is not followed where a folder that Git takes for no repository lies between', async () => {
		await scene.sh(`${stage('sub/CLAUDE.md')}; ${commit()}`);
		inFolder('git reset -q --hard; mkdir sub/.git');
		assert.deepEqual(await followed(), ['AGENTS.md']);
	});

	it('is held by one note on all where a repository has very many, and costs no more to look at', async () => {
		const held = new HeldInGit(join(scene.prowessHome, 'held', 'git'));
		const repository = scene.path('.git');
		await scene.sh(`${stage('CLAUDE.md')}; ${commit()}`);
		for (let at = 0; at < GIT_NOTES; at++)
			held.hold(repository, `sub/${at}/CLAUDE.md`, ['0'.repeat(40)], Date.now(), []);
		const [folder = ''] = readdirSync(join(scene.prowessHome, 'held', 'git')).filter(
			(name) => !name.startsWith('next'),
		);
		assert.deepEqual(readdirSync(join(scene.prowessHome, 'held', 'git', folder)), ['all']);
		inFolder('git reset -q --hard');
		assert.deepEqual(await followed(), ['AGENTS.md']);
		scene.sandbox.expect(scene.path('CLAUDE.md'));
		scene.write('CLAUDE.md', 'POISON\n');
		assert.deepEqual(await followed(), ['AGENTS.md', 'CLAUDE.md']);
	});

	it('is followed once the user has saved it: in the editor, or by another program after the last act of Git', async () => {
		await scene.sh(`${stage('CLAUDE.md')}; ${stage('GEMINI.md')}; ${commit()}`);
		inFolder('git reset -q --hard');
		assert.deepEqual(await followed(), ['AGENTS.md']);
		scene.sandbox.expect(scene.path('CLAUDE.md'));
		scene.write('CLAUDE.md', 'POISON\n');
		assert.deepEqual(await followed(), ['AGENTS.md', 'CLAUDE.md']);
		// The index is older by more than a step of the clock.
		await scene.sh('sleep 0.1');
		scene.write('GEMINI.md', 'checked');
		assert.deepEqual(await followed(), ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md']);
		inFolder('git add -A');
		assert.deepEqual(await followed(), ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md']);
	});

	it('is not followed where Git would be asked for too much', async () => {
		const many = `for each in $(seq 210); do echo "100644 $blob	d$each/CLAUDE.md"; done | git update-index --index-info`;
		const { kept = [] } = await scene.sh(
			`blob=$(echo POISON | git hash-object -w --stdin); ${many}; ${stage('CLAUDE.md')}; ${commit()}`,
		);
		assert.match(kept.join('\n'), /was not all looked at/);
		inFolder('git reset -q --hard');
		assert.deepEqual(await followed(), ['AGENTS.md']);
	});

	it('is told and not followed where a file names a commit that Git does not have, and a later command makes it', async () => {
		const away = 'object=.git/objects/$(echo $made | sed "s,^..,&/,")';
		const { kept = [], output } = await scene.sh(
			`set -e; ${stage('CLAUDE.md')}; ${writeTree}; ${away}; mv $object .git/later; echo $made > .git/refs/heads/next`,
		);
		assert.match(kept.join('\n'), /was not all looked at/, output);
		await scene.sh(`made=$(cat .git/refs/heads/next); ${away}; mv .git/later $object`);
		inFolder('git checkout -q next');
		assert.ok(existsSync(scene.path('CLAUDE.md')));
		assert.deepEqual(await followed(), ['AGENTS.md']);
	});

	it('is told and not followed where a reference leads to a file that is not read', async () => {
		const { kept = [], output } = await scene.sh(
			`set -e; ${stage('CLAUDE.md')}; ${writeTree}; mkdir .git/other; echo $made > .git/other/next; printf 'ref: other/next' > .git/refs/heads/next`,
		);
		assert.match(kept.join('\n'), /was not all looked at/, output);
		inFolder('git checkout -q next');
		assert.ok(existsSync(scene.path('CLAUDE.md')));
		assert.deepEqual(await followed(), ['AGENTS.md']);
	});

	it('is told where more is in the way than is looked through, large files and worktrees', async () => {
		const inTheWay = [
			'(cd .git/refs/heads; truncate -s 15M 1 2 3 4 5)',
			'rm .git/refs/heads/[1-5]; mkdir .git/worktrees; (cd .git/worktrees; seq 501 | xargs mkdir)',
		];
		for (const [at, command] of inTheWay.entries()) {
			const { kept = [], output } = await scene.sh(
				`set -e; ${command}; ${stage('CLAUDE.md')}; ${writeTree}; git update-ref refs/tags/z-${at} $made`,
			);
			assert.match(kept.join('\n'), /was not all looked at/, `${command}: ${output}`);
		}
	});

	it('is told and not followed where a name is computed, or what commits hold was written down otherwise', async () => {
		const computed = await scene.sh(
			`set -e; ${stage('CLAUDE.md')}; ${writeTree}; echo "$made^0" > .git/BISECT_START; touch .git/BISECT_LOG`,
		);
		assert.match(computed.kept?.join('\n') ?? '', /was not all looked at/, computed.output);
		inFolder(`rm .git/BISECT_*; echo 2 > a.ts; git add a.ts; ${commit('two')}; git commit-graph write --reachable`);
		assert.deepEqual((await scene.sh(`git checkout -q side; git commit-graph write --reachable`)).kept ?? [], []);
		inFolder('git checkout -q main');
		const forge = [
			'import hashlib, os, sys',
			'path = ".git/objects/info/commit-graph"',
			'was, now = map(bytes.fromhex, sys.argv[1:])',
			'bytes = open(path, "rb").read()[:-20]',
			'assert was in bytes',
			'os.unlink(path)',
			'bytes = bytes.replace(was, now)',
			'open(path, "wb").write(bytes + hashlib.sha1(bytes).digest())',
		].join('\n');
		const forged = await scene.sh(
			`set -e; ${stage('CLAUDE.md')}; ${writeTree}; python3 -c '${forge}' $(git rev-parse 'HEAD~1^{tree}') $tree`,
		);
		assert.match(forged.kept?.join('\n') ?? '', /was not all looked at/, forged.output);
		inFolder(`git ${AS_SOMEBODY} revert --no-edit HEAD`);
		assert.ok(existsSync(scene.path('CLAUDE.md')));
		assert.deepEqual(await followed(), ['AGENTS.md']);
	});

	it('is told where references are kept in tables, which are not read', async () => {
		const { kept = [] } = await scene.sh('mkdir .git/reftable; echo REFT > .git/reftable/0x000000000001.ref');
		assert.match(kept.join('\n'), /was not all looked at/);
		const { kept: later = [] } = await scene.sh('git status');
		assert.deepEqual(later, []);
	});

	it('is told by way of a link, each time that what it leads to has changed', async () => {
		inFolder('git rev-parse HEAD > named');
		await scene.sh('ln -s ../../../named .git/refs/heads/linked');
		const { kept = [] } = await scene.sh(
			`export GIT_INDEX_FILE=.git/other; git read-tree HEAD; ${stage('CLAUDE.md')}; git ${AS_SOMEBODY} commit-tree -m x -p HEAD $(git write-tree) > named`,
		);
		assert.match(kept.join('\n'), SAID);
	});

	it('is not taken in place of what Git has, by a reference of its own or in the file of all', async () => {
		inFolder(`echo mine > CLAUDE.md; git add CLAUDE.md; ${commit()}`);
		const replace = 'git replace $(git rev-parse HEAD:CLAUDE.md) $(echo POISON | git hash-object -w --stdin)';
		const { kept: loose = [] } = await scene.sh(replace);
		assert.match(loose.join('\n'), /\.git\/refs\/replace steers other programs/);
		inFolder('rm CLAUDE.md; git checkout -q -- CLAUDE.md');
		assert.equal(readFileSync(scene.path('CLAUDE.md'), 'utf8'), 'mine\n');
		const { kept: packed = [] } = await scene.sh(`${replace}; git pack-refs --all; rm -r .git/refs/replace`);
		assert.match(packed.join('\n'), /was not all looked at/);
		inFolder('rm CLAUDE.md; git checkout -q -- CLAUDE.md');
		assert.deepEqual(await followed(), ['AGENTS.md']);
	});

	it('keeps nobody waiting who uses Git later', async () => {
		const object = `objects/00/${'0'.repeat(38)}`;
		const below = ['refs/heads/waits', 'MERGE_HEAD', 'objects/pack/pack-0.idx', object, 'logs/HEAD', 'info/exclude'];
		const paths = below.map((path) => `.git/${path}`);
		const { kept = [] } = await scene.sh(
			`mkdir -p .git/objects/00; rm -f .git/packed-refs ${paths.join(' ')}; mkfifo ${paths.join(' ')}`,
		);
		for (const path of paths) {
			assert.match(kept.join('\n'), new RegExp(`${path} is a pipe`));
			assert.equal(existsSync(scene.path(path)), false, path);
		}
		assert.match(inFolder('git branch'), /main/);
	});

	it('keeps nobody waiting who uses Git later, when another command began before the one that did it had ended', async () => {
		execFileSync('mkfifo', [scene.path('.git/of-the-user')]);
		const first = scene.sh('mkfifo .git/refs/heads/waits; until [ -e begun ]; do sleep 0.05; done');
		await waitFor('the pipe', () => existsSync(scene.path('.git/refs/heads/waits')));
		const second = scene.sh('echo > begun; until [ -e ended ]; do sleep 0.05; done');
		await first;
		scene.write('ended', '');
		const { kept = [] } = await second;
		assert.deepEqual(
			kept.filter((each) => each.includes('is a pipe')).map((each) => each.split(' ')[0]),
			['.git/refs/heads/waits'],
		);
		await scene.sandbox.asCommand(async () => scene.write('b.ts', 'b'));
		assert.ok(existsSync(scene.path('.git/of-the-user')));
	});

	it('is not told where folders of Git are links of the user', async () => {
		inFolder(
			'mkdir kept; rm -r .git/hooks; ln -s ../kept .git/hooks; ln -s ../kept .git/rr-cache; ln -s round .git/round',
		);
		for (const line of ['git status --short', `echo b > b.ts; git add b.ts; ${commit()}`]) {
			const { kept = [], output, exitCode } = await scene.sh(line);
			assert.deepEqual([exitCode, kept], [0, []], `${line}: ${output}`);
		}
	});

	it('is not told of what the user had written: files of the folder, branches that are merged, rebased or checked out', async () => {
		scene.write('.github/workflows/ci.yml', 'mine');
		inFolder(
			`git checkout -q side; echo changed > AGENTS.md; echo c > CLAUDE.md; git add AGENTS.md CLAUDE.md; ${commit('theirs')}; git checkout -q main`,
		);
		const lines = [
			`git add -A && ${commit('ci')}`,
			'git status --short',
			`for each in $(seq 60); do git ${AS_SOMEBODY} tag -m x v$each; done`,
			`git ${AS_SOMEBODY} merge-tree --write-tree main side > tree; made=$(git ${AS_SOMEBODY} commit-tree -m m -p main -p side $(head -1 tree)); git branch merged $made`,
			`git ${AS_SOMEBODY} commit --amend -qm again --allow-empty`,
			// A message is no reference, whatever it names.
			`git ${AS_SOMEBODY} commit --allow-empty -qm "As in ${'1'.repeat(40)}"`,
			`git branch copied $(git ${AS_SOMEBODY} commit-tree -m side -p main side^{tree})`,
			'git symbolic-ref HEAD refs/heads/side; git read-tree side; git symbolic-ref HEAD refs/heads/main; git read-tree main',
		];
		for (const line of lines) {
			const { kept = [], output, exitCode } = await scene.sh(line);
			assert.equal(exitCode, 0, `${line}: ${output}`);
			assert.deepEqual(kept, [], line);
		}
		assert.deepEqual(await followed(), ['AGENTS.md']);
	});
});
