/** A person may edit the text of a write before they allow it; exactly that is written, recorded and told. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Approval } from '../../../src/protocol/approvals/approvals.ts';
import type { OpOutcome } from '../../../src/protocol/turn/broker.ts';
import { ops, type OpResult } from '../../../src/protocol/op-table/ops.ts';
import { useServedBases } from './served-base.ts';

const never = new AbortController().signal;
const cart = 'one\ntwo\nthree\n';

describe('the proposed text of a write', () => {
	const start = useServedBases();
	type Served = Awaited<ReturnType<typeof start>>;

	const asked = ({ base }: Served) =>
		new Promise<Approval>((resolve) => {
			const listening = base.desk.onDidChange(({ approvals: [first] }) => {
				if (first !== undefined) {
					listening.dispose();
					resolve(first);
				}
			});
		});
	/** Proposes the edit of the cart, and gives its question with the outcome that will come. */
	async function propose(served: Served, edits = [{ find: 'two', replace: 'TWO' }]) {
		const question = asked(served);
		const outcome = served.perform('fs.edit', { path: 'cart.txt', edits });
		return { question: await question, outcome };
	}
	const open = () => start({ approvalMode: 'ask', files: { 'cart.txt': cart } });
	const text = ({ host }: Served, path = 'cart.txt') => readFileSync(join(host.workspace, path), 'utf8');
	const written = (outcome: OpOutcome) => {
		assert.ok(outcome.status === 'done', JSON.stringify(outcome));
		return outcome.result as OpResult<'fs.edit'>;
	};

	it('is not written when the file has changed meanwhile, and the model is told to read it again', async () => {
		const served = await open();
		const { question, outcome } = await propose(served);
		writeFileSync(join(served.host.workspace, 'cart.txt'), 'mine\n');
		const proposal = served.base.desk.proposal(question.id);
		await assert.rejects(async () => proposal?.verify(never), { code: 'FILE_CHANGED' });
		assert.ok(served.base.desk.approve(question.id, { kind: 'once', text: 'one\n2\nthree\n' }));
		const ended = await outcome;
		assert.ok(ended.status === 'failed');
		assert.deepEqual(
			[ended.error.code, ended.error.message],
			['FILE_CHANGED', 'cart.txt has changed since it was read: read it again'],
		);
		assert.equal(text(served), 'mine\n');
	});

	it('is gone with its question, and so is every answer', async () => {
		const served = await open();
		const { question, outcome } = await propose(served);
		assert.ok(served.base.desk.approve(question.id, { kind: 'deny' }));
		assert.equal(served.base.desk.approve(question.id, { kind: 'once', text: 'late\n' }), false);
		assert.equal((await outcome).status, 'denied');
		assert.equal(served.base.desk.proposal(question.id), undefined);
		assert.equal(served.base.desk.approve(question.id, { kind: 'once', text: 'later\n' }), false);
		assert.equal(text(served), cart);
	});

	it('cannot be given for a question that is about something else', async () => {
		const served = await open();
		const question = asked(served);
		const outcome = served.perform('shell.run', { argv: ['touch', 'made.txt'] });
		const { id } = await question;
		assert.equal(served.base.desk.proposal(id), undefined);
		assert.equal(served.base.desk.approve(id, { kind: 'once', text: 'x' }), false);
		assert.ok(served.base.desk.approve(id, { kind: 'deny' }));
		await outcome;
		assert.equal(existsSync(join(served.host.workspace, 'made.txt')), false);
	});

	it('is written exactly as the person edited it; the ledger has its hash, and the model is told', async () => {
		const served = await open();
		const plain = await propose(served);
		const { before, after } = served.base.desk.proposal(plain.question.id) ?? {};
		assert.deepEqual([before, after], [cart, 'one\nTWO\nthree\n']);
		served.base.desk.approve(plain.question.id, { kind: 'deny' });
		await plain.outcome;

		const { question, outcome } = await propose(served);
		assert.ok(served.base.desk.approve(question.id, { kind: 'once', text: 'one\nTwo!\nthree\nfour\n' }));
		const result = written(await outcome);
		assert.equal(text(served), 'one\nTwo!\nthree\nfour\n');
		assert.deepEqual([result.added, result.removed], [2, 1]);
		assert.equal(
			ops['fs.edit'].present(result),
			'Edited cart.txt (+2 -1 lines). The user edited your text before allowing it (+2 -1 lines). Keep it as they want it:\n' +
				'--- a/cart.txt\n+++ b/cart.txt\n@@ -1,3 +1,4 @@\n one\n-TWO\n+Two!\n three\n+four\n',
		);
		const rows = await served.base.ledger.query({});
		const [intent] = rows.filter(({ kind, op }) => kind === 'intent' && op === 'fs.edit');
		const [denied] = rows.filter(({ kind, op }) => kind === 'denial' && op === 'fs.edit');
		assert.match(
			intent?.decision ?? '',
			/^approved by the user once, through cli; .*; the user edited the text before the yes \(\+2 -1 lines\)/,
		);
		assert.notEqual(intent?.paramsHash, denied?.paramsHash);
		assert.deepEqual(
			(await served.base.changes.list(served.threadId)).map(({ path }) => path),
			['cart.txt'],
		);
	});

	it('leaves the file alone when the person has left out all of it', async () => {
		const served = await open();
		const { question, outcome } = await propose(served);
		assert.ok(served.base.desk.approve(question.id, { kind: 'once', text: cart }));
		const result = written(await outcome);
		assert.deepEqual([result.added, result.removed, text(served)], [0, 0, cart]);
		assert.deepEqual(await served.base.changes.list(served.threadId), []);
	});

	it('is edited with an answer for the thread too, and never with a no', async () => {
		const served = await open();
		const { question, outcome } = await propose(served);
		const { desk } = served.base;
		assert.ok(desk.approve(question.id, { kind: 'thread', text: 'mine\n' }));
		await outcome;
		assert.equal(text(served), 'mine\n');
		const next = await served.perform('fs.edit', { path: 'cart.txt', edits: [{ find: 'mine', replace: 'yours' }] });
		assert.deepEqual([written(next).byUser, text(served)], [undefined, 'yours\n']);
	});

	it('of a new file is created with the text of the person', async () => {
		const served = await open();
		const question = asked(served);
		const outcome = served.perform('fs.write', { path: 'new.txt', content: 'model\n' });
		const { id } = await question;
		assert.equal(served.base.desk.proposal(id)?.before, undefined);
		assert.ok(served.base.desk.approve(id, { kind: 'once', text: 'person\n' }));
		assert.equal(written(await outcome).byUser?.added, 1);
		assert.equal(text(served, 'new.txt'), 'person\n');
	});
});
