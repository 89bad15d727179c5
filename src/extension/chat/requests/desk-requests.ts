/** The desk and the changed files, as the page sees them. Before the trusted base is there, both are empty. */
import type { ApprovalDesk, GivenAnswer } from '../../../contract/approvals.ts';
import { changeAnswers } from '../../../host/doors/change-answers.ts';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import {
	type Approval,
	type ApprovalAnswer,
	type Desk,
	type deskRequests,
	isOffered,
} from '../../../protocol/approvals/approvals.ts';
import type { changeRequests } from '../../../protocol/approvals/changes.ts';
import type { ApprovalId, ThreadId } from '../../../protocol/rpc/ids.ts';
import type { RequestHandlers } from '../../../protocol/rpc/peer.ts';
import type { Text } from '../../../protocol/text/text.ts';

/** An answer that is stored: it counts for questions that nobody will see. */
export type KeptAnswer = Extract<ApprovalAnswer, { kind: 'project' | 'always' }>;

interface DeskBase extends Pick<TrustedBase, 'outgoingMessage'> {
	readonly desk: Omit<ApprovalDesk, 'proposal'>;
	readonly scripts: Pick<TrustedBase['scripts'], 'ownsThread'>;
}

interface DeskRequestPorts {
	base(): DeskBase | undefined;
	/** Opens the change of a file that a question is about in the editor's diff. */
	showDiff(id: ApprovalId): Promise<void>;
	/** The answer, with the text as the person has edited it there. */
	withText(id: ApprovalId, answer: ApprovalAnswer): GivenAnswer;
	/** The thread on the screen. */
	shownThread(): ThreadId | null;
	/** Asks in a dialog of the editor, which no page can press, before a yes to what is dangerous. */
	confirmDangerous(approval: Approval): Promise<boolean>;
	/**
	 * Asks in the same way what the person wants stored, which may be another rule and scope;
	 * undefined: nothing. `whyNotRule` judges a rule as it is typed.
	 */
	confirm(
		approval: Approval,
		answer: KeptAnswer,
		whyNotRule: (rule: string) => Text | undefined,
	): Promise<KeptAnswer | undefined>;
	/** Hears that the question had gone when the dialog was answered. */
	onGone(): void;
	/** Hears how many secrets are taken out of what the user has typed. */
	onRemoved(count: number): void;
}

/** The desk as a chat shows it: questions of scripts belong to no thread, for nobody can open the thread of a script. */
export function deskInView({ approvals, questions }: Desk, scripts: DeskBase['scripts']): Desk {
	const inView = <T extends { readonly threadId: ThreadId | null }>(asked: T): T =>
		asked.threadId !== null && scripts.ownsThread(asked.threadId) ? { ...asked, threadId: null } : asked;
	return { approvals: approvals.map(inView), questions: questions.map(inView) };
}

/** The page's word counts for a question that it shows, and neither for what is stored nor for a yes to what is dangerous. */
export function createDeskRequests(ports: DeskRequestPorts): RequestHandlers<typeof deskRequests> {
	const tellRemovedSecrets = (text: string) => {
		const { found } = ports.base()?.outgoingMessage({ text, context: [] }, false) ?? {};
		const count = (found?.known ?? 0) + (found?.lookalikes ?? 0);
		if (count > 0) {
			ports.onRemoved(count);
		}
	};
	/** The question of that id, if the page shows it. */
	const findShown = <T extends { readonly id: string; readonly threadId: ThreadId | null }>(
		asked: readonly T[],
		id: string,
	) => asked.find((each) => each.id === id && (each.threadId === null || each.threadId === ports.shownThread()));
	const inView = (): Desk => {
		const base = ports.base();
		return base === undefined ? { approvals: [], questions: [] } : deskInView(base.desk.current, base.scripts);
	};
	const keepAnswer = async (
		desk: Pick<ApprovalDesk, 'approve' | 'approveWithRule' | 'whyNotRule'>,
		approval: Approval,
		answer: KeptAnswer,
	) => {
		const { id } = approval;
		const wanted = await ports.confirm(approval, answer, (rule) => desk.whyNotRule(id, rule));
		if (wanted === undefined) {
			return false;
		}
		const { kind, rule } = wanted;
		const taken =
			rule === undefined || isOffered(approval, wanted)
				? desk.approve(id, ports.withText(id, wanted))
				: desk.approveWithRule(id, kind, rule);
		if (!taken) {
			ports.onGone();
		}
		return taken;
	};
	return {
		list: async () => inView(),
		approve: async ({ id, answer }) => {
			const desk = ports.base()?.desk;
			const approval = findShown(inView().approvals, id);
			if (desk === undefined || approval === undefined || !isOffered(approval, answer)) {
				return { taken: false };
			}
			if (answer.kind === 'project' || answer.kind === 'always') {
				return { taken: await keepAnswer(desk, approval, answer) };
			}
			const isDangerous = approval.warning?.isDangerous === true && answer.kind !== 'deny';
			if (isDangerous && !(await ports.confirmDangerous(approval))) {
				return { taken: false };
			}
			const taken = desk.approve(id, ports.withText(id, answer));
			if (taken && answer.kind === 'deny') {
				tellRemovedSecrets(answer.reason ?? '');
			}
			return { taken };
		},
		approveAll: async ({ ids, answer }) => {
			const { desk } = ports.base() ?? {};
			const open = inView().approvals;
			const taken =
				desk?.approveAll(
					ids.filter((id) => findShown(open, id) !== undefined),
					answer,
				) ?? [];
			if (taken.length > 0 && answer.kind === 'deny') {
				tellRemovedSecrets(answer.reason ?? '');
			}
			return { taken };
		},
		tryFirst: async ({ id }) => {
			const desk = ports.base()?.desk;
			if (findShown(inView().approvals, id) !== undefined) {
				desk?.tryFirst(id);
			}
			return {};
		},
		showDiff: async ({ id }) => {
			if (findShown(inView().approvals, id) !== undefined) {
				await ports.showDiff(id);
			}
			return {};
		},
		reply: async ({ id, answer }) => {
			const desk = ports.base()?.desk;
			const taken = findShown(inView().questions, id) !== undefined && desk?.reply(id, answer) === true;
			if (taken) {
				tellRemovedSecrets(answer);
			}
			return { taken };
		},
	};
}

export function createChangeRequests(
	base: () => Promise<TrustedBase>,
	show: (threadId: ThreadId, path: string) => Promise<void>,
): RequestHandlers<typeof changeRequests> {
	return {
		...changeAnswers(base),
		show: async ({ threadId, path }) => {
			await show(threadId, path);
			return {};
		},
	};
}
