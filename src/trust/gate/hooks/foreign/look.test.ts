import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { testHost } from '../../../../../test/support/host-ports.ts';
import { MemoryLedger } from '../../../../../test/support/memory-ledger.ts';
import { tempDir } from '../../../../../test/support/temp-dir.ts';
import { newId } from '../../../../protocol/rpc/ids.ts';
import { CommandSandbox } from '../../../../machine/sandbox/command-sandbox.ts';
import { commandEnvironment } from '../../../../machine/environment.ts';
import { Redactor } from '../../../record/redaction/redactor.ts';
import { HOOK_FILE_BYTES, HOOK_PROGRAM_BYTES, HOOK_PROGRAMS } from '../limits.ts';
import { ForeignHooks } from './foreign-hooks.ts';
import type { HooksOfPlugin } from './hook-files.ts';

const never = new AbortController().signal;
const call = {
	opId: newId('op'),
	op: 'shell.run',
	params: { argv: ['git', 'push'] },
	caller: { kind: 'agent', threadId: newId('thr'), turnId: newId('trn') },
} as const;

function write(path: string, text: string | object): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, typeof text === 'string' ? text : JSON.stringify(text));
}

const running = (command: string) => ({ hooks: { PreToolUse: [{ type: 'command', command }] } });

describe('Hooks of other agents, by what their files are,', function () {
	this.timeout(20_000);
	let host: ReturnType<typeof testHost>;
	let hooks: ForeignHooks;
	let plugins: readonly HooksOfPlugin[];
	const inProject = (name: string) => join(host.workspace, name);
	const use = async (content: object) => {
		write(inProject('.claude/settings.json'), content);
		await hooks.allow(inProject('.claude/settings.json'), never);
	};
	const states = async () => (await hooks.list()).files.map(({ state }) => state);

	beforeEach(() => {
		host = testHost();
		plugins = [];
		const { home } = host.ports.places;
		hooks = new ForeignHooks({
			ports: host.ports,
			redactor: new Redactor(),
			ledger: new MemoryLedger(),
			plugins: () => Promise.resolve(plugins),
			sandbox: new CommandSandbox({ home, folders: () => [], bubblewrapCandidates: () => [] }),
			environment: commandEnvironment(process.env, process.platform),
		});
	});
	afterEach(() => hooks.close());

	const seen = async () => (await hooks.list()).files.map(({ state, problems }) => `${state}: ${problems.join('; ')}`);
	const blocking = { hooks: { PreToolUse: [{ type: 'command', command: 'exit 2' }] } };
	const isLink = 'unusable: it is a link, or lies in a folder that is one';
	/** Makes what `name` is in the project; `outside` is a folder that is no part of it. */
	const odd: readonly (readonly [string, (at: string, outside: string) => void, string])[] = [
		['is a link to a device', (at) => symlinkSync('/dev/zero', at), isLink],
		['is a pipe', (at) => execFileSync('mkfifo', [at]), 'unusable: it is not a regular file'],
		['is a folder', (at) => mkdirSync(at), 'unusable: it is not a regular file'],
		['is a link to a file elsewhere', (at, outside) => symlinkSync(join(outside, 'hooks.json'), at), isLink],
		['is a link to a file beside it', (at) => (write(`${at}.txt`, blocking), symlinkSync(`${at}.txt`, at)), isLink],
		[
			'is too large',
			(at) => (writeFileSync(at, ''), truncateSync(at, HOOK_FILE_BYTES + 1)),
			`unusable: ${HOOK_FILE_BYTES + 1} bytes, the limit is ${HOOK_FILE_BYTES}`,
		],
		[
			'lies in a folder that is a link',
			(at, outside) => (
				renameSync(dirname(at), `${outside}-moved`),
				write(join(`${outside}-moved`, 'a.json'), blocking),
				symlinkSync(`${outside}-moved`, dirname(at))
			),
			isLink,
		],
	];
	it('are read from a file in UTF-16', async () => {
		write(inProject('.claude/settings.json'), '');
		writeFileSync(inProject('.claude/settings.json'), Buffer.from(`\ufeff${JSON.stringify(blocking)}`, 'utf16le'));
		assert.deepEqual(await seen(), ['not allowed: ']);
	});

	for (const [what, make, says] of odd) {
		it(`cannot be used when their file ${what}, and can never be allowed`, async function () {
			if (process.platform === 'win32') this.skip();
			const at = inProject('.github/hooks/a.json');
			const outside = tempDir('outside');
			write(join(outside, 'hooks.json'), blocking);
			mkdirSync(dirname(at), { recursive: true });
			make(at, outside);
			assert.deepEqual(await seen(), [says]);
			await assert.rejects(hooks.allow(at, never), { code: 'NOT_FOUND', message: `${at}: ${says.slice(10)}` });
			assert.equal((await hooks.before(call, never)).kind, 'continue');
		});
	}

	it('stop when their file becomes a link to what it said', async function () {
		if (process.platform === 'win32') this.skip();
		await use(blocking);
		assert.equal((await hooks.before(call, never)).kind, 'block');
		renameSync(inProject('.claude/settings.json'), inProject('kept.json'));
		symlinkSync(inProject('kept.json'), inProject('.claude/settings.json'));
		assert.equal((await hooks.before(call, never)).kind, 'continue');
		assert.deepEqual(await seen(), [isLink]);
	});

	it('run from a file in the home of the user that is a link, as those who keep their settings elsewhere have it', async function () {
		if (process.platform === 'win32') this.skip();
		const kept = join(tempDir('dotfiles'), 'claude.json');
		const at = join(host.ports.places.userHome, '.claude/settings.json');
		write(kept, blocking);
		mkdirSync(dirname(at), { recursive: true });
		symlinkSync(kept, at);
		await hooks.allow(at, never);
		assert.equal((await hooks.before(call, never)).kind, 'block');
	});

	it('of the home cannot be used where the link leads to a device, a pipe, or a file that is longer than it says', async function () {
		if (process.platform !== 'linux') this.skip();
		const home = join(host.ports.places.userHome, '.claude');
		mkdirSync(home, { recursive: true });
		symlinkSync('/dev/zero', join(home, 'settings.json'));
		execFileSync('mkfifo', [join(home, 'pipe')]);
		symlinkSync(join(home, 'pipe'), join(home, 'settings.local.json'));
		mkdirSync(join(home, '../.copilot/hooks'), { recursive: true });
		symlinkSync('/proc/self/status', join(home, '../.copilot/hooks/a.json'));
		const notRegular = 'unusable: it is not a regular file';
		assert.deepEqual(await seen(), ['unusable: it changed while it was read', notRegular, notRegular]);
	});

	it('are not there, without a word, where their file leads nowhere', async function () {
		if (process.platform === 'win32') this.skip();
		mkdirSync(inProject('.github/hooks'), { recursive: true });
		symlinkSync(inProject('nowhere'), inProject('.github/hooks/a.json'));
		assert.deepEqual(await hooks.list(), { files: [], problems: [] });
	});

	for (const [what, make, says] of [
		['a pipe', (at: string) => execFileSync('mkfifo', [at]), 'it is not a regular file'],
		[
			'a link to a device',
			(at: string) => symlinkSync('/dev/zero', at),
			'it is a link to something that is not a regular file',
		],
		[
			'too large',
			(at: string) => (writeFileSync(at, ''), truncateSync(at, HOOK_PROGRAM_BYTES + 1)),
			`${HOOK_PROGRAM_BYTES + 1} bytes, the limit is ${HOOK_PROGRAM_BYTES}`,
		],
	] as const) {
		it(`cannot be used, nor allowed, when a program that they name is ${what}`, async function () {
			if (process.platform === 'win32') this.skip();
			const at = inProject('guard.sh');
			make(at);
			const path = inProject('.claude/settings.json');
			write(path, running('sh guard.sh </dev/null'));
			const problem = `${at} cannot be used by a hook: ${says}`;
			assert.deepEqual(await seen(), [`unusable: ${problem}`]);
			await assert.rejects(hooks.allow(path, never), { code: 'NOT_FOUND', message: `${path}: ${problem}` });
		});
	}

	it('may name a program of the system by a link, until the link leads elsewhere', async function () {
		if (process.platform === 'win32') this.skip();
		const at = inProject('.venv/bin/run');
		mkdirSync(dirname(at), { recursive: true });
		symlinkSync('/bin/sh', at);
		await use(running('.venv/bin/run -c "exit 2"'));
		assert.equal((await hooks.before(call, never)).kind, 'block');
		rmSync(at);
		symlinkSync(process.execPath, at);
		assert.equal((await hooks.before(call, never)).kind, 'continue');
		assert.deepEqual(await states(), ['changed']);
	});

	it('have all their programs compared, whatever a link in their folder leads to', async function () {
		if (process.platform === 'win32') this.skip();
		const guard = inProject('.claude/hooks/z/guard.sh');
		write(guard, 'exit 2');
		write(inProject('lib/rules.sh'), 'true');
		const many = tempDir('many');
		for (let n = 0; n < 10 * HOOK_PROGRAMS; n += 1) writeFileSync(join(many, `${n}`), '');
		for (const [name, to] of [
			['a', many],
			['back', '.'],
			['disk', '/'],
			['lib', inProject('lib')],
		] as const) {
			symlinkSync(to, inProject(`.claude/hooks/${name}`));
		}
		await use(running('cd .claude/hooks/z && sh guard.sh'));
		const [file] = (await hooks.list()).files;
		assert.deepEqual([file?.state, file?.identity?.programs], ['allowed', [guard, inProject('lib/rules.sh')]]);
	});

	/** Each names what a hook runs in turn, and what of it changes after the consent. */
	const reached: readonly (readonly [
		what: string,
		command: string,
		files: Readonly<Record<string, string>>,
		changed: readonly [path: string, text: string],
	])[] = [
		[
			'a script that its program sources',
			'sh .claude/hooks/a.sh',
			{ '.claude/hooks/a.sh': '. ./lib/b.sh\n', 'lib/b.sh': 'true\n' },
			['lib/b.sh', 'evil\n'],
		],
		[
			'a module that its program imports without the end of its name',
			'node tools/guard.js',
			{ 'tools/guard.js': 'require("./rules")\n', 'tools/rules.js': 'require("./deep/c.js")', 'tools/deep/c.js': '1' },
			['tools/deep/c.js', '2'],
		],
		[
			'a module of Python',
			'python3 tools/guard.py',
			{ 'tools/guard.py': 'from lib import rules\n', 'tools/lib/rules.py': 'x = 1\n' },
			['tools/lib/rules.py', 'x = 2\n'],
		],
		[
			'a script of its manifest',
			'npm run -s hk',
			{ 'package.json': '{"scripts":{"hk":"echo ok"}}' },
			['package.json', '{"scripts":{"hk":"evil"}}'],
		],
		[
			'a script that runs before it',
			'npm run -s hk',
			{ 'package.json': '{"scripts":{"hk":"echo ok"}}' },
			['package.json', '{"scripts":{"prehk":"evil","hk":"echo ok"}}'],
		],
		[
			'the program of a script of a script',
			'yarn hk',
			{ 'package.json': '{"scripts":{"hk":"npm run more","more":"node ci/x.mjs"}}', 'ci/x.mjs': '1' },
			['ci/x.mjs', '2'],
		],
		[
			'a tool of its packages',
			'npx guard',
			{ 'package.json': '{}', 'node_modules/.bin/guard': '#!/bin/sh\n' },
			['node_modules/.bin/guard', '#!/bin/sh\nevil\n'],
		],
		[
			'a script that its program sources from its own folder',
			'sh tools/a.sh',
			{ 'tools/a.sh': '. "$(dirname "$0")/b.sh"\n', 'tools/b.sh': 'true\n' },
			['tools/b.sh', 'evil\n'],
		],
		[
			'a script that its program finds by a variable',
			'sh tools/a.sh',
			{
				'tools/a.sh': 'here=$(pwd)\nbash "${here}/../lib/b.sh"; source "$CLAUDE_PROJECT_DIR/lib/c.sh"\n',
				'lib/c.sh': '1\n',
			},
			['lib/c.sh', 'evil\n'],
		],
		[
			'a script that npm runs for a word of its own',
			'npm t',
			{ 'package.json': '{"scripts":{"test":"sh ci/x.sh"}}', 'ci/x.sh': '1' },
			['ci/x.sh', '2'],
		],
		[
			'a script that npm runs around an installation',
			'npm --silent ci',
			{ 'package.json': '{"scripts":{"build":"tsc"}}' },
			['package.json', '{"scripts":{"build":"tsc","postinstall":"evil"}}'],
		],
		['the recipe of a target', 'make guard', { Makefile: 'guard:\n\ttrue\n' }, ['Makefile', 'guard:\n\tevil\n']],
	];
	for (const [what, command, files, [path, text]] of reached) {
		it(`need a new consent when ${what} has changed`, async () => {
			for (const [name, content] of Object.entries(files)) write(inProject(name), content);
			await use(running(command));
			assert.deepEqual(await states(), ['allowed']);
			write(inProject(path), text);
			assert.deepEqual(await states(), ['changed']);
		});
	}

	it('need none when a file that they read has changed, or another part of the manifest', async () => {
		write(inProject('package.json'), '{"version":"1.0.0","scripts":{"hk":"node a.mjs data.json"}}');
		write(inProject('a.mjs'), 'readFileSync("notes.md")');
		write(inProject('data.json'), '{}');
		write(inProject('notes.md'), 'one');
		await use(running('npm run hk'));
		write(inProject('notes.md'), 'two');
		write(inProject('data.json'), '[]');
		write(inProject('package.json'), '{"version":"1.0.1","scripts":{"hk":"node a.mjs data.json","build":"tsc"}}');
		assert.deepEqual(await states(), ['allowed']);
	});

	for (const [what, make] of [
		['a link', (at: string) => symlinkSync('/bin/sh', at)],
		['a pipe', (at: string) => execFileSync('mkfifo', [at])],
	] as const) {
		it(`of a plugin cannot be used when it holds ${what}`, async function () {
			if (process.platform === 'win32') this.skip();
			const root = join(tempDir('plugin'), 'kit');
			const path = join(root, 'prowess-plugin/hooks.json');
			plugins = [{ name: 'kit', root, data: `${root}-data`, path, folder: undefined }];
			write(path, running('exit 2'));
			assert.deepEqual(await seen(), ['not allowed: ']);
			make(join(root, 'tool'));
			const why = 'it is neither a file nor a folder; a plugin may hold no links';
			assert.deepEqual(await seen(), [`unusable: ${join(root, 'tool')} cannot be used by a hook: ${why}`]);
		});
	}
});
