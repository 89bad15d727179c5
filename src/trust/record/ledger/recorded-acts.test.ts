import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import type { ActFilter } from '../../../protocol/approvals/ledger.ts';
import { ops } from '../../../protocol/op-table/ops.ts';
import { inEnglish } from '../../../protocol/text/text.ts';
import { Redactor } from '../redaction/redactor.ts';
import { HostStore } from '../store/thread/host-store.ts';
import { hostThread } from '../store/thread/host-thread.ts';
import type { StoreInput, StoreCall, StoreResult } from '../store/thread/store-calls.ts';
import { describeLedgerAct } from './act-words.ts';
import { HostLedger, type NewEntry } from './ledger.ts';

const never = new AbortController().signal;

/** Counts the steps that are asked of the real store, each by what it found. */
class CountedStore extends HostStore {
	readonly steps: number[] = [];

	override async call<N extends StoreCall>(name: N, input: StoreInput<N>): Promise<StoreResult<N>> {
		const result = await super.call(name, input);
		if (name === 'acts') {
			this.steps.push((result as StoreResult<'acts'>).acts.length);
		}
		return result;
	}
}

describe('The acts of the ledger', () => {
	let store: CountedStore;
	let ledger: HostLedger;
	let lastOp = 0;

	beforeEach(() => {
		const events = { onMovedAside: assert.fail, onAnchored: () => {}, onNotAnchored: assert.fail };
		store = new CountedStore(hostThread, { home: tempDir('acts'), writer: 'host_a' }, events);
		ledger = new HostLedger(store, new Redactor());
	});
	afterEach(() => store.close());

	const entry = (over: Partial<NewEntry>): NewEntry => ({
		kind: 'note',
		opId: null,
		op: 'fs.edit',
		trigger: 'agent:thr_1',
		threadId: 'thr_1',
		risk: 'MONITORED',
		assessed: null,
		decision: 'allow (level): so it is',
		paramsHash: null,
		input: 'Edit a.ts',
		output: null,
		status: null,
		durationMs: null,
		...over,
	});
	const append = (...entries: Partial<NewEntry>[]) =>
		Promise.all(entries.map((each) => ledger.append(entry(each), false)));
	const newOp = () => `op_${(lastOp += 1)}`;

	/** An op with both halves. */
	async function done(over: Partial<NewEntry>, outcome: Partial<NewEntry> = {}): Promise<string> {
		const opId = newOp();
		await append({ ...over, opId, kind: 'intent' }, { status: 'done', ...over, ...outcome, opId, kind: 'outcome' });
		return opId;
	}

	async function lines(filter: ActFilter = {}): Promise<string[]> {
		const { acts } = await ledger.acts(filter, 100, null, never);
		return acts.map(describeLedgerAct).map(({ what, end, result }) => `${what}: ${end}, ${inEnglish(result)}`);
	}

	it('are one for each effect, newest first, whichever way it went', async () => {
		await done({ input: 'Edit a.ts' });
		await done({ input: 'Edit b.ts' }, { status: 'failed', output: 'NO_MATCH: not there' });
		await append({ opId: newOp(), kind: 'denial', status: 'denied', input: 'Edit c.ts' });
		await append({ opId: newOp(), kind: 'intent', input: 'Edit d.ts' });
		await append({ input: 'a note' });
		assert.deepEqual(await lines(), [
			'a note: note, Recorded',
			'Edit d.ts: open, No result recorded',
			'Edit c.ts: denied, Denied',
			'Edit b.ts: failed, Failed',
			'Edit a.ts: done, Done',
		]);
	});

	it('say of a note what it notes, and of an act only who allowed it elsewhere', async () => {
		const trigger = 'execution:cap_1';
		await append(
			{
				op: 'execution.violation',
				trigger,
				input: 'Run skill a as cap_1',
				decision: 'PROTOCOL_VIOLATION: a line is no JSON',
			},
			{ op: 'ledger.prune', trigger: 'host', input: '3 rows', decision: 'older than 30 days' },
			{
				op: 'schedule.run',
				trigger: 'schedule:s',
				input: 'Run of noon',
				decision: 'allow (user): scheduled by the user',
			},
			{ op: 'x.y', input: 'nothing said', decision: '' },
		);
		assert.deepEqual(await lines({ withHousekeeping: true }), [
			'nothing said: note, Recorded',
			'Run of noon: note, Recorded',
			'3 rows: older than 30 days: note, Recorded',
			'Run skill a as cap_1: PROTOCOL_VIOLATION: a line is no JSON: note, Recorded',
		]);
	});

	it('name the exit code of a command whose output was cut, and count it as failed', async () => {
		const state = { commandId: 'cmd_1', running: false, signal: null, timedOut: false, omitted: 0 };
		const overTime = { program: 'npm [x]; rm', limitMs: 2_500 };
		const stopped = { ...state, exitCode: null, signal: 'SIGTERM', timedOut: true, overTime, output: '' };
		const output = (exitCode: number) =>
			ops['shell.run'].record?.({ ...state, exitCode, output: 'x'.repeat(5_000) } as never) ?? '';
		await done({ op: 'shell.run', input: 'Run npm test' }, { output: output(0) });
		await done({ op: 'shell.run', input: 'Run npm run lint' }, { output: output(3) });
		await done({ op: 'shell.run', input: 'Run npm x' }, { output: ops['shell.run'].record?.(stopped as never) ?? '' });
		const failed = [
			'Run npm x: failed, npm [x]; rm reached the time limit of 2.5 s',
			'Run npm run lint: failed, Exit code 3',
		];
		assert.deepEqual(await lines({ end: 'failed' }), failed);
		assert.deepEqual(await lines(), [...failed, 'Run npm test: done, Done']);
	});

	it('are found where no read is housekeeping', async () => {
		await done({ op: 'fs.read', input: 'Read AGENTS.md' });
		const housekeeping = { ops: ['todo.write'], reads: [] };
		const { acts } = await store.call('acts', { filter: {}, housekeeping, before: null, limit: 10, rows: 100 });
		assert.equal(acts.length, 1);
	});

	it('leave out housekeeping until it is asked for, but nothing that was refused', async () => {
		await append({ opId: newOp(), kind: 'outcome', op: 'fs.read', input: 'Read AGENTS.md', status: 'failed' });
		await done({ op: 'todo.write', input: 'Plan: 1 of 2 done' });
		await done({ op: 'fs.read', input: 'Read src/AGENTS.md.ts' });
		await append({ opId: newOp(), kind: 'denial', op: 'fs.read', input: 'Read AGENTS.md', status: 'denied' });
		await append({
			opId: newOp(),
			kind: 'outcome',
			op: 'fs.read',
			input: 'Read AGENTS.md',
			trigger: 'skill/x:fs.read (cap_1)',
		});
		assert.deepEqual(await lines(), [
			'Read AGENTS.md: note, Recorded',
			'Read AGENTS.md: denied, Denied',
			'Read src/AGENTS.md.ts: done, Done',
		]);
		assert.equal((await lines({ withHousekeeping: true })).length, 5);
	});

	it('are found by thread, doer, end, time and words of either half', async () => {
		const opId = await done({ input: 'Edit a.ts', threadId: 'thr_2' }, { output: 'a very rare word' });
		await done({ input: 'Edit b.ts', trigger: 'skill/greet:fs.edit (cap_1)' });
		await append({ opId: newOp(), kind: 'denial', status: 'denied', input: 'Edit 100%_c.ts', trigger: 'user' });
		await append({ opId: newOp(), kind: 'intent', input: 'Edit d.ts' });
		for (const [filter, found] of [
			[{ threadId: 'thr_2' }, ['Edit a.ts']],
			[{ opId }, ['Edit a.ts']],
			[{ text: 'RARE word' }, ['Edit a.ts']],
			[{ text: '%_c' }, ['Edit 100%_c.ts']],
			[{ doer: 'skill/greet' }, ['Edit b.ts']],
			[{ doer: 'skill/gree' }, []],
			[{ doer: 'user' }, ['Edit 100%_c.ts']],
			[{ end: 'open' }, ['Edit d.ts']],
			[{ end: 'denied', op: 'fs.edit' }, ['Edit 100%_c.ts']],
			[{ kind: 'outcome', threadId: 'thr_1' }, ['Edit b.ts']],
			[{ until: '2020-01-01T00:00:00.000Z' }, []],
		] as const) {
			const { acts } = await ledger.acts(filter, 100, null, never);
			assert.deepEqual(
				acts.map(({ first }) => first.input),
				found,
				JSON.stringify(filter),
			);
		}
	});

	it('come in pages that leave out and repeat nothing', async () => {
		for (let n = 0; n < 25; n++) {
			await done({ input: `Edit ${n}.ts` });
		}
		const seen: string[] = [];
		for (let before: number | null = null, more = true; more; more = before !== null) {
			const page = await ledger.acts({}, 10, before, never);
			seen.push(...page.acts.map(({ first }) => first.input));
			before = page.next;
		}
		assert.deepEqual(
			seen,
			Array.from({ length: 25 }, (_, n) => `Edit ${24 - n}.ts`),
		);
	});

	it('cost a bounded number of rows in each step, also where nothing fits', async function () {
		this.timeout(60_000);
		await done({ op: 'fs.write', input: 'Write rare.ts', threadId: 'thr_2' });
		await Promise.all(
			Array.from({ length: 12_000 }, (_, n) => ledger.append(entry({ input: `n ${n}`, op: 'fs.read' }), false)),
		);
		const page = await ledger.acts({}, 100, null, never);
		assert.equal(page.acts.length, 100);
		assert.deepEqual(store.steps.splice(0), [100]);
		assert.deepEqual(await ledger.acts({ text: 'nowhere' }, 100, null, never), { acts: [], next: null });
		assert.deepEqual(store.steps.splice(0), [0, 0, 0]);
		for (const filter of [{ op: 'fs.write' }, { threadId: 'thr_2' }, { op: 'fs.write', threadId: 'thr_2' }]) {
			assert.deepEqual(await lines(filter), ['Write rare.ts: done, Done']);
			assert.deepEqual(store.steps.splice(0), [1], `${JSON.stringify(filter)} lies behind all others`);
		}
		assert.deepEqual(await lines({ op: 'fs.delete' }), []);
		assert.deepEqual(await lines({ op: 'fs.read', text: 'nowhere' }), []);
		assert.deepEqual(store.steps.splice(0), [0, 0, 0, 0]);
		const stopped = new AbortController();
		stopped.abort(new Error('enough'));
		await assert.rejects(ledger.acts({ text: 'nowhere' }, 100, null, stopped.signal), /enough/);
	});

	it('are announced when they are recorded', async () => {
		let heard = 0;
		const heardOf = ledger.onDidRecord(() => (heard += 1));
		await append({}, {});
		heardOf.dispose();
		assert.equal(heard, 2);
	});
});
