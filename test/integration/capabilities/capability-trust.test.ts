/** Agreeing to a capability beforehand, and taking it back, with real files and a real desk. */
import assert from 'node:assert/strict';
import type { Approval, ApprovalAnswer } from '../../../src/protocol/approvals/approvals.ts';
import { ProwessError } from '../../../src/protocol/errors/errors.ts';
import type { ThreadId } from '../../../src/protocol/rpc/ids.ts';
import { WHILE_WORKED_ON } from '../../../src/execution/runs/consent/worked-on.ts';
import type { StartOptions } from '../../../src/execution/runs/start/start-options.ts';
import { ExecutionScene, never, user } from '../../support/execution-scene.ts';
import { waitFor } from '../../support/wait-for.ts';

describe('Trust in a capability', function () {
	this.timeout(30_000);
	let scene: ExecutionScene;
	let asked = 0;
	const made = (answer: ApprovalAnswer = { kind: 'always' }) => {
		asked = 0;
		const approve = ({ threadScope }: Approval) => {
			asked += 1;
			return Promise.resolve(answer.kind === 'thread' && threadScope === null ? ({ kind: 'once' } as const) : answer);
		};
		scene = new ExecutionScene({ executor: 'second-result', approvalMode: 'ask', person: { approve } });
	};
	const wanted = { capability: { name: 'test' }, caller: user };
	afterEach(() => scene.close());

	it('is not given by a no', async () => {
		made({ kind: 'deny' });
		await assert.rejects(scene.manager.trust(wanted, never), { code: 'DENIED_BY_USER' });
		assert.equal(await scene.manager.distrust(wanted), false);
		assert.deepEqual(scene.recorded, []);
	});

	it('cannot be given to what is not there', async () => {
		made();
		const missing = { ...wanted, capability: { name: 'missing' } };
		await assert.rejects(scene.manager.trust(missing, never), { code: 'CAPABILITY_NOT_FOUND' });
		await assert.rejects(scene.manager.distrust(missing), { code: 'CAPABILITY_NOT_FOUND' });
	});

	it('runs nothing, is recorded, and lets it run without another question', async () => {
		made();
		await scene.manager.trust(wanted, never);
		assert.deepEqual(scene.manager.list(), []);
		assert.deepEqual(scene.recorded, ['note capability.trust']);
		await scene.run();
		assert.equal(asked, 1);
	});

	it('is not given by a yes to one start', async () => {
		made({ kind: 'once' });
		await scene.run();
		assert.equal(await scene.manager.isTrusted(wanted), false);
		assert.match(scene.ledger.rows[0]?.decision ?? '', /^approved by the user once; /);
		await scene.run();
		assert.equal(asked, 2);
	});

	it('is asked for as what lasts', async () => {
		const offered: unknown[] = [];
		const approve = ({ title, isOnceOffered, threadScope, pattern }: Approval) => {
			offered.push([title, isOnceOffered, threadScope, pattern]);
			return Promise.resolve({ kind: 'deny' } as const);
		};
		scene = new ExecutionScene({ executor: 'second-result', approvalMode: 'ask', person: { approve } });
		await assert.rejects(scene.manager.trust(wanted, never), { code: 'DENIED_BY_USER' });
		await assert.rejects(scene.run(), { code: 'DENIED_BY_USER' });
		const lasting = 'the skill test 1.0.0 until its files change';
		assert.deepEqual(offered, [
			['Trust the skill test 1.0.0', false, null, lasting],
			['Run the skill test 1.0.0', true, WHILE_WORKED_ON, lasting],
		]);
	});

	it('may be for what the user makes of it while they work on it, in their own runs and for no more than it asked', async () => {
		const head = 'name: test\ntype: skill\nversion: 1.0.0\n';
		const rights = (more: string) => scene.writes('capability.yaml', `${head}${more}`);
		made({ kind: 'thread' });
		rights('level: CONTROLLED\npermissions: [workspace.read, git]\n');
		await scene.run();
		assert.match(scene.ledger.rows[0]?.decision ?? '', /approved by the user for the thread.*while they work on it/);
		scene.writes('index.ts', 'export const other = 1;');
		await scene.run();
		rights('level: MONITORED\npermissions: [workspace.read]\ndescription: better\n');
		await scene.run();
		assert.equal(asked, 1);
		assert.match(scene.ledger.rows.at(-2)?.decision ?? '', /the user works on skill test 1\.0\.0/);
		// Only the user's own runs, and none that asks for more.
		const agent = { kind: 'agent', threadId: 'thr_1', turnId: 'trn_1' } as unknown as StartOptions['caller'];
		await scene.run({}, { caller: agent }).catch(() => undefined);
		assert.equal(asked, 2);
		for (const more of [
			'level: CONTROLLED\npermissions: [workspace.read, http]\n',
			'level: MONITORED\npermissions: [workspace.read]\ncontext: last\n',
			'level: MONITORED\npermissions: [workspace.read]\nallowedTools: [Edit]\n',
		]) {
			rights('level: CONTROLLED\npermissions: [workspace.read, git]\n');
			await scene.run();
			const agreed: number = asked;
			rights(more);
			await scene.run().catch(() => undefined);
			assert.equal(asked, agreed + 1, more);
		}
	});

	it('for work does not hold while a command runs, and ends when an agent changes its files and when it is taken back', async () => {
		made({ kind: 'thread' });
		await scene.run();
		scene.writes('index.ts', 'export const x = 1;');
		const { folders } = scene.host.ports.workspace;
		scene.consent.changedByOthers(['src/elsewhere.ts', '.prowess/capabilities/skill/test-2/index.ts'], folders);
		await scene.run();
		assert.equal(asked, 1);
		// The command may be writing its files, which is known only when it has ended.
		scene.isCommandRunning = true;
		await scene.run();
		assert.equal(asked, 2);
		scene.isCommandRunning = false;
		scene.consent.changedByOthers(['.prowess/capabilities/skill/test/index.ts'], folders);
		await scene.run();
		assert.equal(asked, 3);
		await scene.manager.distrust(wanted);
		await scene.run();
		assert.equal(asked, 4);
		// A command outside the sandbox has ended.
		scene.consent.endWork();
		await scene.run();
		assert.equal(asked, 5);
	});

	it('for work is not offered for what a person must answer each time, nor without walls', async () => {
		for (const [manifest, sandbox] of [
			['level: PRIVILEGED\n', 'permission'],
			['level: RESTRICTED\n', 'permission'],
			['level: MONITORED\n', 'none'],
		] as const) {
			let offered: unknown;
			const approve = ({ threadScope }: Approval) => {
				offered = threadScope;
				return Promise.resolve({ kind: 'deny' } as const);
			};
			await scene?.close();
			scene = new ExecutionScene({
				executor: 'second-result',
				approvalMode: 'ask',
				person: { approve },
				sandbox: { sandbox, bwrap: undefined },
				manifest: `name: test\ntype: skill\nversion: 1.0.0\n${manifest}`,
			});
			await assert.rejects(scene.run(), { code: 'DENIED_BY_USER' });
			assert.equal(offered, null, manifest);
		}
	});

	it('is asked for again after it was taken back, and for any other content', async () => {
		made();
		assert.equal(await scene.manager.isTrusted(wanted), false);
		await scene.manager.trust(wanted, never);
		assert.equal(await scene.manager.isTrusted(wanted), true);
		assert.equal(await scene.manager.distrust(wanted), true);
		assert.equal(await scene.manager.isTrusted(wanted), false);
		assert.equal(await scene.manager.distrust(wanted), false);
		await scene.run();
		assert.equal(asked, 2);
		assert.equal(await scene.manager.isTrusted(wanted), true);
		scene.writes('more.txt', 'x');
		assert.equal(await scene.manager.isTrusted(wanted), false);
		assert.equal(await scene.manager.distrust(wanted), false);
		await scene.run();
		assert.equal(asked, 3);
	});

	it('is known of each of many, by folder, without a look at those that were never agreed to', async () => {
		made();
		const here = { path: scene.folder, manifest: { type: 'skill', name: 'test' } };
		const gone = { path: '/nowhere', manifest: { type: 'skill', name: 'other' } };
		assert.deepEqual(await scene.manager.trustedAmong([here, gone]), new Set());
		await scene.manager.trust(wanted, never);
		assert.deepEqual(await scene.manager.trustedAmong([here, gone]), new Set([scene.folder]));
		assert.deepEqual(await scene.manager.trustedAmong([{ ...here, path: '/nowhere' }]), new Set());
		scene.writes('more.txt', 'x');
		assert.deepEqual(await scene.manager.trustedAmong([here]), new Set());
	});

	describe('that two wait for at once', () => {
		interface Shown {
			readonly threadId: string | null;
			readonly signal: AbortSignal;
			answer(answer: ApprovalAnswer): void;
		}
		const shown: Shown[] = [];
		const open = () => shown.filter(({ signal }) => !signal.aborted);
		const start = (thread: string | null, signal = never) =>
			scene.manager.run(
				{
					...wanted,
					caller: { kind: 'user', threadId: thread as ThreadId | null },
					onWaiting: (isWaiting) => void (waiting += isWaiting ? 1 : -1),
				},
				signal,
			);
		let waiting = 0;
		const bothWait = () => waitFor('both to wait', () => waiting === 2 && open().length > 0);
		beforeEach(() => {
			shown.length = 0;
			waiting = 0;
			scene = new ExecutionScene({
				executor: 'second-result',
				approvalMode: 'ask',
				person: {
					approve: ({ threadId }, signal) => new Promise((answer) => void shown.push({ threadId, signal, answer })),
				},
			});
		});

		it('is asked for once, and counts for both', async () => {
			const both = [start(null), start('thr_a')];
			await bothWait();
			open()[0]?.answer({ kind: 'always' });
			assert.deepEqual(
				(await Promise.all(both)).map(({ success }) => success),
				[true, true],
			);
			assert.equal((await start('thr_b')).success, true);
			assert.equal(shown.length, 1);
		});

		it('is refused to both by one no', async () => {
			const both = [start('thr_a'), start('thr_b')];
			const ends = both.map((each) => assert.rejects(each, { code: 'DENIED_BY_USER' }));
			await bothWait();
			open()[0]?.answer({ kind: 'deny' });
			await Promise.all(ends);
			assert.equal(shown.length, 1);
		});

		for (const [where, threads, questions] of [
			['in one thread', ['thr_a', 'thr_a'], 1],
			['in two, where it moves to the other', ['thr_a', 'thr_b'], 2],
		] as const) {
			it(`is given to the one that goes on when the other is stopped meanwhile: ${where}`, async () => {
				const stop = new AbortController();
				const first = assert.rejects(start(threads[0], stop.signal), { code: 'CANCELLED' });
				await waitFor('the question', () => open().length > 0);
				const second = start(threads[1]);
				await bothWait();
				stop.abort(new ProwessError('CANCELLED', 'stopped'));
				await first;
				await waitFor('the question of the other', () => open().some(({ threadId }) => threadId === threads[1]));
				for (const { answer } of open()) answer({ kind: 'once' });
				assert.equal((await second).success, true);
				assert.equal(shown.length, questions);
			});
		}

		it('is asked for no longer when both are stopped', async () => {
			const stop = new AbortController();
			const both = ['thr_a', 'thr_b'].map((thread) =>
				assert.rejects(start(thread, stop.signal), { code: 'CANCELLED' }),
			);
			await bothWait();
			stop.abort(new ProwessError('CANCELLED', 'stopped'));
			await Promise.all(both);
			await waitFor('it to be taken back', () => open().length === 0);
			assert.deepEqual(scene.desk.current.approvals, []);
		});
	});
});
