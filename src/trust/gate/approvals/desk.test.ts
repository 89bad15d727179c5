import assert from 'node:assert/strict';
import type { Approval, ApprovalAnswer, DeskQuestion } from '../../../protocol/approvals/approvals.ts';
import { isProwessError } from '../../../protocol/errors/errors.ts';
import { type ApprovalId, newId, type QuestionId } from '../../../protocol/rpc/ids.ts';
import { text } from '../../../protocol/text/text.ts';
import { type ApprovalDraft, PersonDesk } from './desk.ts';

const never = new AbortController().signal;

function draft(threadId = newId('thr')): ApprovalDraft {
	return {
		opId: newId('op'),
		threadId,
		op: 'fs.write',
		title: 'Write a',
		risk: 'CONTROLLED',
		act: 'runs',
		warning: null,
		reason: text('Writing needs your approval.'),
		detail: { kind: 'path', path: 'a' },
		isOnceOffered: true,
		pattern: 'fs.write a',
		isProjectOffered: true,
		threadScope: text('all file changes in this workspace'),
	};
}

interface Setup {
	readonly timeoutMs?: number;
	readonly isUnattended?: boolean;
	readonly isOnlyWay?: true;
	approve?(approval: Approval, signal: AbortSignal): Promise<ApprovalAnswer | undefined>;
	answer?(question: DeskQuestion, signal: AbortSignal): Promise<string | undefined>;
}

function deskOf({ timeoutMs = 60_000, isUnattended = false, isOnlyWay, approve, answer }: Setup = {}) {
	const failures: unknown[] = [];
	const desk = new PersonDesk({
		person: {
			...(isOnlyWay === undefined ? {} : { isOnlyWay }),
			approve: approve ?? (() => Promise.resolve(undefined)),
			answer: answer ?? (() => Promise.resolve(undefined)),
		},
		timeoutMs: () => timeoutMs,
		isUnattended: () => isUnattended,
		onPortFailure: (error) => failures.push(error),
	});
	return { desk, failures };
}

function isExpired(error: unknown): boolean {
	return isProwessError(error) && error.code === 'APPROVAL_EXPIRED';
}

