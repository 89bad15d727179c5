/** Long-lived workers of both kinds, through the manager, the consent, the ledger and real processes. */
import assert from 'node:assert/strict';
import type { PerformOp } from '../../../src/contract/ops/perform-op.ts';
import type { Caller } from '../../../src/contract/ops/caller.ts';
import type { Approval } from '../../../src/protocol/approvals/approvals.ts';
import { consentText } from '../../support/consent-text.ts';
import { canonicalOp } from '../../../src/protocol/op-table/ops.ts';
import type { CapabilityExecutionResult } from '../../../src/protocol/execution/execution.ts';
import { isProcessRunning } from '../../../src/store/running-process.ts';
import { ExecutionScene, type ExecutionSceneOptions, never, user } from '../../support/execution-scene.ts';
import { waitFor } from '../../support/wait-for.ts';
import { workerSandbox, workerSkills } from '../../support/worker-skills.ts';

const head = 'name: test\ntype: skill\nversion: 1.0.0\n';

for (const { runtime, file, text, lack } of workerSkills) {
	describe(`A ${runtime}`, function () {
		this.timeout(30_000);
		let scene: ExecutionScene;
		const asked: { op: string; caller: Caller }[] = [];
		const answers: PerformOp = async ({ opId, op, params }, { caller }) => {
			asked.push({ op, caller });
			if (op === 'x.fails') {
				const error = { code: 'NOT_FOUND' as const, message: 'it is not there', facts: {} };
				return { status: 'failed', opId, error, durationMs: 0 };
			}
			const receipt = { writer: 'test', seq: 1, hash: '' };
			return { status: 'done', opId, result: params, durationMs: 0, receipt };
		};
		const made = (options: Partial<ExecutionSceneOptions> = {}, more = '') => {
			asked.length = 0;
			const manifest = `${head}runtime: ${runtime}\npermissions: [workspace.read]\nlevel: MONITORED\n${more}`;
			scene = new ExecutionScene({
				executor: 'second-result',
				sandbox: workerSandbox,
				perform: answers,
				manifest,
				...options,
			});
			scene.writes(file, text);
			return scene;
		};
		const run = (tool: string, params: unknown = {}, timeout?: number) =>
			scene.run(params, { tool, ...(timeout === undefined ? {} : { timeout }) });
		const start = (tool: string, params: unknown = {}) => scene.start(params, { tool });
		const ends = async (id: string) => endOf(await scene.manager.wait(id));
		const isAt = (id: string, status: string) =>
			waitFor(`${id} to be ${status}`, () => scene.manager.status(id) === status);

		before(function () {
			if (lack !== undefined) {
				console.log(`      skipped: ${lack}`);
				this.skip();
			}
		});
		afterEach(() => scene.close());

		it('tells every call that it has ended, and the next call starts another', async () => {
			made();
			const parked = await Promise.all([start('waits'), start('waits'), start('waits')]);
			await Promise.all(parked.map((id) => isAt(id, 'running')));
			const [first] = scene.manager.workerPids;
			assert.match((await run('dies')).error?.message ?? '', /^Worker process exited \(code 3\)/);
			for (const id of parked) assert.equal(await ends(id), 'PROCESS_CRASHED');
			assert.equal((await run('count')).result, 1);
			const [second] = scene.manager.workerPids;
			assert.notEqual(first, second);
			assert.equal(scene.ended.length, 5);
		});

		it('is replaced by a call that takes too long, and the others finish or are told', async () => {
			made({ deps: { workerGraceMs: 300 } });
			const other = await start('waits');
			await isAt(other, 'running');
			const { error } = await run('waits', {}, 100);
			assert.equal(error?.code, 'EXECUTION_TIMEOUT');
			assert.equal((await run('count')).result, 1);
			assert.equal(await ends(other), 'PROCESS_CRASHED');
		});

		if (runtime === 'python-worker') {
			it('is refused before anybody is asked where nothing would keep it in', async () => {
				let questions = 0;
				const approve = () => {
					questions += 1;
					return Promise.resolve({ kind: 'once' as const });
				};
				const sandbox = { sandbox: 'permission', bwrap: undefined } as const;
				made({ sandbox, approvalMode: 'ask', person: { approve } });
				await assert.rejects(start('count'), {
					code: 'NOT_AVAILABLE_HERE',
					message: /needs bubblewrap.*: install the package "bubblewrap" \(sudo apt install bubblewrap/,
				});
				assert.equal(questions, 0);
			});
		}

		it('is said in the consent to be what it is', async () => {
			const texts: string[] = [];
			const approve = ({ detail }: Approval) => {
				texts.push(consentText(detail));
				return Promise.resolve({ kind: 'once' as const });
			};
			made({ approvalMode: 'ask', person: { approve } });
			await run('count');
			if (workerSandbox.bwrap !== undefined) {
				assert.match(texts.join(), /It receives nothing of the thread/);
				assert.match(texts.join(), runtime === 'node-worker' ? /no other processes/ : /It may start programs of \/usr/);
			}
			await run('count');
			assert.equal(texts.length, 2, 'once is for one call');
		});

		it('is ended with a call that never looks up', async () => {
			made();
			const id = await start('spins');
			await isAt(id, 'running');
			const [pid = 0] = scene.manager.workerPids;
			await scene.manager.stop(id);
			assert.equal(await ends(id), 'CANCELLED');
			await waitFor('its process to end', () => !isProcessRunning(pid));
		});

		it('answers a call at once whose tool throws, and stays', async () => {
			made();
			const { error } = await run('throws');
			assert.equal(error?.code, 'EXECUTION_FAILED');
			assert.match(error?.message ?? '', /on purpose/);
			const [pid] = scene.manager.workerPids;
			assert.equal((await run('count')).result, 1);
			assert.deepEqual(scene.manager.workerPids, [pid]);
		});

		it('refuses a function that is not async before it runs', async () => {
			made();
			const { error } = await run('sync');
			assert.equal(error?.code, 'INVALID_ACTION_BLOCK');
			assert.match(error?.message ?? '', /sync is not async: .* It was not run/);
			assert.deepEqual(asked, []);
		});

		it('says what it has when no tool is named, and refuses params that the tool does not take', async () => {
			made();
			await assert.rejects(scene.start(), { code: 'INVALID_REQUEST', message: /which tool .* echo, greet/ });
			await assert.rejects(start('greet', { times: 1 }), { message: /greet: name: it is required/ });
			await assert.rejects(start('greet', { name: 1 }), { message: /expected string, got number/ });
			await assert.rejects(start('greet', { name: 'a', more: 1 }), { message: /more: there is no such input/ });
			await assert.rejects(start('no tool'), { code: 'INVALID_REQUEST' });
			assert.equal((await run('nobody')).error?.code, 'INVALID_ACTION_BLOCK');
		});

		for (const [what, line, problem] of [
			['is no JSON', 'hello\n', /not JSON/],
			['has no end', 'x'.repeat(1_100_000), /longer than 1048576 bytes/],
			['is for a call that there never was', '{"__type__":"result","__id__":"cap_1_other"}\n', /never given/],
			[
				'has a field of its own',
				'{"__type__":"dispatch","__id__":"a","__dispatch_id__":"d-1","__as__":1}\n',
				/unknown field/,
			],
		] as const) {
			it(`is ended by a line that ${what}, which is recorded`, async () => {
				made();
				const other = await start('waits');
				await isAt(other, 'running');
				const { error } = await run('writes', { line });
				assert.equal(error?.code, 'PROTOCOL_VIOLATION');
				assert.match(error?.message ?? '', problem);
				assert.equal(await ends(other), 'PROTOCOL_VIOLATION');
				assert.ok(scene.notes.some((note) => note.startsWith('PROTOCOL_VIOLATION')));
				assert.equal((await run('count')).result, 1);
			});
		}

		it('gets the right of no line: what a call may do is in the record of the host', async () => {
			made();
			await run('asks', { op: 'fs.read', params: { path: 'a' } });
			const [{ caller } = assert.fail()] = asked;
			assert.deepEqual(caller.kind === 'execution' ? [...caller.permissions, caller.tool] : [], [
				'workspace.read',
				'asks',
			]);
		});

		it('hears of an op that never returns, and stays', async () => {
			made({ perform: untilStopped, deps: { dispatchCeilingMs: 50 } });
			const { error } = await run('asks', { op: 'x.y' });
			assert.match(error?.message ?? '', /x\.y .*took longer than 50 ms/);
			assert.equal((await run('count')).result, 1);
		});

		it('hears at once of an op whose handler crashed', async () => {
			made({ perform: () => Promise.reject(new Error('the handler crashed')) });
			const { error } = await run('asks', { op: 'x.y' });
			assert.match(error?.message ?? '', /the handler crashed/);
		});

		it('keeps what is printed off the protocol and in the log', async () => {
			made();
			const id = await start('prints');
			assert.equal((await scene.manager.wait(id)).result, 'printed');
			await waitFor('the log', () => scene.manager.output(id).includes('to the log'));
			assert.match(scene.manager.output(id), /half a line/);
		});

		it('is shared by all calls of a skill, with many ops in flight', async () => {
			made();
			const counts = await Promise.all(Array.from({ length: 40 }, () => run('asksMany', { count: 20 })));
			for (const { result } of counts)
				assert.deepEqual(
					result,
					Array.from({ length: 20 }, (_, at) => at),
				);
			assert.equal(scene.manager.workerPids.length, 1);
			assert.equal(asked.length, 800);
			const callers = new Set(asked.map(({ caller }) => (caller.kind === 'execution' ? caller.executionId : '')));
			assert.equal(callers.size, 40);
		});

		it('gives values of each form as they are', async () => {
			made();
			const of = async (tool: string, params: unknown = {}) => (await run(tool, params)).result;
			assert.deepEqual(await of('echo', { value: [1], deep: { a: null } }), { value: [1], deep: { a: null } });
			assert.deepEqual(await of('greet', { name: 'you', times: 2 }), ['hello you', 'hello you']);
			assert.deepEqual(await of('wrapped'), { value: 1 });
			assert.equal(await of('nothing'), null);
			assert.match((await run('reserved')).error?.message ?? '', /key "__id__"/);
			assert.match((await run('big')).error?.message ?? '', /the result: 2\d+ bytes, the limit is/);
		});

		it('reports how far it is without waiting for an answer', async () => {
			made();
			assert.equal((await run('reports')).result, 'reported');
			assert.equal(asked[0]?.op, 'progress.report');
		});

		it('reports what can be shown of an odd report, and the run goes on', async () => {
			const shown: unknown[] = [];
			const perform: PerformOp = (one, ...rest) => {
				if (one.op === 'progress.report') shown.push(one.params);
				return answers(one, ...rest);
			};
			made({ perform });
			assert.equal((await run('reportsOddly')).result, 'reported');
			assert.deepEqual(shown, [
				{ message: 'raw', fraction: 0 },
				{ message: '…', fraction: 0.5 },
				{ message: '7' },
				{ message: '…', fraction: 1 },
				{ message: 'much', fraction: 1 },
				{ message: 'endless', fraction: 1 },
				{ message: 'none' },
				{ message: 'words' },
				{ message: `${'long '.repeat(1_000).slice(0, 999)}…` },
			]);
		});

		it('asks for each op of a topic by its name, with its first param alone', async () => {
			const dispatched: unknown[] = [];
			const perform: PerformOp = (one, ...rest) => {
				dispatched.push([canonicalOp(one.op), one.params]);
				return answers(one, ...rest);
			};
			made({ perform });
			assert.equal((await run('topics')).error, undefined);
			const url = 'https://a.example/';
			const headers = { 'content-type': 'application/json' };
			assert.deepEqual(dispatched, [
				['http.sessionOpen', { headers: { accept: 'text/html' } }],
				['http.get', { url, session: 's-1' }],
				[
					'http.request',
					{ method: 'POST', url, headers, body: runtime === 'node-worker' ? '{"a":1}' : '{"a": 1}', session: 's-1' },
				],
				['http.request', { method: 'GET', url, session: 's-1' }],
				['http.sessionClose', { session: 's-1' }],
				['cookie.resolve', { url, account: 'me' }],
				['cookie.resolve', { domain: 'a.example' }],
				['secrets.write', { name: 'token', value: '0123456789' }],
				['llm.resolveTools', { tools: ['fs.read'] }],
				['services.call', { name: 'web_search', verb: 'find', params: { q: 'a' } }],
				['services.listProviders', { name: 'web_search' }],
			]);
		});

		it('is not shared with calls of another thread, or of other rights', async () => {
			made();
			await run('count');
			const threadId = 'thr_1' as NonNullable<Caller['threadId']>;
			const elsewhere = await scene.run({}, { tool: 'count', caller: { ...user, threadId } });
			assert.equal(elsewhere.result, 1);
			assert.equal(scene.manager.workerPids.length, 2);
		});

		it('starts anew when a byte of the skill has changed', async () => {
			made();
			await run('count');
			scene.writes(file, `${text}\n`);
			assert.equal((await run('count')).result, 1);
		});

		it('ends at a word when it has no call, and goes on when it has one', async () => {
			made();
			const busy = await start('waits');
			await isAt(busy, 'running');
			assert.equal(scene.manager.endIdleWorkers(), 0);
			await scene.manager.stop(busy);
			assert.equal((await run('count')).result, 1);
			assert.equal(scene.manager.endIdleWorkers(), 1);
			await waitFor('the worker to end', () => scene.manager.workerPids.length === 0);
		});

		it('ends when it was idle for a while, and with its host', async () => {
			made({ deps: { workerIdleMs: () => 50 } });
			await run('count');
			const [pid = 0] = scene.manager.workerPids;
			await waitFor('it to end', () => scene.manager.workerPids.length === 0 && !isProcessRunning(pid));
			await run('count');
			const [next = 0] = scene.manager.workerPids;
			await scene.close();
			assert.ok(!isProcessRunning(next));
		});

		it('is one for each host, where two work on one folder', async () => {
			const first = made();
			await run('count');
			const second = new ExecutionScene({ executor: 'second-result', sandbox: workerSandbox, perform: answers });
			try {
				const capability = { folder: first.folder };
				const { executionId } = await second.manager.start({ capability, tool: 'count', caller: user }, never);
				assert.equal((await second.manager.wait(executionId)).result, 1);
				assert.equal((await run('count')).result, 2);
				assert.notDeepEqual(first.manager.workerPids, second.manager.workerPids);
			} finally {
				await second.close();
			}
		});
	});
}

/** Ends with the reason for which it is stopped. */
const untilStopped: PerformOp = (_, __, signal) =>
	new Promise((_resolve, reject) => {
		signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
	});

function endOf({ success, error }: CapabilityExecutionResult): string {
	return success ? 'done' : (error?.code ?? '');
}
