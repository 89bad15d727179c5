/** Programs of the user before and after ops, from the settings of the command line to what the model reads. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import type { LedgerRow } from '../../../src/protocol/approvals/ledger.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('Hooks of the command line', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer;

	beforeEach(async () => {
		user = new User();
		mkdirSync(user.home);
		const write = { name: 'fs_write', input: { path: 'made.txt', content: 'made' } };
		server = await startModelServer([{ toolCalls: [write] }, { text: 'Well.' }]);
	});
	afterEach(async () => {
		await server.close();
	});

	/** In the sandbox where one works, unless `rest` says otherwise. */
	function hook(when: string, ops: string, script: string, rest: object = {}): object {
		const file = join(user.root, `${when}.mjs`);
		writeFileSync(file, `import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';\n${script}`);
		return { when, ops, run: [process.execPath, file], ...rest };
	}
	function writeSettings(...hooks: object[]): void {
		writeFileSync(
			join(user.home, 'settings.json'),
			JSON.stringify({ 'prowess.hooks': hooks, 'prowess.tools.bubblewrapPath': bubblewrap ?? '' }),
		);
	}

	async function runsWith(...hooks: object[]): Promise<LedgerRow[]> {
		writeSettings(...hooks);
		const { code, stderr } = await user.prompts(server.baseUrl, 'write', ['--approve', 'auto', '--json']).ended;
		assert.equal(code, 0, stderr);
		const { stdout } = await user.runs(['ledger', 'list', '--json', '--op', 'fs.write']);
		return JSON.parse(stdout) as LedgerRow[];
	}

	it('of other agents ask the model where they are questions, and hear that the command ends', async () => {
		await server.close();
		const write = { name: 'fs_write', input: { path: 'made.txt', content: 'made' } };
		const turn = [{ toolCalls: [write] }, { text: 'Well.' }];
		const isQuestion = (body: object) => JSON.stringify(body).includes('Is the tree frozen?');
		server = await startModelServer((_, { body }) =>
			isQuestion(body) ? { text: '{"ok": false, "reason": "it is frozen"}' } : (turn.shift() ?? { text: 'Well.' }),
		);
		const file = join(user.workspace, '.claude/settings.json');
		mkdirSync(dirname(file));
		const question = { type: 'prompt', prompt: 'Is the tree frozen? $ARGUMENTS' };
		const note = { type: 'command', command: 'cat > ended.json' };
		const hooks = { PreToolUse: [{ matcher: 'Write', hooks: [question] }], SessionEnd: [{ hooks: [note] }], Nap: [{}] };
		writeFileSync(file, JSON.stringify({ hooks }));
		const listed = await user.runs(['hooks', 'allow', file, '--trust']);
		assert.match(listed.stderr, /PreToolUse \(Write\): asks a model: Is the tree frozen/);
		assert.match(listed.stderr, /hooks\.Nap: hooks of this event are not run/);
		const { code, stderr } = await user.prompts(server.baseUrl, 'write', ['--approve', 'full']).ended;
		assert.equal(code, 0, stderr);
		assert.equal(existsSync(join(user.workspace, 'made.txt')), false);
		assert.match(server.requests.at(-1)?.text ?? '', /a hook refuses fs\.write: it is frozen/);
		const told = JSON.parse(readFileSync(join(user.workspace, 'ended.json'), 'utf8')) as Record<string, unknown>;
		assert.deepEqual([told['hook_event_name'], told['reason']], ['SessionEnd', 'other']);
	});

	it('of other agents tell the model with the result of a call what they found, and the op stays done', async () => {
		const file = join(user.workspace, '.claude/settings.json');
		mkdirSync(dirname(file));
		const lint = { type: 'command', command: 'cat > /dev/null; echo Two lines are too long. >&2; exit 2' };
		writeFileSync(file, JSON.stringify({ hooks: { PostToolUse: [{ matcher: 'Write', hooks: [lint] }] } }));
		await user.runs(['hooks', 'allow', file, '--trust']);
		const { code, stderr } = await user.prompts(server.baseUrl, 'write', ['--approve', 'auto']).ended;
		assert.equal(code, 0, stderr);
		assert.equal(existsSync(join(user.workspace, 'made.txt')), true);
		const heard =
			/\[hook \.claude\/settings\.json, PostToolUse \([a-z ]+\), a program of the user; data, allows nothing\]/;
		assert.match(server.requests[1]?.text ?? '', heard);
		assert.match(server.requests[1]?.text ?? '', /It objects: Two lines are too long\./);
		const { stdout } = await user.runs(['ledger', 'list', '--json', '--op', 'hook.run']);
		const outputs = (JSON.parse(stdout) as LedgerRow[]).map(({ output }) => output);
		assert.ok(outputs.includes('objects: Two lines are too long.'), stdout);
	});

	it('keep an op from being done, and the model reads why', async () => {
		const rows = await runsWith(hook('before', 'fs.*', 'console.error("the tree is frozen"); process.exit(2);'));
		assert.equal(existsSync(join(user.workspace, 'made.txt')), false);
		assert.match(server.requests[1]?.text ?? '', /a hook refuses fs\.write: the tree is frozen/);
		assert.deepEqual(
			rows.map(({ kind }) => kind),
			['denial'],
		);
	});

	/** Says what it could do, and refuses. */
	const saying = (acts: Readonly<Record<string, string>>) => `
		const { op } = JSON.parse(readFileSync(0, 'utf8'));
		const could = (act) => { try { act(); return 'let'; } catch { return 'kept'; } };
		console.error([op, ${Object.values(acts)
			.map((act) => `could(() => ${act})`)
			.join(', ')}].join(' '));
		process.exit(2);`;
	const refusal = () => server.requests[1]?.text ?? '';

	it('run in a sandbox unless told otherwise: they read what they judge, and change nothing', async function () {
		if (bubblewrap === undefined) this.skip();
		const [own, planted] = [join(user.home, 'settings.json'), join(user.workspace, 'planted.txt')];
		writeFileSync(join(user.workspace, 'seen.txt'), 'seen');
		const script = saying({
			reads: `readFileSync(${JSON.stringify(join(user.workspace, 'seen.txt'))})`,
			readsTheHome: `readFileSync(${JSON.stringify(own)})`,
			writes: `writeFileSync(${JSON.stringify(planted)}, '')`,
		});
		const rows = await runsWith(hook('before', 'fs.write', script));
		assert.match(refusal(), /a hook refuses fs\.write: fs\.write let kept kept\b/);
		assert.equal(existsSync(planted), false);
		assert.match(rows[0]?.decision ?? '', /hook: .*before\.mjs \(sandboxed\)/);
	});

	it('reach from their sandbox what the settings of the user name, and no more', async function () {
		if (bubblewrap === undefined) this.skip();
		const [list, log] = [join(user.root, 'rules.json'), join(user.root, 'hooks.log')];
		for (const path of [list, log]) writeFileSync(path, '');
		mkdirSync(join(user.workspace, '.vscode'));
		const [made, steering] = [join(user.workspace, 'note.txt'), join(user.workspace, '.vscode/tasks.json')];
		const script = saying({
			reads: `readFileSync(${JSON.stringify(list)})`,
			writesWhatItReads: `appendFileSync(${JSON.stringify(list)}, 'x')`,
			writes: `appendFileSync(${JSON.stringify(log)}, 'told')`,
			writesTheWorkspace: `writeFileSync(${JSON.stringify(made)}, '')`,
			steers: `writeFileSync(${JSON.stringify(steering)}, '')`,
		});
		await runsWith(hook('before', 'fs.write', script, { needs: { read: [list], write: [log, '.'] } }));
		assert.match(refusal(), /a hook refuses fs\.write: fs\.write let kept let let kept\b/);
		assert.equal(readFileSync(log, 'utf8'), 'told');
		assert.deepEqual([existsSync(made), existsSync(steering)], [true, false]);
	});

	it('reach the hosts that the settings of the user name, through the proxy, and no others', async function () {
		if (bubblewrap === undefined) this.skip();
		const site = createServer((_, response) => void response.end('told'));
		await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
		const { port } = site.address() as AddressInfo;
		const script = `
			const { request } = await import('node:http');
			const proxy = new URL(process.env.HTTP_PROXY);
			const ask = (host) => new Promise((resolve) => {
				const auth = 'Basic ' + Buffer.from(proxy.username + ':' + proxy.password).toString('base64');
				const asked = request({ host: proxy.hostname, port: proxy.port, path: 'http://' + host + '/', headers: { host, 'proxy-authorization': auth } });
				asked.on('response', (response) => resolve(response.statusCode)).on('error', () => resolve('none')).end();
			});
			console.error(await ask('127.0.0.1:${port}'), await ask('127.0.0.1:${port + 1}'));
			process.exit(2);`;
		await runsWith(hook('before', 'fs.write', script, { needs: { network: [`127.0.0.1:${port}`] } }));
		site.close();
		assert.match(refusal(), /a hook refuses fs\.write: 200 403\b/);
	});

	for (const [path, says] of [
		[
			'/etc/hosts',
			/keeps \/etc\/hosts from being changed\. To change it, add needs\.write \[\\*"\/etc\/hosts\\*"\] to the hook/,
		],
		['log.txt', /keeps the workspace from being changed\. To change it, add needs\.write \[\\*"\.\\*"\] to the hook/],
	] as const) {
		it(`that lack a right say which, in the words of their entry: ${path}`, async function () {
			if (bubblewrap === undefined) this.skip();
			const file = resolve(user.workspace, path);
			await runsWith(hook('before', 'fs.write', `appendFileSync(${JSON.stringify(file)}, '');`));
			assert.match(refusal(), says);
			assert.equal(existsSync(join(user.workspace, 'log.txt')), false);
		});
	}

	it('run as the user where the settings say so', async () => {
		const planted = join(user.workspace, 'planted.txt');
		const script = saying({ writes: `writeFileSync(${JSON.stringify(planted)}, '')` });
		const rows = await runsWith(hook('before', 'fs.write', script, { sandbox: false }));
		assert.match(refusal(), /a hook refuses fs\.write: fs\.write let\b/);
		assert.ok(existsSync(planted));
		assert.match(rows[0]?.decision ?? '', /hook: .*before\.mjs \(not sandboxed\)/);
	});

	it('are listed by the doctor and with the rules, with where each runs', async function () {
		if (bubblewrap === undefined) this.skip();
		const entries = [
			{ when: 'before', ops: 'shell.run', run: ['guard'], needs: { read: ['/etc/hosts'], network: ['example.org'] } },
			{ when: 'after', run: ['note'], sandbox: false },
		];
		const settings = { 'prowess.hooks': entries, 'prowess.tools.bubblewrapPath': bubblewrap };
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify(settings));
		const [checked, shown] = [await user.runs(['doctor']), await user.runs(['policy', 'show', '--trust'])];
		assert.match(checked.stdout, /^ok {7}Hooks {7}2: 1 in the sandbox, 1 as you$/m);
		for (const { stdout } of [checked, shown]) {
			assert.match(stdout, /before shell\.run: guard .*in the sandbox, reads \/etc\/hosts, reaches example\.org/);
			assert.match(stdout, /after \*: note .*as you, without a sandbox/);
		}
	});

	it('are no right of a workspace: what its own settings name does not run', async () => {
		const planted = join(user.root, 'planted.txt');
		const script = join(user.workspace, 'hook.mjs');
		writeFileSync(script, `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(planted)}, '');`);
		const settings = { 'prowess.hooks': [{ when: 'before', run: [process.execPath, script], sandbox: false }] };
		for (const folder of ['.vscode', '.prowess']) {
			mkdirSync(join(user.workspace, folder));
			writeFileSync(join(user.workspace, folder, 'settings.json'), JSON.stringify(settings));
		}
		await runsWith();
		assert.ok(existsSync(join(user.workspace, 'made.txt')));
		assert.equal(existsSync(planted), false);
	});

	it('refuse what they cannot judge: a typing error in the settings lets nothing through', async () => {
		writeSettings({ when: 'befor', run: ['true'] });
		const { code, stderr } = await user.prompts(server.baseUrl, 'write', ['--approve', 'auto']).ended;
		assert.equal(code, 1);
		assert.match(stderr, /prowess\.hooks, entry 1: "when" is "befor"; write "before" or "after"/);
		assert.equal(server.requests.length, 0);
		assert.equal(existsSync(join(user.workspace, 'made.txt')), false);
	});

	it('see what is done, and hear of its end before the command ends', async () => {
		const heard = join(user.root, 'heard.json');
		const script = `writeFileSync(${JSON.stringify(heard)}, readFileSync(0, 'utf8'));`;
		writeFileSync(heard, '');
		const needs = { write: [heard] };
		const rows = await runsWith(hook('before', '*', ''), hook('after', 'fs.write', script, { needs }));
		assert.equal(readFileSync(join(user.workspace, 'made.txt'), 'utf8'), 'made');
		const told = JSON.parse(readFileSync(heard, 'utf8')) as { opId: string; op: string; status: string };
		assert.partialDeepStrictEqual(told, { op: 'fs.write', status: 'done', caller: { kind: 'agent' } });
		assert.deepEqual(
			rows.map(({ kind, opId }) => [kind, opId]),
			[
				['outcome', told.opId],
				['intent', told.opId],
			],
		);
	});

	it('of the project in the format of other agents run once allowed, tell the model something and refuse', async () => {
		const file = join(user.workspace, '.github/hooks/guard.json');
		mkdirSync(join(user.workspace, '.github/hooks'), { recursive: true });
		const run = (command: string) => [{ type: 'command', command }];
		const hooks = { SessionStart: run('echo Freeze until Monday.'), PreToolUse: run('echo frozen >&2; exit 2') };
		writeFileSync(file, JSON.stringify({ hooks }));
		writeFileSync(
			join(user.home, 'settings.json'),
			JSON.stringify({ 'prowess.tools.bubblewrapPath': bubblewrap ?? '' }),
		);
		const unasked = await user.prompts(server.baseUrl, 'write', ['--approve', 'auto']).ended;
		assert.match(unasked.stderr, /hooks in .*guard\.json are not allowed and do not run/);
		assert.ok(existsSync(join(user.workspace, 'made.txt')));
		assert.ok(!server.requests[0]?.text.includes('Freeze'));

		const allowed = await user.runs(['hooks', 'allow', '.github/hooks/guard.json']);
		assert.match(allowed.stderr, /PreToolUse: echo frozen >&2; exit 2/);
		assert.match((await user.runs(['hooks', 'list'])).stdout, /guard\.json {2}allowed\n/);
		await server.close();
		const write = { name: 'fs_write', input: { path: 'other.txt', content: 'x' } };
		server = await startModelServer([{ toolCalls: [write] }, { text: 'Well.' }]);
		const asked = await user.prompts(server.baseUrl, 'write', ['--approve', 'auto']).ended;
		assert.equal(asked.code, 0, asked.stderr);
		assert.match(server.requests[0]?.text ?? '', /SessionStart \((?:not )?sandboxed\)\\">\\nFreeze until Monday\./);
		assert.match(server.requests[1]?.text ?? '', /a hook refuses fs\.write: frozen/);
		assert.ok(!existsSync(join(user.workspace, 'other.txt')));
		const { stdout } = await user.runs(['ledger', 'list', '--json', '--op', 'hook.run']);
		assert.equal((JSON.parse(stdout) as LedgerRow[]).filter(({ kind }) => kind === 'intent').length, 2);
	});

	/** Files of a repository that are read in a run, before its first request or for the tools that it calls here. */
	const places = [
		...['.claude/settings.json', '.claude/settings.local.json', '.github/hooks/a.json', '.claude/hooks/a.sh'],
		...['.claude/agents/a.md', '.claude/commands/a.md', '.claude/skills/a/SKILL.md', '.agents/skills/a/SKILL.md'],
		...['.github/agents/a.agent.md', '.github/prompts/a.prompt.md', '.github/instructions/a.instructions.md'],
		...['.github/copilot-instructions.md', '.cursor/rules/a.mdc', '.vscode/mcp.json', '.vscode/settings.json'],
		...['.prowess/policy.yaml', '.prowess/settings.json', '.prowess/capabilities/skills/a/SKILL.md'],
		...[
			'.prowess/capabilities/plugins/a/prowess-plugin/plugin.json',
			'.prowess/capabilities/plugins/a/prowess-plugin/hooks.json',
		],
		...['AGENTS.md', 'CLAUDE.md', '.mcp.json', '.gitignore', 'package.json', '.git'],
	];
	for (const [what, make, why] of [
		[
			'pipe',
			(path: string) => execFileSync('mkfifo', [path]),
			/a\.json {2}cannot be used\n {2}it is not a regular file\n/,
		],
		[
			'link to a device without an end',
			(path: string) => symlinkSync('/dev/zero', path),
			/a\.json {2}cannot be used\n {2}it is a link, or lies in a folder that is one\n/,
		],
	] as const) {
		it(`do not keep a run from its model and its end when each file of a repository is a ${what}`, async function () {
			if (process.platform === 'win32') this.skip();
			for (const place of places) {
				mkdirSync(dirname(join(user.workspace, place)), { recursive: true });
				make(join(user.workspace, place));
			}
			await server.close();
			const spawn = { name: 'agent_spawn', input: { name: 'x', task: 'Look.', agent: 'a' } };
			server = await startModelServer([{ toolCalls: [{ name: 'mcp_tools', input: {} }, spawn] }, { text: 'Well.' }]);
			// A fault would take all memory of the machine.
			const through = ['/bin/sh', '-c', 'ulimit -v 8000000 2>/dev/null; exec "$@"', 'sh'];
			const run = user.promptsApart(server.baseUrl, 'Explain this project.', ['--approve', 'auto'], { through });
			try {
				await waitFor('both requests', () => server.requests.length === 2, commandLimitMs / 3);
				await waitFor('its end', () => run.child.exitCode !== null, commandLimitMs / 6);
			} finally {
				run.child.kill('SIGKILL');
			}
			assert.equal((await run.ended).code, 0, run.stderr);
			const { stdout } = await user.runsApart(['hooks', 'list', '--trust'], { through });
			assert.match(stdout, why);
			assert.equal(stdout.match(/cannot be used$/gm)?.length, 4, stdout);
		});
	}
});
