/** The person answers for several ops of one answer of a model before the first of them runs; the effects keep their order. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Approval, Desk } from '../../../src/protocol/approvals/approvals.ts';
import { newId, type OpId } from '../../../src/protocol/rpc/ids.ts';
import type { OpOutcome } from '../../../src/protocol/turn/broker.ts';
import { waitFor } from '../../support/wait-for.ts';
import { useServedBases } from './served-base.ts';

interface Planned {
	readonly op: string;
	readonly params: unknown;
	readonly opId: OpId;
}

const write = (path: string, content = `${path}\n`): Planned => ({
	op: 'fs.write',
	params: { path, content },
	opId: newId('op'),
});
const edit = (path: string, find: string, replace: string): Planned => ({
	op: 'fs.edit',
	params: { path, edits: [{ find, replace }] },
	opId: newId('op'),
});
const run = (...argv: readonly string[]): Planned => ({ op: 'shell.run', params: { argv }, opId: newId('op') });
const once = { kind: 'once' } as const;

describe('Several questions of one answer', () => {
	const start = useServedBases();

	async function begin(files: Readonly<Record<string, string>> = {}) {
		const served = await start({ approvalMode: 'ask' });
		const { host, base, perform } = served;
		for (const [path, text] of Object.entries(files)) {
			writeFileSync(join(host.workspace, path), text);
		}
		const at = (path: string) => join(host.workspace, path);
		const open = async (count: number): Promise<Desk['approvals']> => {
			await waitFor(`${count} questions`, () => base.desk.current.approvals.length === count);
			return base.desk.current.approvals;
		};
		const inOrder = async (planned: readonly Planned[]): Promise<OpOutcome[]> => {
			const outcomes: OpOutcome[] = [];
			for (const { op, params, opId } of planned) {
				outcomes.push(await perform(op, params, opId));
			}
			return outcomes;
		};
		const approve = (approval: Approval | undefined, answer: Parameters<typeof base.desk.approve>[1]) =>
			approval !== undefined && base.desk.approve(approval.id, answer);
		/** Reads them first: what a thread has not read it may not replace. */
		const read = async (path: string) => assert.equal((await perform('fs.read', { path })).status, 'done');
		return { ...served, at, open, inOrder, approve, read };
	}

	it('are taken back together, and nothing has happened, when whoever asked gives up', async () => {
		const { askAhead, open, base, at } = await begin();
		const stopped = new AbortController();
		const asked = askAhead([write('a.txt'), write('b.txt')], stopped.signal);
		await open(2);
		stopped.abort(new Error('stop'));
		await assert.rejects(asked);
		await open(0);
		assert.deepEqual(
			[base.desk.current.approvals, existsSync(at('a.txt')), existsSync(at('b.txt'))],
			[[], false, false],
		);
	});

	it('take no answer that comes when they have gone, one for a rule says so, and nothing has happened', async () => {
		const { askAhead, open, base, at } = await begin();
		const stopped = new AbortController();
		const asked = askAhead([write('a.txt'), write('b.txt')], stopped.signal);
		const ids = (await open(2)).map(({ id }) => id);
		const [id] = ids;
		assert.ok(id !== undefined);
		stopped.abort(new Error('stop'));
		await assert.rejects(asked);
		await open(0);
		assert.deepEqual(base.desk.approveAll(ids, once), []);
		for (const kind of ['once', 'thread', 'turn', 'always'] as const) {
			assert.equal(base.desk.approve(id, { kind }), false, kind);
		}
		assert.equal(base.desk.approveWithRule(id, 'project', 'fs.write a.txt'), false);
		const why = base.desk.whyNotRule(id, 'fs.write a.txt');
		assert.equal(why?.template, 'The question has gone, so nothing is saved.');
		assert.deepEqual([existsSync(at('a.txt')), existsSync(at('b.txt'))], [false, false]);
	});

	it('are answered in any order, and run in theirs', async () => {
		const { askAhead, open, inOrder, approve, at } = await begin();
		const planned = [write('a.txt'), write('b.txt')];
		void askAhead(planned);
		const outcomes = inOrder(planned);
		const [first, second] = await open(2);
		assert.ok(approve(second, once));
		await open(1);
		assert.deepEqual([existsSync(at('a.txt')), existsSync(at('b.txt'))], [false, false]);
		assert.ok(approve(first, once));
		assert.deepEqual(
			(await outcomes).map(({ status }) => status),
			['done', 'done'],
		);
		assert.deepEqual([existsSync(at('a.txt')), existsSync(at('b.txt'))], [true, true]);
	});

	it('are open together with no op begun, and one answer to those shown allows these alone', async () => {
		const { askAhead, open, inOrder, base } = await begin();
		const planned = [write('a.txt'), write('b.txt'), write('c.txt')];
		void askAhead(planned);
		const outcomes = inOrder(planned);
		const shown = (await open(3)).slice(0, 2);
		const ids = shown.map(({ id }) => id);
		assert.deepEqual(base.desk.approveAll(ids, once), ids);
		const [left] = await open(1);
		assert.equal(left?.title, 'Write c.txt');
		assert.deepEqual(base.desk.approveAll(ids, once), []);
		assert.deepEqual(base.desk.approveAll([left.id], { kind: 'deny', reason: 'two are enough' }), [left.id]);
		assert.deepEqual(
			(await outcomes).map(({ status }) => status),
			['done', 'done', 'denied'],
		);
	});

	it('do not get a yes with others where one is dangerous', async () => {
		const { askAhead, open, inOrder, base, at } = await begin({ 'x.txt': 'x' });
		const planned = [write('a.txt'), run('rm', '-rf', 'x.txt')];
		void askAhead(planned);
		const outcomes = inOrder(planned);
		const both = await open(2);
		const [harmless, dangerous] = both.map(({ id }) => id);
		assert.ok(harmless !== undefined && dangerous !== undefined);
		assert.deepEqual(base.desk.approveAll([harmless, dangerous], once), [harmless]);
		await open(1);
		assert.deepEqual(base.desk.approveAll([dangerous], { kind: 'deny' }), [dangerous]);
		assert.deepEqual(
			(await outcomes).map(({ status }) => status),
			['done', 'denied'],
		);
		assert.ok(existsSync(at('x.txt')));
	});

	it('do not get a yes with others where a person is asked at every level', async () => {
		const { askAhead, open, inOrder, base, at } = await begin();
		const alone = ['.env', '.vscode/tasks.json', '.prowess/hooks.yaml', 'AGENTS.md'];
		const planned = [...alone.map((path) => write(path)), write('a.txt'), run('touch', 'b.txt')];
		void askAhead(planned);
		const outcomes = inOrder(planned);
		const all = (await open(6)).map(({ id }) => id);
		const ordinary = all.slice(alone.length);
		assert.deepEqual(base.desk.approveAll(all, once), ordinary);
		const left = await open(alone.length);
		assert.deepEqual(
			left.map(({ title }) => title),
			alone.map((path) => `Write ${path}`),
		);
		const [env, ...others] = left.map(({ id }) => id);
		assert.ok(env !== undefined && base.desk.approve(env, once));
		assert.deepEqual(base.desk.approveAll(others, { kind: 'deny' }), others);
		const statuses = (await outcomes).map(({ status }) => status);
		assert.deepEqual(statuses.slice(0, 5), ['done', 'denied', 'denied', 'denied', 'done']);
		assert.deepEqual(
			alone.map((path) => existsSync(at(path))),
			[true, false, false, false],
		);
	});

	for (const kind of ['turn', 'thread'] as const) {
		it(`stay open after an answer for the ${kind} to one of them, where a person is asked at every level`, async () => {
			const { askAhead, open, inOrder, base, approve, at } = await begin();
			const planned = [write('a.txt'), write('.env'), write('AGENTS.md'), write('b.txt')];
			void askAhead(planned);
			const outcomes = inOrder(planned);
			const [ordinary] = await open(4);
			assert.ok(approve(ordinary, { kind }));
			const left = (await open(2)).map(({ id }) => id);
			for (const id of left) {
				assert.equal(base.desk.approve(id, { kind: 'turn' }), false);
			}
			assert.deepEqual(base.desk.approveAll(left, { kind: 'deny' }), left);
			assert.deepEqual(
				(await outcomes).map(({ status }) => status),
				['done', 'denied', 'denied', 'done'],
			);
			assert.equal(existsSync(at('.env')), false);
		});
	}

	it('count for a change whose lines an earlier one has moved', async () => {
		const { askAhead, open, inOrder, base, at, read } = await begin({ 'a.txt': 'one\n\n\n\n\n\n\n\n\n\ntwo\n' });
		await read('a.txt');
		const planned = [edit('a.txt', 'one', 'one\nmore'), edit('a.txt', 'two', 'three')];
		void askAhead(planned);
		const outcomes = inOrder(planned);
		base.desk.approveAll(
			(await open(2)).map(({ id }) => id),
			once,
		);
		assert.deepEqual(
			(await outcomes).map(({ status }) => status),
			['done', 'done'],
		);
		assert.match(readFileSync(at('a.txt'), 'utf8'), /^one\nmore\n+three\n$/);
	});

	it('are put anew where an earlier op has made another change of one', async () => {
		const { askAhead, open, inOrder, base, at, read } = await begin({ 'a.txt': 'one two\n' });
		await read('a.txt');
		const planned = [edit('a.txt', 'one', 'ONE'), edit('a.txt', 'two', 'TWO')];
		void askAhead(planned);
		const outcomes = inOrder(planned);
		const before = await open(2);
		base.desk.approveAll(
			before.map(({ id }) => id),
			once,
		);
		const [anew] = await waitForNew(base.desk, before);
		assert.match(anew?.detail.kind === 'diff' ? anew.detail.diff.patch : '', /-ONE two\n\+ONE TWO/);
		assert.equal(readFileSync(at('a.txt'), 'utf8'), 'ONE two\n');
		assert.ok(anew !== undefined && base.desk.approve(anew.id, { kind: 'deny' }));
		assert.deepEqual(
			(await outcomes).map(({ status }) => status),
			['done', 'denied'],
		);
	});

	it('are put in its turn for an op that an earlier one makes possible', async () => {
		const { askAhead, open, inOrder, base, at } = await begin();
		const planned = [write('new.txt', 'old'), edit('new.txt', 'old', 'new'), write('b.txt')];
		void askAhead(planned);
		const outcomes = inOrder(planned);
		const before = await open(2);
		assert.deepEqual(
			before.map(({ title }) => title),
			['Write new.txt', 'Write b.txt'],
		);
		base.desk.approveAll(
			before.map(({ id }) => id),
			once,
		);
		const [later] = await waitForNew(base.desk, before);
		assert.ok(later !== undefined && base.desk.approve(later.id, once));
		assert.deepEqual(
			(await outcomes).map(({ status }) => status),
			['done', 'done', 'done'],
		);
		assert.equal(readFileSync(at('new.txt'), 'utf8'), 'new');
	});

	it('keep a no, whatever lets the op pass by then', async () => {
		const { askAhead, open, inOrder, approve, at } = await begin();
		const planned = [write('a.txt'), write('b.txt'), write('c.txt')];
		void askAhead(planned);
		const [first, second] = await open(3);
		assert.ok(approve(second, { kind: 'deny', reason: 'not this one' }));
		await open(2);
		// The third is settled by it, too.
		assert.ok(approve(first, { kind: 'thread' }));
		await open(0);
		const outcomes = await inOrder(planned);
		assert.deepEqual(
			outcomes.map(({ status }) => status),
			['done', 'denied', 'done'],
		);
		assert.equal(existsSync(at('b.txt')), false);
	});

	it('say why they are asked before the op has begun', async () => {
		const { askAhead, open, base } = await begin();
		const stopped = new AbortController();
		const asked = askAhead([write('a.txt'), run('npm', 'test')], stopped.signal).catch(() => undefined);
		const [, command] = await open(2);
		assert.ok(command !== undefined);
		assert.ok((await base.policy.why(command.id, stopped.signal)) !== undefined);
		stopped.abort(new Error('stop'));
		await asked;
	});

	it('are recorded with what the person said, once each', async () => {
		const { askAhead, open, inOrder, base } = await begin();
		const planned = [write('a.txt'), write('b.txt')];
		void askAhead(planned);
		const outcomes = inOrder(planned);
		const [one, two] = await open(2);
		assert.ok(one !== undefined && two !== undefined);
		base.desk.approveAll([one.id], once);
		base.desk.approveAll([two.id], { kind: 'deny', reason: 'no b' });
		await outcomes;
		const rows = await base.ledger.query({ limit: 100 });
		const decisions = planned.map(({ opId }) => rows.filter((row) => row.opId === opId).map((row) => row.decision));
		assert.match(decisions[0]?.at(-1) ?? '', /^approved by the user once, through cli; /);
		assert.match(decisions[1]?.at(-1) ?? '', /^denied by the user: "no b", through cli; /);
	});
});

async function waitForNew(desk: { readonly current: Desk }, known: readonly Approval[]): Promise<Desk['approvals']> {
	const fresh = () => desk.current.approvals.filter(({ id }) => known.every((each) => each.id !== id));
	await waitFor('a new question', () => fresh().length > 0);
	return fresh();
}
