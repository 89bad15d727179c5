/** Recorded turns, run again: `prowess run --record`, `prowess replay`, `prowess report`. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cassette, CassetteWriter, mapTexts, readCassette } from '../../../src/features/replay/cassette.ts';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const SECRET = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`;
const KEY = 'key-of-the-model-0123456789';
const ASKS_MODEL = `export async function execute(_params, { host }) {
	return { said: (await host.llm.oneshot({ prompt: 'Say hello' })).text };
}
`;

describe('A replay', function () {
	this.timeout(commandLimitMs * 4);
	let user: User;
	let model: ModelServer;
	let folder: string;

	beforeEach(() => {
		user = new User();
		user.sets();
		user.writes('a.txt', 'needle\n');
		folder = join(user.home, 'cassettes');
	});
	afterEach(async () => await model.close());

	const calls = (name: string, input: unknown) => ({ toolCalls: [{ name, input }] });
	const reads: Script = [calls('fs_read', { path: 'a.txt' }), { text: 'It says one.' }];
	/** Records one turn; returns its cassette. */
	async function records(script: Script, words: readonly string[] = [], prompt = 'Look'): Promise<string> {
		const before = new Set(cassettes());
		model = await startModelServer(script);
		const { stderr } = await user.prompts(model.baseUrl, prompt, ['--record', ...words]).ended;
		const path = cassettes().find((each) => !before.has(each));
		assert.ok(path !== undefined, stderr);
		return path;
	}
	function cassettes(): string[] {
		try {
			return readdirSync(folder).map((name) => join(folder, name));
		} catch {
			return [];
		}
	}
	const replays = async (path: string) => {
		const { code, stdout, stderr } = await user.runs(['replay', path]);
		return { code, said: stdout + stderr };
	};
	const isSame = async (path: string, requests: number) => {
		const { code, said } = await replays(path);
		assert.match(said, new RegExp(`^Same to the end: ${requests} requests`));
		assert.equal(code, 0);
		return said;
	};
	/** The same cassette with `change` made in it, and hashes that fit. */
	async function forges(path: string, change: (cassette: Cassette) => Cassette): Promise<string> {
		const { head, steps, end } = change(await readCassette(path));
		const forged = `${path}-forged.cassette`;
		rmSync(forged, { force: true });
		const writer = new CassetteWriter(forged, head);
		for (const step of steps) writer.step(step);
		if (end !== undefined) writer.end(end);
		return forged;
	}

	it('of nothing, of a changed byte, and of a foreign file ends with its place and what to do', async () => {
		const path = await records(reads);
		const none = await replays('thr_none');
		assert.deepEqual([none.code, /There is no recording of thr_none/.test(none.said)], [1, true]);
		const lines = readFileSync(path, 'utf8').split('\n');
		const at = lines.findIndex((line) => line.includes('It says one.'));
		lines[at] = lines[at]?.replace('It says one.', 'It says two.') ?? '';
		writeFileSync(path, lines.join('\n'));
		const changed = await replays(path);
		assert.equal(changed.code, 1);
		assert.match(changed.said, new RegExp(`\\.cassette:${at + 1} cannot be replayed: its hash does not match`));
		const json = JSON.stringify({ k: 'call', n: 1, method: 'thread/prompt' });
		const hash = createHash('sha256').update(`prowess-cassette\n${json}`).digest('hex');
		user.writes('odd.txt', `${hash} ${json}\n`);
		assert.match((await replays('odd.txt')).said, /odd\.txt:1 cannot be replayed: it is no line of a cassette/);
		user.writes('notes.txt', 'hello\n');
		assert.match((await replays('notes.txt')).said, /notes\.txt:1 cannot be replayed/);
	});

	it('names the first difference where an answer, an outcome, the prompt or the ledger is another', async () => {
		const path = await records(reads);
		const difference = async (from: string, to: string, k: readonly string[]) => {
			const forged = await forges(path, ({ steps, ...rest }) => ({
				...rest,
				steps: steps.map((step) =>
					k.includes(step.k) ? (mapTexts(step, (each) => each.replaceAll(from, to)) as typeof step) : step,
				),
			}));
			const { code, said } = await replays(forged);
			assert.equal(code, 1);
			return said;
		};
		assert.match(
			await difference('Look', 'Loop', ['call']),
			/First difference in step \d+: the choice of a model, at wanted\.prompt\.text\n- Look\n\+ Loop/,
		);
		assert.match(
			await difference('needle', 'nettle', ['answered']),
			/request to openai.*at request\.messages\[2\][^]*- .*needle[^]*\+ .*nettle/,
		);
		assert.match(
			await difference('"path":"a.txt"', '"path":"b.txt"', ['answered']),
			/First difference in step \d+: the calls of an answer, at value\[0\]\.input\.path\n- a\.txt\n\+ b\.txt/,
		);
		assert.match(await difference('says one', 'says two', ['answered']), /the calls of an answer, at value\[0\]\.text/);
		const forged = await forges(path, ({ end, ...rest }) => ({
			...rest,
			end: end && { ...end, rows: end.rows.map((row) => ({ ...row, decision: 'something else' })) },
		}));
		assert.match((await replays(forged)).said, /First difference in step 0: the chain of the ledger/);
	});

	it('is the same twice, in another folder, also once the files it was about are gone', async () => {
		const path = await records(
			[...(reads as []).slice(0, 1), calls('fs_write', { path: 'b.txt', content: 'two\n' }), { text: 'Done.' }],
			['--approve', 'edit'],
		);
		rmSync(join(user.workspace, 'a.txt'));
		rmSync(join(user.workspace, 'b.txt'));
		await model.close();
		const first = await isSame(path, 3);
		const other = new User();
		other.sets();
		const again = await other.runs(['replay', path]);
		assert.equal(again.stdout, first);
		assert.deepEqual(readdirSync(user.workspace), []);
		assert.equal(cassettes().length, 1);
	});

	it('of denials, of another model that took over, and of a turn that was stopped is the same', async () => {
		const denied = await records(
			[calls('fs_write', { path: 'b.txt', content: 'x' }), { text: 'I may not.' }],
			['--approve', 'never'],
		);
		await isSame(denied, 2);
		await model.close();
		const other = await startModelServer([{ text: 'There.' }]);
		try {
			const refused = await startModelServer([{ error: 401, message: 'bad key' }]);
			const provider = (id: string, baseUrl: string) => ({ id, kind: 'openai-compatible', baseUrl, models: ['m'] });
			user.sets({
				'prowess.providers': [provider('a', refused.baseUrl), provider('b', other.baseUrl)],
				'prowess.models.fallback': [{ provider: 'b', model: 'm' }],
			});
			const known = new Set(cassettes());
			await user.runs(['run', 'x', '--trust', '--model', 'a/m', '--record']);
			await refused.close();
			await isSame(cassettes().find((each) => !known.has(each)) ?? '', 2);
		} finally {
			await other.close();
		}
		user.sets();
		model = await startModelServer([{ chunks: ['Begun'], then: 'stall' }]);
		const known = new Set(cassettes());
		const running = user.prompts(model.baseUrl, 'Wait', ['--record']);
		running.output.on('data', () => {
			if (running.stdout.includes('Begun')) running.stop();
		});
		await running.ended;
		await isSame(cassettes().find((each) => !known.has(each)) ?? '', 1);
	});

	it('of sub-agents, and of a capability that asks the model, is the same', async () => {
		const usage = { input: 100, output: 10 };
		const spawns = (task: string, name: string) => ({ name: 'agent_spawn', input: { task, name, mode: 'ask' } });
		const agents = await records(
			(n, { text }) => {
				if (n === 0) return { usage, toolCalls: [spawns('First: look', 'first'), spawns('Second: look', 'second')] };
				return { usage, text: /(?:First|Second): look/.test(text) ? 'Looked.' : 'All looked.' };
			},
			['--approve', 'auto'],
		);
		assert.match((await replays(agents)).said, /^Same to the end/);
		await model.close();
		user.writes(
			'.prowess/capabilities/skill/greet/capability.yaml',
			'name: greet\ntype: skill\nversion: 1.0.0\ndescription: Says hello\nlevel: CONTROLLED\npermissions: [llm]\ncontext: none\n',
		);
		user.writes('.prowess/capabilities/skill/greet/index.mjs', ASKS_MODEL);
		const path = await records(
			[calls('capability_start', { name: 'greet' }), { text: 'Hello.' }, { text: 'Said.' }],
			['--approve', 'full'],
		);
		await isSame(path, 3);
	});

	it('of a result so long that it has an id to read on is the same', async () => {
		user.writes('long.txt', Array.from({ length: 6_000 }, (_, n) => `line ${n}`).join('\n'));
		const script = [calls('shell_run', { argv: ['cat', 'long.txt'] }), { text: 'Read.' }];
		const path = await records(script, ['--approve', 'auto']);
		assert.match(readFileSync(path, 'utf8'), /"readOn":\{"id":"[0-9a-f]{8}"/);
		await isSame(path, 2);
	});

	it('of a thread that went on has what was said before', async () => {
		const first = await records([{ text: 'One.' }], [], 'Count');
		const { end } = await readCassette(first);
		assert.equal(end?.end, 'whole');
		await model.close();
		const { stdout } = await user.runs(['replay', '--json']);
		const [{ threads }] = JSON.parse(stdout) as [{ threads: [string] }];
		const path = await records([{ text: 'Two.' }], ['--thread', threads[0]], 'Go on');
		assert.match(model.requests[0]?.text ?? '', /Count.*Go on/s);
		await isSame(path, 1);
	});

	it('of a provider whose first model was taken is the same', async () => {
		model = await startModelServer([{ text: 'It says one.' }]);
		const words = ['--trust', '--provider', 'openai-compatible', '--base-url', model.baseUrl, '--record'];
		const run = await user.runs(['run', 'Look', ...words]);
		assert.equal(run.code, 0, run.stderr);
		await isSame(cassettes()[0] ?? '', 1);
	});

	it('of a process that was killed is the same up to there, and says so', async () => {
		model = await startModelServer([calls('fs_read', { path: 'a.txt' }), { chunks: ['Begun'], then: 'stall' }]);
		const running = user.promptsApart(model.baseUrl, 'Look', ['--record']);
		await running.hasPrinted('Begun');
		running.child.kill('SIGKILL');
		await running.ended;
		const { code, said } = await replays(cassettes()[0] ?? '');
		assert.equal(code, 1);
		assert.match(said, /^The recording has no end\. Up to there [12] requests to models and \d ops were the same/);
	});

	it('of a recording that had reached its bound, or was handed on so, is the same up to there', async () => {
		const path = await records(reads);
		const cut = await forges(path, ({ head, steps, end }) => ({
			head,
			steps: steps.slice(0, steps.findLastIndex((step) => step.k === 'asked') - 1),
			end: end && { ...end, end: 'full' },
		}));
		const target = join(user.root, 'cut.cassette');
		assert.equal((await user.runs(['report', cut, target, '--yes'])).code, 0);
		for (const each of [cut, target]) {
			const { code, said } = await replays(each);
			assert.equal(code, 1);
			assert.match(
				said,
				/^The recording stopped at its limit\. Up to there \d requests to models and \d ops were the same/,
			);
		}
	});

	it('of a thread is found beside a recording that cannot be read, which is told', async () => {
		const path = await records(reads);
		writeFileSync(join(folder, '9999.cassette'), 'nothing\n');
		const thread = /thr_[0-9a-f-]+/.exec(readFileSync(path, 'utf8'))?.[0] ?? '';
		const { code, said } = await replays(thread);
		assert.deepEqual([code, /9999\.cassette:1: its hash/.test(said), /Same to the end/.test(said)], [0, true, true]);
	});

	it('is not there where nothing could be written, and the turn has its answer', async () => {
		writeFileSync(folder, '');
		model = await startModelServer([{ text: 'It says one.' }]);
		const { code, stdout, stderr } = await user.prompts(model.baseUrl, 'Look', ['--record']).ended;
		assert.equal(code, 0, stderr);
		assert.match(stdout, /It says one/);
		assert.match(stderr, /The recording has no end: E[A-Z]+/);
	});

	it('reaches nothing: behind a wall without a network it is the same', async () => {
		const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '';
		const path = await records(reads);
		const wall = [
			bubblewrap,
			'--bind',
			'/',
			'/',
			'--dev',
			'/dev',
			'--unshare-user',
			'--unshare-net',
			'--die-with-parent',
		];
		const { stdout, stderr } = await user.runsApart(['replay', path], { through: [...wall, '--'] });
		assert.match(stdout, /^Same to the end/, stderr);
	});

	it('holds no key and no secret, nor does the file to hand on, which is shown before it is written', async () => {
		user.writes('token.txt', `token ${SECRET}\n`);
		const half = SECRET.length / 2;
		model = await startModelServer([
			calls('fs_read', { path: 'token.txt' }),
			{ chunks: ['The token is ', SECRET.slice(0, half), SECRET.slice(half), '.'] },
		]);
		const env = { PROWESS_API_KEY: KEY };
		const run = await user.promptsApart(model.baseUrl, 'Look', ['--record', '--approve', 'full'], { env }).ended;
		assert.equal(run.code, 0, run.stderr);
		assert.equal(model.requests[0]?.headers.authorization, `Bearer ${KEY}`);
		const home = readFileSync(cassettes()[0] ?? '', 'utf8');
		assert.deepEqual(
			[SECRET, SECRET.slice(0, half), KEY].map((each) => home.includes(each)),
			[false, false, false],
		);
		const thread = /thr_[0-9a-f-]+/.exec(home)?.[0] ?? '';
		const target = join(user.root, 'turn.cassette');
		const unasked = await user.runs(['report', thread, target]);
		assert.equal(unasked.code, 2);
		const apart = await user.runsApart(['report', thread, target]);
		assert.deepEqual([apart.code, /unexpected/.test(apart.stderr)], [2, false]);
		assert.match(unasked.stderr, /prompt: Look\n.*the request to openai.*\n.*the op fs\.read: \{"path":"token\.txt"/s);
		const written = await user.runs(['report', thread, target, '--yes']);
		assert.deepEqual([written.code, written.stdout], [0, `${target}\n`]);
		await isSame(target, 2);
	});
});

