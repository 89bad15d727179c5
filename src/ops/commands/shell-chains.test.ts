import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, waitUntilGone } from '../../../test/support/processes.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { type WorkspaceOnDisk, workspaceOnDisk, writeFiles } from '../../../test/support/workspace-on-disk.ts';
import type { OpParams } from '../../protocol/op-table/ops.ts';
import { ops } from '../../protocol/op-table/ops.ts';
import type { OpContext } from '../../contract/ops/op-implementation.ts';

type Chain = NonNullable<OpParams<'shell.run'>['chain']>;

const script = (code: string, ...args: string[]) => [process.execPath, '-e', code, ...args];
const pipe = (argv: string[]): Chain[number] => ({ join: '|', argv });
const then = (argv: string[]): Chain[number] => ({ join: '&&', argv });
const untilKilled = 'process.on("SIGTERM", () => {}); console.error(process.pid); setInterval(() => {}, 1000)';

describe('commands in pipes and one after the other', () => {
	let disk: WorkspaceOnDisk;

	beforeEach(async () => {
		disk = await workspaceOnDisk({ 'words.txt': 'pear\napple\npear\n' });
	});
	afterEach(() => disk.close());

	const run = (
		argv: string[],
		chain: Chain,
		more: { timeoutMs?: number; background?: boolean } = {},
		as: Partial<OpContext> = {},
	) => disk.perform('shell.run', { argv, chain, cwd: '.', background: false, ...more }, as);
	const ends = (state: Awaited<ReturnType<typeof run>>) =>
		state.ends?.map(({ program, exitCode, signal }) => [program.split('/').at(-1), signal ?? exitCode]);

	it('run nothing when one of them is not found, or an argument cannot be one', async () => {
		const effect = script('require("fs").writeFileSync("effect", "")');
		await assert.rejects(run(effect, [then(['no-such-program'])]), { code: 'COMMAND_NOT_FOUND' });
		await assert.rejects(run(effect, [pipe(['./not-there'])]), { code: 'COMMAND_NOT_FOUND' });
		await assert.rejects(run(effect, [then(['ls', 'a\0b'])]), { code: 'INVALID_PARAMS' });
		assert.ok(!existsSync(join(disk.root, 'effect')));
	});

	it('leave nothing running when a program of a pipe does not start', async () => {
		disk = await workspaceOnDisk({ 'bad.sh': '#!/no/such/interpreter\n' });
		await disk.perform('shell.run', { argv: ['chmod', '+x', 'bad.sh'], cwd: '.', background: false });
		await assert.rejects(run(script(untilKilled), [pipe(['./bad.sh'])]), { code: 'COMMAND_FAILED_TO_START' });
		const pid = Number(/\d+/.exec(disk.emitted.join(''))?.[0] ?? 0);
		assert.ok(pid === 0 || !isRunning(pid));
	});

	it('pass on what each writes, and tell the exit code of each', async () => {
		const state = await run(['cat', 'words.txt'], [pipe(['sort', '-r']), pipe(['uniq', '-c'])]);
		assert.match(state.output, /^\s+2 pear\n\s+1 apple\n$/);
		assert.deepEqual(
			[state.exitCode, ends(state)],
			[
				0,
				[
					['cat', 0],
					['sort', 0],
					['uniq', 0],
				],
			],
		);
		assert.match(ops['shell.run'].present(state), /\[exit code 0: cat 0, sort 0, uniq 0\]$/);
	});

	it('give the code of the last that failed, whatever came after it in the pipe', async () => {
		const fails = (code: number) => script(`process.stdin.resume(); process.exit(${code})`);
		const state = await run(fails(3), [pipe(fails(4)), pipe(['cat'])]);
		assert.deepEqual([state.exitCode, ends(state)?.map(([, end]) => end)], [4, [3, 4, 0]]);
	});

	it('show what all of them say on stderr, and take no harm from a reader that has enough', async () => {
		const state = await run(['yes'], [pipe(['head', '-n1'])]);
		assert.deepEqual([state.output, state.exitCode], ['y\n', 0]);
		assert.deepEqual(ends(state), [
			['yes', 'SIGPIPE'],
			['head', 0],
		]);
		const warned = await run(script('console.error("careful"); console.log("x")'), [pipe(['cat'])]);
		assert.deepEqual(warned.output.split('\n').sort(), ['', 'careful', 'x']);
	});

	it('pass on 300 MB to a slow reader, whole and without holding it', async function () {
		this.timeout(90_000);
		const before = process.memoryUsage().rss;
		const write = `const b = Buffer.alloc(1e6, 'x'); for (let i = 0; i < 300; i++) require('fs').writeSync(1, b)`;
		const read = `let n = 0; process.stdin.on('data', (d) => { n += d.length; process.stdin.pause(); setImmediate(() => process.stdin.resume()); }).on('end', () => console.log(n))`;
		const state = await run(script(write), [pipe(script(read))]);
		assert.equal(state.output, '300000000\n');
		assert.ok(process.memoryUsage().rss - before < 150e6);
	});

	it('give all that was written before a program ended, also when its reader begins late', async () => {
		const late = `setTimeout(() => { let n = 0; process.stdin.on('data', (d) => n += d.length).on('end', () => console.log(n)); }, 800)`;
		const state = await run(script(`process.stdout.write('x'.repeat(100000))`), [pipe(script(late))]);
		assert.equal(state.output, '100000\n');
	});

	it('go on after && only when all of the pipe before succeeded', async () => {
		const first = await run(['false'], [pipe(['cat']), then(['echo', 'no'])]);
		assert.deepEqual(
			[first.output, first.exitCode, ends(first)],
			[
				'',
				1,
				[
					['false', 1],
					['cat', 0],
				],
			],
		);
		const second = await run(['true'], [then(['echo', 'yes']), pipe(['cat']), then(['false']), then(['echo', 'no'])]);
		assert.deepEqual([second.output, second.exitCode], ['yes\n', 1]);
		assert.deepEqual(
			ends(second)?.map(([, end]) => end),
			[0, 0, 0, 1],
		);
	});

	it('find a program that the one before it builds, and say when it did not', async () => {
		const build = script('require("fs").writeFileSync("built", "#!/bin/sh\\necho built\\n", { mode: 0o755 })');
		const state = await run(build, [then(['./built'])]);
		assert.deepEqual([state.output, state.exitCode], ['built\n', 0]);
		const missing = await run(['true'], [then(['./never-built']), then(['echo', 'no'])]);
		assert.match(missing.output, /^cannot run \.\/never-built: .* is not an executable file/);
		assert.deepEqual(
			[missing.exitCode, ends(missing)],
			[
				127,
				[
					['true', 0],
					['never-built', 127],
				],
			],
		);
	});

	it('end all together when stopped, also those that ignore SIGTERM, and start nothing more', async function () {
		this.timeout(15_000);
		const controller = new AbortController();
		const chain = [
			pipe(script(untilKilled)),
			pipe(script(untilKilled)),
			then(script('require("fs").writeFileSync("effect", "")')),
		];
		const running = run(script(untilKilled), chain, {}, { signal: controller.signal });
		const pids = await waitFor('the process ids', () => {
			const found = disk.emitted.join('').match(/\d+/g)?.map(Number) ?? [];
			return found.length === 3 ? found : undefined;
		});
		controller.abort(new Error('stopped'));
		await assert.rejects(running, { message: 'stopped' });
		await waitUntilGone(pids);
		assert.ok(!existsSync(join(disk.root, 'effect')));
	});

	it('have one time limit for all of them', async () => {
		const state = await run(['true'], [then(script('setInterval(() => {}, 1000)')), then(['echo', 'no'])], {
			timeoutMs: 700,
		});
		assert.deepEqual([state.timedOut, state.signal, state.output], [true, 'SIGTERM', '']);
	});

	it('run in the background as one command', async () => {
		const whenAllowed = `const { existsSync } = require('fs'); const look = () => existsSync('go') ? console.log('two') : setImmediate(look); look()`;
		const first = await run(['echo', 'one'], [pipe(['cat']), then(script(whenAllowed))], { background: true });
		let { output } = first;
		const read = async (waitMs: number) => {
			const state = await disk.perform('shell.output', { commandId: first.commandId, waitMs });
			output += state.output;
			return state;
		};
		await waitFor('the first command', async () => (await read(100)).running && output === 'one\n');
		await writeFiles(disk.root, { go: '' });
		const last = await waitFor('the end', async () => {
			const state = await read(5000);
			return state.running ? undefined : state;
		});
		assert.deepEqual([output, last.exitCode, last.ends?.length], ['one\ntwo\n', 0, 3]);
	});
});
