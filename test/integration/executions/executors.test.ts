/** Programs that do something wrong each: it costs them their process, and never the host. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { OUTPUT_BYTES } from '../../../src/execution/processes/limits.ts';
import { findFailedOp, LOAD_CODES } from '../../../src/protocol/execution/execution.ts';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import { never, slow, testedChannel, user } from '../../support/execution-scene.ts';
import { codeOf, useExecutionScenes } from '../../support/execution-suite.ts';
import { isRunning, waitUntilGone } from '../../support/processes.ts';
import { waitFor } from '../../support/wait-for.ts';

/** The same bytes are another fault where there is no WebSocket. */
const inherited = (descriptor: RegExp, ipc: RegExp) => (testedChannel === 'ipc' ? ipc : descriptor);
const receipt = { writer: '', seq: 1, hash: '' };
const dispatch = { type: 'dispatch', dispatchId: 'd', op: 'test.op' };

describe('An executor', function () {
	this.timeout(30_000);
	const scenes = useExecutionScenes();
	const { made, pidOf, running, endsAsViolation } = scenes;

	it('that ends without connecting fails with what it printed (R-01)', async () => {
		const result = await made('exits-at-once').run();
		assert.equal(codeOf(result), 'CONNECTION_FAILED');
		assert.match(result.error?.message ?? '', /exited with code 0 .*nothing to do/);
	});

	it('that does not exist fails before a process remains (R-01)', async () => {
		const result = await made('no-such-program').run();
		assert.equal(codeOf(result), 'PROCESS_CRASHED');
	});

	it('that never connects is given up in time and ended (R-02)', async () => {
		const result = await made('never-connects', { deps: { connectTimeoutMs: 300 } }).run();
		assert.equal(codeOf(result), 'CONNECTION_FAILED');
		await scenes.scene.close();
		await waitUntilGone([pidOf(result.executionId)]);
	});

	it('that is out of time ends with that, and its process too', async () => {
		const result = await made('ignores-cancel').run({}, { timeout: 300 });
		assert.equal(codeOf(result), 'EXECUTION_TIMEOUT');
		assert.equal(scenes.scene.manager.status(result.executionId), 'timeout');
		await waitUntilGone([pidOf(result.executionId)]);
	});

	for (const [how, code, about] of [
		['signal', 'PROCESS_CRASHED', /SIGSEGV/],
		['rejection', 'PROCESS_CRASHED', /code 1 .*nobody caught this/s],
		['exit', 'EXECUTION_FAILED', /code 0 before returning a result/],
		['memory', 'PROCESS_CRASHED', /SIGABRT|SIGTRAP|code 134|code 133/],
	] as const) {
		it(`that crashes by ${how} has one result, and its op is stopped (R-05)`, async () => {
			let stopped = 0;
			made('crashes-mid-run', {
				perform: async (asked, origin, signal) => {
					const outcome = await slow(asked, origin, signal);
					stopped += 1;
					return outcome;
				},
			});
			const result = await scenes.scene.run({ how });
			assert.equal(codeOf(result), code);
			assert.match(result.error?.message ?? '', about);
			await waitFor('its op to be stopped', () => stopped === 1);
			assert.equal(scenes.scene.ended.length, 1);
		});
	}

	for (const [code, counts] of [
		...LOAD_CODES.map((each) => [each, each] as const),
		['LEDGER_UNWRITABLE', 'EXECUTION_FAILED'],
		['toString', 'EXECUTION_FAILED'],
		[7, 'EXECUTION_FAILED'],
		[undefined, 'EXECUTION_FAILED'],
	] as const) {
		it(`that answers ${code} fails with ${counts}: it knows what it was to run, and nothing of the host`, async () => {
			const result = await made('answers-with-code').run({ code });
			assert.deepEqual([codeOf(result), result.error?.message], [counts, 'it cannot begin']);
		});
	}

	it('that gives up says nothing of what stood in its way: the host has answered it', async () => {
		made('gives-up-after-ops', {
			perform: ({ opId, op }) => {
				const error = { code: 'KEY_MISSING', message: 'x', facts: {} } as const;
				const refused = { status: 'failed', opId, error, durationMs: 0 } as const;
				const done = { status: 'done', opId, result: null, durationMs: 0, receipt } as const;
				return Promise.resolve(op === 'x.refused' ? refused : done);
			},
		});
		for (const [ops, failedOp] of [
			[[], undefined],
			[['x.done', 'x.refused'], { op: 'x.refused', code: 'KEY_MISSING' }],
			[['x.refused', 'x.done'], undefined],
			[['x.refused', 'progress.report'], { op: 'x.refused', code: 'KEY_MISSING' }],
		] as const) {
			const { error } = await scenes.scene.run({ ops });
			assert.equal(error?.code, 'EXECUTION_FAILED');
			assert.deepEqual(findFailedOp(error), failedOp);
		}
	});

	it('that stays after its result has it delivered, and is killed (R-06)', async () => {
		const result = await made('second-result').run({ then: 'nothing' });
		assert.deepEqual(result.result, 'first');
		assert.ok(isRunning(pidOf(result.executionId)));
		await waitUntilGone([pidOf(result.executionId)]);
	});

	for (const then of ['result', 'dispatch']) {
		it(`that sends a ${then} after its result is killed; the first result stands (R-07, R-08)`, async () => {
			let performed = 0;
			made('second-result', { perform: (asked, origin, signal) => ((performed += 1), slow(asked, origin, signal)) });
			const result = await scenes.scene.run({ then });
			assert.equal(result.result, 'first');
			await waitUntilGone([pidOf(result.executionId)]);
			assert.equal(scenes.scene.manager.status(result.executionId), 'completed');
			assert.deepEqual([scenes.scene.ended.length, performed], [1, 0]);
			assert.match(scenes.scene.notes.join(), new RegExp(`PROTOCOL_VIOLATION: ${then} while completed`));
		});
	}

	it('that answers another call is killed (R-07)', async () => {
		await endsAsViolation(await made('result-of-another-call').run(), /of another call/);
	});

	it('that uses an id twice is killed (R-07)', async () => {
		await endsAsViolation(await made('duplicate-ids').run(), /was asked before/);
	});

	for (const [what, params, about] of [
		['text that is no JSON', { how: 'text', frame: '{' }, /not JSON/],
		['bytes instead of text', { how: 'binary' }, inherited(/binary/, /not JSON/)],
		['text that is not UTF-8', { how: 'not-utf8' }, /UTF-8/],
		['a frame without a mask', { how: 'raw', frame: 'gQFh' }, inherited(/MASK/, /UTF-8/)],
		['a frame with reserved bits', { how: 'raw', frame: '8YEAAAAAYQ==' }, inherited(/RSV/, /UTF-8/)],
		[
			'something too deep',
			{
				how: 'text',
				frame: `{"type":"dispatch","dispatchId":"a","op":"x","params":${'['.repeat(100)}${']'.repeat(100)}}`,
			},
			/deeper/,
		],
		['a hundred thousand brackets', { how: 'text', frame: '['.repeat(100_000) }, /not JSON/],
		['a key twice', { how: 'text', frame: '{"type":"ready","type":"ready","protocol":1}' }, /twice/],
		[
			'a key __proto__',
			{ how: 'text', frame: '{"type":"dispatch","dispatchId":"a","op":"x","params":{"__proto__":1}}' },
			/__proto__/,
		],
		['a field nobody knows', { how: 'text', frame: JSON.stringify({ ...dispatch, grant: 'all' }) }, /unknown field/],
		['an id that is none', { how: 'text', frame: JSON.stringify({ ...dispatch, dispatchId: '../1' }) }, /no id/],
		['ready once more', { how: 'text', frame: '{"type":"ready","protocol":1}' }, /ready twice/],
	] as const) {
		it(`that sends ${what} is killed (R-09)`, async () => {
			await endsAsViolation(await made('sends-garbage').run(params), about);
		});
	}

	it('that sends a frame of two megabytes is killed, and the memory does not grow (R-09)', async () => {
		made('sends-oversize-frame');
		const before = process.memoryUsage().rss;
		await endsAsViolation(await scenes.scene.run(), /payload/i);
		assert.ok(process.memoryUsage().rss - before < 60_000_000);
	});

	for (const executor of ['connects-without-token', 'connects-from-a-page']) {
		it(`that ${executor.replaceAll('-', ' ')} is killed (I-01, I-03)`, async () => {
			await endsAsViolation(await made(executor).run(), /a request/);
		});
	}

	it('that asks for too much at once is answered for each, and the rest is refused (R-11)', async () => {
		let atOnce = 0;
		let most = 0;
		made('storms', {
			perform: async ({ opId }) => {
				most = Math.max(most, ++atOnce);
				await waitFor('all to be asked', () => most >= 64);
				await new Promise((resolve) => setTimeout(resolve, 300));
				atOnce -= 1;
				return { status: 'done', opId, result: null, durationMs: 0, receipt };
			},
		});
		const result = await scenes.scene.run({ count: 150 });
		const codes = result.result as string[];
		assert.equal(codes.length, 150);
		assert.equal(most, 64);
		assert.ok(codes.includes('TOO_MANY_DISPATCHES'));
		assert.deepEqual([...new Set(codes)].sort(), ['TOO_MANY_DISPATCHES', 'done']);
	});

	it('cannot start another process where the flags hold (R-12)', async () => {
		const result = await made('forks-a-child').run();
		assert.equal(result.result, 'ERR_ACCESS_DENIED');
	});

	it('that fills the disk is ended; a file that only pretends to be large is none (R-13)', async () => {
		const result = await made('fills-its-folder').run({ megabytes: 220 });
		assert.equal(codeOf(result), 'EXECUTION_FAILED');
		assert.match(result.error?.message ?? '', /more than \d+ bytes/);
		await waitUntilGone([pidOf(result.executionId)]);
		assert.equal(codeOf(await scenes.scene.run({ pretendedMegabytes: 10_000, then: 'end' })), 'success');
	});

	it('that leaves folders which nobody may enter leaves nothing (R-13)', async () => {
		assert.equal((await made('closes-its-folders').run()).result, 'left');
		await scenes.scene.close();
		assert.deepEqual(readdirSync(join(scenes.scene.host.home, 'scratch')), []);
	});

	it('that stands still with an open channel is given up like one that is out of time (R-18, R-19)', async () => {
		made('stands-still', { deps: { heartbeatMs: 100 } });
		const result = await scenes.scene.run();
		assert.equal(codeOf(result), 'EXECUTION_TIMEOUT');
		assert.match(result.error?.message ?? '', /did not answer for 1200 ms/);
		assert.equal(scenes.scene.manager.status(result.executionId), 'timeout');
		await waitUntilGone([pidOf(result.executionId)]);
		assert.equal(scenes.scene.ended.length, 1);
	});

	it('that answers pings may take its time', async () => {
		made('ignores-cancel', { deps: { heartbeatMs: 50 } });
		const id = await running();
		await new Promise((resolve) => setTimeout(resolve, 1_000));
		assert.equal(scenes.scene.manager.status(id), 'running');
	});

	it('that asks and never reads is stopped like any other (R-03)', async () => {
		made('never-reads', {
			perform: ({ opId }) =>
				Promise.resolve({
					...{ status: 'done', opId, result: 'x'.repeat(1_000_000), durationMs: 0 },
					receipt,
				}),
		});
		const result = await scenes.scene.run({ count: 60 });
		assert.equal(codeOf(result), 'PROTOCOL_VIOLATION');
		assert.match(result.error?.message ?? '', /it does not read/);
	});

	it('that prints without end keeps neither the host nor itself from going on (R-14)', async () => {
		made('spews');
		const before = process.memoryUsage().rss;
		const result = await scenes.scene.run({ megabytes: 256 });
		assert.equal(codeOf(result), 'PROCESS_CRASHED');
		assert.match(result.error?.message ?? '', /full/);
		assert.doesNotMatch(result.error?.message ?? '', /\u001b/);
		const output = scenes.scene.manager.output(result.executionId);
		assert.match(output, /x{1000}[^]*the last words/);
		assert.ok(!output.includes('\u001b') && output.length <= OUTPUT_BYTES, `${output.length} characters`);
		assert.throws(() => scenes.scene.manager.output('cap_0_none'), { code: 'INVALID_REQUEST' });
		assert.ok(process.memoryUsage().rss - before < 160_000_000);
	});

	it('finds nothing of ours in its environment, and four descriptors', async () => {
		process.env['CANARY_API_KEY'] = 'canary-secret';
		process.env['NODE_OPTIONS_X'] = 'x';
		made('looks-around');
		const id = await running();
		delete process.env['CANARY_API_KEY'];
		delete process.env['NODE_OPTIONS_X'];
		const { env, cwd } = JSON.parse(scenes.scene.progress[0] ?? '') as { env: Record<string, string>; cwd: string };
		const known =
			'PATH LANG TZ HOME TMPDIR TEMP TMP ELECTRON_RUN_AS_NODE IS_SIDE_EXECUTION SIDE_EXECUTION_ID THREAD_ID PARENT_AGENT_ID PARENT_AGENT_INSTANCE_ID ACTION_BLOCK_PATH';
		assert.deepEqual(
			Object.keys(env).filter((name) => !known.split(' ').includes(name)),
			[],
		);
		assert.equal(env['HOME'], cwd);
		if (process.platform === 'linux') {
			// Node itself opens more, but nothing that was ours: each is an event queue, a pipe of its own, or one of the four.
			const inherited = readdirSync(`/proc/${pidOf(id)}/fd`)
				.map(Number)
				.filter((fd) => fd <= 3);
			assert.deepEqual(inherited, [0, 1, 2, 3]);
		}
		await scenes.scene.close();
		assert.equal(existsSync(cwd), false);
	});

	it('is asked for nothing when its caller says who it is: the connection does', async () => {
		const seen: unknown[] = [];
		made('forges-caps', {
			manifest: 'name: test\ntype: skill\nversion: 1.0.0\npermissions: [workspace.read]\n',
			perform: (asked, { caller }) => {
				seen.push(caller);
				return Promise.resolve({
					status: 'failed',
					opId: asked.opId,
					error: { code: 'NOT_FOUND', message: 'x', facts: {} },
					durationMs: 0,
				});
			},
		});
		const claims = [{}, { caps: ['shell'] }, { level: 'PRIVILEGED', agentId: 'a' }, { executionId: 'cap_other' }];
		const result = await scenes.scene.run({ op: 'shell.run', claims, params: {} });
		assert.equal(codeOf(result), 'success');
		assert.equal(new Set(seen.map((caller) => JSON.stringify(caller))).size, 1);
		const { ownFolder, ...told } = seen[0] as { readonly ownFolder: string };
		assert.match(ownFolder, /\/snapshots\/[0-9a-f]{64}\/capability$/);
		assert.deepEqual(told, {
			kind: 'execution',
			threadId: null,
			executionId: result.executionId,
			capability: 'skill/test',
			permissions: new Set(['workspace.read']),
			level: 'CONTROLLED',
			databases: undefined,
			beforehand: undefined,
			ownData: undefined,
		});
		await scenes.scene.close();
		assert.deepEqual(
			scenes.scene.notes.filter((text) => !text.startsWith('PROTOCOL')),
			['a frame says about itself: caps; dropped', '4 fields about itself in all, dropped'],
		);
	});

	it('gets an answer also when the op crashes, and when it never ends', async () => {
		made('waits-for-ops', { perform: () => Promise.reject(new TypeError('boom')) });
		const crashed = (await scenes.scene.run({ op: 'x.y' })).result as { error: { code: string } };
		assert.equal(crashed.error.code, 'INTERNAL');
		await scenes.scene.close();
		made('waits-for-ops', { perform: slow, deps: { dispatchCeilingMs: 100 } });
		const late = (await scenes.scene.run({ op: 'x.y' })).result as { error: { code: string } };
		assert.equal(late.error.code, 'CANCELLED');
	});

	it('gets no answer to a report of progress, not even a refused one, and the person sees it (S4-17)', async () => {
		made('reports-and-asks', {
			perform: ({ opId, op }, { onProgress }) => {
				if (op === 'progress.report') {
					onProgress({ opId, kind: 'output', chunk: 'half way\n' });
					return Promise.reject(new Error('refused'));
				}
				return Promise.resolve({ status: 'done', opId, result: 'yes', durationMs: 0, receipt });
			},
		});
		assert.deepEqual((await scenes.scene.run()).result, ['d-2', 'd-3']);
		assert.deepEqual(scenes.scene.progress, ['half way']);
	});

	for (const [stream, heard] of [
		[undefined, []],
		[false, []],
		[true, [600_000, 400_000]],
	] as const) {
		it(`hears of an op ${stream === true ? 'no more than the limit' : 'nothing before its result'} when stream is ${stream}, and nothing after it`, async () => {
			let late = () => {};
			made('hears-output', {
				perform: async ({ opId, op }, { onProgress }) => {
					const says = () => onProgress({ opId, kind: 'output', chunk: 'x'.repeat(600_000) });
					if (op === 'x.y') {
						late = says;
						for (let n = 0; n < 3; n++) says();
					} else {
						late();
					}
					return { status: 'done', opId, result: 'yes', durationMs: 0, receipt };
				},
			});
			const { result, error } = await scenes.scene.run(stream === undefined ? {} : { stream });
			assert.deepEqual(result, { heard, type: 'dispatch_result' }, error?.message);
		});
	}

	it('has its intent recorded before it exists, and one outcome after', async () => {
		await made('second-result').run({ then: 'nothing' });
		assert.deepEqual(scenes.scene.recorded.slice(0, 2), ['intent capability.run', 'outcome capability.run']);
	});

	it('does not exist when its intent cannot be recorded', async () => {
		const { MemoryLedger } = await import('../../support/memory-ledger.ts');
		made('second-result', { ledger: new MemoryLedger(1) });
		await assert.rejects(scenes.scene.start(), { code: 'LEDGER_UNWRITABLE' });
		assert.deepEqual(scenes.scene.manager.list(), []);
	});

	it('is stopped by its user also when that cannot be recorded, and the user is told', async () => {
		const { MemoryLedger } = await import('../../support/memory-ledger.ts');
		made('ignores-cancel', { ledger: new MemoryLedger(2) });
		const startedBy = newId('op');
		const id = await scenes.scene.start({}, { startedBy });
		const { manager } = scenes.scene;
		const { threadId } = manager.list()[0] ?? assert.fail();
		await assert.rejects(manager.stopStartedBy(startedBy, threadId), { code: 'LEDGER_UNWRITABLE' });
		await manager.wait(id);
		assert.equal(manager.status(id), 'stopped');
	});

	it('never comes to be for a name that nobody knows, a type nobody runs, or an untrusted folder', async () => {
		made('second-result', { isTrusted: false });
		await assert.rejects(scenes.scene.start(), { code: 'CAPABILITY_NOT_FOUND' });
		await assert.rejects(
			scenes.scene.manager.start({ capability: { name: 'x', type: 'power' }, caller: user }, never),
			{
				code: 'EXECUTOR_NOT_FOUND',
			},
		);
		await assert.rejects(
			scenes.scene.manager.start({ capability: { folder: scenes.scene.folder }, caller: user }, never),
			{
				code: 'WORKSPACE_UNTRUSTED',
			},
		);
	});
});
