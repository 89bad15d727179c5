/** Approvals: those that wait for a person, and those that count until further notice. */
import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/emitter.ts';
import type { ActedThrough } from '../protocol/approvals/access.ts';
import type { AnswerToAll, ApprovalAnswer, ClosedQuestion, Desk } from '../protocol/approvals/approvals.ts';
import type { ApprovalId, OpId, QuestionId, ThreadId } from '../protocol/rpc/ids.ts';
import type { Text } from '../protocol/text/text.ts';
import type { Proposal } from './ops/op-implementation.ts';

/**
 * An answer, with the text that the person made of the proposed one: from an editor of the host, never from a page.
 * `through`: the client that it came through; absent: the host's own view or terminal.
 */
export type GivenAnswer = ApprovalAnswer & ActedThrough & { readonly text?: string };

/** Words that answer a question, as `GivenAnswer`. */
export interface GivenWords extends ActedThrough {
	readonly words: string;
}

/** Approvals and questions that wait for a person. */
export interface ApprovalDesk {
	readonly current: Desk;
	readonly onDidChange: Event<Desk>;
	/** A question has gone from the desk: told once for each, before the change of the desk. */
	readonly onDidClose: Event<ClosedQuestion>;
	/** Why a rule that the person has written is not one for this question, with what to do; undefined: it is one. */
	whyNotRule(id: ApprovalId, rule: string): Text | undefined;
	/** Saves a rule that the person has written, in a dialog that no page can fill in. False as for `approve`. */
	approveWithRule(id: ApprovalId, kind: 'project' | 'always', rule: string): boolean;
	/** False when it was already decided, has expired or never existed, or did not offer this answer. */
	approve(id: ApprovalId, answer: GivenAnswer): boolean;
	/** Gives those that took the answer: which were open and offered it together with others. */
	approveAll(ids: readonly ApprovalId[], answer: AnswerToAll, by?: ActedThrough): ApprovalId[];
	/** The change of a file that an open question is about; undefined when it is about something else, or over. */
	proposal(id: ApprovalId): Pick<Proposal, 'path' | 'before' | 'after' | 'verify'> | undefined;
	/** Runs on a copy of the workspace what an open question is about. False when nothing can be tried, or it is tried already. */
	tryFirst(id: ApprovalId): boolean;
	reply(id: QuestionId, answer: string, by?: ActedThrough): boolean;
}

/** The question whose answer is kept. */
export interface ApprovalOrigin {
	/** ISO 8601, UTC. */
	readonly at: string;
	/** Title of the approval, without secrets. */
	readonly title: string;
	readonly opId: OpId;
	readonly threadId: ThreadId | null;
}

/** Where an approval is kept, which is how far it reaches. */
export type KeptIn =
	| { readonly kind: 'thread'; readonly threadId: ThreadId }
	/** A permission level of its own, wider than that of the settings. */
	| { readonly kind: 'level'; readonly threadId: ThreadId }
	/** `isOpen`: the project of this host. The folders are real paths. */
	| { readonly kind: 'project'; readonly folders: readonly string[]; readonly isOpen: boolean }
	| { readonly kind: 'everywhere' }
	| { readonly kind: 'capability' }
	/** The start of an MCP server. */
	| { readonly kind: 'mcp' }
	/** `prowess.http.allowHosts`: an address on this machine or its network that may be asked for. */
	| { readonly kind: 'host' };

export interface KeptApproval {
	/** The same in each process and after a restart; of an answer for a thread, for as long as it counts. */
	readonly id: string;
	readonly in: KeptIn;
	/** The allowed thing in words. */
	readonly what: Text;
	/** The rule, the host or the content as it is kept; null where the words say it all. */
	readonly exact: string | null;
	/** Null where it is not known: the user wrote it into the settings, or it is older than what is remembered. */
	readonly origin: ApprovalOrigin | null;
}

export interface KeptApprovalList {
	readonly approvals: readonly KeptApproval[];
	/** Names of the secrets that are stored. They are no approvals: each use of one is asked about. */
	readonly secrets: readonly string[];
	/** Files and rules that cannot be read, and therefore allow nothing. */
	readonly problems: readonly string[];
}

export interface KeptApprovals {
	list(signal: AbortSignal): Promise<KeptApprovalList>;
	/**
	 * Asks again about what the approval of this id allowed, at once and in each process. Resolves with what is revoked,
	 * undefined when there is no such approval any more. In the ledger as the user's own act.
	 */
	revoke(id: string, signal: AbortSignal): Promise<KeptApproval | undefined>;
	/** Revokes all of them, and says which. */
	reset(signal: AbortSignal): Promise<readonly KeptApproval[]>;
	/** Hears that something else may be kept now, also by another process. */
	onDidChange(listener: () => void): Disposable;
}
