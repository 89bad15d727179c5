/** Approvals that count until further notice: answers for threads, rules of projects and of all projects, trusted capabilities, hosts. */
import type { Disposable } from '../base/disposable.ts';
import type { OpId, ThreadId } from '../protocol/ids.ts';
import type { Text } from '../protocol/text/text.ts';

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
