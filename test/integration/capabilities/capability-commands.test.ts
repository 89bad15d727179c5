/** `prowess capability list`, `show`, `validate` and `new`, and `prowess executor list` and `show`, through the real CLI. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CapabilityExecutionResult } from '../../../src/protocol/execution/execution.ts';
import { workerSkills } from '../../support/worker-skills.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const manifest = (more = '') => `name: greet\ntype: skill\nversion: 1.2.3\ndescription: Greets\n${more}`;

describe('prowess capability, for their authors', function () {
	this.timeout(commandLimitMs);
	let user: User;
	const puts = (root: string, path: string, text: string) => {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	};
	const greet = '.prowess/capabilities/skill/greet';
	beforeEach(() => {
		user = new User();
	});

	it('lists what is in force, what it takes the place of, and what cannot be used', async () => {
		user.writes(`${greet}/capability.yaml`, manifest());
		user.writes(`${greet}/index.js`, '');
		puts(user.home, 'capabilities/skill/greet/index.js', '');
		user.writes('.prowess/capabilities/skill/empty/capability.yaml', 'name: empty\ntype: skill\n');
		symlinkSync('gone', join(user.workspace, '.prowess/capabilities/skill/lost'));
		user.writes('.prowess/capabilities/skill/bad/capability.yaml', 'name: bad\nlevel: HIGH\n');
		puts(user.home, 'capabilities/skill/greet/capability.yaml', manifest());
		puts(dirname(user.home), '.claude/skills/theirs/SKILL.md', '---\nname: theirs\ndescription: Theirs\n---\nDo it.\n');
		const long = `---\nname: long\ndescription: Long\nlicense: ${'x'.repeat(501)}\nversion: v${'1'.repeat(100)}\n---\nDo it.\n`;
		puts(dirname(user.home), '.claude/skills/long/SKILL.md', long);
		const { code, stdout, stderr } = await user.runs(['capability', 'list', '--trust', '--type', 'skill']);
		assert.equal(code, 0, stderr);
		assert.match(stdout, /^skill +greet +project +1\.2\.3 +\[overrides global\] Greets$/m);
		assert.match(stdout, /^skill +theirs +global +1\.0\.0 +Theirs$/m);
		assert.match(stdout, /^skill +long .*\[license: 501 characters, the first 500 are taken; 1 more warning\] Long$/m);
		assert.match(stderr, /skill\/bad has problems: capability\.yaml:2: level: /);
		assert.match(stderr, /skill\/empty has problems: capability\.yaml:1: there is nothing to run: none of index\.js/);
		assert.match(stderr, /skill\/lost has problems: it is a link that leads nowhere: gone/);
		const lost = await user.runs(['capability', 'show', 'lost']);
		assert.match(lost.stdout, /^error +it is a link that leads nowhere: gone$/m, lost.stderr);
		const cut = await user.runs(['capability', 'show', 'long']);
		assert.match(cut.stdout, /^warning +SKILL\.md:5: version: 101 characters, the first 100 are taken$/m);
		const listed = JSON.parse((await user.runs(['capability', 'list', '--json'])).stdout) as {
			capabilities: { name: string; executor: string; isOff: boolean; overrides: { source: string }[] }[];
			overridden: { overriddenBy: { source: string } }[];
			broken: { problems: { line: number }[] }[];
		};
		const own = listed.capabilities.find(({ name }) => name === 'greet');
		assert.deepEqual([own?.executor, own?.isOff, own?.overrides[0]?.source], ['skill', false, 'global']);
		assert.equal(listed.overridden[0]?.overriddenBy.source, 'project');
		assert.equal(listed.broken[0]?.problems.at(0)?.line, 2);
	});

	it('shows what is written for Codebolt, finds its faults, and its executor', async () => {
		const blocks = '.codebolt/capabilities/executors/blocks';
		user.writes('.codebolt/agents/act/codeboltagent.yaml', 'title: Act\ndescription: Acts: on it\n');
		user.writes('.codebolt/agents/act/dist/index.js', '');
		user.writes('.codebolt/agents/bare/codeboltagent.yaml', 'title: Bare\n');
		user.writes(`${blocks}/executor.yaml`, 'name: blocks\nsupportedTypes: [pipeline]\n');
		user.writes(`${blocks}/dist/index.js`, "require('@codebolt/codeboltjs');");
		const words = /^channel +Written for Codebolt: its files, commands and questions become requests here/m;
		const { stdout, stderr } = await user.runs(['capability', 'show', 'act', '--trust']);
		assert.match(stdout, /^name +agent act 1\.0\.0$/m, stderr);
		assert.match(stdout, words);
		assert.match(stdout, /^permissions +workspace\.read, workspace\.write, shell, user, thread$/m);
		const builds = '.codebolt/capabilities/pipeline/build/capability.yaml';
		user.writes(builds, 'name: build\ntype: pipeline\nversion: 1.0.0\ndescription: Builds\n');
		user.writes(builds.replace('capability.yaml', 'index.js'), '');
		const silent = await user.runs(['capability', 'show', 'build']);
		assert.match(silent.stdout, /^level +RESTRICTED$/m, silent.stderr);
		assert.match(silent.stdout, /^permissions +workspace\.read, workspace\.write, shell, user, thread$/m);
		user.writes(builds, 'name: build\ntype: pipeline\nversion: 1.0.0\ndescription: Builds\npermissions: [llm]\n');
		assert.match((await user.runs(['capability', 'show', 'build'])).stdout, /^permissions +llm$/m);
		const checked = await user.runs([
			'capability',
			'validate',
			'.codebolt/agents/act',
			'.codebolt/agents/bare',
			blocks,
		]);
		assert.match(checked.stdout, /act: valid, capability act 1\.0\.0/);
		assert.match(checked.stdout, /codeboltagent\.yaml:2:\d+: warning: .*read line by line instead/);
		assert.match(checked.stdout, /bare.*there is nothing to run: none of index\.js, .*package\.json/);
		assert.match(checked.stdout, /blocks: valid, executor blocks/);
		assert.match((await user.runs(['executor', 'show', 'blocks'])).stdout, words);
	});

	it('shows one, and says that there is none', async () => {
		user.writes(
			`${greet}/capability.yaml`,
			manifest('permissions: [workspace.read]\nexecutor: nobody\nprovides: [llm]\n'),
		);
		user.writes('.prowess/capabilities/skill/empty/capability.yaml', 'name: empty\ntype: skill\n');
		const { code, stdout, stderr } = await user.runs(['capability', 'show', 'greet', '--trust']);
		assert.equal(code, 0, stderr);
		for (const line of [
			/^name +skill greet 1\.2\.3$/m,
			/^permissions +workspace\.read$/m,
			/^run by +nothing/m,
			/^provides +llm \(prowess\.capabilities\.model: "capability:skill\/greet"/m,
			/^content +sha256 [0-9a-f]{64}, 1 file$/m,
		]) {
			assert.match(stdout, line);
		}
		const empty = await user.runs(['capability', 'show', 'empty']);
		assert.match(empty.stdout, /^error +capability\.yaml:1: there is nothing to run/m);
		const missing = await user.runs(['capability', 'show', 'nobody']);
		assert.equal(missing.code, 1);
		assert.match(missing.stderr, /CAPABILITY_NOT_FOUND/);
	});

	it('says of a worker what its consent says, and looks into its program', async () => {
		user.writes(
			`${greet}/capability.yaml`,
			manifest('runtime: node-worker\nlevel: CONTROLLED\npermissions: [secrets]\n'),
		);
		user.writes(
			`${greet}/index.js`,
			"export async function hi() { return await import('node:net'); }\nexport function no() {}\n",
		);
		const shown = await user.runs(['capability', 'show', 'greet', '--trust']);
		assert.match(shown.stdout, /^receives +nothing of the thread$/m, shown.stderr);
		const { code, stdout } = await user.runs(['capability', 'validate', greet]);
		assert.equal(code, 1);
		for (const line of [
			/greet\/capability\.yaml:7:15: warning: permissions\.0: secrets are read at level PRIVILEGED only/,
			/greet\/index\.js:1:50: error: "node:net" cannot be used in a worker; use http of the SDK/,
			/greet\/index\.js:2:1: warning: no is not async, so it is no tool/,
		]) {
			assert.match(stdout, line);
		}
		user.writes(`${greet}/index.js`, 'export async function hi() {\n\treturn (;\n}\n');
		assert.match(
			(await user.runs(['capability', 'validate', greet])).stdout,
			/index\.js:2:10: error: does not parse: Unexpected token ';'/,
		);
		user.writes(`${greet}/capability.yaml`, manifest());
		const plain = await user.runs(['capability', 'show', 'greet', '--trust']);
		assert.match(plain.stdout, /^receives +the newest messages of the thread, its mode and level, the branch and/m);
	});

	it('checks as many folders as are named', async () => {
		user.writes(`${greet}/capability.yaml`, manifest());
		user.writes(`${greet}/index.js`, '');
		const folders = Array.from({ length: 700 }, () => join(user.workspace, greet));
		const { code, stdout, stderr } = await user.runs(['capability', 'validate', '--json', ...folders]);
		assert.equal(code, 0, stderr);
		assert.equal((JSON.parse(stdout) as unknown[]).length, 700);
	});

	it('names the flag that helps when nobody can be asked for consent, and it helps', async () => {
		user.writes(`${greet}/capability.yaml`, manifest());
		user.writes(`${greet}/index.js`, 'export const execute = () => "hello";');
		const run = (...more: string[]) => user.runs(['capability', 'run', 'greet', '--trust', ...more]);
		const refused = await run();
		assert.equal(refused.code, 1);
		assert.match(
			refused.stderr,
			/greet 1\.2\.3 needs your consent, and this session cannot ask\. \(DENIED_BY_RULE\)\n.*pass --approve auto\./,
		);
		assert.equal((await run('--approve', 'auto')).stdout, 'hello\n');
		user.writes(`${greet}/capability.yaml`, manifest('level: PRIVILEGED\n'));
		const byPerson = await run('--approve', 'auto');
		assert.match(byPerson.stderr, /this session cannot ask\. \(DENIED_BY_RULE\)\nRun it in a terminal\.\n/);
	});

	it('reads nothing of a folder that is not trusted', async () => {
		user.writes(`${greet}/capability.yaml`, manifest());
		const { code, stderr } = await user.runs(['capability', 'show', 'greet']);
		assert.equal(code, 1);
		assert.match(stderr, /CAPABILITY_NOT_FOUND/);
		assert.equal((await user.runs(['capability', 'validate'])).code, 1);
	});

	it('validates a folder that somebody names, with every problem at its place', async () => {
		user.writes('mine/greet/capability.yaml', `${manifest('level: HIGH\n')}inputs:\n\n  - { name: x, type: int }\n`);
		const { code, stdout } = await user.runs(['capability', 'validate', 'mine/greet']);
		assert.equal(code, 1);
		assert.match(stdout, /^mine\/greet\/capability\.yaml:5:8: error: level: /m);
		assert.match(stdout, /^mine\/greet\/capability\.yaml:8:\d+: error: inputs\.0\.type: /m);
		assert.match(stdout, /^mine\/greet: NOT valid, capability$/m);
		const { stdout: json } = await user.runs(['capability', 'validate', 'mine/greet', '--json']);
		assert.equal((JSON.parse(json) as { valid: boolean }[])[0]?.valid, false);
		assert.equal((await user.runs(['capability', 'validate', 'nowhere'])).code, 1);
	});

	it('judges a SKILL.md by the letter only when that is asked for, and finds hidden characters', async () => {
		user.writes('s/my_skill/SKILL.md', '---\nname: my_skill\ndescription: Does it\nversion: 1.0.0\n---\nDo it.\n');
		user.writes('s/hides/SKILL.md', '---\nname: hides\ndescription: Hides\n---\nDo\u{e0041} it.\n');
		const lenient = await user.runs(['capability', 'validate', 's/my_skill']);
		assert.equal(lenient.code, 0, lenient.stdout);
		const strict = await user.runs(['capability', 'validate', '--strict', 's/my_skill']);
		assert.equal(strict.code, 1);
		assert.match(strict.stdout, /SKILL\.md:2:\d+: error: name: expected only letters, digits and hyphens/);
		assert.match(strict.stdout, /SKILL\.md:4:\d+: error: version: the specification has no such field/);
		const hidden = await user.runs(['capability', 'validate', 's/hides']);
		assert.equal(hidden.code, 1);
		assert.match(hidden.stdout, /it holds the character U\+E0041, which is not seen/);
	});

	it('validates nothing that a link of the project leads to outside of it', async () => {
		user.writes('../outside/capability.yaml', manifest());
		user.writes('.prowess/capabilities/skill/README.md', '');
		symlinkSync(join(user.root, 'outside'), join(user.workspace, '.prowess/capabilities/skill/greet'));
		const { code, stdout } = await user.runs(['capability', 'validate', '--trust']);
		assert.equal(code, 1);
		assert.match(stdout, /skill\/greet:1:1: error: it is a link that leads out of the workspace, to .*outside$/m);
		assert.doesNotMatch(stdout, /: valid/);
	});

	it('writes each kind so that it is valid and runs as it is, and writes over nothing', async () => {
		user.sets();
		user.writes('package.json', '{\n\t"name": "app"\n}\n');
		user.writes('README.md', 'It adds.\n');
		const params = { path: 'package.json' };
		const lacksPython = workerSkills.some(({ runtime, lack }) => runtime === 'python-worker' && lack !== undefined);
		const kinds: readonly (readonly [name: string, words: readonly string[], params: object, result: unknown])[] = [
			['plain', [], params, 'package.json has 3 lines'],
			['node', ['--as', 'node-worker', '--tool', 'countLines'], params, { path: 'package.json', lines: 3 }],
			...(lacksPython
				? []
				: ([
						['py', ['--as', 'python-worker', '--tool', 'find_word'], { ...params, word: 'app' }, ['\t"name": "app"']],
					] as const)),
			['written', ['--as', 'instructions'], {}, /"carriedOut":false,"why":"no model is connected/],
			['work', ['--type', 'power'], { task: 'Look' }, undefined],
			['advice', ['--type', 'talent'], { question: 'Why?' }, undefined],
			['pipes', ['--type', 'executor'], {}, { said: 'Hello', lines: {} }],
		];
		for (const [name, words] of kinds) {
			const made = words.filter((word, at) => word !== '--tool' && words[at - 1] !== '--tool');
			const { code, stderr } = await user.runs(['capability', 'new', name, ...made, '--description', 'Does: "it"']);
			assert.deepEqual([code, stderr], [0, ''], name);
		}
		const validated = await user.runs(['capability', 'validate', '--trust']);
		assert.equal(validated.code, 0, validated.stdout);
		assert.doesNotMatch(validated.stdout, /warning|error/);
		assert.equal(validated.stdout.match(/: valid, /g)?.length, kinds.length + 1, validated.stdout);
		const withCase = kinds.map(([name]) => name).filter((name) => !['written', 'pipes'].includes(name));
		const tested = await user.runs(['capability', 'test', ...withCase, '--trust']);
		assert.equal(tested.code, 0, tested.stdout);
		assert.match(tested.stdout, new RegExp(`\\n${withCase.length} passed, 0 failed\\n$`));
		for (const [name, words, given, expected] of kinds) {
			const tool = words.includes('--tool') ? words.slice(words.indexOf('--tool')) : [];
			const operand = name === 'pipes' ? ['pipes/example'] : [name];
			const line = [
				'capability',
				'run',
				...operand,
				...tool,
				'--params',
				JSON.stringify(given),
				'--approve',
				'auto',
				'--json',
			];
			const { result, error } = JSON.parse((await user.runs(line)).stdout) as CapabilityExecutionResult;
			// A power and a talent need a model, and say so.
			if (expected === undefined) assert.match(error?.message ?? '', /\(NO_MODEL\)$/);
			else if (expected instanceof RegExp) assert.match(JSON.stringify(result ?? error), expected);
			else assert.deepEqual(result, expected, error?.message);
		}
		const other = await user.runs(['capability', 'new', 'mine', '--type', 'pipeline']);
		assert.deepEqual(
			[other.code, /no built-in executor runs the type pipeline; .* --type executor/.test(other.stderr)],
			[0, true],
		);
		assert.match((await user.runs(['capability', 'list'])).stdout, /^pipeline mine .*\[no executor for its type\]/m);
		const again = await user.runs(['capability', 'new', 'plain']);
		assert.equal(again.code, 1);
		assert.match(again.stderr, /ALREADY_EXISTS/);
		for (const words of [
			['x', '--as', 'nothing'],
			['x', '--type', 'power', '--as', 'instructions'],
			['skill', '--type', 'executor'],
		]) {
			assert.equal((await user.runs(['capability', 'new', ...words])).code, 2, words.join(' '));
		}
	});

	it('writes a skill for every project, which runs as it is', async () => {
		const { stdout } = await user.runs(['capability', 'new', 'mine', '--global', '--json']);
		const { folder } = JSON.parse(stdout) as { folder: string };
		assert.ok(folder.startsWith(user.home));
		user.writes('note.txt', 'one\ntwo\n');
		const params = ['--params', '{"path":"note.txt"}'];
		const ran = await user.runs(['capability', 'run', 'mine', ...params, '--trust', '--approve', 'auto']);
		assert.deepEqual([ran.code, ran.stdout], [0, 'note.txt has 2 lines\n'], ran.stderr);
	});

	it('writes nothing for what is no name, nor through a link that leads away', async () => {
		assert.equal((await user.runs(['capability', 'new', '../x'])).code, 2);
		assert.equal((await user.runs(['capability', 'new', 'x', '--type', 'executors'])).code, 2);
		const elsewhere = join(user.root, 'elsewhere');
		mkdirSync(elsewhere);
		symlinkSync(elsewhere, join(user.workspace, '.prowess'));
		const { code, stderr } = await user.runs(['capability', 'new', 'x']);
		assert.equal(code, 1);
		assert.match(stderr, /PATH_OUTSIDE_WORKSPACE/);
		assert.deepEqual(readdirSync(elsewhere), []);
	});

	it('lists executors, and which types each runs', async () => {
		const folder = '.prowess/capabilities/executors';
		user.writes(`${folder}/pipes/executor.yaml`, 'name: pipes\nsupportedTypes: [pipeline, skill]\n');
		user.writes(`${folder}/broken/executor.yaml`, 'name: broken\n');
		const { code, stdout, stderr } = await user.runs(['executor', 'list', '--trust']);
		assert.equal(code, 0);
		assert.match(stdout, /^pipes +project +pipeline, skill/m);
		assert.match(stdout, /^skill +built-in +\(only if named: skill\)/m);
		assert.match(stderr, /executors\/broken has problems: executor\.yaml:1: supportedTypes: /);
		const { executors } = JSON.parse((await user.runs(['executor', 'list', '--json'])).stdout) as {
			executors: { name: string; runs: string[] }[];
		};
		assert.deepEqual(executors.find(({ name }) => name === 'pipes')?.runs, ['pipeline', 'skill']);
	});

	it('shows an executor, and says in words that a port is opened for it', async () => {
		const folder = '.prowess/capabilities/executors/remote';
		const port = /opens a port on this machine \(127\.0\.0\.1\)/;
		user.writes(`${folder}/executor.yaml`, 'name: remote\nsupportedTypes: [far, skill]\nchannel: loopback\n');
		user.writes('.prowess/capabilities/far/thing/capability.yaml', 'name: thing\ntype: far\nversion: 1.0.0\n');
		const list = await user.runs(['executor', 'list', '--trust']);
		assert.match(/^remote .*$/m.exec(list.stdout)?.[0] ?? '', port);
		assert.doesNotMatch(/^skill .*$/m.exec(list.stdout)?.[0] ?? '', port);
		const { code, stdout } = await user.runs(['executor', 'show', 'remote']);
		assert.equal(code, 0);
		for (const line of [
			/^folder +.*executors\/remote \(project\)$/m,
			/^runs +far, skill$/m,
			/^program +dist\/index\.js$/m,
		]) {
			assert.match(stdout, line);
		}
		assert.match(/^channel .*$/m.exec(stdout)?.[0] ?? '', port);
		assert.match(stdout, /^warning .*dist\/index\.js is not there$/m);
		assert.match((await user.runs(['capability', 'show', 'thing'])).stdout, port);
		const missing = await user.runs(['executor', 'show', 'nobody']);
		assert.equal(missing.code, 1);
		assert.match(missing.stderr, /There is no executor "nobody"/);
	});
});
