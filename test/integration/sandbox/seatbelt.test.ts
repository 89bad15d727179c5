/** Commands behind Seatbelt, with a program in the place of macOS's own that enforces a profile by bubblewrap, or enforces less. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endMarked, COMMAND_MARK } from '../../../src/machine/sandbox/seatbelt/marked-processes.ts';
import { SeatbeltWall } from '../../../src/machine/sandbox/seatbelt/seatbelt-wall.ts';
import { CommandRunner } from '../../../src/machine/shell/command-runner.ts';
import { inEnglish } from '../../../src/protocol/text/text.ts';
import { isProcessRunning } from '../../../src/store/running-process.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';

const never = new AbortController().signal;
const enforcing = `exec env PROWESS_TEST_BWRAP=${bubblewrap} ${process.execPath} --no-warnings ${join(import.meta.dirname, '../../fixtures/seatbelt/sandbox-exec.ts')} "$@"`;
const obliging = 'shift 2; exec "$@"';

describe('Seatbelt', function () {
	this.timeout(60_000);
	let workspace: string;
	let userHome: string;
	let wall: SeatbeltWall;
	let commands: CommandRunner;

	before(function () {
		if (bubblewrap === undefined) this.skip();
	});

	function standIn(script: string): string {
		const path = join(tempDir('fake'), 'sandbox-exec');
		writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
		return path;
	}

	function begin(program: string): void {
		workspace = realpathSync(tempDir('workspace'));
		userHome = realpathSync(tempDir('user-home'));
		wall = new SeatbeltWall({ home: tempDir('prowess-home'), folders: () => [workspace], program });
		commands = new CommandRunner({ PATH: process.env['PATH'], HOME: userHome }, wall);
	}

	afterEach(async () => await commands.close());

	async function sh(script: string) {
		const request = {
			steps: [{ join: ';' as const, programs: [{ argv: ['sh', '-c', script], file: '/bin/sh' }] }],
			cwd: workspace,
			timeoutMs: 30_000,
			threadId: null,
			isSandboxed: true,
			reach: { read: [], write: [] },
			mayWrite: true,
			onlyReads: false,
		};
		return await commands.run(request, () => undefined, never);
	}

	async function why(): Promise<string> {
		const state = await wall.state();
		return state.works ? '' : inEnglish(state.why);
	}

	it('is no sandbox where it is not there, starts nothing, or only seems to start something', async () => {
		for (const [program, said] of [
			['/nonexistent/sandbox-exec', /no sandbox for commands on this system/],
			[standIn('exit 1'), /no program starts in it/],
			[standIn('exit 0'), /no program starts in it/],
			[standIn('echo {}'), /no program starts in it/],
		] as const) {
			begin(program);
			assert.match(await why(), said);
			await commands.close();
		}
	});

	it('is no sandbox where a program in it gets out, and says how', async () => {
		begin(standIn(obliging));
		assert.match(
			await why(),
			/is not used: reading a file outside, reading a secret .*, reading it by another name, writing a file outside, changing what steers .*, reaching your processes, connecting to a port/,
		);
		await assert.rejects(sh('true'), /does not work here/);
		assert.equal(await wall.prove({}), undefined);
	});

	it('is no sandbox where only a part of its profile is enforced', async () => {
		const part = (from: string) =>
			`shift; profile=$(printf %s "$1" | ${from}); shift; set -- -p "$profile" "$@"; ${enforcing}`;
		for (const [filter, through] of [
			[String.raw`sed 's/(deny network\*)/(allow network*)/'`, 'connecting to a port of this machine'],
			['grep -vF "[eE][nN][vV]"', 'reading a secret of the workspace, reading it by another name'],
		] as const) {
			begin(standIn(part(filter)));
			assert.equal(await why(), `Seatbelt does not keep commands in here, so it is not used: ${through}.`);
			await commands.close();
		}
	});

	it('is a sandbox where every attempt to get out failed, and commands run in it', async () => {
		begin(standIn(enforcing));
		assert.equal(await why(), '');
		writeFileSync(join(workspace, '.env'), 'KEY=canary');
		mkdirSync(join(workspace, '.husky'));
		writeFileSync(join(userHome, 'notes.txt'), 'canary');
		const state = await sh(
			`echo made > made.txt; echo x > "$TMPDIR/x" && cat "$TMPDIR/x"; cat .env ${userHome}/notes.txt; echo evil > .husky/pre-commit; echo evil > /usr/x; echo $HOME; ulimit -n`,
		);
		assert.deepEqual([state.sandboxed, readFileSync(join(workspace, 'made.txt'), 'utf8')], [true, 'made\n']);
		assert.doesNotMatch(state.output, /canary/);
		assert.match(state.output, /^x\n/);
		assert.equal(existsSync(join(workspace, '.husky/pre-commit')), false);
		const proof = await wall.prove({ PATH: '/usr/bin' });
		assert.equal(proof?.attempts.length, 8);
		assert.match(proof?.limits.map(inEnglish).join() ?? '', /processes of your user,.*temporary folder,.*each disk/);
		assert.equal((await sh('exit 3')).exitCode, 3);
	});

	it('does not start a command in a workspace that its profile cannot name', async () => {
		begin(standIn(enforcing));
		workspace = join(workspace, 'a\nb');
		mkdirSync(workspace);
		await assert.rejects(sh('true'), /cannot name/);
	});

	it('ends what a command left running outside of its group, and nothing else', async () => {
		begin(standIn(obliging));
		const start = (mark: string) => {
			const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore', env: { [COMMAND_MARK]: mark } });
			child.unref();
			return child.pid ?? 0;
		};
		const [left, other] = [start('mine'), start('others')];
		try {
			await endMarked('mine');
			await waitFor('its end', () => !isProcessRunning(left));
			assert.equal(isProcessRunning(other), true);
		} finally {
			process.kill(other, 'SIGKILL');
		}
	});
});
