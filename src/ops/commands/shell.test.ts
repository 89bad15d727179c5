import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning, runningProcesses, waitUntilGone } from '../../../test/support/processes.ts';
import { heldDuring } from '../../../test/support/held-memory.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { type WorkspaceOnDisk, never, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import type { CommandNeeds } from '../../protocol/ops/commands/command-needs.ts';
import type { OpParams } from '../../protocol/op-table/ops.ts';
import type { OpContext } from '../../contract/ops/op-implementation.ts';
import { CommandRunner } from '../../machine/shell/command-runner.ts';
import { createOpImplementations } from '../index.ts';

const node = process.execPath;

describe('shell ops', () => {
	let disk: WorkspaceOnDisk;

	beforeEach(async () => {
		disk = await workspaceOnDisk();
	});
	afterEach(() => disk.close());

	const run = (
		argv: string[],
		more: { timeoutMs?: number; background?: boolean; cwd?: string } = {},
		as: Partial<OpContext> = {},
	) => disk.perform('shell.run', { argv, cwd: '.', background: false, ...more }, as);
	const script = (code: string) => [node, '-e', code];
	const outputOf = (
		commandId: Awaited<ReturnType<typeof run>>['commandId'],
		waitMs = 5000,
		as: Partial<OpContext> = {},
	) => disk.perform('shell.output', { commandId, waitMs }, as);

	it('names a program that is not found and the PATH it looked at', async () => {
		await assert.rejects(run(['no-such-program']), {
			code: 'COMMAND_NOT_FOUND',
			message: /^cannot run no-such-program: not found in the \d+ folders of PATH$/,
		});
	});

	it('says of a whole shell line how it is written instead', async () => {
		const message = async (line: string) => {
			let said = '';
			await assert.rejects(run([line]), (error: Error) => ((said = error.message), true));
			return said;
		};
		assert.match(await message('git push --force'), /there is no shell: give \{"argv":\["git","push","--force"\]\}$/);
		assert.match(await message('ls | wc'), /give \{"argv":\["ls"\],"chain":\[\{"join":"\|","argv":\["wc"\]\}\]\}$/);
		for (const line of ['echo $HOME', 'ls > ~x/y', 'make *.ts; b']) {
			assert.match(await message(line), /there is no shell: .*; variables and wildcards are not understood/, line);
		}
	});

	it('says why a file does not start', async () => {
		disk = await workspaceOnDisk({ 'run.sh': '#!/no/such/interpreter\n' });
		await assert.rejects(run(['./run.sh']), { code: 'COMMAND_NOT_FOUND', message: /is not an executable file/ });
		await chmod(join(disk.root, 'run.sh'), 0o755);
		await assert.rejects(run(['./run.sh']), {
			code: 'COMMAND_FAILED_TO_START',
			message: /the interpreter that its first line/,
		});
	});

	it('refuses a folder outside the workspace, by letters and by link', async () => {
		await symlink(disk.outside, join(disk.root, 'link'));
		for (const cwd of ['..', '/', 'link']) {
			await assert.rejects(run(['pwd'], { cwd }), { code: 'PATH_OUTSIDE_WORKSPACE' }, cwd);
		}
		await assert.rejects(run(['pwd'], { cwd: 'nowhere' }), { code: 'NOT_FOUND' });
	});

	it('passes arguments as they are and gives the exit code', async () => {
		const argument = '$HOME; `id` "x" \'y\' * \n&& |';
		const state = await run([...script('process.stdout.write(process.argv[1]); process.exit(3)'), argument]);
		assert.deepEqual([state.output, state.exitCode, state.running, state.signal], [argument, 3, false, null]);
	});

	it('gives a command no secret of the host and nobody to ask', async () => {
		process.env['MY_TOKEN'] =
			process.env['NODE_OPTIONS'] =
			process.env['GIT_DIR'] =
			process.env['VSCODE_X'] =
				'--no-warnings';
		try {
			disk = await workspaceOnDisk();
			const state = await run(
				script('process.stdin.on("end", () => console.log(JSON.stringify(process.env))).resume()'),
			);
			const environment = JSON.parse(state.output) as Record<string, string>;
			for (const name of ['MY_TOKEN', 'NODE_OPTIONS', 'GIT_DIR', 'VSCODE_X']) {
				assert.equal(environment[name], undefined, name);
			}
			assert.deepEqual(
				[environment['TERM'], environment['GIT_PAGER'], environment['GIT_TERMINAL_PROMPT']],
				['dumb', 'cat', '0'],
			);
		} finally {
			for (const name of ['MY_TOKEN', 'NODE_OPTIONS', 'GIT_DIR', 'VSCODE_X']) {
				delete process.env[name];
			}
		}
	});

	it('streams output and strips what steers a terminal', async () => {
		const state = await run(script(String.raw`process.stdout.write('\x1b[31mred\x1b[0m \x1b]52;c;aGk=\x07ok\r\n')`));
		assert.equal(state.output, 'red ok\n');
		assert.equal(disk.emitted.join(''), 'red ok\n');
	});

	it('keeps head and tail of 200 MB without growing', async function () {
		this.timeout(60_000);
		const code = `const b = Buffer.alloc(1e6, 'x'); console.log('first'); for (let i = 0; i < 200; i++) require('fs').writeSync(1, b); console.log('last')`;
		const noisy = script(code.replaceAll('console.log(', "require('fs').writeSync(1, '\\n' + "));
		let state: Awaited<ReturnType<typeof run>> | undefined;
		const grownBy = await heldDuring(async () => (state = await run(noisy)));
		assert.ok(state !== undefined);
		assert.ok(state.output.startsWith('\nfirst') && state.output.trimEnd().endsWith('last'));
		assert.ok(state.output.length < 130_000 && state.omitted > 199_000_000);
		assert.ok(disk.emitted.join('').length < 210_000);
		assert.ok(grownBy < 50e6, `it held ${grownBy} bytes more`);
	});

	it('stops at its time limit and says so', async () => {
		const state = await run(script('console.log("started"); setInterval(() => {}, 1000)'), { timeoutMs: 400 });
		assert.deepEqual([state.timedOut, state.signal, state.running], [true, 'SIGTERM', false]);
		assert.deepEqual(state.overTime, { program: process.execPath, limitMs: 400 });
	});

	it('ends a program that ignores SIGTERM, and its child, after an abort', async function () {
		this.timeout(10_000);
		const controller = new AbortController();
		const child = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)';
		const code = `process.on('SIGTERM', () => {}); const c = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' }); console.log(process.pid, c.pid); setInterval(() => {}, 1000)`;
		const running = run(script(code), {}, { signal: controller.signal });
		const line = await waitFor('the process ids', () => /^(\d+) (\d+)\n/.exec(disk.emitted.join('')) ?? undefined);
		const pids = [Number(line[1]), Number(line[2])];
		assert.ok(pids.every(isRunning));
		controller.abort(new Error('stopped'));
		await assert.rejects(running, { message: 'stopped' });
		await waitUntilGone(pids);
	});

	it('ends what a program leaves behind when it exits', async () => {
		const marker = `86399.${process.pid}`;
		const state = await run(['sh', '-c', `sleep ${marker} & echo done`]);
		assert.deepEqual([state.output, state.exitCode], ['done\n', 0]);
		await waitFor('the end of the child', () => !runningProcesses().some((p) => p.commandLine === `sleep ${marker}`));
	});

	it('runs in the background: only new output each time, then the end', async () => {
		const first = await run(script('console.log("one"); setTimeout(() => console.log("two"), 300)'), {
			background: true,
		});
		assert.equal(first.running, true);
		assert.equal((await outputOf(first.commandId)).output, 'one\n');
		assert.equal((await outputOf(first.commandId)).output, 'two\n');
		const last = await outputOf(first.commandId);
		assert.deepEqual([last.output, last.running, last.exitCode], ['', false, 0]);
	});

	it('stops a background command, and shows it to no other thread', async () => {
		const { commandId } = await run(script('setInterval(() => {}, 1000)'), { background: true });
		const other: Partial<OpContext> = { caller: { kind: 'agent', threadId: newId('thr'), turnId: newId('trn') } };
		await assert.rejects(outputOf(commandId, 0, other), { code: 'NOT_FOUND' });
		await assert.rejects(disk.perform('shell.stop', { commandId }, other), { code: 'NOT_FOUND' });
		const state = await disk.perform('shell.stop', { commandId });
		assert.deepEqual([state.running, state.signal], [false, 'SIGTERM']);
	});

	it('ends every command of a thread, and all of them when the host closes', async () => {
		const one = await run(['sleep', `86398.${process.pid}`], { background: true });
		const { caller } = disk.context();
		assert.ok(caller.threadId !== null);
		await disk.deps.commands.stopAllOf(caller.threadId);
		await assert.rejects(outputOf(one.commandId), { code: 'NOT_FOUND' });
		const waiting = run(['sleep', `86398.${process.pid}`]);
		await waitFor('the start', () => runningProcesses().some((p) => p.commandLine === `sleep 86398.${process.pid}`));
		await disk.deps.commands.close();
		assert.equal((await waiting).signal, 'SIGTERM');
		await assert.rejects(run(['true']), { code: 'INVALID_STATE' });
		assert.ok(!never.aborted);
	});

	/** Starts a script that says it is ready, in the background. */
	const begun = async (lines: string) => {
		const { commandId } = await run(['/bin/sh', '-c', lines], { background: true });
		assert.equal((await outputOf(commandId, 60_000)).output, 'ready\n');
		return commandId;
	};

	it('lets a background command finish what it does when it is asked to end, before the host closes', async () => {
		// The script needs a moment for its end, so a host that does not wait for it is noticed.
		const commandId = await begun("trap 'sleep 0.1; exit 3' TERM; echo ready; while :; do sleep 0.02; done");
		await disk.deps.commands.close();
		const { running, exitCode, signal } = await outputOf(commandId, 0);
		assert.deepEqual({ running, exitCode, signal }, { running: false, exitCode: 3, signal: null });
	});

	it('waits for no background command when the wait was stopped before it began', async () => {
		const commandId = await begun('echo ready; exec sleep 86397');
		const stopped = { signal: AbortSignal.abort(new Error('stopped by the user')) };
		await assert.rejects(outputOf(commandId, 60_000, stopped), /stopped by the user/);
	});
});

