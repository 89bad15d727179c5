/** `prowess eval`: sets of tasks, worked on by scripted models and checked in the sandbox. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { layFiles } from '../../../src/cli/eval/lay-files.ts';
import { makeOwnHome } from '../../../src/cli/eval/own-home.ts';
import { readTaskSet } from '../../../src/cli/eval/read-task-set.ts';
import { openHome } from '../../../src/cli/home/home-folder.ts';
import { readJsonObject } from '../../../src/cli/home/json-file.ts';
import type { CommandContext } from '../../../src/cli/invocation/command.ts';
import { type EvalReport } from '../../../src/cli/eval/eval-report.ts';
import { evalModels } from '../../support/eval-models.ts';
import { writeOwnTasks } from '../../support/eval-tasks.ts';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

const three = ['js/reverse', 'py/sum', 'sh/words'];

describe('An evaluation', function () {
	this.timeout(commandLimitMs * 3);
	let user: User;
	let set: string;
	let model: ModelServer | undefined;

	beforeEach(() => {
		user = new User();
		user.sets();
		set = join(user.root, 'set');
		mkdirSync(set);
	});
	afterEach(async () => {
		await model?.close();
		model = undefined;
	});

	const evaluates = async (script: Script, ...words: readonly string[]) => {
		await model?.close();
		model = await startModelServer(script);
		const of = ['--base-url', model.baseUrl, '--model', 'scripted'];
		const { code, stdout, stderr } = await user.runs(['eval', 'run', set, ...of, '--json', ...words]);
		assert.match(stdout, /"format": 1/, stderr + stdout);
		return { code, stderr, report: JSON.parse(stdout) as EvalReport };
	};
	const passedAt = (report: EvalReport) => report.tasks.map((task) => task.passedAt);

	it('says where a set is none, and which file of a task is wrong', async () => {
		const none = await user.runs(['eval', 'run', set]);
		assert.deepEqual([none.code, /has no tasks: expected folders with a task\.yaml/.test(none.stderr)], [1, true]);
		writeOwnTasks(set, ['js/reverse']);
		writeFileSync(join(set, 'js/reverse/task.yaml'), 'prompt: Go\ncheck: node check.mjs\nrounds: many\n');
		assert.match((await user.runs(['eval', 'run', set])).stderr, /js\/reverse\/task\.yaml:3: rounds: /);
		writeFileSync(join(set, 'js/reverse/task.yaml'), 'prompt: Go\ncheck: test $(node main.mjs) = 3\n');
		assert.match((await user.runs(['eval', 'run', set])).stderr, /js\/reverse\/task\.yaml:2: check: .*simple commands/);
		writeOwnTasks(set, ['js/reverse']);
		symlinkSync('/etc/passwd', join(set, 'js/reverse/files/link'));
		assert.match((await user.runs(['eval', 'run', set])).stderr, /files\/link: a task takes .* and no links/);
		for (const [words, said] of [
			[['--tries', '0'], /--tries takes a whole number from 1 to 10; got "0"/],
			[['--task', 'js/none'], /there is no task "js\/none"/],
			[['--provider', 'none', '--jobs', '2'], /--provider takes .*; got "none"/],
		] as const) {
			writeOwnTasks(join(set, 'more'), ['sh/first']);
			const { code, stderr } = await user.runs(['eval', 'run', join(set, 'more'), ...words]);
			assert.deepEqual([code, said.test(stderr)], [2, true], stderr);
		}
	});

	it('passes what is right at once, touches nothing of the user’s, and gives the same report twice', async () => {
		writeOwnTasks(set, three);
		const first = await evaluates(evalModels.oracle, '--jobs', '2');
		assert.equal(first.code, 0, first.stderr);
		assert.deepEqual(passedAt(first.report), [1, 1, 1]);
		assert.deepEqual(
			first.report.tasks.map(({ requests, questions, denied, isLedgerIntact }) => [
				requests,
				questions,
				denied,
				isLedgerIntact,
			]),
			three.map(() => [2, 0, 0, true]),
		);
		assert.deepEqual((await user.runs(['thread', 'list', '--json'])).stdout.trim(), '[]');
		assert.deepEqual(
			readdirSync(user.root).filter((name) => name.startsWith('prowess-eval')),
			[],
		);
		const again = await evaluates(evalModels.oracle, '--task', 'sh');
		assert.deepEqual(again.report.tasks, first.report.tasks.slice(2));
	});

	it('tells the agent why a check has failed, and counts the try that passes', async () => {
		writeOwnTasks(set, ['js/reverse', 'py/sum']);
		const { code, report, stderr } = await evaluates(evalModels.twoTries, '--task', 'js/reverse');
		assert.deepEqual([code, passedAt(report)], [0, [2]], stderr);
		assert.match(stderr, /✓ js\/reverse \([\d.]+ s\) passed at try 2/);
		const told = model?.requests.at(2)?.text ?? '';
		assert.match(told, /A check of your work has failed: the check ended with exit code 1/);
		assert.match(told, /it prints .*nothing.*expected .*cba/);
		const once = await evaluates(evalModels.twoTries, '--tries', '1', '--task', 'py');
		assert.deepEqual([once.code, passedAt(once.report)], [1, [null]]);
		assert.match(once.stderr, /✗ py\/sum .* failed: the check ended with exit code 1/);
	});

	it('gets what is right through calls that are no good', async () => {
		writeOwnTasks(set, ['sh/words']);
		const { report, stderr } = await evaluates(evalModels.messy);
		assert.deepEqual(passedAt(report), [1], stderr);
	});

	it('is passed by nobody who changes tests, plants a check or says that all is well, and lets nothing out', async () => {
		writeOwnTasks(set, ['js/reverse']);
		const aim = join(user.root, 'outside.txt');
		const { code, report, stderr } = await evaluates(evalModels.hostile(aim), '--tries', '1');
		assert.deepEqual([code, passedAt(report)], [1, [null]], stderr);
		assert.ok(
			report.tasks.every(({ tries: [why = ''] }) =>
				/^changed its tests: example\.txt; the check ended with exit code 1$/.test(why),
			),
			stderr,
		);
		assert.ok(report.tasks.every(({ questions, isLedgerIntact }) => questions > 0 && isLedgerIntact));
		assert.equal(existsSync(aim), false);
	});

	/** Right at once in the task js/reverse, and without an end in all others. */
	const endsOne: Script = (n, request) =>
		request.text.includes('Task js/reverse.')
			? evalModels.oracle(n, request)
			: { chunks: ['I think.'], delayMs: commandLimitMs };
	const listFolders = () => readdirSync(user.root).filter((name) => name.startsWith('prowess-eval'));
	const formOf = ({ tasks, left }: EvalReport) => [tasks.map(({ name, passedAt }) => [name, passedAt]), left];
	const oneOfThree = [[['js/reverse', 1]], ['py/sum', 'sh/words']];

	it('that is stopped amid tasks side by side says what was done so far, and leaves no folder', async () => {
		writeOwnTasks(set, three);
		model = await startModelServer(endsOne);
		const of = ['--base-url', model.baseUrl, '--model', 'scripted', '--jobs', '2', '--json'];
		const command = user.startsHere(['eval', 'run', set, ...of]);
		await model.request(4);
		command.stop();
		const { code, stdout, stderr } = await command.ended;
		assert.deepEqual([code, /^prowess: stopped by SIGINT$/m.test(stderr)], [130, true]);
		assert.deepEqual(formOf(JSON.parse(stdout) as EvalReport), oneOfThree);
		assert.deepEqual(listFolders(), []);
	});

	it('that is killed has kept its report so far, and the next one removes its folders', async () => {
		writeOwnTasks(set, three);
		model = await startModelServer(endsOne);
		const of = ['--base-url', model.baseUrl, '--model', 'scripted'];
		const file = join(user.root, 'report.json');
		const running = user.starts(['eval', 'run', set, ...of, '--report', file]);
		await model.request(3);
		running.child.kill('SIGKILL');
		await running.ended;
		assert.deepEqual(formOf(JSON.parse(readFileSync(file, 'utf8')) as EvalReport), oneOfThree);
		assert.equal(listFolders().length, 1);
		const words = ['eval', 'run', set, ...of, '--task', 'js', '--report'];
		const taken = await user.runs([...words, file]);
		assert.deepEqual([taken.code, /report\.json" already exists[^]*Choose another name/.test(taken.stderr)], [1, true]);
		const nowhere = await user.runs([...words, join(user.root, 'none/report.json')]);
		assert.deepEqual([nowhere.code, /none" is not a folder/.test(nowhere.stderr)], [1, true]);
		assert.equal(model.requests.length, 3);
		assert.equal((await user.runs([...words, join(user.root, 'next.json')])).code, 0);
		assert.deepEqual(listFolders(), []);
		const compared = await user.runs(['eval', 'compare', join(user.root, 'next.json'), file]);
		assert.deepEqual([compared.code, /^py\/sum|sh\/words/m.test(compared.stdout)], [0, false]);
	});

	it('falls where edits do not reach their files', async () => {
		writeOwnTasks(set, ['js/reverse']);
		const before = await evaluates(evalModels.oracle);
		user.sets({ 'prowess.approvals.deny': ['fs.write *'] });
		const after = await evaluates(evalModels.oracle);
		assert.deepEqual(
			[before, after].map(({ code, report }) => [code, passedAt(report)]),
			[
				[0, [1]],
				[1, [null]],
			],
		);
		for (const [name, { report }] of [
			['before', before],
			['after', after],
		] as const) {
			writeFileSync(join(user.root, name), JSON.stringify(report));
		}
		const compared = await user.runs(['eval', 'compare', join(user.root, 'before'), join(user.root, 'after')]);
		assert.deepEqual([compared.code, /js\/reverse: passed → failed/.test(compared.stdout)], [1, true]);
	});

	it('gives a task the user’s settings, without what the user has agreed to and where anchors of their ledger go', async () => {
		const allow = { 'prowess.approvals.allow': ['shell.run git push *'] };
		user.sets({ ...allow, 'prowess.ledger.anchor': `git-note:${user.root}`, 'prowess.mode': 'plan' });
		const context = { environment: { PROWESS_HOME: user.home } } as unknown as CommandContext;
		const place = join(user.root, 'own');
		const own = await makeOwnHome(place, { openHome, readJsonObject }, context);
		assert.equal(own.environment['PROWESS_HOME'], place);
		const kept = Object.keys(readJsonObject(join(place, 'settings.json')) ?? {});
		assert.deepEqual(kept, ['prowess.tools.bubblewrapPath', 'prowess.mode']);
	});

	it('runs all tests of an exercise, also those that it skips at first', async () => {
		const lay = async (language: string, test: string, text: string) => {
			const exercise = join(set, language, 'exercises/practice/once');
			mkdirSync(join(exercise, '.meta'), { recursive: true });
			const files = { solution: ['once.src'], test: [test] };
			writeFileSync(join(exercise, '.meta/config.json'), JSON.stringify({ files }));
			writeFileSync(join(exercise, test), text);
			const task = (await readTaskSet(set)).find(({ name }) => name.startsWith(language));
			await layFiles(task?.hidden ?? [], join(user.root, language));
			return readFileSync(join(user.root, language, test), 'utf8');
		};
		const javascript = "test('one', () => {});\nxtest('two', () => {});\n";
		assert.equal(await lay('javascript', 'once.spec.js', javascript), javascript.replace('xtest', 'test'));
		const java = '\t@Disabled("Remove to run test")\n\t@Test\n\tpublic void two() {}\n';
		assert.equal(await lay('java', 'OnceTest.java', java), '\t@Test\n\tpublic void two() {}\n');
	});

	it('reads exercises as the Aider polyglot benchmark has them, and hides their tests', async () => {
		const exercise = join(set, 'python/exercises/practice/twice');
		for (const [path, text] of [
			[
				'.meta/config.json',
				JSON.stringify({ files: { solution: ['twice.py'], test: ['twice_test.py'], example: ['.meta/example.py'] } }),
			],
			['.meta/example.py', 'def twice(n):\n    return 2 * n\n'],
			['.docs/instructions.md', '# Twice\n\nReturn twice the number.\n'],
			['twice.py', 'def twice(n):\n    pass\n'],
			[
				'twice_test.py',
				'import unittest\nfrom twice import twice\n\nclass TwiceTest(unittest.TestCase):\n    def test_two(self):\n        self.assertEqual(twice(2), int(open("of-two.txt").read()))\n',
			],
			['of-two.txt', '4\n'],
		] as const) {
			mkdirSync(join(exercise, path, '..'), { recursive: true });
			writeFileSync(join(exercise, path), text);
		}
		const { code, report, stderr } = await evaluates(
			(n) =>
				[
					{ toolCalls: [{ name: 'fs_read', input: { path: 'twice.py' } }] },
					{
						toolCalls: [
							{ name: 'fs_write', input: { path: 'twice.py', content: 'def twice(n):\n    return 2 * n\n' } },
							{ name: 'fs_edit', input: { path: 'of-two.txt', edits: [{ oldText: '4', newText: '5' }] } },
						],
					},
				][n] ?? { text: 'twice.py is written.' },
		);
		assert.deepEqual([code, passedAt(report)], [0, [1]], stderr);
		assert.match(
			model?.requests[0]?.text ?? '',
			/Return twice the number\.\\n\\nUse these instructions to change twice\.py/,
		);
		assert.doesNotMatch(model?.requests.map(({ text }) => text).join('') ?? '', /twice_test|example\.py/);
	});

	it('asks no model where no check could be run', async () => {
		writeOwnTasks(set, ['js/reverse']);
		user.sets({ 'prowess.tools.bubblewrapPath': join(user.root, 'no-such-program') });
		model = await startModelServer(evalModels.oracle);
		const { code, stderr } = await user.runs(['eval', 'run', set, '--base-url', model.baseUrl, '--model', 'scripted']);
		assert.deepEqual([code, model.requests.length], [1, 0], stderr);
		assert.match(stderr, /no check is run without a sandbox/);
	});

	it('counts in the quotas of the user, and begins no task beyond them', async () => {
		writeOwnTasks(set, ['js/reverse', 'sh/words']);
		user.sets({ 'prowess.quotas.tokensPerHour': 20 });
		model = await startModelServer(evalModels.oracle);
		const { code, stdout, stderr } = await user.runs([
			...['eval', 'run', set, '--base-url', model.baseUrl, '--model', 'scripted'],
		]);
		assert.deepEqual([code, model.requests.length], [1, 2], stderr);
		assert.match(stdout, /^stopped before the end of: sh\/words\npassed with the first try: 1 of 1/);
		assert.match(stderr, /✓ js\/reverse[^]*QUOTA_EXCEEDED/);
		const { hour } = JSON.parse((await user.runs(['usage', '--json'])).stdout) as { hour: { inputTokens: number } };
		assert.equal(hour.inputTokens, 20);
		user.sets({ 'prowess.quotas.tokensPerHour': 40 });
		const printed = await user.runs([
			...['eval', 'run', set, '--base-url', model.baseUrl, '--model', 'scripted', '--json'],
		]);
		assert.deepEqual(formOf(JSON.parse(printed.stdout) as EvalReport), [[['js/reverse', 1]], ['sh/words']]);
		assert.match(printed.stderr, /^prowess: .*\(QUOTA_EXCEEDED\)$/m);
	});

	it('can be compared: what fails now and passed before is named, and ends with 1', async () => {
		const task = (name: string, passedAt: number | null): EvalReport['tasks'][number] => ({
			...{ name, passedAt, tries: [passedAt === null ? 'the check ended with exit code 1' : ''], requests: 2 },
			...{ inputTokens: 10, outputTokens: 1, cost: 0.5, questions: 0, denied: 0, isLedgerIntact: true },
		});
		const save = (name: string, tasks: readonly EvalReport['tasks'][number][]) => {
			const about = { format: 1, version: '0.1.0', model: 'scripted', tries: 2 } as const;
			const left = name === 'stopped.json' ? ['first', 'last'] : [];
			const report: EvalReport = { ...about, tasks: [...tasks], left, seconds: { first: 1.5 } };
			writeFileSync(join(user.root, name), JSON.stringify(report));
			return join(user.root, name);
		};
		const before = save('before.json', [task('first', 1), task('last', 2), task('gone', null)]);
		const after = save('after.json', [task('first', null), task('last', 1), task('new', 1)]);
		const fell = await user.runs(['eval', 'compare', before, after]);
		assert.equal(fell.code, 1);
		assert.equal(
			fell.stdout,
			[
				...['first: passed → failed', 'last: passed at try 2 → passed', 'gone: failed → gone', 'new: new, passed'],
				...['passed with the first try: 1 → 2', 'passed: 2 → 2', 'requests: 6 → 6', 'tokens: 33 → 33'],
				...['US dollars: 1.5 → 1.5', 'questions: 0 → 0', 'ops denied: 0 → 0', 'seconds: 1.5 → 1.5', ''],
			].join('\n'),
		);
		assert.equal((await user.runs(['eval', 'compare', before, before])).code, 0);
		const stopped = await user.runs(['eval', 'compare', before, save('stopped.json', [task('gone', null)])]);
		assert.equal(stopped.code, 1);
		assert.match(stopped.stdout, /^first: passed → not evaluated\nlast: passed at try 2 → not evaluated\npassed with/);
		writeFileSync(join(user.root, 'other.json'), '{}');
		const other = await user.runs(['eval', 'compare', before, join(user.root, 'other.json')]);
		assert.deepEqual([other.code, /other\.json is no report of prowess eval run --json/.test(other.stderr)], [1, true]);
	});
});