describe('PersonDesk', () => {
	it('takes no answer to an id it did not mint', () => {
		const { desk } = deskOf();
		assert.equal(desk.approve('apr_guess' as ApprovalId, { kind: 'always' }), false);
		assert.equal(desk.reply('ask_guess' as QuestionId, 'x'), false);
	});

	it('asks nothing of which nothing can be shown', async () => {
		const { desk } = deskOf();
		const empty: readonly ApprovalDraft['detail'][] = [
			{ kind: 'text', text: ' ' },
			{ kind: 'path', path: '' },
			{ kind: 'command', argv: [], cwd: '.' },
		];
		for (const detail of empty) {
			const asked: ApprovalDraft = { ...draft(), title: ' ', detail };
			await assert.rejects(
				desk.ask(asked.threadId, () => asked, never),
				/nothing to show/,
			);
			assert.deepEqual(desk.current.approvals, []);
		}
	});

	it('takes no answer that was not offered, from either side, and goes on asking', async () => {
		const answers: ApprovalAnswer[] = [{ kind: 'once' }, { kind: 'thread' }, { kind: 'project' }, { kind: 'always' }];
		for (const given of answers) {
			const { desk, failures } = deskOf({ approve: () => Promise.resolve(given) });
			const asked = { ...draft(), isOnceOffered: false, threadScope: null, pattern: null };
			const answer = desk.ask(asked.threadId, () => asked, never);
			await new Promise((resolve) => setImmediate(resolve));
			assert.match(String(failures[0]), /was not offered/);
			const [approval] = desk.current.approvals;
			assert.ok(approval !== undefined);
			assert.equal(desk.approve(approval.id, given), false);
			assert.equal(desk.approve(approval.id, { kind: 'deny' }), true);
			assert.deepEqual(await answer, { kind: 'deny' });
		}
	});

	it('ends a question at once when the port that is the only way fails or gives no answer that was offered', async () => {
		const ways: [NonNullable<Setup['approve']>, failures: number][] = [
			[() => Promise.resolve({ kind: 'always' }), 1],
			[() => Promise.reject(new Error('no terminal')), 1],
			[() => Promise.resolve(undefined), 0],
		];
		for (const [approve, count] of ways) {
			const { desk, failures } = deskOf({ isOnlyWay: true, approve });
			const asked = { ...draft(), pattern: null };
			await assert.rejects(
				desk.ask(asked.threadId, () => asked, never),
				isExpired,
			);
			assert.equal(failures.length, count);
			assert.deepEqual(desk.current.approvals, []);
		}
	});

	it('ends a question for words at once when the port that is the only way fails', async () => {
		const { desk, failures } = deskOf({ isOnlyWay: true, answer: () => Promise.reject(new Error('no terminal')) });
		await assert.rejects(
			desk.question({ opId: newId('op'), threadId: null, question: 'which?', options: [] }, never),
			isExpired,
		);
		assert.equal(failures.length, 1);
	});

	it('takes a no for no answer in time', async () => {
		const { desk } = deskOf({ timeoutMs: 5 });
		const asked = draft();
		await assert.rejects(
			desk.ask(asked.threadId, () => asked, never),
			isExpired,
		);
		assert.deepEqual(desk.current.approvals, []);
	});

	it('gives several no yes together unless whoever asks says so, as for consents', async () => {
		const { desk } = deskOf();
		const drafts = [draft(), { ...draft(), isPartOfAll: false }, { ...draft(), isPartOfAll: true }];
		const answers = drafts.map((each) => desk.ask(each.threadId, () => each, never));
		await new Promise((resolve) => setImmediate(resolve));
		const ids = desk.current.approvals.map(({ id }) => id);
		assert.deepEqual(desk.approveAll(ids, { kind: 'once' }), ids.slice(2));
		assert.deepEqual(desk.approveAll(ids, { kind: 'deny' }), ids.slice(0, 2));
		assert.deepEqual(await Promise.all(answers), [{ kind: 'deny' }, { kind: 'deny' }, { kind: 'once' }]);
	});

	it('takes the first of two answers', async () => {
		const { desk } = deskOf();
		const asked = draft();
		const answer = desk.ask(asked.threadId, () => asked, never);
		await new Promise((resolve) => setImmediate(resolve));
		const id = desk.current.approvals[0]?.id ?? ('' as ApprovalId);
		assert.equal(desk.approve(id, { kind: 'deny' }), true);
		assert.equal(desk.approve(id, { kind: 'always' }), false);
		assert.deepEqual(await answer, { kind: 'deny' });
		assert.equal(desk.approve(id, { kind: 'once' }), false);
	});

	it('takes a rule that was written only if it is one for the question, and nothing once that has gone', async () => {
		const { desk } = deskOf();
		const asked = { ...draft(), whyNotRule: (rule: string) => (rule === 'a' ? undefined : text('no')) };
		const answer = desk.ask(asked.threadId, () => asked, never);
		await new Promise((resolve) => setImmediate(resolve));
		const [approval] = desk.current.approvals;
		assert.ok(approval !== undefined && !('whyNotRule' in approval));
		assert.equal(desk.approve(approval.id, { kind: 'project', rule: 'a' }), false);
		assert.equal(desk.approveWithRule(approval.id, 'project', 'b'), false);
		assert.equal(desk.approveWithRule(approval.id, 'project', 'a'), true);
		assert.deepEqual(await answer, { kind: 'project', rule: 'a' });
		assert.notEqual(desk.whyNotRule(approval.id, 'a'), undefined);
		assert.equal(desk.approveWithRule(approval.id, 'project', 'a'), false);
	});

	it('takes the question off the port once the desk has answered', async () => {
		let portSignal: AbortSignal | undefined;
		let answerLate: (answer: ApprovalAnswer) => void = () => {};
		const shown = new Promise<void>((resolve) => {
			const { desk } = deskOf({
				approve(approval, signal) {
					portSignal = signal;
					queueMicrotask(() => desk.approve(approval.id, { kind: 'once' }));
					return new Promise((late) => (answerLate = late));
				},
			});
			const asked = draft();
			void desk
				.ask(asked.threadId, () => asked, never)
				.then((answer) => {
					assert.deepEqual(answer, { kind: 'once' });
					resolve();
				});
		});
		await shown;
		assert.equal(portSignal?.aborted, true);
		answerLate({ kind: 'always' });
	});

	it('waits for the desk when the port fails or has no answer', async () => {
		const { desk, failures } = deskOf({ approve: () => Promise.reject(new Error('no window')) });
		const asked = draft();
		const answer = desk.ask(asked.threadId, () => asked, never);
		await new Promise((resolve) => setImmediate(resolve));
		assert.equal(failures.length, 1);
		const [approval] = desk.current.approvals;
		assert.ok(approval !== undefined && desk.approve(approval.id, { kind: 'thread' }));
		assert.deepEqual(await answer, { kind: 'thread' });
	});

	it('asks nobody for what is void before its turn, and keeps the others in order', async () => {
		const { desk } = deskOf();
		const threadId = newId('thr');
		const stopped = new AbortController();
		const first = desk.ask(threadId, () => draft(threadId), never);
		const second = desk.ask(threadId, () => draft(threadId), stopped.signal);
		const third = desk.ask(threadId, () => draft(threadId), never);
		stopped.abort(new Error('stop'));
		await assert.rejects(second, /stop/);
		for (const answer of [first, third]) {
			await new Promise((resolve) => setImmediate(resolve));
			assert.equal(desk.current.approvals.length, 1);
			desk.approve(desk.current.approvals[0]?.id ?? ('' as ApprovalId), { kind: 'once' });
			assert.deepEqual(await answer, { kind: 'once' });
		}
	});

	it('asks other threads at the same time', async () => {
		const { desk } = deskOf();
		const controller = new AbortController();
		const both = [draft(), draft()].map((each) => desk.ask(each.threadId, () => each, controller.signal));
		await new Promise((resolve) => setImmediate(resolve));
		assert.equal(desk.current.approvals.length, 2);
		controller.abort(new Error('stop'));
		assert.deepEqual(
			(await Promise.allSettled(both)).map(({ status }) => status),
			['rejected', 'rejected'],
		);
	});

	it('says at once that nobody answers where nobody is', async () => {
		const { desk } = deskOf({ isUnattended: true });
		await assert.rejects(
			desk.question({ opId: newId('op'), threadId: newId('thr'), question: 'which?', options: [] }, never),
			isExpired,
		);
	});

	it('gives the words of the person', async () => {
		const { desk } = deskOf({ answer: (question) => Promise.resolve(question.options[1]) });
		const answer = await desk.question(
			{ opId: newId('op'), threadId: null, question: 'which?', options: ['a', 'b'] },
			never,
		);
		assert.deepEqual(answer, { words: 'b' });
	});

	it('is not disturbed by a listener that fails', async () => {
		const { desk, failures } = deskOf({ approve: () => Promise.resolve({ kind: 'once' }) });
		desk.onDidChange(() => {
			throw new Error('broken view');
		});
		const asked = draft();
		assert.deepEqual(await desk.ask(asked.threadId, () => asked, never), { kind: 'once' });
		assert.equal(failures.length, 2);
	});
});