describe('git as a command', () => {
	const git = async (disk: WorkspaceOnDisk, ...words: string[]) =>
		disk.perform('shell.run', { argv: ['git', ...words], cwd: 'docs', background: false });

	it('takes no folder for a repository that only looks like one', async () => {
		const canary =
			'[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch canary; false"\n';
		const disk = await workspaceOnDisk({
			'docs/HEAD': 'ref: refs/heads/main\n',
			'docs/objects/k': '',
			'docs/refs/k': '',
			'docs/config': canary,
		});
		const { exitCode, output } = await git(disk, 'status');
		assert.notEqual(exitCode, 0, output);
		assert.equal(existsSync(join(disk.root, 'docs/canary')), false);
		await disk.close();
	});

	it('starts no program that watches files for a repository', async () => {
		const disk = await workspaceOnDisk({ 'docs/a.txt': '' });
		await git(disk, 'init');
		await git(disk, 'config', 'core.fsmonitor', 'touch canary; false');
		const { exitCode, output } = await git(disk, 'status');
		assert.equal(exitCode, 0, output);
		assert.equal(existsSync(join(disk.root, 'docs/canary')), false);
		await disk.close();
	});
});

describe('What the gate is told of a command', () => {
	/** Commands that are kept in, as far as it is told before they run. */
	class Kept extends CommandRunner {
		override sandboxState() {
			return Promise.resolve({ works: true } as const);
		}
	}
	const prepared = async (
		works: boolean,
		params: Partial<OpParams<'shell.run'>>,
		files: Record<string, string> = {},
	) => {
		const disk = await workspaceOnDisk(files);
		const ops = createOpImplementations(works ? { ...disk.deps, commands: new Kept(process.env) } : disk.deps);
		await symlink(join(disk.outside, 'notes'), join(disk.root, 'outside.txt'));
		await writeFile(join(disk.outside, 'notes'), '');
		const { targets, detail } = await ops['shell.run'].prepare(
			{ argv: [node], cwd: '.', background: false, ...params },
			disk.context(),
		);
		await disk.close();
		return { targets, detail };
	};

	it('says that it is sandboxed where that works, and what it needs beyond', async () => {
		const { targets, detail } = await prepared(true, { needs: { network: ['example.org'], read: ['/opt'] } });
		assert.deepEqual(
			targets.map((target) => (target.kind === 'command' ? target.isSandboxed : target.kind)),
			[true, 'beyond', 'host'],
		);
		assert.deepEqual(detail.kind === 'command' && [detail.sandboxed, detail.needs], [
			true,
			{ network: ['example.org'], read: ['/opt'] },
		]);
	});

	it('says which repository it makes, where none is', async () => {
		const needsOf = async (argv: string[], works = true) => {
			const { detail } = await prepared(works, { argv }, { 'there/.git/HEAD': 'ref: refs/heads/main\n' });
			assert.ok(detail.kind === 'command');
			return detail.needs?.write?.map((path) => path.split('/').slice(-2).join('/'));
		};
		assert.deepEqual(await needsOf(['git', 'init', '-q', '-b', 'main']), ['app/.git']);
		assert.deepEqual(await needsOf(['git', '-c', 'init.defaultBranch=x', 'init', 'sub']), ['sub/.git']);
		assert.deepEqual(await needsOf(['git', 'init', '--bare', 'b']), ['b/HEAD']);
		assert.deepEqual(await needsOf(['git', 'clone', '--depth', '1', 'https://a.org/x/y.git']), ['y/.git']);
		assert.deepEqual(await needsOf(['git', 'clone', 'a.org:x/z/.git/']), ['z/.git']);
		assert.deepEqual(await needsOf(['git', 'clone', '--bare', 'https://a.org/x/y.git']), ['y.git/HEAD']);
		const lines: readonly (readonly [line: string, asked: readonly string[] | undefined])[] = [
			['mkdir x && cd x && git init', ['x/.git']],
			['cd x/y && git init -q . && git add -A | tail -1; npm test', ['y/.git']],
			['(cd a && git init) && (cd b && git init) && git init c', ['a/.git', 'b/.git', 'c/.git']],
			['for d in a b; do git init "$d"; done; git init e', ['e/.git']],
			['env A=1 timeout 9 git clone https://a.org/x/y.git && cd y && ls', ['y/.git']],
			['bash -lc "cd q && git worktree add -b n ../wt"', ['wt/.git']],
			['cd there && git submodule add https://a.org/x/z.git', ['there/.git', 'there/.gitmodules', 'z/.git']],
			['cd "$(mktemp -d)" && git init && cd "/tmp/own" && git init', undefined],
			['cd - && git init; cd there; git init', undefined],
			['git init "$NAME"; git init ~/x; echo "git init"', undefined],
			['cat <<EOF > a.sh\ngit init\nEOF', undefined],
		];
		for (const [line, asked] of lines) {
			assert.deepEqual(await needsOf(['sh', '-c', line]), asked, line);
		}
		// Values of flags are neither the address nor the folder, however the flag is written.
		const flags = `-b x|-bx|-qb x|-qbx|--branch x|--branch=x|--bra x|--depth 1|--depth=1|-c k=v|-ck=v|--config k=v|--template t|-u p
			|-o up|-j 4|-j4|--reference r|--reference-if-able r|--shallow-since 2020|--shallow-exclude v1|--filter blob:none
			|--server-option o|--bundle-uri u|-n|--sparse|--recurse-submodules|--no-tags|--single-branch|-4|-l|-s`;
		const address = 'https://a.org/x/y.git';
		for (const each of flags.split(/\s*\|/).map((flag) => flag.split(' '))) {
			assert.deepEqual(await needsOf(['git', 'clone', ...each, address, 'z']), ['z/.git'], each.join(' '));
		}
		assert.deepEqual(await needsOf(['git', 'clone', '-q', '--', 'a.org:x/-y', 'z']), ['z/.git']);
		assert.deepEqual(await needsOf(['git', 'clone', '-b', '--bare', 'a.org:x/y']), ['y/.git']);
		assert.deepEqual(await needsOf(['git', '--namespace', 'n', '-c', 'a.b=c', 'clone', 'a.org:x/y']), ['y/.git']);
		assert.deepEqual(await needsOf(['git', 'worktree', 'add', '--lock', '--reason', 'why', '-fB', 'x', 'w']), [
			'w/.git',
		]);
		assert.deepEqual(await needsOf(['git', 'init', '-qbmain', '--template', 't', 'sub']), ['sub/.git']);
		for (const argv of [
			['git', 'init', 'there'],
			['git', '-C', 'there', 'init'],
			['git', 'clone', '--mirror', 'https://a.org/x.git'],
			['git', 'worktree', 'list'],
			// Told at once, however long it is.
			['git', 'clone', `${'a'.repeat(200_000)}:`],
			['git', 'status'],
			['npm', 'init'],
		]) {
			assert.equal(await needsOf(argv), undefined, argv.join(' '));
		}
		assert.equal(await needsOf(['git', 'init'], false), undefined);
	});

	it('says that it is not where it asks so, or where no sandbox works', async () => {
		const cases: [boolean, CommandNeeds][] = [
			[true, { noSandbox: true }],
			[false, { network: ['example.org'] }],
		];
		for (const [works, needs] of cases) {
			const { targets, detail } = await prepared(works, { needs });
			assert.deepEqual(
				targets.map((target) => target.kind === 'command' && target.isSandboxed),
				[undefined],
			);
			assert.equal(detail.kind === 'command' && detail.sandboxed, false);
		}
	});

	it('names arguments that lead out, hold secrets or steer what runs, and which of them only a link shows', async () => {
		const argv = [node, 'outside.txt', '.env', '--file=.npmrc', 'a.txt', 'missing/.env'];
		const { targets } = await prepared(false, { argv }, { '.env': '', '.npmrc': '', 'a.txt': '' });
		const [command] = targets;
		assert.deepEqual(command?.kind === 'command' && command.strays, [
			{ argument: 'outside.txt', isByLink: true },
			{ argument: '.env', isByLink: false },
			{ argument: '--file=.npmrc', isByLink: false },
		]);
	});
});
