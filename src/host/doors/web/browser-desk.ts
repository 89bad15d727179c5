/**
 * The desk as a browser is shown it, and what its answers count for: nothing that is kept for later, and no yes to what is
 * dangerous.
 */
import type { ApprovalDesk } from '../../../contract/approvals.ts';
import type { ActedThrough } from '../../../protocol/approvals/access.ts';
import { type Approval, type Desk, deskRequests } from '../../../protocol/approvals/approvals.ts';
import type { RequestHandlers } from '../../../protocol/rpc/peer.ts';

const { showDiff: _showDiff, ...answeredHere } = deskRequests;
/** Requests that a browser can make of the desk. */
export const ofDesk = answeredHere;

/** `check` throws where the device may not answer. */
export function browserDesk(desk: ApprovalDesk, by: ActedThrough, check: () => void): RequestHandlers<typeof ofDesk> {
	const mayTake = (id: string, isYes: boolean) => {
		const asked = desk.current.approvals.find((each) => each.id === id);
		return asked !== undefined && (!isYes || asked.warning?.isDangerous !== true);
	};
	return {
		list: () => Promise.resolve(deskOfBrowser(desk.current)),
		approve: async ({ id, answer }) => {
			check();
			const isKept = answer.kind === 'project' || answer.kind === 'always';
			const isTaken = !isKept && mayTake(id, answer.kind !== 'deny') && desk.approve(id, { ...answer, ...by });
			return { taken: isTaken };
		},
		approveAll: async ({ ids, answer }) => {
			check();
			const answered = ids.filter((id) => mayTake(id, answer.kind !== 'deny'));
			return { taken: desk.approveAll(answered, answer, by) };
		},
		tryFirst: async ({ id }) => {
			check();
			if (mayTake(id, true)) desk.tryFirst(id);
			return {};
		},
		reply: async ({ id, answer }) => {
			check();
			return { taken: desk.reply(id, answer, by) };
		},
	};
}

/** With the answers that a browser may give, and no others. */
export function deskOfBrowser({ approvals, questions }: Desk): Desk {
	return { approvals: approvals.map(approvalOfBrowser), questions };
}

function approvalOfBrowser({ wider: _wider, turnScope, isPartOfAll, trial, ...approval }: Approval): Approval {
	const kept = { ...approval, pattern: null, isProjectOffered: false };
	if (approval.warning?.isDangerous === true) return { ...kept, isOnceOffered: false, threadScope: null };
	return {
		...kept,
		...(turnScope !== undefined && { turnScope }),
		...(isPartOfAll !== undefined && { isPartOfAll }),
		...(trial !== undefined && { trial }),
	};
}
