import assert from 'node:assert/strict';
import { Emitter } from '../../base/emitter.ts';
import type { TrustedBase } from '../../capability-host/trusted-base.ts';
import { type Approval, type ApprovalAnswer, type Desk, isOffered } from '../../protocol/approvals.ts';
import { newId, type ThreadId } from '../../protocol/ids.ts';
import { text } from '../../protocol/text.ts';
import { createDeskRequests } from './desk-requests.ts';

const signal = new AbortController().signal;
const shown = newId('thr');
const times = { askedAt: '2026-11-20T12:00:00.000Z', expiresAt: '2026-11-20T13:00:00.000Z' };

/** Questions in memory, each with one answer. */
class MemoryDesk {
	readonly #changed = new Emitter<Desk>();
	readonly onDidChange = this.#changed.event;
	readonly taken: ApprovalAnswer[] = [];
	current: Desk = { approvals: [], questions: [] };

	ask(threadId: ThreadId | null): Approval {
		const approval: Approval = {
			id: newId('apr'),
			opId: newId('op'),
			threadId,
			op: 'shell.run',
			title: 'Run npm test',
			risk: 'RESTRICTED',
			reason: text('Running commands needs your approval.'),
			detail: { kind: 'command', argv: ['npm', 'test'], cwd: '/srv' },
			isOnceOffered: true,
			threadScope: null,
			pattern: 'shell.run npm test',
			isProjectOffered: true,
			...times,
		};
		this.current = { ...this.current, approvals: [approval] };
		return approval;
	}

	question(threadId: ThreadId) {
		const question = { id: newId('ask'), opId: newId('op'), threadId, question: 'Which?', options: [], ...times };
		this.current = { ...this.current, questions: [question] };
		return question;
	}

	approve(id: Approval['id'], answer: ApprovalAnswer): boolean {
		const open = this.current.approvals.find((each) => each.id === id);
		const isTaken = open !== undefined && isOffered(open, answer);
		if (isTaken) {
			this.taken.push(answer);
			this.current = { ...this.current, approvals: [] };
		}
		return isTaken;
	}

	reply(id: Desk['questions'][number]['id']): boolean {
		return this.current.questions.some((each) => each.id === id);
	}
}

describe('An answer of the page', () => {
	let desk: MemoryDesk;
	let confirmed: string[];
	let isWanted: boolean;
	beforeEach(() => {
		desk = new MemoryDesk();
		confirmed = [];
		isWanted = true;
	});

	function requests() {
		const found = { known: 0, lookalikes: 0 };
		const outgoingMessage: TrustedBase['outgoingMessage'] = ({ text: words }) => ({
			message: { text: words, context: [] },
			found,
		});
		return createDeskRequests({
			base: () => ({ desk, outgoingMessage }),
			shownThread: () => shown,
			confirm: async (approval, { kind }) => {
				confirmed.push(`${kind} ${approval.pattern}`);
				return isWanted;
			},
			onRemoved: () => assert.fail('nothing is removed from what holds no secret'),
		});
	}
	const approve = (approval: Approval, kind: 'once' | 'thread' | 'project' | 'always') =>
		requests().approve({ id: approval.id, answer: { kind } }, signal);

	it('to a question of a thread that is not shown changes nothing', async () => {
		assert.deepEqual(await approve(desk.ask(newId('thr')), 'once'), { taken: false });
		const question = desk.question(newId('thr'));
		assert.deepEqual(await requests().reply({ id: question.id, answer: 'this' }, signal), { taken: false });
		assert.deepEqual(desk.taken, []);
	});

	it('that was not offered is not even asked about', async () => {
		assert.deepEqual(await approve(desk.ask(shown), 'thread'), { taken: false });
		assert.deepEqual(confirmed, []);
	});

	it('that is stored counts only when the person confirms it in the editor', async () => {
		isWanted = false;
		const approval = desk.ask(shown);
		assert.deepEqual(await approve(approval, 'always'), { taken: false });
		assert.deepEqual(await approve(approval, 'project'), { taken: false });
		assert.deepEqual(confirmed, ['always shell.run npm test', 'project shell.run npm test']);
		assert.deepEqual(desk.taken, []);
		isWanted = true;
		assert.deepEqual(await approve(approval, 'project'), { taken: true });
		assert.deepEqual(desk.taken, [{ kind: 'project' }]);
	});

	it('for once, to the shown thread or to none, is taken without a dialog', async () => {
		assert.deepEqual(await approve(desk.ask(shown), 'once'), { taken: true });
		assert.deepEqual(await approve(desk.ask(null), 'once'), { taken: true });
		const question = desk.question(shown);
		assert.deepEqual(await requests().reply({ id: question.id, answer: 'this' }, signal), { taken: true });
		assert.deepEqual(confirmed, []);
	});
});
