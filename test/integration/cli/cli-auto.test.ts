/** `--approve auto` and `full` with real commands: what stays inside runs, what leaves is denied by name. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whatItDependsOn } from '../../../src/machine/sandbox/proof/kept-proof.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { commandLimitMs, User } from './cli-process.ts';

interface Call {
	readonly argv: readonly string[];
	readonly needs?: Readonly<Record<string, unknown>>;
}

describe('prowess run --approve', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer;

	beforeEach(() => {
		user = new User();
		user.writes('a.txt', 'one\n');
	});
	afterEach(() => server.close());

	/** Returns the result of each command that the model read, and standard error. */
	async function run(mode: string, calls: readonly Call[], settings: Record<string, unknown> = {}) {
		mkdirSync(user.home, { recursive: true });
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify(settings));
		const asked = calls.map(({ argv, needs }) => ({
			toolCalls: [{ name: 'shell_run', input: { argv, ...(needs === undefined ? {} : { needs }) } }],
		}));
		server = await startModelServer([...asked, { text: 'Done.' }]);
		const { stderr } = await user.prompts(server.baseUrl, 'x', ['--approve', mode]).ended;
		const messages = server.requests.at(-1)?.body['messages'] as { role: string; content: unknown }[];
		const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
		return { results, stderr };
	}
	const sandboxed = { 'prowess.tools.bubblewrapPath': bubblewrap ?? '' };
	const without = { 'prowess.tools.bubblewrapPath': '/nowhere/bwrap' };

	describe('auto, where no sandbox works,', () => {
		it('runs what only reads, denies every other program, and says once what to install', async function () {
			if (existsSync('/usr/bin/bwrap')) this.skip();
			symlinkSync(join(user.root, 'outside.txt'), join(user.workspace, 'link.txt'));
			writeFileSync(join(user.root, 'outside.txt'), 'outside\n');
			const calls = [
				['cat', 'a.txt'],
				['cat', 'link.txt'],
				['sh', '-c', 'echo two > b.txt'],
				['touch', 'c.txt'],
			];
			const { results, stderr } = await run(
				'auto',
				calls.map((argv) => ({ argv })),
				without,
			);
			assert.match(results[0] ?? '', /^one/);
			for (const result of results.slice(1)) assert.match(result, /^DENIED_BY_RULE/);
			assert.deepEqual(
				['b.txt', 'c.txt'].map((name) => existsSync(join(user.workspace, name))),
				[false, false],
			);
			assert.equal(stderr.split('Install the package').length, 2, stderr);
			assert.match(stderr, /pass --approve full/);
		});
	});

	describe('auto, where the sandbox works,', () => {
		before(function () {
			if (bubblewrap === undefined) this.skip();
		});

		it('runs commands in it, and denies what they need beyond it by name', async () => {
			const { results, stderr } = await run(
				'auto',
				[
					{ argv: ['sh', '-c', 'echo two > b.txt; echo x > ../outside.txt; echo $?'] },
					{ argv: ['npm', 'ci'], needs: { network: ['registry.npmjs.org'] } },
					{ argv: ['make'], needs: { write: [join(user.root, 'out')] } },
					{ argv: ['sh', '-c', 'echo x > ../outside.txt'], needs: { noSandbox: true } },
					{ argv: ['cat', 'ledger.db'], needs: { read: [user.home] } },
				],
				sandboxed,
			);
			assert.match(results[0] ?? '', /exit code 0/);
			assert.equal(readFileSync(join(user.workspace, 'b.txt'), 'utf8'), 'two\n');
			assert.equal(existsSync(join(user.root, 'outside.txt')), false);
			assert.match(results[1] ?? '', /DENIED_BY_RULE.*connect to registry\.npmjs\.org/s);
			assert.match(results[2] ?? '', /DENIED_BY_RULE.*would change ".*out"/s);
			assert.match(results[3] ?? '', /^DENIED_BY_RULE/);
			assert.match(results[4] ?? '', /PATH_OUTSIDE_WORKSPACE/);
			assert.doesNotMatch(stderr, /Install the package/);
		});

		it('keeps to deny rules, however the command is written', async () => {
			const { results } = await run('auto', [{ argv: ['sh', '-c', 'git -C . push'] }], {
				...sandboxed,
				'prowess.approvals.deny': ['shell.run git push'],
			});
			assert.match(results[0] ?? '', /DENIED_BY_RULE.*git push/s);
		});
	});

	describe('auto, where an earlier start has proven the sandbox,', () => {
		let program: string;
		let started: string;

		before(function () {
			if (bubblewrap === undefined) this.skip();
		});
		beforeEach(() => {
			[program, started] = [join(user.root, 'bwrap'), join(user.root, 'started')];
			writeFileSync(program, `#!/bin/sh\necho "$@" >> ${started}\nexec ${bubblewrap} "$@"\n`, { mode: 0o755 });
		});
		const settings = () => ({ 'prowess.tools.bubblewrapPath': program });
		/** Returns the purpose of each start of bubblewrap since the last call. */
		const starts = () => {
			const lines = existsSync(started) ? readFileSync(started, 'utf8').split('\n') : [];
			rmSync(started, { force: true });
			const kinds = { 'prowess-probe': 'a proof', 'echo two': 'the command' };
			return lines.flatMap((line) =>
				Object.entries(kinds).flatMap(([word, kind]) => (line.includes(word) ? kind : [])),
			);
		};

		it('sends the prompt without a proof, and makes one before the first command', async () => {
			await run('auto', [], settings());
			assert.deepEqual(starts(), ['a proof']);
			await server.close();
			await run('auto', [], settings());
			assert.deepEqual(starts(), []);
			await server.close();
			const { results } = await run('auto', [{ argv: ['sh', '-c', 'echo two > b.txt'] }], settings());
			assert.match(results[0] ?? '', /exit code 0/);
			assert.deepEqual(starts(), ['a proof', 'the command']);
		});

		it('runs no command without one where it fails meanwhile, and says so once', async () => {
			await run('auto', [], settings());
			await server.close();
			const failing = `${program}-failing`;
			writeFileSync(failing, '#!/bin/sh\necho refused >&2\nexit 1\n', { mode: 0o755 });
			// Simulates a change of the machine that none of the recorded facts shows.
			const path = join(user.home, 'sandbox-proof.json');
			const { on } = JSON.parse(readFileSync(path, 'utf8')) as { readonly on: string };
			const { bubblewrap: file } = JSON.parse(whatItDependsOn(failing) ?? '') as { readonly bubblewrap: unknown };
			const facts = { ...(JSON.parse(on) as object), bubblewrap: file };
			writeFileSync(path, JSON.stringify({ on: JSON.stringify(facts), held: true }));
			const { results, stderr } = await run(
				'auto',
				[{ argv: ['cat', 'a.txt'] }, { argv: ['touch', 'b.txt'] }, { argv: ['touch', 'c.txt'] }],
				{ 'prowess.tools.bubblewrapPath': failing },
			);
			assert.match(results[0] ?? '', /^one/);
			for (const result of results.slice(1)) assert.match(result, /^DENIED_BY_RULE/);
			assert.deepEqual(
				['b.txt', 'c.txt'].map((name) => existsSync(join(user.workspace, name))),
				[false, false],
			);
			assert.equal(stderr.split('commands are not sandboxed here').length, 2, stderr);
			assert.match(stderr, /does not work here: refused/);
			assert.equal(existsSync(path), false);
		});
	});

	it('auto runs commands of a capability in the sandbox only, and full denies them without one', async function () {
		if (bubblewrap === undefined) this.skip();
		server = await startModelServer([]);
		const folder = '.prowess/capabilities/skill/rce';
		const manifest =
			'name: rce\ntype: skill\nversion: 1.0.0\ndescription: x\nlevel: RESTRICTED\npermissions: [shell]\n';
		user.writes(`${folder}/capability.yaml`, manifest);
		user.writes(
			`${folder}/index.js`,
			`import { host } from '@prowess/sdk';
			export async function execute() {
				const run = (file, needs) => host.shell.run({ argv: ['sh', '-c', 'echo x > ' + file], ...needs })
					.then(() => 'ran', ({ code }) => code);
				return [await run('../outside.txt'), await run('../outside.txt', { needs: { noSandbox: true } })];
			}`,
		);
		mkdirSync(user.home, { recursive: true });
		const runs = async (mode: string, settings: Record<string, unknown>) => {
			writeFileSync(join(user.home, 'settings.json'), JSON.stringify(settings));
			const { stdout, stderr } = await user.runs(['capability', 'run', 'rce', '--trust', '--approve', mode, '--json']);
			return (JSON.parse(stdout) as { result?: unknown }).result ?? stdout + stderr;
		};
		assert.deepEqual(await runs('auto', sandboxed), ['ran', 'DENIED_BY_RULE']);
		assert.deepEqual(await runs('full', sandboxed), ['ran', 'DENIED_BY_RULE']);
		// Where one is installed it is found all the same.
		const first = existsSync('/usr/bin/bwrap') ? 'ran' : 'DENIED_BY_RULE';
		assert.deepEqual(await runs('full', without), [first, 'DENIED_BY_RULE']);
		assert.equal(existsSync(join(user.root, 'outside.txt')), false);
	});

	it('full runs commands without a sandbox too', async () => {
		const argv = ['sh', '-c', 'echo x > ../outside.txt'];
		const { results } = await run('full', [{ argv, needs: { noSandbox: true } }], without);
		assert.match(results[0] ?? '', /exit code 0/);
		assert.equal(existsSync(join(user.root, 'outside.txt')), true);
	});
});
