/** `prowess capability test`: cases beside a capability, each on a folder of its own. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLimitMs, User } from './cli-process.ts';

const MANIFEST = `name: notes
type: skill
version: 1.0.0
description: Writes a note
level: CONTROLLED
permissions: [workspace.read, workspace.write, http, llm]
context: none
inputs:
  - { name: text, type: string, default: hello }
  - { name: url, type: string, default: '' }
  - { name: asks, type: boolean, default: false }
`;
const PROGRAM = `export async function execute({ text, url, asks }, { host }) {
	if (url !== '') await host.http.get({ url });
	const note = asks ? (await host.llm.oneshot({ prompt: text })).text : text;
	await host.fs.write({ path: 'notes.md', content: note });
	return { note, parts: [{ at: 1, of: note.length }] };
}
`;

const SECRETS_MANIFEST = `name: notes
type: skill
version: 1.0.0
description: Reads a secret
level: PRIVILEGED
permissions: [secrets]
context: none
inputs:
  - { name: name, type: string, default: token }
`;
const READS_SECRET = `export async function execute({ name }, { host }) {
	const { value } = await host.secrets.read({ name });
	return { ...(await host.secrets.list({})), chars: value.length };
}
`;

describe('Cases of a capability', function () {
	this.timeout(commandLimitMs * 3);
	let user: User;
	const folder = '.prowess/capabilities/skill/notes';

	beforeEach(() => {
		user = new User();
		user.sets();
		user.writes(`${folder}/capability.yaml`, MANIFEST);
		user.writes(`${folder}/index.mjs`, PROGRAM);
	});

	const writesCase = (name: string, text: string) => user.writes(`${folder}/tests/${name}.yaml`, text);
	const tests = (...words: readonly string[]) => user.runs(['capability', 'test', ...words]);

	it('are missed where there is none, and run in no folder that is not trusted', async () => {
		const untrusted = await tests();
		assert.deepEqual([untrusted.code, /not trusted/.test(untrusted.stderr)], [1, true]);
		const none = await tests('--trust');
		assert.equal(none.code, 1);
		assert.match(none.stdout, /skill\/notes\n {2}no cases: write one in tests\/<name>\.yaml\n0 passed, 0 failed/);
		const unknown = await tests('missing');
		assert.deepEqual([unknown.code, /There is no capability missing/.test(unknown.stderr)], [1, true]);
	});

	it('are named by file and line where they are wrong, reach no file beside their folder, and widen no right', async () => {
		writesCase('level', 'approve: full\nexpect: {}\n');
		writesCase('outside', 'files: { ../x.txt: x }\nexpect: {}\n');
		writesCase('drive', "files: { 'C:/x.txt': x }\nexpect: {}\n");
		writesCase('share', "expect: { files: { '\\\\host\\x.txt': x } }\n");
		writesCase('unknown', 'expect:\n  did: [fs.nothing]\n  more: 1\n');
		writesCase('right', 'expect:\n  permissions: [everything]\n');
		const { code, stdout } = await tests('--trust');
		assert.equal(code, 1);
		assert.match(stdout, /tests\/level\.yaml:1: there is no "approve"; there is "name"/);
		assert.match(stdout, /tests\/outside\.yaml:1: files\.\.\.\/x\.txt: /);
		assert.match(stdout, /tests\/drive\.yaml:1: files\.C:\/x\.txt: /);
		assert.match(stdout, /tests\/share\.yaml:1: expect\.files\..*: expected a path in the folder of the case/);
		assert.match(stdout, /tests\/unknown\.yaml:2: expect\.did\.0: begin with the name of an op/);
		assert.match(stdout, /tests\/right\.yaml:2: expect\.permissions\.0: /);
		assert.match(stdout, /0 passed, 7 failed/);
	});

	it('fail alone where their capability or their files cannot be used, and take no folder for no file', async () => {
		user.writes('.prowess/capabilities/skill/broken/capability.yaml', 'name: broken\n');
		writesCase('clash', 'files: { a: x, a/b: y }\nexpect: {}\n');
		writesCase('folder', 'files: { a/b: y }\nexpect: { files: { a: null, a/c: null } }\n');
		const { code, stdout, stderr } = await tests('--trust');
		assert.deepEqual([code, stderr], [1, '']);
		assert.match(stdout, /capability\/broken\n {2}✗ /);
		assert.match(stdout, /✗ clash \(0 ms\)\n {6}its files cannot be made: /);
		assert.match(stdout, /✗ folder \(\d+ ms\)\n {6}there is a a\n {2}/);
	});

	it('of a capability that needs a sandbox run nothing without one', async () => {
		user.sets({ 'prowess.tools.bubblewrapPath': join(user.root, 'no-such-program') });
		writesCase('runs', 'expect: { files: { notes.md: null } }\n');
		for (const level of ['RESTRICTED', 'PRIVILEGED']) {
			user.writes(`${folder}/capability.yaml`, MANIFEST.replace('CONTROLLED', level));
			const { code, stdout } = await tests('--trust');
			assert.equal(code, 1);
			const why = `it was not run: the level ${level} needs a sandbox, which this machine does not have`;
			assert.match(stdout, new RegExp(`✗ runs \\(\\d+ ms\\)\\n {6}${why}`));
		}
	});

	it('of a privileged capability have the secrets that they name, and give those out that they grant', async () => {
		user.writes(`${folder}/capability.yaml`, SECRETS_MANIFEST);
		user.writes(`${folder}/index.mjs`, READS_SECRET);
		const given = 'secrets: { token: secret-of-the-case }\n';
		const names = 'result: { names: [token]';
		writesCase('granted', `${given}grant: [secrets.read]\nexpect: { ${names}, chars: 18 }, asked: [secrets.read] }\n`);
		writesCase('refused', `${given}expect: { error: DENIED_BY_USER, asked: [secrets.read] }\n`);
		writesCase('users', 'params: { name: mine }\ngrant: [secrets.read]\nexpect: { error: SECRET_NOT_FOUND }\n');
		writesCase('wide', 'grant: [shell.run]\nexpect: {}\n');
		const env = { PROWESS_SECRET_MINE: 'secret-of-the-user', PROWESS_SECRET_TOKEN: 'another-of-the-user' };
		const { stdout, stderr } = await user.runsApart(['capability', 'test', '--trust'], { env });
		assert.match(stdout, /✗ tests\/wide\.yaml:1: grant\.0: /, stderr);
		assert.match(stdout, /✓ granted .*\n {2}✓ refused .*\n {2}✓ users .*\n.*3 passed, 1 failed/s, stdout);
		rmSync(join(user.workspace, folder, 'tests/wide.yaml'));
		const packed = await user.runs(['marketplace', 'pack', folder, '--out', 'public', '--json']);
		assert.deepEqual([packed.code, /"passedCases": 3/.test(packed.stdout)], [0, true], packed.stderr);
	});

	it('leave no temporary folder, remove those of killed commands, and touch nothing that is a link', async () => {
		const { pid } = spawnSync(process.execPath, ['--version']);
		const left = ['', 'link'].map((end) => join(user.root, `prowess-cases-${pid}-${end}`));
		mkdirSync(join(left[0] ?? '', 'case-1'), { recursive: true });
		symlinkSync(user.workspace, left[1] ?? '');
		writesCase('writes', 'expect: { files: { notes.md: hello } }\n');
		assert.equal((await tests('--trust')).code, 0);
		assert.deepEqual(
			readdirSync(user.root).filter((name) => name.startsWith('prowess-case')),
			[`prowess-cases-${pid}-link`],
		);
	});

	it('pass where all is as expected, in a folder that is gone afterwards, and name what none of them needs', async () => {
		writesCase(
			'writes',
			'files: { a.txt: A }\nexpect:\n  result: { note: hello, parts: [{ of: 5 }] }\n  contains: [hello]\n  files: { notes.md: hello, a.txt: A, b.txt: null }\n  did: [fs.write notes.md]\n  never: [shell.run, http.get]\n  asked: []\n  modelRequests: 0\n',
		);
		writesCase(
			'refused',
			'name: is refused a write where nobody says yes\nrefuse: [fs.write]\nexpect: { error: DENIED_BY_USER, asked: [fs.write], files: { notes.md: null } }\n',
		);
		writesCase(
			'host',
			"params: { url: 'https://example.com/' }\nexpect: { error: DENIED_BY_USER, asked: [http.get] }\n",
		);
		const { code, stdout, stderr } = await tests('notes', '--trust');
		assert.equal(stderr, '');
		assert.match(stdout, /✓ is refused a write where nobody says yes \(\d+ ms\)/);
		assert.match(stdout, /declared, and needed by no case: workspace\.read, llm\n3 passed, 0 failed\n$/);
		assert.equal(code, 0);
		assert.equal(existsSync(join(user.workspace, 'notes.md')), false);
		assert.equal((await user.runs(['ledger', 'list', '--op', 'fs.write', '--json'])).stdout.trim(), '[]');
		assert.deepEqual(readdirSync(user.workspace), ['.prowess']);
	});

	it('fail where their capability needs a permission more than they expect', async () => {
		writesCase('bare', 'expect: { permissions: [] }\n');
		writesCase('right', 'expect: { permissions: [workspace.write] }\n');
		writesCase('timed', 'expect: { permissions: [workspace.write], withinMs: 30000 }\n');
		const grown = await tests('--trust');
		assert.equal(grown.code, 1);
		assert.match(
			grown.stdout,
			/✗ bare \(\d+ ms\)\n {6}it needed the permission workspace\.write, which is not among those expected\n {2}✓ right .*\n {2}✓ timed/,
		);
	});

	it('fail where anything is another way, with what was found', async () => {
		writesCase(
			'all',
			'expect:\n  result: { note: bye, parts: [{ of: 5 }, {}] }\n  contains: [bye]\n  files: { notes.md: bye, b.txt: B }\n  did: [fs.write other.md]\n  never: [fs.write]\n  asked: [http.get]\n  withinMs: 1\n',
		);
		writesCase('ends', 'expect: { error: TIMEOUT }\n');
		const { code, stdout } = await tests('--trust', '--json');
		assert.equal(code, 1);
		const [{ cases }] = JSON.parse(stdout) as [
			{ readonly cases: readonly { readonly failures: readonly { message: string; line: number }[] }[] },
		];
		assert.deepEqual(
			cases.map(({ failures }) =>
				failures.map(({ message, line }) => `${line}: ${message.replace(/\d{2,} ms/, 'N ms')}`),
			),
			[
				[
					'2: result.note is "hello", "bye" expected',
					'2: result.parts has 1 entries, 2 expected: [{"at":1,"of":5}]',
					'3: the result does not contain "bye"',
					'4: notes.md holds "hello", "bye" expected',
					'4: there is no b.txt',
					'5: it did not do: fs.write other.md',
					'6: it asked for fs.write, which it never should',
					'7: asked has 0 entries, 1 expected: []',
					'8: it took N ms, at most 1 expected',
				],
				['1: it succeeded, TIMEOUT expected'],
			],
		);
	});

	it('are run alone where their files are named, and missed where there is none of that name', async () => {
		writesCase('writes', 'expect: { files: { notes.md: hello } }\n');
		writesCase('fails', 'expect: { files: { notes.md: bye } }\n');
		writesCase('level', 'approve: full\nexpect: {}\n');
		const file = (name: string) => `${folder}/tests/${name}.yaml`;
		const missing = await tests(file('missing'));
		assert.equal(missing.code, 1);
		assert.match(missing.stdout, /✗ tests\/missing\.yaml:1: there is no such case\n0 passed, 1 failed/);
		const malformed = await tests(file('level'));
		assert.match(malformed.stdout, /✗ tests\/level\.yaml:1: there is no "approve".*\n0 passed, 1 failed/);
		const one = await tests(file('writes'));
		assert.equal(one.code, 0, one.stdout);
		assert.match(one.stdout, /^skill\/notes\n {2}✓ writes \(\d+ ms\)\n1 passed, 0 failed\n$/);
		const all = await tests(file('writes'), folder);
		assert.match(all.stdout, /✗ fails .*✓ writes .*1 passed, 2 failed/s);
	});

	it('of a power, a talent and a worker are run as those of a skill are', async () => {
		const ofKind = (path: string, files: Readonly<Record<string, string>>) => {
			for (const [name, text] of Object.entries(files)) user.writes(`.prowess/capabilities/${path}/${name}`, text);
		};
		const head = (type: string) => `name: ${type}-one\ntype: ${type}\nversion: 1.0.0\ndescription: One\n`;
		ofKind('power/power-one', {
			'capability.yaml': `${head('power')}level: MONITORED\npermissions: [workspace.read, llm]\ntools: [fs.read]\n`,
			'POWER.md': '# Look\n\nLook at everything.\n',
			'tests/says.yaml': 'model: [All is well.]\nexpect: { contains: [All is well.], modelRequests: 1 }\n',
			'tests/wrong.yaml': 'model: [All is well.]\nexpect: { contains: [Nothing is well.] }\n',
		});
		ofKind('talent/talent-one', {
			'capability.yaml': `${head('talent')}level: MONITORED\npermissions: [llm, workspace.read]\ninputs:\n  - { name: question, type: string, required: true }\n`,
			'TALENT.md': '# Adviser\n\nAdvise.\n',
			'tests/says.yaml':
				'params: { question: Why? }\nmodel: [Because.]\nexpect: { contains: [Because.], never: [fs.write] }\n',
		});
		ofKind('skill/worker-one', {
			'capability.yaml': `${head('skill').replace('skill-one', 'worker-one')}level: CONTROLLED\npermissions: [workspace.write]\nruntime: node-worker\n`,
			'index.js':
				"import { op } from '@prowess/sdk';\nexport async function adds({ a, b }) { return a + b; }\nexport async function notes({ text }) { return await op('fs.write', { path: 'n.md', content: text }); }\n",
			'tests/adds.yaml': 'tool: adds\nparams: { a: 1, b: 2 }\nexpect: { result: 3, permissions: [] }\n',
			'tests/notes.yaml': 'tool: notes\nparams: { text: x }\nexpect: { files: { n.md: x }, permissions: [] }\n',
		});
		const { code, stdout } = await tests('power-one', 'talent-one', 'worker-one', '--trust');
		assert.equal(code, 1);
		assert.equal(
			stdout.replaceAll(/\(\d+ ms\)/g, '(N ms)'),
			[
				...['power/power-one', '  ✓ says (N ms)', '  ✗ wrong (N ms)'],
				...[
					'      the result does not contain "Nothing is well."',
					'  declared, and needed by no case: workspace.read',
				],
				...['talent/talent-one', '  ✓ says (N ms)', '  declared, and needed by no case: workspace.read'],
				...['skill/worker-one', '  ✓ adds (N ms)', '  ✗ notes (N ms)'],
				'      it needed the permission workspace.write, which is not among those expected',
				...['3 passed, 2 failed', ''],
			].join('\n'),
		);
	});

	it('that are hostile change no other report, no terminal and no file elsewhere', async () => {
		const secret = join(user.root, 'secret.txt');
		writeFileSync(secret, 'name: secret words\nexpect: {}\n');
		mkdirSync(join(user.workspace, folder, 'tests'));
		symlinkSync(secret, join(user.workspace, folder, 'tests/link.yaml'));
		const linked = await tests('--trust');
		assert.deepEqual([linked.code, /secret words/.test(linked.stdout)], [1, false]);
		assert.match(linked.stdout, /tests\/link\.yaml: it is neither a file nor a folder; a capability may hold no links/);
		rmSync(join(user.workspace, folder, 'tests/link.yaml'));
		writesCase(
			'bomb',
			`a: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefghi'.replaceAll(/./g, (at) => `${at}: &${at} [${`*${String.fromCharCode(at.charCodeAt(0) - 1)}, `.repeat(9)}]\n`)}expect: {}\n`,
		);
		writesCase('deep', `${'['.repeat(50_000)}\n`);
		writesCase('large', `name: ${'x'.repeat(300_000)}\nexpect: {}\n`);
		writesCase('proto', 'files: { __proto__: x }\nexpect: { result: { __proto__: { polluted: 1 } } }\n');
		writesCase('words', 'name: "\\e]0;title\\a\\r passed"\nexpect: { files: { notes.md: hello } }\n');
		const { code, stdout } = await tests('--trust');
		assert.equal(code, 1);
		assert.match(
			stdout,
			/✗ tests\/bomb\.yaml:4: more than 20 aliases\n.*deep\.yaml:1: nested too deeply\n.*large\.yaml:1: more than 200000 bytes; split the case/,
		);
		assert.match(stdout, /✗ proto .*\n {6}result\.__proto__\.polluted is nothing, 1 expected/);
		assert.match(stdout, /✓ \\u\{1b\}\]0;title\\u\{7\}\\u\{d\} passed/);
		assert.match(stdout, /1 passed, 4 failed/);
	});

	it('keep their capability from being packed where one fails, and run without a sandbox for nobody who packs', async () => {
		const packs = () => user.runs(['marketplace', 'pack', folder, '--out', 'public', '--json']);
		const archive = join(user.workspace, 'public/skill-notes-1.0.0.zip');
		writesCase('writes', 'expect: { files: { notes.md: bye } }\n');
		const failed = await packs();
		assert.deepEqual([failed.code, existsSync(archive)], [1, false]);
		assert.match(failed.stderr, /✗ writes \(\d+ ms\)\n {6}notes\.md holds "hello", "bye" expected/);
		assert.match(failed.stdout, /"INVALID_CAPABILITY_CONFIG".*1 of its cases failed, so it was not packed/);
		writesCase('writes', 'expect: { files: { notes.md: hello } }\n');
		const packed = await packs();
		assert.deepEqual([packed.code, existsSync(archive)], [0, true], packed.stderr);
		assert.match(packed.stderr, /✓ writes/);
		assert.match(packed.stdout, /"passedCases": 1/);
		user.sets({ 'prowess.tools.bubblewrapPath': join(user.root, 'no-such-program') });
		writesCase('writes', 'expect: { files: { notes.md: bye } }\n');
		const bare = await packs();
		assert.deepEqual([bare.code, /its cases were not run, because there is no sandbox/.test(bare.stderr)], [0, true]);
		writesCase('writes', 'approve: full\nexpect: {}\n');
		const malformed = await packs();
		assert.match(malformed.stderr, /tests\/writes\.yaml:1: there is no "approve"/);
		assert.deepEqual([malformed.code, /1 of its cases failed/.test(malformed.stdout)], [1, true]);
		assert.equal((await user.runs(['ledger', 'list', '--json'])).stdout.trim(), '[]');
	});

	it('have a model that says what they hold and no more', async () => {
		writesCase(
			'answered',
			'params: { asks: true }\nmodel: [from the case]\nexpect: { files: { notes.md: from the case }, modelRequests: 1 }\n',
		);
		writesCase('silent', 'params: { asks: true }\nexpect: { error: MODEL_REFUSED }\n');
		const { stdout } = await tests('--trust');
		assert.match(stdout, /✓ answered/);
		assert.match(stdout, /the case has 0 answers of a model; this is request 1/);
	});
});
