/** Tests what the sandbox of commands keeps from a program, with real programs on this machine. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CommandSandbox } from '../../../src/machine/sandbox/command-sandbox.ts';
import { inEnglish, joinTextsWithCommas } from '../../../src/protocol/text/text.ts';
import { bubblewrap, eachWithScene, SandboxScene } from '../../support/sandbox-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';

describe('The sandbox of commands', function () {
	this.timeout(30_000);
	let scene: SandboxScene;

	eachWithScene((made) => (scene = made));

	for (const isSandboxed of [true, false]) {
		it(`${isSandboxed ? 'lets' : 'is left: without it, the runner lets'} programs open their streams by name, as with any pipe`, async () => {
			const script = 'cat /dev/stdin; echo out > /dev/stdout; echo err > /dev/stderr; echo both | tee /dev/stderr';
			const { output } = await scene.pipe(
				[
					['echo', 'in'],
					['sh', '-c', script],
				],
				{ isSandboxed },
			);
			assert.deepEqual(output.split('\n').toSorted(), ['', 'both', 'both', 'err', 'in', 'out']);
			const read = `process.stdout.write(require('fs').readFileSync('/dev/stdin'))`;
			const copied = await scene.pipe(
				[
					['seq', '50000'],
					[process.execPath, '-e', read],
					['tail', '-n', '1'],
				],
				{
					isSandboxed,
				},
			);
			assert.equal(copied.output, '50000\n');
		});
	}

	it('keeps the order of both outputs of a program that does not wait for its writes', async () => {
		const script = `for (let n = 0; n < 2000; n++) process.stderr.write(n + '\\n'); process.stdout.write('end\\n')`;
		const { output } = await scene.run([process.execPath, '-e', script]);
		assert.equal(output, `${Array.from({ length: 2_000 }, (_, n) => `${n}\n`).join('')}end\n`);
	});

	it('is not claimed where bubblewrap is missing, does not work, or could keep nothing apart', async () => {
		const why = async (folders: readonly string[], candidates: readonly string[]) => {
			const home = tempDir('home');
			const deps = { home, folders: () => folders, bubblewrapCandidates: () => candidates };
			const state = await new CommandSandbox(deps).state();
			return state.works ? '' : inEnglish(state.why);
		};
		const real = [bubblewrap ?? ''];
		assert.match(await why([scene.workspace], ['/nowhere/bwrap']), /Install the package/);
		assert.match(await why([scene.workspace], ['/bin/false']), /does not work here/);
		// Fake `bwrap` that runs the program it is given, and keeps nothing from it.
		const open = join(tempDir('fake'), 'bwrap');
		writeFileSync(open, '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift 5; exec "$@"\n', { mode: 0o755 });
		assert.match(await why([scene.workspace], [open]), /does not work here/);
		assert.match(await why([homedir()], real), /your home folder/);
		assert.equal(await why([scene.workspace], real), '');
	});

	it('is not claimed for a bubblewrap that keeps only a part from a program, and says which part it does not', async () => {
		const why = async (script: string) => {
			const path = join(tempDir('fake'), 'bwrap');
			writeFileSync(path, `#!/bin/bash\n${script}\n`, { mode: 0o755 });
			const deps = { home: tempDir('home'), folders: () => [scene.workspace], bubblewrapCandidates: () => [path] };
			const state = await new CommandSandbox(deps).state();
			return state.works ? 'believed' : inEnglish(state.why);
		};
		/** Runs the real one with its own words after these, but for those that a pattern matches. */
		const instead = (pattern: string, words: string) =>
			`kept=(); for word; do [[ $word == ${pattern} ]] || kept+=("$word"); done
			exec ${bubblewrap} ${words} "\${kept[@]}"`;
		/** Runs the program behind walls of its own; its last words are a shell's and say which places are tried. */
		const behind = (walls: string) =>
			`while [ "$1" != -- ]; do shift; done; shift 5; root=$(dirname "$5")
			exec ${bubblewrap} ${walls} --dev /dev --proc /proc -- "$@"`;
		assert.match(await why('exit 0'), /does not work here: exit 0$/);
		assert.match(await why('exit 7'), /does not work here: exit 7$/);
		const onlyWrites = behind('--unshare-net --ro-bind / / --bind "$root/workspace" "$root/workspace"');
		assert.match(await why(onlyWrites), /can read files/);
		const onlyReads = behind('--unshare-net --bind / / --ro-bind /usr /usr --bind /dev/null "$root/canary"');
		assert.match(await why(onlyReads), /can change files outside/);
		assert.match(await why(behind('--unshare-net --ro-bind / / --ro-bind /dev/null "$root/canary"')), /cannot write/);
		assert.match(await why(instead('--unshare-all', '--unshare-user --unshare-pid --unshare-ipc')), /the network/);
		assert.equal(await why(instead("''", '')), 'believed');
	});

	it('is found once bubblewrap is installed, and again after a time once it works', async () => {
		const path = join(tempDir('fake'), 'bwrap');
		const sandboxWith = (probeRetryMs?: number) =>
			new CommandSandbox({
				home: tempDir('home'),
				folders: () => [scene.workspace],
				bubblewrapCandidates: () => [path],
				...(probeRetryMs === undefined ? {} : { probeRetryMs }),
			});
		const [later, impatient] = [sandboxWith(), sandboxWith(0)];
		const works = async (sandbox: CommandSandbox) => (await sandbox.state()).works;
		assert.deepEqual([await works(later), await works(impatient)], [false, false]);
		writeFileSync(path, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
		assert.deepEqual([await works(impatient), await works(impatient)], [false, false]);
		writeFileSync(path, `#!/bin/sh\nexec ${bubblewrap} "$@"\n`, { mode: 0o755 });
		assert.equal(await works(impatient), true);
		assert.equal(await works(later), true);
		writeFileSync(path, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
		assert.deepEqual([await works(impatient), await works(later)], [true, true]);
	});

	it('is tried again at once by whoever has it proven, and tells what one command may take', async () => {
		const path = join(tempDir('fake'), 'bwrap');
		writeFileSync(path, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
		const sandbox = new CommandSandbox({
			home: tempDir('home'),
			folders: () => [scene.workspace],
			bubblewrapCandidates: () => [path],
		});
		const environment = { PATH: process.env['PATH'] ?? '' };
		assert.deepEqual([(await sandbox.state()).works, await sandbox.prove(environment)], [false, undefined]);
		writeFileSync(path, `#!/bin/sh\nexec ${bubblewrap} "$@"\n`, { mode: 0o755 });
		assert.equal((await sandbox.state()).works, false);
		const proof = await sandbox.prove(environment);
		assert.deepEqual(
			proof?.attempts.filter(({ isKept }) => !isKept),
			[],
		);
		const limits = inEnglish(joinTextsWithCommas(proof?.limits ?? []));
		assert.match(limits, /\d+ processes, \d+ MB of memory.*open files.*temporary folder.*each disk/);
		assert.equal((await sandbox.state()).works, true);
		await sandbox.close();
	});

	it('lets a program change the workspace and its temporary folder, and nothing else', async () => {
		const outside = tempDir('outside');
		const temporary = `/tmp/made-${process.pid}`;
		writeFileSync(join(outside, 'there.txt'), 'as it was');
		const script = `echo made > made.txt; echo x > ${temporary} && cat ${temporary}
			for each in ${outside}/there.txt ${outside}/new.txt /usr/x /etc/x /x "$HOME/x"; do echo changed > "$each"; done`;
		const state = await scene.sh(script);
		assert.equal(state.sandboxed, true);
		assert.equal(readFileSync(scene.path('made.txt'), 'utf8'), 'made\n');
		assert.equal(readFileSync(join(outside, 'there.txt'), 'utf8'), 'as it was');
		for (const path of [join(outside, 'new.txt'), '/usr/x', '/etc/x', '/x', temporary, join(scene.userHome, 'x')]) {
			assert.equal(existsSync(path), false, path);
		}
	});

	it('shows no home, no other home and no file of ours', async () => {
		scene.writeHome('notes.txt', 'canary');
		scene.writeHome('.ssh/id_ed25519', 'canary');
		writeFileSync(join(scene.prowessHome, 'ledger.db'), 'canary');
		const { output } = await scene.sh(
			`cat ${scene.userHome}/notes.txt ~/.ssh/id_ed25519 ${scene.prowessHome}/ledger.db 2>/dev/null
			ls -A ~ ${scene.prowessHome} /home /root /run /mnt`,
		);
		assert.doesNotMatch(output, /canary|notes\.txt|\.ssh|\.npmrc|ledger\.db|dbus/);
	});

	it('shows tools of the home read-only, and settings without their credentials', async () => {
		scene.writeHome('.nvm/versions/node', 'a tool');
		scene.writeHome('.npmrc', 'registry=https://user:canary@registry.example\n//registry.example/:_authToken=canary\n');
		scene.writeHome('.gitconfig', '[user]\n\tname = Ada\n\temail = ada@example.org\n');
		const { output } = await scene.sh(
			'cat ~/.nvm/versions/node ~/.npmrc; git config user.name; echo changed > ~/.nvm/versions/node',
		);
		assert.match(output, /^a toolregistry=https:\/\/registry\.example\nAda\n/);
		assert.doesNotMatch(output, /canary/);
		assert.match(output, /Read-only file system/);
	});

	it('writes to no folder of the machine that it puts in place of a cache', async () => {
		const machine = tempDir('machine');
		const [cache, target] = [join(machine, 'cache'), join(machine, 'target')];
		mkdirSync(cache);
		mkdirSync(target);
		const other = new SandboxScene({}, { XDG_CACHE_HOME: cache });
		try {
			await other.sh(
				`cd ~/.prowess-caches && for each in $(ls -A); do rm -rf $each; ln -s ${target} $each; done; true`,
			);
			await other.sh(`echo x > ${cache}/planted; echo x > ~/.npm/planted; true`);
			assert.deepEqual([readdirSync(target), readdirSync(cache)], [[], []]);
			const { output } = await other.sh(`echo kept > ${cache}/ours && cat ${cache}/ours`);
			assert.equal(output, 'kept\n');
		} finally {
			await other.close();
		}
	});

	it('shows the settings of a tool as they are when the command starts', async () => {
		scene.writeHome('.npmrc', 'registry=https://one.example\n');
		assert.match((await scene.sh('cat ~/.npmrc')).output, /one/);
		assert.match((await scene.sh('echo registry=https://planted.example > ~/.npmrc; cat ~/.npmrc')).output, /planted/);
		assert.match((await scene.sh('cat ~/.npmrc')).output, /one/);
		scene.writeHome('.npmrc', 'registry=https://two.example\n');
		assert.match((await scene.sh('cat ~/.npmrc')).output, /two/);
	});

	it('has a cache of its own for each workspace, which stays from command to command', async () => {
		scene.writeHome('.cache/theirs', 'canary');
		await scene.sh('echo kept > ~/.cache/ours');
		const { output } = await scene.sh('cat ~/.cache/ours; ls ~/.cache');
		assert.equal(output, 'kept\nours\n');
		assert.equal(existsSync(join(scene.userHome, '.cache/ours')), false);
	});

	it('hides secrets of the workspace and keeps what steers other programs as it is', async () => {
		scene.write('.env', 'KEY=canary');
		scene.write('packages/app/.env.local', 'KEY=canary');
		scene.write('keys/.ssh/id_rsa', 'canary');
		scene.write('.vscode/settings.json', '{}');
		scene.write('.github/workflows/ci.yml', 'on: push');
		const { output } = await scene.sh(
			`cat .env packages/app/.env.local keys/.ssh/id_rsa
			for each in .env .vscode/settings.json .vscode/tasks.json .github/workflows/ci.yml; do echo changed > $each; done
			mv .vscode x; mv .github y; rm .env; rm -rf .vscode`,
		);
		assert.doesNotMatch(output, /canary/);
		assert.equal(readFileSync(scene.path('.env'), 'utf8'), 'KEY=canary');
		assert.equal(readFileSync(scene.path('.vscode/settings.json'), 'utf8'), '{}');
		assert.equal(readFileSync(scene.path('.github/workflows/ci.yml'), 'utf8'), 'on: push');
		assert.equal(existsSync(scene.path('.vscode/tasks.json')), false);
	});

	it('hides a secret that was made after an earlier command', async () => {
		mkdirSync(scene.path('late'));
		await scene.run(['true']);
		scene.write('late/.env', 'KEY=canary');
		const { output } = await scene.sh('cat late/.env');
		assert.equal(output, '');
	});

	it('lets Git commit, and keeps its hooks and settings as they are', async () => {
		const git = (...args: string[]) => execFileSync('git', args, { cwd: scene.workspace, encoding: 'utf8' });
		git('init', '--quiet');
		git('config', 'user.name', 'Ada');
		git('config', 'user.email', 'ada@example.org');
		git('config', 'remote.origin.url', 'https://ada:canary@example.org/x.git');
		const before = readFileSync(scene.path('.git/config'), 'utf8');
		scene.write('a.txt', 'a');
		const state = await scene.sh(
			`git add . && git commit --quiet -m one && git checkout --quiet -b other && git status --short && git log --format=%an
			git config core.fsmonitor evil; echo evil > .git/hooks/pre-commit; mv .git x; cat .git/config`,
		);
		assert.equal(git('log', '--format=%s'), 'one\n');
		assert.equal(git('branch', '--show-current'), 'other\n');
		assert.equal(readFileSync(scene.path('.git/config'), 'utf8'), before);
		assert.equal(existsSync(scene.path('.git/hooks/pre-commit')), false);
		assert.doesNotMatch(state.output, /canary/);
		assert.match(state.output, /^Ada\n/);
	});

	it('has no network, no capability of the superuser and no way to gain one', async () => {
		const { output } = await scene.sh('cat /proc/net/dev /proc/self/status; ls /proc');
		assert.doesNotMatch(output, /eth0|wlan|ens\d/);
		assert.match(output, /CapBnd:\s*0+\n/);
		assert.match(output, /NoNewPrivs:\s*1\n/);
		assert.ok(output.split('\n').filter((line) => /^\d+$/.test(line)).length <= 4, 'only its own processes');
	});

	it('filters its system calls, and hands the program nothing of how', async () => {
		const { output } = await scene.sh('grep Seccomp: /proc/self/status; readlink /proc/$$/fd/3 || echo closed');
		assert.equal(output, 'Seccomp:\t2\nclosed\n');
		const { output: traced } = await scene.run(['perl', '-e', 'print syscall(101, 0x4206, 1, 0, 0), " ", $! + 0']);
		if (process.arch === 'x64') assert.equal(traced, '-1 1');
	});

	it('loses nothing of what a program wrote that ended before its reader began', async () => {
		const lines = 'one line\n'.repeat(2_000);
		scene.write('a.txt', lines);
		const outputs = new Set<string>();
		for (let pipe = 0; pipe < 30; pipe++) {
			const { output } = await scene.pipe([['cat', 'a.txt'], ['cat'], ['wc', '-c']]);
			outputs.add(output.trim());
		}
		assert.deepEqual([...outputs], [String(lines.length)]);
	});

	it('reports the exit code of the program, and the signal that ended it', async () => {
		assert.equal((await scene.sh('exit 3')).exitCode, 3);
		const killed = await scene.sh('kill -KILL $$');
		assert.deepEqual([killed.exitCode, killed.signal], [null, 'SIGKILL']);
	});

	it('does not start a script whose interpreter is missing or hidden, and says so', async () => {
		const interpreter = join(scene.userHome, 'interpreter');
		writeFileSync(interpreter, '#!/bin/sh\n', { mode: 0o755 });
		writeFileSync(scene.path('missing'), '#!/nowhere/sh\n', { mode: 0o755 });
		writeFileSync(scene.path('hidden'), `#!${interpreter}\n`, { mode: 0o755 });
		await assert.rejects(scene.run(['./missing']), { code: 'COMMAND_FAILED_TO_START', message: /interpreter/ });
		await assert.rejects(scene.run(['./hidden']), { code: 'COMMAND_FAILED_TO_START', message: /needs\.read/ });
	});

	it('starts a program of the home, which is hidden from it otherwise', async () => {
		const tool = join(scene.userHome, 'tool');
		writeFileSync(tool, '#!/bin/sh\necho mine; echo wrong >&2\n', { mode: 0o755 });
		const { exitCode, output } = await scene.run([tool]);
		assert.deepEqual([exitCode, output], [0, 'mine\nwrong\n']);
	});

	it('keeps a capability without the permission from changing the workspace at all', async () => {
		scene.write('a.txt', 'as it was');
		await scene.sh('echo changed > a.txt; echo x > new.txt', { mayWrite: false, onlyReads: false });
		assert.equal(readFileSync(scene.path('a.txt'), 'utf8'), 'as it was');
		assert.equal(existsSync(scene.path('new.txt')), false);
	});

	it('leaves nothing of a command in the home, at the latest when its host has closed', async () => {
		await scene.sh('mkdir -p /tmp/a/b ~/c; chmod 000 /tmp/a');
		await scene.close();
		assert.deepEqual(readdirSync(join(scene.prowessHome, 'sandbox/commands')), []);
	});
});
