/** A command that runs, in the hands of the user: to end it, to let it go on, to look at it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import { newId, type ThreadId } from '../../protocol/rpc/ids.ts';
import { shellRun } from '../../protocol/ops/definitions/commands/shell.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { LedgerPort } from '../../trust/record/ledger/ledger.ts';
import { Redactor } from '../../trust/record/redaction/redactor.ts';
import { runRegister } from './run-register.ts';
import type { CommandRunEnd } from '../../contract/runs.ts';
import { BACKGROUND_PER_THREAD } from '../../machine/shell/limits.ts';

describe('a command that runs', () => {
	let disk: WorkspaceOnDisk;
	let runs: WorkspaceOnDisk['deps']['commands'];
	const threadId = newId('thr');
	const caller: Caller = { kind: 'agent', threadId, turnId: newId('trn') };

	beforeEach(async () => {
		disk = await workspaceOnDisk();
		runs = disk.deps.commands;
	});
	afterEach(() => disk.close());

	const argvOf = (code: string) => [process.execPath, '-e', code];
	const goesOn = `console.log('begun'); setInterval(() => {}, 1000)`;

	function start(code: string, more: { readonly timeoutMs?: number; readonly background?: boolean } = {}) {
		const opId = newId('op');
		const params = { argv: argvOf(code), cwd: '.', background: false, ...more };
		let seen = () => {};
		const said = new Promise<void>((resolve) => {
			seen = resolve;
		});
		const ended = disk.perform('shell.run', params, { opId, caller, emit: () => seen() });
		return { opId, said, ended };
	}

	function read(opId: ReturnType<typeof start>['opId'], of: ThreadId = threadId) {
		let text = '';
		const end = Promise.withResolvers<CommandRunEnd>();
		const following = runs.follow(opId, of, { lead() {}, write: (chunk) => void (text += chunk), end: end.resolve });
		return { text: () => text, end: end.promise, following };
	}

	it('is no other thread’s to stop, move or read, and none when nobody began it', async () => {
		const { opId, said } = start(goesOn);
		await said;
		for (const [op, thread] of [
			[opId, newId('thr')],
			[opId, null],
			[newId('op'), threadId],
		] as const) {
			await assert.rejects(runs.stopByUser(op, thread), { code: 'NOT_FOUND' });
			assert.throws(() => runs.continueInBackground(op, thread), { code: 'NOT_FOUND' });
			assert.throws(() => runs.follow(op, thread, { lead() {}, write() {}, end() {} }), { code: 'NOT_FOUND' });
		}
	});

	it('is stopped alone: what it has said is its result, and says who ended it', async () => {
		const { opId, said, ended } = start(goesOn);
		await said;
		await runs.stopByUser(opId, threadId);
		const state = await ended;
		assert.deepEqual([state.running, state.stoppedByUser, state.output], [false, true, 'begun\n']);
		assert.match(shellRun.present(state), /^begun\n\[stopped by the user;/);
		await assert.rejects(runs.stopByUser(opId, threadId), { code: 'INVALID_STATE' });
		assert.throws(() => runs.continueInBackground(opId, threadId), { code: 'INVALID_STATE' });
	});

	it('is stopped, or sent to the background, as an act of the user in the ledger; without it, only the stop happens', async () => {
		const rows: string[] = [];
		let isBroken = false;
		const append: LedgerPort['append'] = ({ kind, op, trigger, input, output, threadId: of }) => {
			if (isBroken) return Promise.reject(new ProwessError('LEDGER_UNWRITABLE', 'the disk is full', {}));
			assert.equal(of, threadId);
			rows.push([kind, op, trigger, input?.replace(process.execPath, 'node').slice(0, 30), output].join(' | '));
			return Promise.resolve({ writer: 'test', seq: rows.length, hash: '' });
		};
		const register = runRegister({ commands: runs, redactor: new Redactor(), ledger: { append } });
		const { opId, said, ended } = start(goesOn);
		await said;
		await assert.rejects(register.stop(opId, newId('thr')), { code: 'NOT_FOUND' });
		await register.continueInBackground(opId, threadId);
		assert.equal((await ended).sentToBackground, true);
		await register.stop(opId, threadId);
		await assert.rejects(register.stop(opId, threadId), { code: 'INVALID_STATE' });
		assert.deepEqual(rows, [
			'intent | shell.background | user | Continue the command node -e c | ',
			'outcome | shell.background | user | Continue the command node -e c | it runs in the background',
			'intent | shell.stop | user | Stop the command node -e conso | ',
			'outcome | shell.stop | user | Stop the command node -e conso | it was stopped',
		]);
		const second = start(goesOn);
		await second.said;
		isBroken = true;
		await assert.rejects(register.continueInBackground(second.opId, threadId), { code: 'LEDGER_UNWRITABLE' });
		assert.equal(runs.isInBackground(second.opId), false);
		await assert.rejects(register.stop(second.opId, threadId), { code: 'LEDGER_UNWRITABLE' });
		assert.equal((await second.ended).stoppedByUser, true);
	});

	it('goes on in the background, and is read and stopped there by the agent', async () => {
		const server = createServer();
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const code = `console.log('begun'); require('net').connect(${port}, '127.0.0.1').on('data', (d) => console.log(String(d)))`;
		const connected = once(server, 'connection');
		const { opId, said, ended } = start(code);
		await said;
		const [socket] = (await connected) as [Socket];
		runs.continueInBackground(opId, threadId);
		runs.continueInBackground(opId, threadId);
		const state = await ended;
		assert.deepEqual([state.running, state.sentToBackground, state.output], [true, true, 'begun\n']);
		assert.match(shellRun.present(state), /still running as cmd_\S+: the user sent it to the background;/);
		socket.write('later');
		const { commandId } = state;
		const news = await disk.perform('shell.output', { commandId, waitMs: 5_000 }, { caller });
		assert.deepEqual([news.running, news.output], [true, 'later\n']);
		const stopped = await disk.perform('shell.stop', { commandId }, { caller });
		assert.deepEqual([stopped.running, stopped.timedOut, stopped.stoppedByUser], [false, false, undefined]);
		server.close();
	});

	it('stays where it is when too many run in the background', async () => {
		for (let n = 0; n < BACKGROUND_PER_THREAD; n += 1) {
			await start(goesOn, { background: true }).ended;
		}
		const { opId, said } = start(goesOn);
		await said;
		assert.throws(() => runs.continueInBackground(opId, threadId), {
			code: 'INVALID_STATE',
			message: /stop one first/,
		});
	}).timeout(20_000);

	it('is followed from what it has said so far to its end, also when that has come', async () => {
		const { opId, said, ended } = start(
			`process.on('SIGTERM', () => { console.log('two'); process.exit(3); }); console.log('one'); setInterval(() => {}, 1000)`,
		);
		await said;
		const early = read(opId);
		const leaving = read(opId);
		leaving.following.dispose();
		await runs.stopByUser(opId, threadId);
		await ended;
		const late = read(opId);
		for (const { text, end } of [early, late]) {
			assert.deepEqual(await end, { exitCode: 3, signal: null, timedOut: false, stoppedByUser: true });
			assert.equal(text(), 'one\ntwo\n');
		}
		assert.equal(leaving.text(), 'one\n');
	});

	it('that began in the background is followed and stopped as well', async () => {
		const { opId, ended } = start(goesOn, { background: true });
		await ended;
		const follower = read(opId);
		await runs.stopByUser(opId, threadId);
		assert.equal((await follower.end).stoppedByUser, true);
	});

	it('is forgotten with its thread', async () => {
		const { opId, said } = start(goesOn);
		await said;
		await disk.deps.commands.stopAllOf(threadId);
		assert.throws(() => read(opId), { code: 'NOT_FOUND' });
	});
});
