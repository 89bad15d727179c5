/** Questions in a real terminal; `script` of util-linux makes one. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, User } from './cli-process.ts';
import { hasTerminals, Terminal } from './terminal.ts';

(hasTerminals ? describe : describe.skip)('prowess run in a terminal', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer;
	let flags: readonly string[];
	beforeEach(async () => {
		flags = [];
		user = new User();
		user.writes('a.txt', 'one\n');
		const edit = (find: string, replace: string) => ({
			name: 'fs_edit',
			input: { path: 'a.txt', edits: [{ find, replace }] },
		});
		server = await startModelServer([
			{ text: 'First.', toolCalls: [edit('one', 'two\u200b')] },
			{ toolCalls: [edit('two', 'three')] },
			{ text: 'The \u001b[2Jend.' },
		]);
	});
	afterEach(async () => {
		await server.close();
	});

	/** Types one line at each question; resolves with all that the terminal showed and the exit code. */
	async function converse(...lines: string[]): Promise<{ shown: string; code: number | null }> {
		const words = [
			'run',
			'edit',
			'--trust',
			'--provider',
			'openai-compatible',
			'--base-url',
			server.baseUrl,
			'--model',
			'scripted',
			...flags,
		];
		const terminal = new Terminal(user, words);
		for (const [index, text] of lines.entries()) {
			const isAsked = () => terminal.shown.split('Allow? ').length > index + 1;
			await waitFor(`question ${index + 1}`, isAsked, commandLimitMs);
			terminal.types(text);
		}
		const code = await terminal.ended;
		return { shown: terminal.shown, code };
	}
	const file = () => readFileSync(join(user.workspace, 'a.txt'), 'utf8');

	it('goes on after a kill at a question that nobody had answered, and says that nothing was run', async () => {
		const user = new User();
		const call = { name: 'shell_run', input: { argv: ['touch', 'never'] } };
		const server = await startModelServer([{ toolCalls: [call] }, { text: 'Done.' }]);
		try {
			const model = ['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'scripted'];
			const terminal = new Terminal(user, ['run', 'go', '--trust', ...model]);
			await waitFor('the question', () => terminal.shown.includes('Allow? '), commandLimitMs);
			process.kill(pidOf(server.baseUrl), 'SIGKILL');
			await terminal.ended;
			const threadId = /thr_\S+/.exec(terminal.shown)?.[0] ?? '';
			const { code, stderr } = await user.runsApart(['run', 'go on', '--thread', threadId, ...model], {
				env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(lateWorkers)}` },
			});
			assert.equal(code, 0, stderr);
			const messages = server.requests[1]?.body['messages'] as { readonly role: string; readonly content: string }[];
			const result = messages.find(({ role }) => role === 'tool')?.content;
			assert.equal(result, 'Not run: interrupted before it began.');
			assert.equal(existsSync(join(user.workspace, 'never')), false);
		} finally {
			await server.close();
		}
	});

	it('stops at Ctrl+C while it asks, and changes nothing', async () => {
		const { code, shown } = await converse('\u0003');
		assert.equal(code, 130, shown);
		assert.equal(file(), 'one\n');
	});

	it('denies at once what it asks when the input ends', async () => {
		const { code, shown } = await converse('\u0004');
		assert.equal(code, 0, shown);
		assert.match(shown, /denied: .*a\.txt: Nobody answered, so this was not done\.\n/);
		assert.doesNotMatch(shown, /Run it in a terminal/);
		assert.equal(file(), 'one\n');
	});

	it('gives the model the reason of a no', async () => {
		const { code } = await converse('leave the file alone\n');
		assert.equal(code, 0);
		assert.match(server.requests[1]?.text ?? '', /leave the file alone/);
		assert.equal(file(), 'one\n');
	});

	it('shows exactly what would change, and asks once for what is allowed in the thread', async () => {
		const { code, shown } = await converse('t\n');
		assert.equal(code, 0, shown);
		assert.match(
			shown,
			/First\.\n[^]*Edit a\.txt\n[^]*\| \u001b\[31m-one\u001b\[0m\n {2}\| \u001b\[32m\+two\\u\{200b\}\u001b\[0m\n {2}y {2}once\n/,
		);
		assert.ok(shown.includes('The \\u{1b}[2Jend.\n'), shown);
		assert.equal(file(), 'three\u200b\n');
	});

	it('lists the changes of one answer, and one line answers for all that are shown', async () => {
		await server.close();
		const write = (path: string) => ({ name: 'fs_write', input: { path, content: `${path}\n` } });
		server = await startModelServer([{ toolCalls: [write('b.txt'), write('c.txt')] }, { text: 'Both are there.' }]);
		const { code, shown } = await converse('y\n');
		assert.equal(code, 0, shown);
		assert.match(shown, /2 actions wait for your answer\n\n1\. Write b\.txt\n[^]*\n2\. Write c\.txt\n/);
		assert.equal(shown.split('Allow? ').length, 2, shown);
		const written = ['b.txt', 'c.txt'].map((path) => readFileSync(join(user.workspace, path), 'utf8'));
		assert.deepEqual(written, ['b.txt\n', 'c.txt\n']);
	});

	it('shows a plan whole, gives the model the sentence it is refused with, and changes files after the yes to another', async () => {
		await server.close();
		const plan = (text: string) => ({ toolCalls: [{ name: 'plan_write', input: { plan: text } }] });
		server = await startModelServer([
			plan('# Both files\n\n1. Write b.txt\n2. Write c.txt\n'),
			plan('# One file\n\n1. Write b.txt\n'),
			{ toolCalls: [{ name: 'fs_write', input: { path: 'b.txt', content: 'b\n' } }] },
			{ text: 'b.txt is there.' },
		]);
		flags = ['--mode', 'plan'];
		const { code, shown } = await converse('leave c.txt out\n', 'y\n', 'y\n');
		assert.equal(code, 0, shown);
		for (const line of ['# Both files', '2. Write c.txt', '# One file']) assert.ok(shown.includes(line), shown);
		assert.match(
			server.requests[1]?.text ?? '',
			/The user refused the plan, because: \\+"leave c\.txt out\\+"\. Change it/,
		);
		assert.doesNotMatch(server.requests[1]?.text ?? '', /Do not repeat a denied call or get around it\.\]/);
		assert.equal(readFileSync(join(user.workspace, 'b.txt'), 'utf8'), 'b\n');
		assert.equal(existsSync(join(user.workspace, 'c.txt')), false);
	});

	it('remembers what is always allowed in all projects, in the settings', async () => {
		const { code } = await converse('e\n');
		assert.equal(code, 0);
		const settings = JSON.parse(readFileSync(join(user.home, 'settings.json'), 'utf8')) as Record<string, unknown>;
		assert.deepEqual(settings, { 'prowess.approvals.allow': ['fs.edit a.txt'] });
		assert.equal(existsSync(join(user.home, 'project-rules.json')), false);
	});

	it('remembers what is always allowed in a project, for the next process too, and nowhere else', async () => {
		const { code } = await converse('a\n');
		assert.equal(code, 0);
		assert.equal(existsSync(join(user.home, 'settings.json')), false);
		const { stdout } = await user.runs(['policy', 'show']);
		assert.match(stdout, /^ {2}fs\.edit a\.txt {4}\(this project\)$/m);
		await server.close();
		server = await startModelServer([
			{ toolCalls: [{ name: 'fs_edit', input: { path: 'a.txt', edits: [{ find: 'three', replace: 'four' }] } }] },
			{ text: 'Done.' },
		]);
		const again = await user.prompts(server.baseUrl, 'again', ['--approve', 'never']).ended;
		assert.equal(again.code, 0, again.stderr);
		assert.equal(file(), 'four\u200b\n');
		const elsewhere = join(user.root, 'elsewhere');
		mkdirSync(elsewhere);
		const other = await user.runs(['policy', 'show', '--trust', '--workspace', elsewhere]);
		assert.doesNotMatch(other.stdout, /fs\.edit/);
	});
});

(hasTerminals ? describe : describe.skip)('A prompt that asks for a plan of its steps in a terminal', function () {
	this.timeout(2 * commandLimitMs);

	it('shows its plan, and after a yes is a goal whose steps are worked on', async () => {
		const user = new User();
		user.writes('a.txt', 'one\n');
		const server = await startModelServer((n) =>
			n % 2 === 0 ? { toolCalls: [{ name: 'goal_verdict', input: { verdict: 'done' } }] } : { text: 'So it is.' },
		);
		try {
			const prompt = 'Make a goal of this: first look at the text, then count its lines, then write a summary';
			const model = ['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'scripted'];
			const terminal = new Terminal(user, ['run', prompt, '--trust', ...model]);
			await waitFor('the question', () => terminal.shown.includes('Allow? '), commandLimitMs);
			assert.equal(server.requests.length, 0);
			assert.match(terminal.shown, /1\. Look at the text[\s|]+2\. Count its lines[\s|]+3\. Write a summary/);
			terminal.types('y\n');
			assert.equal(await terminal.ended, 0, terminal.shown);
			assert.match(terminal.shown, /done, 3 of 3 done/);
			assert.equal(server.requests.length, 6);
		} finally {
			await server.close();
		}
	});
});

/** Holds up each worker of a process before it does anything, so that the server is there long before the ledger. */
const lateWorkers = `
	import { isMainThread } from 'node:worker_threads';
	if (!isMainThread) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
`;

/** The command line that speaks to this model, below the terminal and its shell. */
function pidOf(baseUrl: string): number {
	const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
	const line = lines.map((each) => each.trim()).find((each) => /^\d+ \S*node /.test(each) && each.includes(baseUrl));
	return Number(line?.split(' ')[0]);
}
