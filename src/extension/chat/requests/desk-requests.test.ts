import assert from 'node:assert/strict';
import { Emitter } from '../../../base/emitter.ts';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import {
	type AnswerToAll,
	type Approval,
	type ApprovalAnswer,
	type Desk,
	isOffered,
} from '../../../protocol/approvals/approvals.ts';
import { newId, type ThreadId } from '../../../protocol/rpc/ids.ts';
import { text } from '../../../protocol/text/text.ts';
import { createDeskRequests, type KeptAnswer } from './desk-requests.ts';

const signal = new AbortController().signal;
const shown = newId('thr');
const times = { askedAt: '2026-11-20T12:00:00.000Z', expiresAt: '2026-11-20T13:00:00.000Z' };

/** Questions in memory, each with one answer. */
class MemoryDesk {
	readonly #changed = new Emitter<Desk>();
	readonly onDidChange = this.#changed.event;
	readonly onDidClose = new Emitter<never>().event;
	readonly taken: ApprovalAnswer[] = [];
	readonly tried: Approval['id'][] = [];
	current: Desk = { approvals: [], questions: [] };

	ask(threadId: ThreadId | null, more: Partial<Approval> = {}): Approval {
		const approval: Approval = {
			id: newId('apr'),
			opId: newId('op'),
			threadId,
			op: 'shell.run',
			title: 'Run npm test',
			risk: 'RESTRICTED',
			act: 'runs',
			warning: null,
			reason: text('Running commands needs your approval.'),
			detail: { kind: 'command', argv: ['npm', 'test'], cwd: '/srv' },
			isOnceOffered: true,
			threadScope: null,
			pattern: 'shell.run npm test',
			wider: ['shell.run npm test **'],
			isProjectOffered: true,
			...times,
			...more,
		};
		this.current = { ...this.current, approvals: [approval] };
		return approval;
	}

	question(threadId: ThreadId) {
		const question = { id: newId('ask'), opId: newId('op'), threadId, question: 'Which?', options: [], ...times };
		this.current = { ...this.current, questions: [question] };
		return question;
	}

	tryFirst(id: Approval['id']): boolean {
		this.tried.push(id);
		return true;
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

	approveAll(ids: readonly Approval['id'][], answer: AnswerToAll): Approval['id'][] {
		return ids.filter((id) => this.approve(id, answer));
	}

	whyNotRule(id: Approval['id'], rule: string) {
		const isOpen = this.current.approvals.some((each) => each.id === id);
		return isOpen && rule.startsWith('shell.run npm ') ? undefined : text('It does not cover this.');
	}

	approveWithRule(id: Approval['id'], kind: 'project' | 'always', rule: string): boolean {
		const isTaken = this.whyNotRule(id, rule) === undefined;
		if (isTaken) {
			this.taken.push({ kind, rule });
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
	let opened: string[];
	let isWanted: boolean;
	/** Answer as the person edits it in the dialog; undefined: unchanged. */
	let typed: KeptAnswer | undefined;
	let gone: number;
	/** Thread in which a script runs. */
	let scriptThread: ThreadId | undefined;
	const scripts = { ownsThread: (id: ThreadId) => id === scriptThread };
	beforeEach(() => {
		scriptThread = undefined;
		desk = new MemoryDesk();
		confirmed = [];
		opened = [];
		isWanted = true;
		typed = undefined;
		gone = 0;
	});

	function requests(whileAsked: () => void = () => undefined) {
		const found = { known: 0, lookalikes: 0 };
		const outgoingMessage: TrustedBase['outgoingMessage'] = ({ text: words }) => ({
			message: { text: words, context: [] },
			found,
		});
		return createDeskRequests({
			base: () => ({ desk, outgoingMessage, scripts }),
			shownThread: () => shown,
			confirm: async (approval, answer) => {
				confirmed.push(`${answer.kind} ${answer.rule ?? approval.pattern}`);
				whileAsked();
				return isWanted ? (typed ?? answer) : undefined;
			},
			onGone: () => void (gone += 1),
			withText: (_id, answer) => answer,
			showDiff: async (id) => void opened.push(id),
			confirmDangerous: async ({ title }) => {
				confirmed.push(`dangerous ${title}`);
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

	it('to a question of a script is taken while the script runs, shown as one of no thread', async () => {
		const script = newId('thr');
		const approval = desk.ask(script);
		assert.deepEqual(await approve(approval, 'once'), { taken: false });
		scriptThread = script;
		const { approvals } = await requests().list({}, signal);
		assert.deepEqual(
			approvals.map(({ threadId }) => threadId),
			[null],
		);
		assert.deepEqual(await approve(approval, 'once'), { taken: true });
	});

	it('cannot open the diff of a question that it does not show', async () => {
		await requests().showDiff({ id: desk.ask(newId('thr')).id }, signal);
		assert.deepEqual(opened, []);
		const { id } = desk.ask(shown);
		await requests().showDiff({ id }, signal);
		assert.deepEqual(opened, [id]);
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

	it('that allows what is dangerous counts only when the person confirms it in the editor, a no at once', async () => {
		const warning = { isDangerous: true, reasons: [], marks: [] };
		isWanted = false;
		const approval = desk.ask(shown, { warning });
		assert.deepEqual(await approve(approval, 'once'), { taken: false });
		isWanted = true;
		assert.deepEqual(await approve(approval, 'once'), { taken: true });
		assert.deepEqual(confirmed, ['dangerous Run npm test', 'dangerous Run npm test']);
		const denied = { id: desk.ask(shown, { warning }).id, answer: { kind: 'deny' as const } };
		assert.deepEqual(await requests().approve(denied, signal), { taken: true });
		assert.deepEqual(confirmed.length, 2);
	});

	it('stores a wider rule only as it was offered', async () => {
		const approval = desk.ask(shown);
		const { approve: answer } = requests();
		const given = (rule: string) => answer({ id: approval.id, answer: { kind: 'project', rule } }, signal);
		assert.deepEqual(await given('shell.run npm **'), { taken: false });
		assert.deepEqual(confirmed, []);
		assert.deepEqual(await given('shell.run npm test **'), { taken: true });
		assert.deepEqual(desk.taken, [{ kind: 'project', rule: 'shell.run npm test **' }]);
	});

	it('stores what the person has written in the dialog, if it is a rule for the question', async () => {
		typed = { kind: 'always', rule: 'shell.run *' };
		assert.deepEqual(await approve(desk.ask(shown), 'project'), { taken: false });
		typed = { kind: 'always', rule: 'shell.run npm run build' };
		assert.deepEqual(await approve(desk.ask(shown), 'project'), { taken: true });
		assert.deepEqual(desk.taken, [typed]);
	});

	it('that comes when the question has gone changes nothing, and says so', async () => {
		const approval = desk.ask(shown);
		const { approve: answer } = requests(() => {
			desk.current = { approvals: [], questions: [] };
		});
		assert.deepEqual(await answer({ id: approval.id, answer: { kind: 'project' } }, signal), { taken: false });
		assert.deepEqual([desk.taken, gone], [[], 1]);
	});

	it('for once, to the shown thread or to none, is taken without a dialog', async () => {
		assert.deepEqual(await approve(desk.ask(shown), 'once'), { taken: true });
		assert.deepEqual(await approve(desk.ask(null), 'once'), { taken: true });
		const question = desk.question(shown);
		assert.deepEqual(await requests().reply({ id: question.id, answer: 'this' }, signal), { taken: true });
		assert.deepEqual(confirmed, []);
	});
});
