/** Turns that go wrong by what the model does, through the real command line, its server and host: each ends with its reason, or hears why. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, eventsOf, User } from '../cli/cli-process.ts';

const CONTINUE = ['continue', 'switchModel'];

describe('prowess run: a turn that gets nowhere', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer;

	beforeEach(() => {
		user = new User();
		user.writes('a.ts', 'let a;\n');
		user.writes('b.ts', 'let b;\n');
	});
	afterEach(async () => {
		await server.close();
	});

	async function play(script: Script, words: readonly string[] = ['--approve', 'edit'], prompt = 'Do it') {
		server = await startModelServer(script);
		const result = await user.prompts(server.baseUrl, prompt, ['--json', ...words]).ended;
		const { stdout, stderr, code } = result;
		const items = eventsOf(result).flatMap((event) => (event.type === 'item.start' ? [event.item] : []));
		const notices = items.flatMap((item) => (item.kind === 'notice' ? [[item.error?.code, item.actions]] : []));
		const thread = /"id":"(thr_[^"]+)"/.exec(stdout)?.[1] ?? '';
		return { code, stderr, stdout, items, notices, thread };
	}
	/** Returns the last message the model read in the n-th request, from 0. */
	const told = (n: number) =>
		((server.requests[n]?.body['messages'] ?? []) as { readonly content: string }[]).at(-1)?.content ?? '';
	const calls = (name: string, inputs: readonly unknown[]) => inputs.map((input) => ({ toolCalls: [{ name, input }] }));
	const range = (count: number) => Array.from({ length: count }, (_, n) => n);

	it('by the same call hears that its result stays the same, and has the fourth refused', async () => {
		const { code } = await play([
			...calls(
				'fs_read',
				range(5).map(() => ({ path: 'a.ts' })),
			),
			{ text: 'Enough.' },
		]);
		assert.equal(code, 0);
		assert.match(told(2), /^1\tlet a;\n[^]*same as the last time/);
		assert.match(told(3), /^1\tlet a;\n[^]*same as the last 2 times/);
		assert.match(told(4), /^CALL_REPEATED/);
	});

	it('by two calls in turns has the sixth refused', async () => {
		const paths = range(6).map((n) => ({ path: n % 2 === 0 ? 'a.ts' : 'b.ts' }));
		const { code } = await play([...calls('fs_read', paths), { text: 'Neither helps.' }]);
		assert.equal(code, 0);
		assert.doesNotMatch(told(5), /^CALL_REPEATED/);
		assert.match(told(6), /^CALL_REPEATED.*in turns/);
	});

	it('by denied changes and failing calls is stopped at the fifteenth, offers to go on, and does', async () => {
		const writes = range(5).map((round) => ({
			toolCalls: range(5).map((n) => ({ name: 'fs_write', input: { path: `${round}-${n}.ts`, content: 'x' } })),
		}));
		const first = await play(writes, ['--approve', 'never']);
		assert.deepEqual(first.notices, [['GOING_IN_CIRCLES', CONTINUE]]);
		assert.equal(server.requests.length, 3);
		await server.close();
		const next = await play([{ text: 'I need your yes.' }], ['--approve', 'never', '--thread', first.thread], 'Go on');
		assert.equal(next.code, 0);
	});

	it('by looking for what is not there ends after ten rounds with nothing new', async () => {
		const finds = range(40).map((n) => ({ pattern: `*.x${n}` }));
		const { notices } = await play(calls('fs_list', finds));
		assert.deepEqual(notices, [['GOING_IN_CIRCLES', CONTINUE]]);
		assert.ok(server.requests.length <= 12, String(server.requests.length));
	});

	it('by saying the same for ever is stopped, and what it said is kept', async () => {
		const { notices, items, stdout } = await play([{ chunks: range(3_000).map(() => 'I will fix it now. ') }]);
		assert.deepEqual(
			notices.map(([code]) => code),
			['ANSWER_REPEATS'],
		);
		assert.equal(server.requests.length, 1);
		assert.ok(items.some(({ kind }) => kind === 'text') && stdout.includes('I will fix it now.'));
	});

	it('by 200 calls in one answer has 64 run, is told so once, and ends when it does that again', async () => {
		const many = (round: string) => ({
			toolCalls: range(200).map((n) => ({ name: 'fs_write', input: { path: `${round}/${n}.ts`, content: 'x' } })),
		});
		const { notices } = await play([many('one'), many('two'), { text: 'Never asked.' }]);
		assert.equal(server.requests.length, 2);
		assert.match(told(1), /more than 64 calls/);
		assert.ok(existsSync(join(user.workspace, 'one/63.ts')) && !existsSync(join(user.workspace, 'one/64.ts')));
		assert.deepEqual(notices, [['GOING_IN_CIRCLES', CONTINUE]]);
	});

	it('by claiming an edit that no record shows is asked once, and marked when it stays', async () => {
		const script = [{ text: 'I have updated `a.ts`.' }, { text: 'I updated `a.ts` as you asked.' }];
		const { notices, code } = await play(script, undefined, 'Change a.ts');
		assert.equal(code, 0);
		assert.equal(server.requests.length, 2);
		assert.deepEqual(
			notices.map(([each]) => each),
			['CLAIM_UNPROVEN'],
		);
		assert.equal(readFileSync(join(user.workspace, 'a.ts'), 'utf8'), 'let a;\n');
	});

	it('by claiming an edit that the record shows is believed', async () => {
		const { notices } = await play([
			...calls('fs_edit', [{ path: 'a.ts', edits: [{ find: 'let a', replace: 'let c' }] }]),
			{ text: 'I have updated `a.ts`.' },
		]);
		assert.deepEqual([notices, server.requests.length], [[], 2]);
	});

	it('by announcing a step is nudged once, and makes the call', async () => {
		const { code } = await play([
			{ text: "I'll read the file now." },
			...calls('fs_read', [{ path: 'a.ts' }]),
			{ text: 'It declares a.' },
		]);
		assert.equal(code, 0);
		assert.equal(server.requests.length, 3);
		assert.match(told(2), /^1\tlet a;/);
	});

	it('by having nothing to say is silent: nobody reads the word', async () => {
		const { stdout, items, code } = await play([{ text: 'NO_REPLY' }], [], 'Only if it matters');
		assert.equal(code, 0);
		assert.doesNotMatch(stdout, /NO_REPLY/);
		assert.ok(items.some((item) => item.kind === 'text' && item.silent === true));
	});

	it('by calling without end is stopped at its cap, and the offer to go on is in the thread', async () => {
		const lines = range(60).join('\n');
		user.writes('long.txt', lines);
		user.writes('.keep', '');
		const writes = range(60).map((n) => ({ path: `${n}.txt`, content: `${n}\n` }));
		const { notices } = await play(calls('fs_write', writes));
		assert.deepEqual(notices, [['ITERATION_LIMIT', ['continue']]]);
		assert.equal(server.requests.length, 50);
	});
});
