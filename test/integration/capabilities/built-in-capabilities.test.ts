/** The capabilities that ship with us, each run by its real executor on a small project. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EditorPort } from '../../../src/contract/ports/ports.ts';
import { readCapabilityManifest } from '../../../src/protocol/manifest/read-manifest.ts';
import { declareTools } from '../../../src/server/tools/tool-declarations.ts';
import { isRare, offeredOps } from '../../../src/server/tools/tool-split.ts';
import { nothingOpen } from '../../support/host-ports.ts';
import { CapabilityScene, type CapabilitySceneOptions } from '../../support/capability-scene.ts';

const root = join(import.meta.dirname, '../../../capabilities');
const shipped = readdirSync(root, { withFileTypes: true })
	.filter((type) => type.isDirectory())
	.flatMap((type) => readdirSync(join(root, type.name)).map((name) => [type.name, name] as const));

describe('What ships with us', function () {
	this.timeout(60_000);
	let scene: CapabilityScene | undefined;
	afterEach(async () => {
		await scene?.close();
		scene = undefined;
	});

	async function run<T>(type: string, name: string, params: unknown, options: CapabilitySceneOptions = {}): Promise<T> {
		scene = await CapabilityScene.open(options);
		scene.ships(type, name);
		const { success, result, error, executionId } = await scene.run(name, params);
		assert.ok(success, error?.message);
		assert.equal(scene.base.capabilities.output(executionId), '', 'what it printed');
		return result as T;
	}

	it('is seven capabilities, each in its place', () => {
		assert.deepEqual(shipped.map((each) => each.join('/')).sort(), [
			'power/code-review',
			'skill/changelog-entry',
			'skill/rename-symbol',
			'skill/test-runner',
			'skill/todo-report',
			'talent/security-advisor',
			'talent/typescript-advisor',
		]);
	});

	for (const [type, name] of shipped) {
		it(`has a manifest without any problem: ${type}/${name}`, () => {
			const text = readFileSync(join(root, type, name, 'capability.yaml'), 'utf8');
			const { manifest, problems } = readCapabilityManifest({ 'capability.yaml': text }, { name, type });
			assert.deepEqual(problems, []);
			assert.ok((manifest?.description.length ?? 0) > 20);
		});
	}

	describe('todo-report', () => {
		it('fails where no tag is a word', async () => {
			scene = await CapabilityScene.open();
			scene.ships('skill', 'todo-report');
			const { success, error } = await scene.run('todo-report', { tags: ['.*', '1'] });
			assert.deepEqual([success, /tags: expected words such as TODO/.test(error?.message ?? '')], [false, true]);
		});

		it('finds what comments say, and not the word elsewhere', async () => {
			const report = await run<{ total: number; counts: unknown; items: unknown }>(
				'skill',
				'todo-report',
				{},
				{
					files: {
						'src/a.ts': '// TODO: make it fast\nconst TODO_LIST = "TODO list";\n/* FIXME(ann) it leaks */\n',
						'b.py': '# HACK around a bug\n',
						'c.html': '<!-- XXX: remove -->\n',
					},
				},
			);
			assert.deepEqual([report.total, report.counts], [4, { TODO: 1, FIXME: 1, HACK: 1, XXX: 1 }]);
			assert.deepEqual(
				(report.items as { file: string }[]).toSorted((a, b) => a.file.localeCompare(b.file)),
				[
					{ file: 'b.py', line: 1, tag: 'HACK', text: 'around a bug' },
					{ file: 'c.html', line: 1, tag: 'XXX', text: 'remove' },
					{ file: 'src/a.ts', line: 1, tag: 'TODO', text: 'make it fast' },
					{ file: 'src/a.ts', line: 3, tag: 'FIXME', text: 'it leaks' },
				],
			);
		});

		it('looks only where it is told to, and says that there are more than it lists', async () => {
			const files = { 'src/a.ts': '// TODO: one\n'.repeat(2_001), 'b.ts': '// TODO: two\n' };
			const report = await run<{ total: number; truncated: boolean }>(
				'skill',
				'todo-report',
				{ path: 'src' },
				{ files },
			);
			assert.deepEqual([report.total, report.truncated], [2_000, true]);
			await scene?.close();
			const other = { 'src/a.ts': '// TODO: one\n', 'b.ts': '// TODO: two\n' };
			const few = await run<{ items: unknown; truncated: boolean }>(
				'skill',
				'todo-report',
				{ path: 'src' },
				{ files: other },
			);
			assert.deepEqual([few.items, few.truncated], [[{ file: 'src/a.ts', line: 1, tag: 'TODO', text: 'one' }], false]);
		});
	});

	describe('test-runner', () => {
		/**
		 * Options with a person who consents: `test-runner` runs commands, so no start of it is allowed without a
		 * person.
		 */
		const agreed: CapabilitySceneOptions = {
			approvalMode: 'ask',
			person: { approve: () => Promise.resolve({ kind: 'once' }) },
		};
		it('runs the tests of a project and names the one that fails, with its line', async () => {
			const report = await run<Record<string, unknown>>(
				'skill',
				'test-runner',
				{ path: 'packages/sum' },
				{
					...agreed,
					files: {
						'packages/sum/package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
						'packages/sum/test/sum.test.js': `import assert from 'node:assert/strict';
import { it } from 'node:test';
it('adds', () => assert.equal(1 + 1, 2));
it('is wrong', () => {
	assert.equal(1 + 1, 3);
});
`,
					},
				},
			);
			const { failures, ...rest } = report as { failures: { message: string }[] };
			assert.deepEqual(rest, {
				...{ runner: 'node', command: ['node', '--test', '--test-reporter=tap'], success: false },
				...{ exitCode: 1, timedOut: false, passed: 1, failed: 1 },
			});
			const [failure] = failures;
			assert.deepEqual(
				{ ...failure, message: failure?.message.split('\n')[0] },
				{
					name: 'is wrong',
					file: 'packages/sum/test/sum.test.js',
					line: 5,
					message: 'Expected values to be strictly equal:',
				},
			);
		});

		/** A project whose own pytest is this program. */
		const tested = async (program: string, params: Readonly<Record<string, unknown>> = {}) => {
			const files = { 'sub/pytest.ini': '', 'sub/pytest.py': program };
			return await run<Record<string, unknown>>(
				'skill',
				'test-runner',
				{ path: 'sub', ...params },
				{ ...agreed, files },
			);
		};

		it('fails where the run fails without naming a test, and says whether it took too long', async () => {
			const { success, failed, timedOut, output } = await tested("print('1 passed')\nraise SystemExit(3)\n");
			assert.deepEqual([success, failed, timedOut, output], [false, 0, false, '1 passed\n']);
			await scene?.close();
			const late = await tested('import time\ntime.sleep(600)\n', { timeoutMs: 1_000 });
			assert.deepEqual([late['success'], late['timedOut']], [false, true]);
		});

		it('names files by their paths in the project where the runner names them from where it runs', async () => {
			const { failures } = await tested("print('FAILED test/test_a.py::test_x - no')\nraise SystemExit(1)\n");
			assert.deepEqual(failures, [{ name: 'test_x', file: 'sub/test/test_a.py', line: null, message: 'no' }]);
		});

		it('runs only the tests that are asked for', async () => {
			const test =
				"import { it } from 'node:test'; it('adds', () => {}); it('fails', () => { throw new Error('no'); });";
			const { success, passed, command } = await run<Record<string, unknown>>(
				'skill',
				'test-runner',
				{ filter: 'adds' },
				{ ...agreed, files: { 'package.json': '{ "scripts": { "test": "node --test" } }', 'a.test.mjs': test } },
			);
			assert.deepEqual([success, passed], [true, 1]);
			assert.deepEqual((command as string[]).slice(-2), ['--test-name-pattern', 'adds']);
		});

		it('says that there are none', async () => {
			scene = await CapabilityScene.open(agreed);
			scene.ships('skill', 'test-runner');
			const { error } = await scene.run('test-runner');
			assert.match(error?.message ?? '', /found no tests/);
		});
	});

	describe('rename-symbol', () => {
		it('says that it needs an editor where there is none, and changes nothing', async () => {
			scene = await CapabilityScene.open({ files: { 'a.ts': 'let a = 1;\n' } });
			scene.ships('skill', 'rename-symbol');
			const { error } = await scene.run('rename-symbol', { path: 'a.ts', line: 1, symbol: 'a', newName: 'b' });
			assert.match(error?.message ?? '', /needs an editor/);
		});

		it('refuses what is no name, and a list of places that is not whole, and changes nothing', async () => {
			const found = { path: 'a.ts', line: 1, column: 5, text: '' };
			const references = () => Promise.resolve({ references: [found], truncated: true });
			scene = await CapabilityScene.open({ editor: { ...nothingOpen, references }, files: { 'a.ts': 'let a = 1;\n' } });
			scene.ships('skill', 'rename-symbol');
			const place = { path: 'a.ts', line: 1, symbol: 'a' };
			const noName = await scene.run('rename-symbol', { ...place, newName: 'b c' });
			assert.match(noName.error?.message ?? '', /newName: expected the name of a symbol, got "b c"/);
			const partial = await scene.run('rename-symbol', { ...place, newName: 'b' });
			assert.match(partial.error?.message ?? '', /more uses than the editor lists/);
			assert.equal(readFileSync(join(scene.host.workspace, 'a.ts'), 'utf8'), 'let a = 1;\n');
		});

		const references = [
			{ path: 'a.ts', line: 1, column: 14, text: '' },
			{ path: 'a.ts', line: 2, column: 8, text: '' },
			{ path: 'a.ts', line: 2, column: 15, text: '' },
			{ path: 'b.ts', line: 1, column: 10, text: '' },
		];
		const editor: EditorPort = {
			...nothingOpen,
			references: () => Promise.resolve({ references, truncated: false }),
		};
		const files = {
			'a.ts': 'export const size = 1;\nreturn size + size; // size\n',
			'b.ts': 'import { size } from "./a";\n',
		};
		const params = { path: 'a.ts', line: 1, symbol: 'size', newName: 'length' };

		it('renames at the very places the language service names', async () => {
			await run('skill', 'rename-symbol', params, { editor, files });
			const text = (name: string) => readFileSync(join(scene?.host.workspace ?? '', name), 'utf8');
			assert.equal(text('a.ts'), 'export const length = 1;\nreturn length + length; // size\n');
			assert.equal(text('b.ts'), 'import { length } from "./a";\n');
		});

		it('only says what would change where it is asked for no more', async () => {
			const told = await run<{ files: unknown }>(
				'skill',
				'rename-symbol',
				{ ...params, dryRun: true },
				{ editor, files },
			);
			assert.deepEqual(told.files, [
				{ file: 'a.ts', lines: [1, 2] },
				{ file: 'b.ts', lines: [1] },
			]);
			assert.equal(readFileSync(join(scene?.host.workspace ?? '', 'a.ts'), 'utf8'), files['a.ts']);
		});

		it('changes nothing when one place is not what was said', async () => {
			scene = await CapabilityScene.open({
				editor,
				files: { ...files, 'b.ts': 'import { sized }\n  from "./a";\n'.replace('sized', 'other') },
			});
			scene.ships('skill', 'rename-symbol');
			const { error } = await scene.run('rename-symbol', params);
			assert.match(error?.message ?? '', /b\.ts:1:10: expected "size" there/);
			assert.equal(readFileSync(join(scene.host.workspace, 'a.ts'), 'utf8'), files['a.ts']);
		});
	});

	describe('changelog-entry', () => {
		const changed = async (
			options: CapabilitySceneOptions & { readonly isStaged?: boolean },
			changes: Readonly<Record<string, string>> = { 'a.txt': 'two\n', 'b.txt': 'new\n' },
			params: unknown = { write: true },
		): Promise<Record<string, unknown>> => {
			scene = await CapabilityScene.open({
				files: { 'CHANGELOG.md': '# Changelog\n\n## 1.0.0\n\n- First\n', 'a.txt': 'one\n' },
				...options,
			});
			const { workspace } = scene.host;
			const git = (...words: string[]) =>
				execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
					cwd: workspace,
					stdio: 'ignore',
				});
			git('init');
			git('add', '.');
			git('commit', '-m', 'first');
			for (const [path, text] of Object.entries(changes)) scene.host.write(path, text);
			scene.ships('skill', 'changelog-entry');
			// Excluded so that the folder the skill runs from is not a change of the project.
			scene.host.write('.git/info/exclude', '.prowess\n');
			if (options.isStaged === true) git('add', '.');
			const { success, result, error } = await scene.run('changelog-entry', params);
			assert.ok(success, error?.message);
			return result as Record<string, unknown>;
		};
		const changelog = () => readFileSync(join(scene?.host.workspace ?? '', 'CHANGELOG.md'), 'utf8');

		it('says that nothing has changed, and writes only where it is asked to', async () => {
			const none = await changed({}, {});
			assert.deepEqual(none, { entry: null, why: 'nothing has changed since the last commit' });
			await scene?.close();
			const { entry, written } = await changed({}, { 'a.txt': 'two\n' }, {});
			assert.deepEqual([entry, written], ['- Change `a.txt`', null]);
			assert.doesNotMatch(changelog(), /Unreleased/);
		});

		it('lists what changed when there is no model', async () => {
			const { entry, by } = await changed({});
			assert.deepEqual([entry, by], ['- Add `b.txt`; Change `a.txt`', 'the list of files']);
			assert.equal(
				changelog(),
				'# Changelog\n\n## Unreleased\n\n### Changed\n\n- Add `b.txt`; Change `a.txt`\n\n## 1.0.0\n\n- First\n',
			);
		});

		it('adds to the section that is there, in the file that is named', async () => {
			const news = '# News\n\n## Unreleased\n\n### Changed\n\n- Before\n';
			const files = { 'NEWS.md': news, 'a.txt': 'one\n' };
			const { written } = await changed({ files }, { 'a.txt': 'two\n' }, { write: true, file: 'NEWS.md' });
			assert.equal(written, 'NEWS.md');
			const text = readFileSync(join(scene?.host.workspace ?? '', 'NEWS.md'), 'utf8');
			assert.match(text, /### Changed\n\n(?:- Change `a\.txt`\n- Before|- Before\n- Change `a\.txt`)\n$/);
		});

		it('shows a model what is staged, too, and fails where the model does', async () => {
			const script = [{ text: '{"section":"Changed","text":"Two."}' }];
			await changed({ script, isStaged: true }, { 'a.txt': 'staged\n' });
			assert.match(scene?.model?.requests[0]?.text ?? '', /\+staged/);
			await scene?.close();
			const refused = changed({ script: [{ error: 401, message: 'bad key' }] }, { 'a.txt': 'two\n' });
			await assert.rejects(refused, /bad key|MODEL_REFUSED/);
		});

		it('lets a model write it from the diff', async () => {
			const script = [{ text: '{"section":"Added","text":"Two takes the place of one."}' }];
			const { entry, by } = await changed({ script });
			assert.deepEqual([entry, by], ['- Two takes the place of one.', 'test/scripted']);
			assert.match(scene?.model?.requests[0]?.text ?? '', /\+two/);
			assert.match(changelog(), /### Added\n\n- Two takes the place/);
		});
	});

	describe('code-review', () => {
		const finding = {
			file: 'a.ts',
			line: 1,
			severity: 'error',
			title: 'It divides by zero',
			detail: 'For an empty list.',
		};

		it('reads what it reviews with its own tools, and answers with findings', async () => {
			const script = [
				{ toolCalls: [{ name: 'fs_read', input: { path: 'a.ts' } }] },
				{ toolCalls: [{ name: 'read_document', input: { name: 'references/checklist.md' } }] },
				{ text: JSON.stringify({ summary: 'One defect', findings: [finding] }) },
			];
			const result = await run('power', 'code-review', { files: ['a.ts'] }, { script, files: { 'a.ts': 'sum / n\n' } });
			assert.deepEqual(result, { summary: 'One defect', findings: [finding] });
			const [first] = scene?.model?.requests ?? [];
			const system = JSON.stringify(first?.body['messages']);
			assert.match(system, /Review what you are given/);
			assert.match(system, /Severity/);
			const tools = ((first?.body['tools'] ?? []) as { function: { name: string } }[]).map(
				(each) => each.function.name,
			);
			assert.ok(!tools.some((name) => /write|edit|shell/.test(name.replace('editor', ''))), tools.join());
		});

		it('takes no finding of another form', async () => {
			const answer = (severity: string) => ({
				text: JSON.stringify({ summary: 'One', findings: [{ ...finding, severity }] }),
			});
			const script = [answer('terrible'), answer('error')];
			const result = await run<{ findings: { severity: string }[] }>('power', 'code-review', {}, { script });
			assert.equal(result.findings[0]?.severity, 'error');
		});

		it('fails with what was said last when its budget ends before it is done', async () => {
			const script = (n: number) => ({
				toolCalls: [{ name: 'fs_read', input: { path: 'a.ts', offset: n + 1, limit: 1 }, callId: `call_${n}` }],
			});
			// Each line is another one: whoever reads the same again and again is stopped before.
			const lines = Array.from({ length: 40 }, (_, n) => `let x${n};\n`).join('');
			scene = await CapabilityScene.open({ script, files: { 'a.ts': lines } });
			scene.ships('power', 'code-review');
			const { success, error } = await scene.run('code-review', { files: ['a.ts'] });
			assert.equal(success, false);
			assert.match(
				error?.message ?? '',
				/^it ended before it was done \(iterations, after 30 answers\)[^\n]*\(BUDGET_EXCEEDED\)$/,
			);
		});
	});

	for (const name of ['typescript-advisor', 'security-advisor']) {
		describe(name, () => {
			it('answers from its knowledge, the thread, and the files it is pointed at', async () => {
				scene = await CapabilityScene.open({ script: [{ text: 'Use a union.' }], files: { 'a.ts': 'let canary;\n' } });
				scene.ships('talent', name);
				const said = { threadId: 't', sender: 'user', timestamp: '' } as const;
				const { result } = await scene.run(
					name,
					{ question: 'Enum or union?', files: ['a.ts'] },
					{ messages: [{ ...said, messageId: 'm', content: 'We were talking about colours' }] },
				);
				assert.equal(result, 'Use a union.');
				const sent = scene.model?.requests[0]?.text ?? '';
				for (const part of ['What you know: knowledge/', 'talking about colours', 'let canary', 'Enum or union?']) {
					assert.ok(sent.includes(part), part);
				}
				assert.equal(scene.model?.requests[0]?.body['tools'], undefined);
			});
		});
	}

	describe('a skill that is written and not programmed', () => {
		const written = {
			'SKILL.md': '---\nname: greets\ndescription: Greets people\n---\nGreet by the rules in references/rules.md.\n',
			'references/rules.md': 'Be warm.\n',
			'scripts/greet.sh': 'echo hello\n',
		};

		it('is carried out by a model with all tools there are without an editor, body first, the rest on demand', async () => {
			const script = [
				{ toolCalls: [{ name: 'read_document', input: { name: 'references/rules.md' } }] },
				{ text: 'A warm hello' },
			];
			scene = await CapabilityScene.open({ script });
			scene.capability('skill', 'greets', written);
			const { result, error } = await scene.run('greets', { who: 'you' });
			assert.equal(result, 'A warm hello', error?.message);
			const [first, second] = scene.model?.requests ?? [];
			assert.match(first?.text ?? '', /Greet by the rules/);
			assert.doesNotMatch(first?.text ?? '', /Be warm/);
			assert.match(second?.text ?? '', /Be warm/);
			const tools = ((first?.body['tools'] ?? []) as { function: { name: string } }[]).map(
				(each) => each.function.name,
			);
			const offered = declareTools(
				offeredOps('agent', {
					hasEditor: false,
					hasWebSearch: false,
					hasMcp: false,
					hasCodeIndex: false,
					hasMemory: true,
				}).filter((op) => !isRare(op) && op !== 'goal.verdict'),
			).map(({ name }) => name);
			assert.deepEqual(tools, [...offered, 'read_document', 'result_read', 'tool_search']);
		});

		it('is handed over as it is where there is no model', async () => {
			scene = await CapabilityScene.open();
			scene.capability('skill', 'greets', written);
			const { success, additionalContext } = await scene.run('greets');
			assert.equal(success, true);
			assert.deepEqual(additionalContext, {
				body: 'Greet by the rules in references/rules.md.',
				files: ['references/rules.md', 'scripts/greet.sh'],
			});
		});
	});
});