describe('A recorded turn that goes on live from a step', function () {
	this.timeout(commandLimitMs * 4);
	let user: User;
	let model: ModelServer;
	let thread: string;
	let steps: readonly number[];

	const calls = (name: string, input: unknown) => ({ toolCalls: [{ name, input }] });
	const git = (...args: string[]) =>
		execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
			cwd: user.workspace,
			env: user.environment,
			encoding: 'utf8',
		});
	const goesOn = (from: string, ...words: readonly string[]) =>
		user.runs([
			'replay',
			thread,
			...words,
			'--from',
			from,
			'--trust',
			'--provider',
			'openai-compatible',
			'--base-url',
			model.baseUrl,
			'--model',
			'scripted',
		]);
	const folderOf = (stderr: string) => /New worktree \S+: (.*)/.exec(stderr)?.[1] ?? '';
	const asked = () => JSON.stringify(model.requests.at(-1)?.body['messages']);

	beforeEach(async () => {
		user = new User();
		user.sets();
		user.writes('a.txt', 'needle\n');
		git('init', '--quiet');
		git('add', '-A');
		git('commit', '--quiet', '-m', 'first');
		model = await startModelServer([
			calls('fs_write', { path: 'b.txt', content: 'two\n' }),
			calls('shell_run', { argv: ['touch', 'c.txt', ' @a.txt ,'] }),
			{ text: 'All is done.' },
		]);
		await records('Write two');
	});
	/** Records a turn with the answers of the model, which from then on gives another one. */
	async function records(prompt: string, ...words: readonly string[]): Promise<void> {
		const run = await user.prompts(model.baseUrl, prompt, ['--record', '--approve', 'auto', ...words]).ended;
		assert.equal(run.code, 0, run.stderr);
		const listed = await user.runs(['replay', '--json']);
		const [found] = JSON.parse(listed.stdout) as [{ threads: [string]; asking: number[] }];
		[thread] = found.threads;
		steps = found.asking;
		await model.close();
		model = await startModelServer(() => ({ text: 'Another answer.' }));
	}
	afterEach(async () => await model.close());

	it('is refused for what is no step, for a file, and where the thread is gone, and makes nothing', async () => {
		for (const from of ['0', 'x', '1.5', String((steps.at(-1) ?? 0) + 1)]) {
			const { code, stderr } = await goesOn(from);
			assert.equal(code, 2);
			assert.match(stderr, new RegExp(`models were asked in ${steps.join(', ')}; got "${from}"`));
		}
		const [file] = readdirSync(join(user.home, 'cassettes'));
		const ofFile = await user.runs(['replay', join(user.home, 'cassettes', file ?? ''), '--from', '1', '--trust']);
		assert.match(ofFile.stderr, /--from goes on with a thread of this home/);
		const alone = await user.runs(['replay', thread, 'Try', '--model', 'm']);
		assert.deepEqual([alone.code, /a prompt goes with --from/.test(alone.stderr)], [2, true]);
		assert.match((await user.runs(['replay', thread, '--model', 'm'])).stderr, /--model goes with --from/);
		const gone = await user.runs(['thread', 'delete', thread]);
		assert.equal(gone.code, 0, gone.stderr);
		assert.match((await goesOn('1')).stderr, /The thread thr_\S+ is not here any more/);
		assert.equal(existsSync(join(user.home, 'worktrees')), false);
		assert.equal(model.requests.length, 0);
	});

	it('begins the same prompt, or another one, with another model in a worktree where it is the first step', async () => {
		const { code, stdout, stderr } = await goesOn('1');
		assert.equal(code, 0, stderr);
		assert.match(stdout, /Another answer/);
		assert.match(asked(), /Write two/);
		assert.doesNotMatch(asked(), /"role":"(?:assistant|tool)"/);
		assert.deepEqual(
			readdirSync(folderOf(stderr)).filter((name) => name.endsWith('.txt')),
			['a.txt'],
		);
		assert.equal((await goesOn('1', 'Write three')).code, 0);
		assert.match(asked(), /Write three/);
		assert.doesNotMatch(asked(), /Write two/);
	});

	it('has what was said and written before the step, and is told what was not done again', async () => {
		const { code, stdout, stderr } = await goesOn(String(steps[2]), 'Now finish');
		assert.equal(code, 0, stderr);
		assert.match(stdout, /Another answer/);
		assert.match(stderr, /Not done again: shell\.run \{"argv":\["touch","c\.txt"/);
		assert.match(asked(), /Write two.*fs_write.*shell_run.*Now finish.*What was done there and not here:.*touch/s);
		assert.doesNotMatch(asked(), /<file path/, 'a model names no file for the user');
		assert.doesNotMatch(asked(), /All is done/);
		const folder = folderOf(stderr);
		assert.deepEqual(
			readdirSync(folder).filter((name) => name.endsWith('.txt')),
			['a.txt', 'b.txt'],
		);
		assert.equal(readFileSync(join(folder, 'b.txt'), 'utf8'), 'two\n');
		const list = (await user.runs(['thread', 'list'])).stdout;
		assert.match(list, new RegExp(`\\(step ${steps[2]}\\)`));
		assert.match((await user.runs(['thread', 'show', thread])).stdout, /All is done\.\s*$/);
	});

	it('replaces a file that the model had read, and makes no change that a rule refuses by now', async () => {
		await model.close();
		const writing = calls('fs_write', { path: 'a.txt', content: 'thread\n' });
		model = await startModelServer([calls('fs_read', { path: 'a.txt' }), writing, { text: 'All is done.' }]);
		await records('Replace it');
		const last = String(steps.at(-1));
		const folder = folderOf((await goesOn(last)).stderr);
		assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'thread\n');
		user.sets({ 'prowess.approvals.deny': ['fs.write *'] });
		const { code, stderr } = await goesOn(last);
		assert.equal(code, 0, stderr);
		assert.match(stderr, /Not done again: fs\.write .*refuses it/);
		assert.equal(readFileSync(join(folderOf(stderr), 'a.txt'), 'utf8'), 'needle\n');
	});

	it('keeps the mode that a turn of an earlier thread was given', async () => {
		await records('Look again', '--thread', thread, '--mode', 'ask');
		const { code, stdout, stderr } = await goesOn(String(steps[0]), '--json');
		assert.equal(code, 0, stderr);
		const [begun = ''] = stdout.split('\n', 1);
		assert.equal((JSON.parse(begun) as { info: { mode: string } }).info.mode, 'ask');
	});

	it('changes no file beside the worktree, whatever was recorded', async () => {
		const outside = join(user.root, 'outside.txt');
		const folder = join(user.home, 'cassettes');
		const recorded = await readCassette(join(folder, readdirSync(folder)[0] ?? ''));
		const { head, steps: all } = mapTexts(recorded, (each) => each.replaceAll('b.txt', outside)) as Cassette;
		const writer = new CassetteWriter(join(folder, 'later.cassette'), head);
		for (const step of all) writer.step(step);
		const { code, stderr } = await goesOn(String(steps[1]));
		assert.equal(code, 0, stderr);
		assert.match(stderr, /Not done again: fs\.write .*outside\.txt/);
		assert.equal(existsSync(outside), false);
	});
});
