/** Commands that the person tries on a copy of the workspace before they answer, through the broker of a host that asks, in real bubblewrap. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
	chmodSync,
	existsSync,
	linkSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	watch,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
	type Approval,
	type ApprovalAnswer,
	type EndedTrial,
	isOffered,
} from '../../../src/protocol/approvals/approvals.ts';
import type { OpOutcome } from '../../../src/protocol/turn/broker.ts';
import type { CommandState } from '../../../src/protocol/ops/definitions/commands/shell.ts';
import { inEnglish } from '../../../src/protocol/text/text.ts';
import { isRunning, runningProcesses, waitUntilGone } from '../../support/processes.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { waitFor } from '../../support/wait-for.ts';
import { useServedBases } from './served-base.ts';

/** Nobody else's sleep takes as long. */
const long = String(80_000 + process.pid);
const files = { 'a.txt': 'one\n', 'b.txt': 'two\n', 'src/c.txt': 'three\n', '.env': 'KEY=canary-in-env\n' };
type Then = (approval: Approval) => ApprovalAnswer | Promise<ApprovalAnswer>;

describe('A command that is tried first', function () {
	this.timeout(30_000);
	const start = useServedBases();

	before(function () {
		if (bubblewrap === undefined) this.skip();
	});

	/** `then`: what the person answers, once the trial has ended. */
	async function open(then: Then, more: Parameters<typeof start>[0] = {}) {
		const tried: Approval[] = [];
		const person = {
			async approve(approval: Approval, _: AbortSignal, tryFirst?: () => Promise<Approval>) {
				const ended = (await tryFirst?.()) ?? approval;
				tried.push(ended);
				return await then(ended);
			},
		};
		const settings = { 'prowess.tools.bubblewrapPath': bubblewrap ?? '', 'prowess.approvals.level': 'manual' as const };
		const served = await start({
			approvalMode: 'ask',
			files,
			person,
			...more,
			settings: { ...settings, ...more.settings },
		});
		const { workspace } = served.host;
		const path = (name: string) => join(workspace, name);
		const text = (name: string) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : undefined);
		const sh = (script: string, params: object = {}) =>
			served.perform('shell.run', { argv: ['sh', '-c', script], ...params });
		const trial = () => tried.at(-1)?.trial;
		const trials = () => {
			const folder = join(served.host.home, 'trials');
			return existsSync(folder) ? readdirSync(folder) : [];
		};
		return { ...served, path, text, sh, trial, trials };
	}
	const keep: Then = () => ({ kind: 'tried' });
	const deny: Then = () => ({ kind: 'deny' });
	const ended = (trial: Approval['trial']): EndedTrial => {
		assert.ok(trial?.state === 'ended', JSON.stringify(trial));
		return trial;
	};
	const codeOf = (outcome: OpOutcome) => (outcome.status === 'done' ? 'done' : outcome.error.code);
	const stateOf = (outcome: OpOutcome) => {
		assert.ok(outcome.status === 'done', JSON.stringify(outcome));
		return outcome.result as CommandState;
	};
	const WORK =
		'echo ONE > a.txt; rm b.txt; rm -r src; mkdir -p new/empty; echo n > new/n.txt; chmod 755 new/n.txt; echo said';

	it('changes nothing of the workspace, and says what it would change, when the answer is no', async () => {
		const { sh, text, trial, trials } = await open(deny);
		assert.equal(codeOf(await sh(WORK)), 'DENIED_BY_USER');
		const { exitCode, output, changed, changedBeyond, lost } = ended(trial());
		assert.deepEqual([exitCode, output, changedBeyond, lost], [0, 'said\n', 0, undefined]);
		assert.deepEqual(
			changed.map(({ path, kind }) => `${kind} ${path}`),
			['modified a.txt', 'deleted b.txt', 'created new/n.txt', 'deleted src/c.txt'],
		);
		assert.deepEqual(
			[text('a.txt'), text('b.txt'), text('src/c.txt'), text('new/n.txt')],
			['one\n', 'two\n', 'three\n', undefined],
		);
		assert.deepEqual(trials(), []);
	});

	it('does to the workspace what it did to the copy when that is kept, and runs nothing again', async () => {
		const { sh, text, path, trials } = await open(keep);
		const state = stateOf(await sh(`${WORK}; date +%N > when.txt; cat when.txt`));
		assert.equal(state.tried, true);
		assert.equal(text('when.txt'), state.output.split('\n')[1]?.concat('\n'));
		assert.deepEqual([text('a.txt'), text('b.txt'), existsSync(path('src'))], ['ONE\n', undefined, false]);
		assert.deepEqual([text('new/n.txt'), statSync(path('new/n.txt')).mode & 0o777], ['n\n', 0o755]);
		assert.equal(statSync(path('new/empty')).isDirectory(), true);
		assert.deepEqual(state.changed?.map((each) => each.path).toSorted(), [
			'a.txt',
			'b.txt',
			'new/empty',
			'new/n.txt',
			'src/c.txt',
			'when.txt',
		]);
		assert.deepEqual(trials(), []);
	});

	it('runs in the workspace after all when it is allowed once', async () => {
		const { sh, text } = await open(() => ({ kind: 'once' }));
		const state = stateOf(await sh('echo x >> a.txt; cat a.txt'));
		assert.deepEqual([state.output, state.tried, text('a.txt')], ['one\nx\n', undefined, 'one\nx\n']);
	});

	it('says where a run in the workspace was unlike its trial', async () => {
		const { sh, base } = await open(() => ({ kind: 'once' }));
		const same = stateOf(await sh('echo x > same.txt'));
		assert.equal(same.unlikeTrial, undefined);
		// Each time another name.
		const state = stateOf(await sh('echo x > same.txt; echo x > $(date +%N).txt'));
		assert.equal(state.unlikeTrial?.length, 2, JSON.stringify(state));
		const [row] = await base.ledger.query({ op: 'shell.run', kind: 'outcome', limit: 1 });
		assert.match(row?.output ?? '', /unlike its trial on a copy: \d+\.txt, \d+\.txt/);
	});

	it('is in the ledger before it runs, whatever is answered', async () => {
		const { sh, base } = await open(deny);
		await sh('echo ONE > a.txt');
		const rows = await base.ledger.query({ op: 'shell.tryFirst', limit: 10 });
		assert.deepEqual(
			rows.reverse().map(({ kind, status, output }) => [kind, status, output]),
			[
				['intent', null, null],
				['outcome', 'done', 'ended with 0, 1 changed on the copy'],
			],
		);
	});

	it('keeps nothing where a file was changed meanwhile', async () => {
		const { sh, text, path } = await open(() => {
			writeFileSync(path('b.txt'), 'mine, later\n');
			return { kind: 'tried' };
		});
		assert.equal(codeOf(await sh('echo ONE > a.txt; echo TWO > b.txt')), 'FILE_CHANGED');
		assert.deepEqual([text('a.txt'), text('b.txt')], ['one\n', 'mine, later\n']);
	});

	it('is kept whole or not at all: what was written before a file that cannot be is taken back', async () => {
		const { sh, text, path, trials, base } = await open(keep);
		chmodSync(path('src'), 0o750);
		chmodSync(path('b.txt'), 0o640);
		// A file of two names is not replaced, and comes last.
		writeFileSync(path('z.txt'), 'z\n');
		linkSync(path('z.txt'), path('zz.txt'));
		const state = () => execFileSync('ls', ['-lAR', '--time-style=+', '.'], { cwd: path('.'), encoding: 'utf8' });
		const before = state();
		assert.equal(codeOf(await sh(`${WORK}; echo ZED > z.txt`)), 'FILE_HAS_OTHER_NAMES');
		assert.equal(state(), before);
		assert.deepEqual(
			[text('a.txt'), text('b.txt'), text('src/c.txt'), text('z.txt')],
			['one\n', 'two\n', 'three\n', 'z\n'],
		);
		assert.deepEqual(trials(), []);
		const [row] = await base.ledger.query({ op: 'shell.run', kind: 'outcome', limit: 1 });
		assert.equal(row?.status, 'failed');
	});

	it('says what it could not take back', async () => {
		const { sh, text, path } = await open(keep);
		writeFileSync(path('z.txt'), 'z\n');
		linkSync(path('z.txt'), path('zz.txt'));
		// Written by somebody else meanwhile: it is theirs now.
		const watcher = watch(path('.'), () => {
			if (existsSync(path('m10')) && text('a.txt') === 'ONE\n') writeFileSync(path('a.txt'), 'theirs\n');
		});
		try {
			const outcome = await sh('echo ONE > a.txt; for n in $(seq 10 60); do echo x > m$n; done; echo ZED > z.txt');
			assert.ok(outcome.status === 'failed', JSON.stringify(outcome));
			assert.deepEqual([outcome.error.code, outcome.error.facts['paths']], ['FILE_CHANGED', [path('a.txt')]]);
			assert.match(outcome.error.message, /2 hard links.*could not be taken back: .*a\.txt/);
			assert.deepEqual([text('a.txt'), text('m10'), text('z.txt')], ['theirs\n', undefined, 'z\n']);
		} finally {
			watcher.close();
		}
	});

	it('writes through no link that was put in the place of a folder meanwhile', async () => {
		const outside = join((await open(deny)).host.home, 'outside');
		mkdirSync(outside);
		const { sh, path } = await open(() => {
			symlinkSync(outside, path('new'));
			return { kind: 'tried' };
		});
		assert.equal(codeOf(await sh('mkdir new; echo n > new/n.txt')), 'FILE_CHANGED');
		assert.deepEqual(readdirSync(outside), []);
	});

	it('cannot be kept when it left a link, and says so', async () => {
		const { sh, trial, path } = await open((approval) =>
			isOffered(approval, { kind: 'tried' }) ? { kind: 'tried' } : { kind: 'deny' },
		);
		assert.equal(codeOf(await sh('ln -s /etc/passwd link.txt')), 'DENIED_BY_USER');
		assert.match(inEnglish(ended(trial()).lost ?? assert.fail()), /link\.txt is neither a file nor a folder/);
		assert.equal(existsSync(path('link.txt')), false);
	});

	it('cannot be kept when a file is too large for that, and takes nothing away, either', async () => {
		const { sh, trial, text } = await open((approval) =>
			isOffered(approval, { kind: 'tried' }) ? { kind: 'tried' } : { kind: 'deny' },
		);
		assert.equal(codeOf(await sh('rm a.txt; truncate -s 5G large.bin')), 'DENIED_BY_USER');
		assert.match(inEnglish(ended(trial()).lost ?? assert.fail()), /large\.bin is larger than 64 MB/);
		assert.equal(text('a.txt'), 'one\n');
	});

	it('cannot be kept when it changed nothing, not even by writing what was there', async () => {
		const { sh, trial } = await open(deny);
		await sh('cat a.txt > x; cat x > a.txt; rm x; touch b.txt');
		assert.deepEqual(ended(trial()).changed, []);
		assert.match(inEnglish(ended(trial()).lost ?? assert.fail()), /It changed nothing/);
	});

	it('finds the places of the workspace as they are, without its secrets, the network and the home', async () => {
		const { sh, trial, path } = await open(deny);
		await sh(
			'pwd; cat .env; ls -A /root /home 2>/dev/null; (echo > /dev/tcp/127.0.0.1/9) 2>/dev/null || echo no network',
		);
		const { output } = ended(trial());
		assert.match(output, new RegExp(`^${path('')}`.replace(/\/$/, '')));
		assert.doesNotMatch(output, /canary-in-env/);
		assert.match(output, /no network/);
	});

	it('commits to no repository but the copy of it', async () => {
		const { sh, trial, path } = await open(deny);
		execFileSync('git', ['init', '-q', path('')]);
		const head = () => readdirSync(path('.git/refs/heads'));
		const git = 'git -c user.name=a -c user.email=a@b';
		await sh(`git add a.txt && ${git} commit -qm one && git log --oneline | wc -l`);
		assert.deepEqual([ended(trial()).output.trim(), head()], ['1', []]);
	});

	it('leaves no process behind', async () => {
		const { sh } = await open(deny);
		await sh(`setsid sleep ${long} >/dev/null 2>&1 & nohup sleep ${long} >/dev/null 2>&1 & true`);
		const left = runningProcesses().filter(({ commandLine }) => commandLine === `sleep ${long}`);
		await waitUntilGone(left.map(({ pid }) => pid));
		assert.equal(
			left.some(({ pid }) => isRunning(pid)),
			false,
		);
	});

	it('is stopped when it is answered before its end, and leaves nothing', async () => {
		const sleepers = () => runningProcesses().filter(({ commandLine }) => commandLine === `sleep ${long}`);
		const person = {
			async approve(_: Approval, __: AbortSignal, tryFirst?: () => Promise<Approval>): Promise<ApprovalAnswer> {
				void tryFirst?.();
				await waitFor('the trial', () => sleepers().length > 0);
				return { kind: 'deny' };
			},
		};
		const { sh, trials } = await open(deny, { person });
		assert.equal(codeOf(await sh(`echo ONE > a.txt; sleep ${long}`)), 'DENIED_BY_USER');
		await waitUntilGone(sleepers().map(({ pid }) => pid));
		await waitFor('the copy to be gone', () => trials().length === 0);
	});

	it('leaves in the workspace nothing that steers other programs, also when it is kept', async () => {
		const { sh, text, path } = await open(keep);
		const state = stateOf(await sh('echo ONE > a.txt; mkdir -p sub/.vscode; echo "{}" > sub/.vscode/tasks.json'));
		assert.equal(text('a.txt'), 'ONE\n');
		assert.equal(existsSync(path('sub/.vscode/tasks.json')), false, JSON.stringify(state));
		assert.match(state.kept?.join() ?? '', /steers other programs/);
	});

	it('finds installed packages, and cannot change them', async () => {
		const { sh, trial, path } = await open(deny);
		mkdirSync(path('node_modules/p'), { recursive: true });
		writeFileSync(path('node_modules/p/index.js'), 'module.exports = 42;\n');
		await sh(`node -p "require('p')"; echo bad > node_modules/p/index.js || echo kept`);
		// Matched apart: the shell's refusal comes through a pipe of its own, so before or after `kept`.
		const { output } = ended(trial());
		assert.match(output, /^42\n/);
		assert.match(output, /^kept$/m);
		assert.equal(readFileSync(path('node_modules/p/index.js'), 'utf8'), 'module.exports = 42;\n');
	});

	it('keeps bytes that are no text, and permissions alone', async () => {
		const { sh, path } = await open(keep);
		chmodSync(path('a.txt'), 0o644);
		stateOf(await sh('chmod 600 a.txt; printf "\\000\\377\\001" > bytes.bin'));
		assert.equal(statSync(path('a.txt')).mode & 0o777, 0o600);
		assert.deepEqual([...readFileSync(path('bytes.bin'))], [0, 255, 1]);
	});

	it('is offered for no command that asks for more than its sandbox, reads only, or runs on', async () => {
		const { perform, trial, sh } = await open(deny);
		await sh('true', { needs: { network: ['example.org'] } });
		assert.equal(trial(), undefined);
		await sh('true', { background: true });
		assert.equal(trial(), undefined);
		await perform('shell.run', { argv: ['ls'], redirects: [{ stream: 'stdout', mode: 'write', path: 'x.txt' }] });
		assert.equal(trial(), undefined);
	});
});
