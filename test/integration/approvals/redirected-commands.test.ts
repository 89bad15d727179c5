/** Files in the place of a command's streams, through the broker of a host that asks: with the sandbox, and without one. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Approval, ApprovalAnswer } from '../../../src/protocol/approvals/approvals.ts';
import type { OpOutcome } from '../../../src/protocol/turn/broker.ts';
import { bubblewrapCandidates } from '../../../src/machine/sandbox/sandbox.ts';
import type { CommandState } from '../../../src/protocol/ops/definitions/commands/shell.ts';
import { typedCommands } from '../../../src/protocol/ops/commands/typed-command.ts';
import type { Settings } from '../../../src/protocol/settings/settings.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { useProgramsElsewhere } from '../../support/programs-elsewhere.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { useServedBases } from './served-base.ts';

const never = new AbortController().signal;
const to = (path: string) => ({ stream: 'stdout', mode: 'write', path }) as const;
const from = (path: string) => ({ stream: 'stdin', mode: 'read', path }) as const;
const files = { 'a.txt': 'pear\napple\n', '.env': 'KEY=canary-in-env\n', 'src/b.ts': 'export {};\n' };

function codeOf(outcome: OpOutcome): string {
	return outcome.status === 'done' ? 'done' : outcome.error.code;
}

for (const [where, path] of [
	['in the sandbox', bubblewrap],
	['without a sandbox', '/nowhere/bwrap'],
] as const) {
	describe(`A command that writes a file through its output, ${where}`, function () {
		this.timeout(30_000);
		const start = useServedBases();
		const asked: Approval[] = [];
		let answer: ApprovalAnswer;

		before(function () {
			if (path === undefined) this.skip();
		});

		useProgramsElsewhere();
		const open = async (more: Parameters<typeof start>[0] = {}) => {
			asked.length = 0;
			answer = { kind: 'deny' };
			const settings = { 'prowess.tools.bubblewrapPath': path ?? '', ...more.settings };
			const person = {
				approve(approval: Approval) {
					asked.push(approval);
					return Promise.resolve(answer);
				},
			};
			const served = await start({ approvalMode: 'ask', files, person, ...more, settings });
			const { workspace } = served.host;
			const text = (name: string) => {
				const file = join(workspace, name);
				return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
			};
			const run = async (params: object) => await served.perform('shell.run', params);
			return { ...served, workspace, text, run };
		};
		const hasSandbox = () => bubblewrapCandidates(path ?? '').some((each) => existsSync(each));

		it('is asked as a change of the file, also when it does nothing else but read', async () => {
			const { run, text } = await open();
			const sorting = { argv: ['sort', 'a.txt'], redirects: [to('sorted.txt')] };
			assert.equal(codeOf(await run(sorting)), 'DENIED_BY_USER');
			const [question] = asked;
			assert.equal(question?.reason.template, 'Changing files needs your approval.');
			assert.ok(question.detail.kind === 'command');
			assert.equal(typedCommands(question.detail), 'sort a.txt > sorted.txt');
			assert.match(question.title, /sort a\.txt > sorted\.txt/);
			assert.equal(question.pattern, null);
			assert.equal(text('sorted.txt'), undefined);
			answer = { kind: 'once' };
			assert.equal(codeOf(await run(sorting)), 'done');
			assert.equal(text('sorted.txt'), 'apple\npear\n');
		});

		it('replaces no text that the user changed since the model read it, also while the question is open', async () => {
			let questions = 0;
			const person = {
				approve() {
					questions++;
					writeFileSync(join(workspace, 'a.txt'), 'mine, later\n');
					return Promise.resolve({ kind: 'once' } as const);
				},
			};
			const { run, text, workspace, perform } = await open({ person });
			const sorting = { argv: ['sort', 'src/b.ts'], redirects: [to('a.txt')] };
			await perform('fs.read', { path: 'a.txt' });
			writeFileSync(join(workspace, 'a.txt'), 'mine\n');
			assert.equal(codeOf(await run(sorting)), 'FILE_CHANGED');
			assert.equal(questions, 0);
			await perform('fs.read', { path: 'a.txt' });
			assert.equal(codeOf(await run(sorting)), 'FILE_CHANGED');
			assert.deepEqual([questions, text('a.txt')], [1, 'mine, later\n']);
		});

		it('passes where a change of the file would, and the command only reads', async () => {
			const sorting = { argv: ['sort', 'a.txt'], redirects: [to('src/sorted.txt')] };
			const settings: readonly Partial<Settings>[] = [
				{ 'prowess.approvals.level': 'edit' },
				{ 'prowess.approvals.level': 'auto' },
				{ 'prowess.approvals.allow': ['fs.write src/**'] },
			];
			for (const each of settings) {
				const { run, text } = await open({ settings: each });
				assert.equal(codeOf(await run(sorting)), 'done');
				assert.deepEqual([text('src/sorted.txt'), asked], ['apple\npear\n', []]);
			}
			const { run, perform, text } = await open();
			answer = { kind: 'thread' };
			assert.equal(codeOf(await perform('fs.write', { path: 'new.txt', content: 'x' })), 'done');
			assert.equal(codeOf(await run(sorting)), 'done');
			assert.deepEqual([text('src/sorted.txt'), asked.length], ['apple\npear\n', 1]);
		});

		it('is not covered by a rule for the command or for the file alone, nor for another file', async () => {
			const touching = { argv: ['touch', 'y.txt'], redirects: [to('src/x.txt')] };
			const isAsked = async (...allow: string[]) => {
				const { run } = await open({ settings: { 'prowess.approvals.allow': allow } });
				const outcome = await run(touching);
				return [codeOf(outcome), asked.length];
			};
			assert.deepEqual(await isAsked('shell.run touch y.txt'), ['DENIED_BY_USER', 1]);
			assert.deepEqual(await isAsked('fs.write src/**'), ['DENIED_BY_USER', 1]);
			assert.deepEqual(await isAsked('shell.run touch y.txt', 'fs.write docs/**'), ['DENIED_BY_USER', 1]);
			assert.deepEqual(await isAsked('shell.run touch y.txt', 'shell.run src/x.txt'), ['DENIED_BY_USER', 1]);
			assert.deepEqual(await isAsked('shell.run touch y.txt', 'fs.write src/**'), ['done', 0]);
		});

		it('is refused and asked about by rules for the file', async () => {
			const writing = { argv: ['echo', 'x'], redirects: [to('src/x.txt')] };
			const settings = { 'prowess.approvals.level': 'full' } as const;
			const denied = await open({ settings: { ...settings, 'prowess.approvals.deny': ['fs.write src/**'] } });
			assert.equal(codeOf(await denied.run(writing)), 'DENIED_BY_RULE');
			const anything = await open({ settings: { ...settings, 'prowess.approvals.deny': ['fs.write *'] } });
			assert.equal(codeOf(await anything.run(writing)), 'DENIED_BY_RULE');
			const strict = await open({ settings: { ...settings, 'prowess.approvals.ask': ['fs.* src'] } });
			assert.equal(codeOf(await strict.run(writing)), 'DENIED_BY_USER');
			const reading = await open({ settings: { ...settings, 'prowess.approvals.deny': ['fs.read src/**'] } });
			const outcome = await reading.run({ argv: ['cat'], redirects: [from('src/b.ts')] });
			assert.equal(codeOf(outcome), 'DENIED_BY_RULE');
			assert.equal(denied.text('src/x.txt') ?? anything.text('src/x.txt') ?? strict.text('src/x.txt'), undefined);
		});

		it('is asked at every level about what steers programs or holds secrets, read or written', async () => {
			for (const level of ['edit', 'auto', 'full'] as const) {
				const { run, workspace } = await open({ settings: { 'prowess.approvals.level': level } });
				mkdirSync(join(workspace, '.git/hooks'), { recursive: true });
				mkdirSync(join(workspace, '.vscode'), { recursive: true });
				for (const redirect of [to('.git/hooks/pre-commit'), to('.vscode/tasks.json'), to('.env'), from('.env')]) {
					const before = asked.length;
					assert.equal(codeOf(await run({ argv: ['cat'], redirects: [redirect] })), 'DENIED_BY_USER', redirect.path);
					assert.equal(asked.length, before + 1, `${level} ${redirect.path}`);
				}
			}
		});

		it('is asked at every level when the command is dangerous, whatever the file', async () => {
			const { run, text } = await open({ settings: { 'prowess.approvals.level': 'full' } });
			const dangerous = { argv: ['sh', '-c', 'rm -rf /*'], redirects: [to('x.txt')] };
			assert.equal(codeOf(await run(dangerous)), 'DENIED_BY_USER');
			assert.equal(asked[0]?.warning?.isDangerous, true);
			assert.equal(text('x.txt'), undefined);
		});

		it('writes what steers programs when the person says so, and it stays there', async () => {
			const { run, workspace, text } = await open();
			mkdirSync(join(workspace, '.git/hooks'), { recursive: true });
			answer = { kind: 'once' };
			const outcome = await run({ argv: ['echo', 'exit 0'], redirects: [to('.git/hooks/pre-commit')] });
			assert.equal(codeOf(outcome), 'done');
			assert.deepEqual((outcome as { result: CommandState }).result.kept ?? [], []);
			assert.equal(text('.git/hooks/pre-commit'), 'exit 0\n');
		});

		it('gives a secret to the program that reads it only after a yes, and the output stays clean', async () => {
			const { run } = await open();
			answer = { kind: 'once' };
			const { result } = (await run({ argv: ['wc', '-c'], redirects: [from('.env')] })) as { result: CommandState };
			assert.equal(result.output.trim(), String(files['.env'].length));
			assert.equal(asked.length, 1);
		});

		it('is asked anew when it runs what it reads: no rule, no answer for the thread and no other file stands for it', async () => {
			const settings = { 'prowess.approvals.allow': ['shell.run sh'] };
			const { run, workspace, perform } = await open({ settings });
			for (const name of ['one.sh', 'two.sh']) writeFileSync(join(workspace, name), 'echo ran\n');
			assert.equal(codeOf(await run({ argv: ['sh'], redirects: [from('one.sh')] })), 'DENIED_BY_USER');
			assert.equal(asked[0]?.pattern, null);
			answer = { kind: 'thread' };
			const first = await run({ argv: ['sh'], redirects: [from('one.sh')] });
			assert.equal((first as { result: CommandState }).result.output, 'ran\n');
			answer = { kind: 'deny' };
			assert.equal(codeOf(await run({ argv: ['sh'], redirects: [from('two.sh')] })), 'DENIED_BY_USER');
			assert.equal(asked.length, 3);
			const reading = await perform('shell.run', { argv: ['wc', '-c'], redirects: [from('one.sh')] });
			assert.equal((reading as { result: CommandState }).result.output.trim(), '9');
		});

		it('is asked about, whatever the level, where a rule refuses what the file may run', async () => {
			const settings: Partial<Settings> = {
				'prowess.approvals.level': 'full',
				'prowess.approvals.deny': ['shell.run git push'],
			};
			const { run, workspace } = await open({ settings });
			writeFileSync(join(workspace, 'one.sh'), 'git push\n');
			assert.equal(codeOf(await run({ argv: ['sh'], redirects: [from('one.sh')] })), 'DENIED_BY_USER');
		});

		it('needs no question for wildcards that name what it may read, and one where they name a secret', async () => {
			const { run } = await open();
			const { result } = (await run({ argv: ['cat', 'src/*.ts', '*.txt'], patterns: [1, 2] })) as {
				result: CommandState;
			};
			assert.deepEqual([result.output, asked], ['export {};\npear\napple\n', []]);
			assert.equal(codeOf(await run({ argv: ['cat', '.e*'], patterns: [1] })), 'DENIED_BY_USER');
			assert.ok(asked[0]?.detail.kind === 'command');
			assert.deepEqual(asked[0].detail.argv, ['cat', '.env']);
		});

		it('asks about the names that wildcards stand for where a program removes them, and runs nothing without one', async () => {
			const { run, text } = await open();
			const removing = { argv: ['rm', '*.txt', 's*/b.ts'], patterns: [1, 2] };
			assert.equal(codeOf(await run(removing)), 'DENIED_BY_USER');
			const [question] = asked;
			assert.ok(question?.detail.kind === 'command');
			assert.deepEqual(question.detail.argv, ['rm', 'a.txt', 'src/b.ts']);
			answer = { kind: 'once' };
			assert.equal(codeOf(await run({ argv: ['rm', '-rf', 'src/*'], patterns: [2] })), 'done');
			assert.deepEqual(
				[asked[1]?.warning?.isDangerous, text('src/b.ts'), text('a.txt')],
				[true, undefined, files['a.txt']],
			);
			assert.equal(codeOf(await run({ argv: ['rm', '-r', '*.nothing'], patterns: [2] })), 'NOT_FOUND');
			assert.equal(asked.length, 2);
		});

		it('hands both streams to the next program as they were written', async () => {
			const { run } = await open();
			answer = { kind: 'once' };
			const argv = ['sh', '-c', 'echo o; echo e >&2; echo o'];
			const redirects = [{ stream: 'stderr', to: 'stdout' }];
			const outcome = await run({ argv, redirects, chain: [{ join: '|', argv: ['tail', '-n2'] }] });
			assert.equal((outcome as { result: CommandState }).result.output, 'e\no\n');
		});

		it('shows both streams in the order in which they were written, in the sandbox', async function () {
			if (!hasSandbox()) this.skip();
			const { run } = await open();
			answer = { kind: 'once' };
			const argv = ['sh', '-c', 'for i in 1 3 5 7; do echo $i; echo $((i + 1)) >&2; done'];
			const { result } = (await run({ argv })) as { result: CommandState };
			assert.equal(result.output, '1\n2\n3\n4\n5\n6\n7\n8\n');
		});

		it('only reads with a file as its input, so nobody is asked', async () => {
			const { run } = await open();
			const { result } = (await run({ argv: ['sort'], redirects: [from('a.txt')] })) as { result: CommandState };
			assert.deepEqual([result.output, asked], ['apple\npear\n', []]);
		});

		it('asks about a file outside of the workspace by its path, and writes it after a yes', async () => {
			for (const level of ['ask', 'auto'] as const) {
				const workspace = join(tempDir('outside'), 'app');
				mkdirSync(workspace);
				const { run } = await open({ workspace, settings: { 'prowess.approvals.level': level } });
				const path = join(workspace, '../x');
				const writing = { argv: ['echo', level], redirects: [to('../x')] };
				assert.equal(codeOf(await run(writing)), 'DENIED_BY_USER');
				assert.equal(asked[0]?.reason.template, 'It would change "{path}", outside the workspace.');
				assert.ok(asked[0].detail.kind === 'command' && !existsSync(path));
				assert.deepEqual(asked[0].detail.needs, { write: [path] });
				answer = { kind: 'once' };
				assert.equal(codeOf(await run(writing)), 'done');
				assert.equal(readFileSync(path, 'utf8'), `${level}\n`);
				const { result } = (await run({ argv: ['cat'], redirects: [from('../x')] })) as { result: CommandState };
				assert.deepEqual([result.output, asked.length], [`${level}\n`, 3]);
			}
		});

		it('asks about the repository that git init makes, and makes it after a yes', async function () {
			if (!hasSandbox()) this.skip();
			const workspace = tempDir('no-repository');
			const { run } = await open({ workspace, settings: { 'prowess.approvals.level': 'auto' } });
			const making = { argv: ['git', 'init', '-q', '.'] };
			assert.equal(codeOf(await run(making)), 'DENIED_BY_USER');
			assert.ok(asked[0]?.detail.kind === 'command');
			assert.deepEqual(asked[0].detail.needs, { write: [join(workspace, '.git')] });
			answer = { kind: 'once' };
			assert.equal(codeOf(await run(making)), 'done');
			assert.equal(readFileSync(join(workspace, '.git/HEAD'), 'utf8').startsWith('ref: '), true);
		});

		it('asks about each repository that Git would make, and then makes it whole', async function () {
			if (!hasSandbox()) this.skip();
			const workspace = tempDir('repositories');
			const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace, stdio: 'pipe', encoding: 'utf8' });
			mkdirSync(join(workspace, 'sub'));
			git('init', '-q', 'from');
			const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
			git('-C', 'from', ...identity, 'commit', '-q', '--allow-empty', '-m', 'first');
			git('-C', 'from', 'branch', 'other');
			const { run } = await open({ workspace, settings: { 'prowess.approvals.level': 'full' } });
			const rows: readonly (readonly [words: string, made: string])[] = [
				['-C sub init -q', 'sub/.git'],
				[`init -q ${join(workspace, 'absolute')}`, 'absolute/.git'],
				['clone -q from/.git --bare', 'from.git/HEAD'],
				['clone -q --branch other from named', 'named/.git'],
				['init -q --bare store.git', 'store.git/HEAD'],
				['-C from worktree add -q -b third ../beside', 'beside/.git'],
			];
			for (const [words, made] of rows) {
				const argv = ['git', ...words.split(' ')];
				answer = { kind: 'deny' };
				assert.equal(codeOf(await run({ argv })), 'DENIED_BY_USER', words);
				const { detail } = asked.at(-1) ?? {};
				assert.deepEqual(detail?.kind === 'command' && detail.needs, { write: [join(workspace, made)] }, words);
				answer = { kind: 'once' };
				const { result } = (await run({ argv })) as { result: CommandState };
				assert.deepEqual([result.exitCode, result.kept ?? [], existsSync(join(workspace, made))], [0, [], true], words);
				git('-C', dirname(join(workspace, made)), 'rev-parse', '--git-dir');
			}
			const lines: readonly (readonly [line: string, ...made: string[]])[] = [
				['mkdir a && cd a && git init -q && echo 1 > 1 && git add . && git status -s | cat', 'a/.git'],
				['(git clone -q from b 2>&1) | cat; for d in c; do git init -q d; done', 'b/.git', 'd/.git'],
				['cd from && git worktree add -q -b fourth ../e', 'e/.git'],
				[
					'cd from && git -c protocol.file.allow=always submodule add -q ../named lib 2>&1',
					'from/.git',
					'from/.gitmodules',
					'from/lib/.git',
				],
			];
			for (const [line, ...made] of lines) {
				const { result } = (await run({ argv: ['sh', '-c', line] })) as { result: CommandState };
				const { detail } = asked.at(-1) ?? {};
				const write = made.map((path) => join(workspace, path));
				assert.deepEqual(detail?.kind === 'command' && detail.needs, { write }, line);
				assert.deepEqual([result.exitCode, result.kept ?? [], result.output.includes('error')], [0, [], false], line);
				for (const path of made) assert.equal(existsSync(join(workspace, path)), true, path);
				git('-C', dirname(write.at(-1) ?? ''), 'status');
			}
			const before = asked.length;
			for (const argv of ['-C sub status', 'clone --mirror from x']) await run({ argv: ['git', ...argv.split(' ')] });
			assert.equal(asked.length, before);
		});

		it('finds /tmp to be that of its thread in the sandbox, and asks nobody', async function () {
			if (!hasSandbox() || process.platform !== 'linux') this.skip();
			const { run } = await open();
			const path = `/tmp/prowess-${process.pid}/x`;
			const into = { argv: ['sort', 'a.txt'], redirects: [to(path.replace('/x', '.txt'))] };
			const read = { join: '&&', argv: ['cat'], redirects: [from(path.replace('/x', '.txt'))] };
			const { result } = (await run({ ...into, chain: [read] })) as { result: CommandState };
			assert.deepEqual([result.output, result.kept ?? [], asked], ['apple\npear\n', [], []]);
			const next = await run({ argv: ['wc', '-l'], redirects: [from(path.replace('/x', '.txt'))] });
			assert.deepEqual([(next as { result: CommandState }).result.output.trim(), asked], ['2', []]);
			assert.ok(!existsSync(path.replace('/x', '.txt')));
			const named = await run({ argv: ['wc', '-l', path.replace('/x', '.txt')] });
			assert.deepEqual([codeOf(named), asked], ['done', []]);
			assert.match((named as { result: CommandState }).result.output, /^2 /);
			assert.equal(codeOf(await run({ argv: ['echo'], redirects: [to(path)] })), 'NOT_FOUND');
			// A link that the command itself puts there leads to nothing of the machine.
			answer = { kind: 'once' };
			const outside = join(tempDir('outside'), 'theirs');
			const linking = { argv: ['ln', '-s', outside, '/tmp/link'] };
			const followed = await run({
				...linking,
				chain: [{ join: '&&', argv: ['echo', 'x'], redirects: [to('/tmp/link')] }],
			});
			assert.deepEqual([(followed as { result: CommandState }).result.exitCode, existsSync(outside)], [1, false]);
		});

		it('asks about what is named in /tmp and does not belong to the thread', async () => {
			const { run } = await open({ files: { ...files, 'log.txt': 'x' } });
			const theirs = tempDir('theirs');
			writeFileSync(join(theirs, 'x'), 'canary');
			const isShared = hasSandbox() && process.platform === 'linux';
			const secret = ['/tmp/.env', '/tmp/../etc/passwd', '/tmp/./x', '/tmp', '/etc/passwd', '/dev/shm/x', '~/x'];
			for (const path of isShared ? secret : [...secret, '/tmp/x', join(theirs, 'x')]) {
				assert.equal(codeOf(await run({ argv: ['cat', path] })), 'DENIED_BY_USER', path);
			}
			if (isShared) {
				const { result } = (await run({ argv: ['cat', join(theirs, 'x')] })) as { result: CommandState };
				assert.doesNotMatch(result.output, /canary/);
				const without = await run({ argv: ['cat', '/tmp/x'], needs: { noSandbox: true } });
				assert.equal(codeOf(without), 'DENIED_BY_USER');
			}
		});

		it('reaches nothing beyond the workspace, at the widest level either', async () => {
			const { run, workspace } = await open({ settings: { 'prowess.approvals.level': 'full' } });
			const outside = tempDir('outside');
			writeFileSync(join(outside, 'theirs'), 'theirs');
			symlinkSync(outside, join(workspace, 'link'));
			linkSync(join(outside, 'theirs'), join(workspace, 'own.txt'));
			symlinkSync(join(outside, 'new'), join(workspace, 'dangling'));
			for (const path of [...['link/theirs', 'link/new', 'own.txt', 'dangling', 'src/../../x', '/dev/full']]) {
				const outcome = await run({ argv: ['echo', 'x'], redirects: [to(path)] });
				assert.notEqual(codeOf(outcome), 'done', path);
			}
			assert.equal(readFileSync(join(outside, 'theirs'), 'utf8'), 'theirs');
			assert.ok(!existsSync(join(outside, 'new')));
			assert.deepEqual(asked, []);
		});

		it('is listed as a change of the thread, and undone, also after the host has ended', async () => {
			const settings = { 'prowess.approvals.level': 'edit' } as const;
			const first = await open({ settings });
			const { threadId } = first;
			assert.equal(codeOf(await first.run({ argv: ['echo', 'x'], redirects: [to('a.txt')] })), 'done');
			assert.equal(
				codeOf(
					await first.run({
						...{ argv: ['sort', 'a.txt'], redirects: [to('new.txt')] },
						chain: [
							{ join: ';', argv: ['echo', 'y'], redirects: [{ stream: 'stdout', mode: 'append', path: 'new.txt' }] },
						],
					}),
				),
				'done',
			);
			assert.equal(first.text('new.txt'), 'x\ny\n');
			await first.base.close();
			const { home, workspace } = first.host;
			const { base, text } = await open({ home, workspace, files: {}, settings });
			const listed = await base.changes.list(threadId);
			assert.deepEqual(
				listed.map(({ path: changed, kind, added, removed, touchedSince }) => [
					...[changed, kind, added, removed, touchedSince],
				]),
				[
					['a.txt', 'modified', 1, 2, false],
					['new.txt', 'created', 2, 0, false],
				],
			);
			const { skipped } = await base.changes.undo(threadId, undefined, false, never);
			assert.deepEqual([skipped, text('a.txt'), text('new.txt')], [[], files['a.txt'], undefined]);
		});

		it('is undone when it left bytes that are no text, and what somebody changed since stays', async () => {
			const { base, run, text, threadId, workspace } = await open({ settings: { 'prowess.approvals.level': 'edit' } });
			answer = { kind: 'once' };
			const bytes = (name: string) => ({ argv: ['printf', String.raw`\000\377\000`], redirects: [to(name)] });
			for (const name of ['a.txt', 'made.bin', 'made.bin', 'theirs.bin']) {
				assert.equal(codeOf(await run(bytes(name))), 'done');
			}
			writeFileSync(join(workspace, 'theirs.bin'), Buffer.from([0, 1, 2]));
			const listed = await base.changes.list(threadId);
			assert.deepEqual(
				listed.map(({ path: changed, kind, added, removed, touchedSince }) => [
					...[changed, kind, added, removed, touchedSince],
				]),
				[
					['a.txt', 'modified', 0, 2, false],
					['made.bin', 'created', 0, 0, false],
					['theirs.bin', 'created', 0, 0, true],
				],
			);
			assert.deepEqual(await base.changes.hunks(threadId, 'made.bin'), []);
			const { skipped, undone } = await base.changes.undo(threadId, undefined, false, never);
			assert.deepEqual([skipped, undone], [['theirs.bin'], []]);
			assert.deepEqual([text('a.txt'), text('made.bin')], [files['a.txt'], undefined]);
			assert.equal((await base.changes.redo(threadId, never)).changes.length, 1);
			await base.changes.undo(threadId, ['theirs.bin'], true, never);
			assert.equal(text('theirs.bin'), undefined);
		});

		it('is in the ledger with its file, before it is written', async () => {
			const { run, base, threadId } = await open({ settings: { 'prowess.approvals.level': 'edit' } });
			await run({ argv: ['echo', 'x'], redirects: [to('x.txt')] });
			const rows = await base.ledger.query({ threadId, limit: 20 });
			assert.match(
				rows.find(({ op, kind }) => op === 'shell.run' && kind === 'intent')?.input ?? '',
				/echo x > x\.txt/,
			);
		});

		it('cannot widen what its sandbox lets it change', async function () {
			if (!hasSandbox()) this.skip();
			const { run, text } = await open({ settings: { 'prowess.approvals.level': 'auto' } });
			// The command gets a descriptor of the one file; paths that lead to other files through it stay confined by
			// the sandbox.
			const script = 'echo one; echo two > /proc/self/fd/1/../b.ts; cat .env; echo k > .vscode/x';
			await run({ argv: ['sh', '-c', script], redirects: [to('out.txt')] });
			assert.match(text('out.txt') ?? '', /^one\n/);
			assert.doesNotMatch(text('out.txt') ?? '', /canary/);
			assert.equal(text('src/b.ts'), files['src/b.ts']);
			assert.equal(text('.vscode/x'), undefined);
		});
	});
}
