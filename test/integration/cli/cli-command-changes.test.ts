/** Files that commands change by themselves: named in the result, undone, and part of the way back to a message; in real processes. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('A command that changes files by itself', function () {
	this.timeout(commandLimitMs * 2);
	let user: User;
	let server: ModelServer;
	let thread: string;
	let next: ScriptEntry[];

	beforeEach(async () => {
		thread = '';
		next = [];
		user = new User();
		user.sets();
		server = await startModelServer(() => next.shift() ?? { text: 'Done.' });
		user.writes('a.txt', 'one\ntwo\n');
		user.writes('b.txt', 'b\n');
		user.writes('.gitignore', 'out/\n');
		user.writes('out/built.js', 'built\n');
		user.writes('.env', 'NAME=value\n');
	});
	afterEach(() => server.close());

	const path = (name: string) => join(user.workspace, name);
	const text = (name: string) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : undefined);
	const command = (...argv: readonly string[]): ScriptEntry => ({
		toolCalls: [{ name: 'shell_run', input: { argv } }],
	});
	async function says(prompt: string, ...commands: readonly ScriptEntry[]): Promise<void> {
		next = [...commands, { text: 'Done.' }];
		const words = ['--approve', 'full', ...(thread === '' ? [] : ['--thread', thread])];
		const { code, stderr } = await user.prompts(server.baseUrl, prompt, words).ended;
		assert.equal(code, 0, stderr);
		thread ||= (await user.runs(['thread', 'list'])).stdout.split(' ')[0] ?? '';
	}
	const results = () => {
		const messages = (server.requests.at(-1)?.body['messages'] ?? []) as { role: string; content: unknown }[];
		return messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
	};

	it('has no undo where the setting says so', async () => {
		user.sets({ 'prowess.changes.commandMegabytes': 0 });
		await says('First', command('rm', 'b.txt'));
		assert.doesNotMatch(results().join('\n'), /changed:/);
		assert.match((await user.runs(['change', 'list', thread])).stderr, /No changes can be undone/);
	});

	it('has the model read which ones, also when it fails, and nothing where it changed none', async () => {
		await says(
			'First',
			command('sed', '-i', 's/one/ONE/', 'a.txt'),
			command('sh', '-c', 'rm b.txt; touch new.txt; exit 3'),
			command('sh', '-c', 'true'),
		);
		const [first, second, third] = results();
		assert.match(first ?? '', /\[changed: a\.txt\]/);
		assert.match(second ?? '', /exit code 3.*\[changed: new\.txt \(new\), b\.txt \(deleted\)\]/s);
		assert.doesNotMatch(third ?? '', /changed/);
	});

	it('shows no folder in listings that its sandbox made, in this host or in another, before the user uses it', async function () {
		if (bubblewrap === undefined) this.skip();
		const list = { toolCalls: [{ name: 'fs_list', input: { path: '.' } }] };
		const until = (name: string) => ['sh', '-c', `until [ -e ${name} ]; do sleep 0.05; done`];
		const slow = { toolCalls: [{ name: 'shell_run', input: { argv: until('never'), background: true } }] };
		next = [slow, list, command(...until('go'))];
		const first = user.prompts(server.baseUrl, 'Begin', ['--approve', 'full']);
		await server.request(3);
		assert.ok(existsSync(path('.vscode')) && existsSync(path('.git')) && existsSync(path('.prowess')));
		assert.doesNotMatch(results()[1] ?? '', /\.(vscode|git|prowess)\//);
		assert.match(results()[1] ?? '', /out\//);
		const listsBeside = async () => {
			const beside = await startModelServer([list, { text: 'Done.' }]);
			const { code, stderr } = await user.promptsApart(beside.baseUrl, 'List', ['--approve', 'full']).ended;
			assert.equal(code, 0, stderr);
			await beside.close();
			const [asked, answered] = beside.requests;
			assert.doesNotMatch(asked?.text ?? '', /\.prowess\//);
			return answered?.text ?? '';
		};
		assert.doesNotMatch(await listsBeside(), /\.(vscode|git|prowess)\//);
		user.writes('.vscode/settings.json', '{}');
		assert.match(await listsBeside(), /\.vscode\//);
		user.writes('go', '');
		const { code, stderr } = await first.ended;
		assert.equal(code, 0, stderr);
	});

	it('is undone file by file', async () => {
		await says('First', command('sed', '-i', 's/one/ONE/', 'a.txt'), command('sh', '-c', 'rm b.txt; echo new > c.txt'));
		const { stdout } = await user.runs(['change', 'list', thread]);
		assert.match(stdout, /a\.txt \(modified, \+1 -1\)/);
		assert.match(stdout, /b\.txt \(deleted, \+0 -1\)/);
		assert.match(stdout, /c\.txt \(created, \+1 -0\)/);
		const undone = await user.runs(['change', 'undo', thread]);
		assert.equal(undone.code, 0, undone.stderr);
		assert.deepEqual([text('a.txt'), text('b.txt'), text('c.txt')], ['one\ntwo\n', 'b\n', undefined]);
	});

	it('is undone with the permissions that its files had', async () => {
		user.writes('run.sh', 'x\n');
		chmodSync(path('run.sh'), 0o755);
		await says('First', command('sh', '-c', 'echo y > n; mv n run.sh'), command('sh', '-c', 'rm a.txt'));
		const undone = await user.runs(['change', 'undo', thread]);
		assert.equal(undone.code, 0, undone.stderr);
		assert.deepEqual([text('run.sh'), statSync(path('run.sh')).mode & 0o777], ['x\n', 0o755]);
		assert.equal(text('a.txt'), 'one\ntwo\n');
	});

	it('is undone also in the background, when the command line ends while it runs', async () => {
		const goesOn = {
			toolCalls: [
				{ name: 'shell_run', input: { argv: ['sh', '-c', 'echo A > a.txt; exec sleep 600'], background: true } },
			],
		};
		await says('First', goesOn, command('sh', '-c', 'until grep -q A a.txt; do sleep 0.05; done; echo c > c.txt'));
		const { stdout } = await user.runs(['change', 'list', thread]);
		assert.match(stdout, /a\.txt \(modified, \+1 -2\)/);
		const restored = await user.runs(['thread', 'restore', thread, '1', '--yes']);
		assert.equal(restored.code, 0, restored.stderr);
		assert.deepEqual([text('a.txt'), text('c.txt')], ['one\ntwo\n', undefined]);
	});

	it('leaves out what is ignored or usually holds secrets', async () => {
		await says('First', command('sh', '-c', 'echo x > out/built.js; echo X=1 > .env; echo y > y.txt'));
		const { stdout } = await user.runs(['change', 'list', thread]);
		assert.match(stdout, /y\.txt/);
		assert.doesNotMatch(stdout, /built|env/);
	});

	it('goes back with the files to a message, bytes and edits of the agent too, and comes again', async () => {
		const bytes = Buffer.from([0, 200, 1, 0, 7]);
		writeFileSync(path('tool.bin'), bytes);
		await says('First', command('sed', '-i', 's/one/ONE/', 'a.txt'));
		await says(
			'Second',
			command('sh', '-c', 'printf "\\001\\000" > tool.bin; mv b.txt moved.txt'),
			{ toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }] },
			{ toolCalls: [{ name: 'fs_write', input: { path: 'a.txt', content: 'all new\n' } }] },
			command('sh', '-c', 'echo more >> a.txt'),
		);
		assert.equal(text('a.txt'), 'all new\nmore\n');
		const { code, stderr } = await user.runs(['thread', 'restore', thread, '2', '--yes']);
		assert.equal(code, 0, stderr);
		assert.deepEqual([text('a.txt'), text('b.txt'), text('moved.txt')], ['ONE\ntwo\n', 'b\n', undefined]);
		assert.deepEqual(readFileSync(path('tool.bin')), bytes);
		assert.equal((await user.runs(['thread', 'redo', thread])).code, 0);
		assert.deepEqual([text('a.txt'), text('b.txt'), text('moved.txt')], ['all new\nmore\n', undefined, 'b\n']);
	});

	it('does not count what the user has changed before it', async () => {
		await says('First', command('sed', '-i', 's/one/ONE/', 'a.txt'));
		user.writes('b.txt', 'mine\n');
		await says('Second', command('sh', '-c', 'echo two > two.txt'));
		assert.match(results().at(-1) ?? '', /\[changed: two\.txt \(new\)\]/);
		await user.runs(['thread', 'restore', thread, '1', '--yes']);
		assert.deepEqual([text('a.txt'), text('b.txt'), text('two.txt')], ['one\ntwo\n', 'mine\n', undefined]);
	});
});
