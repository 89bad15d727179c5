/** The trusted base of one host, as the rest of the host sees it. */
import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/emitter.ts';
import type { ApprovalAnswer, Desk } from '../protocol/approvals.ts';
import type { ChangeOwner, FileChange } from '../protocol/changes.ts';
import type { ApprovalId, QuestionId, ThreadId } from '../protocol/ids.ts';
import type { LedgerFilter, LedgerQuery, LedgerRow, LedgerVerification } from '../protocol/ledger.ts';
import type { Peer } from '../protocol/rpc/peer.ts';
import type { Explanation } from './broker/explain.ts';
import type { CapabilityManager } from './execution/capability-manager.ts';
import type { ExportFormat } from './record/ledger/export.ts';
import type { Marketplace } from './catalog/marketplace/marketplace.ts';
import type { RulesInForce } from './gate/policy/policy-text.ts';
import type { CapabilityRegistry } from './catalog/registry/capability-registry.ts';
import type { CapabilitySwitch } from './catalog/registry/capability-switch.ts';
import type { EnabledCapabilities } from './catalog/registry/enabled-capabilities.ts';

/** What waits for a person. */
export interface ApprovalDesk {
	readonly current: Desk;
	readonly onDidChange: Event<Desk>;
	/** False when it was already decided, has expired or never existed, or did not offer this answer. */
	approve(id: ApprovalId, answer: ApprovalAnswer): boolean;
	reply(id: QuestionId, answer: string): boolean;
}

/** What an execution outside of any thread has changed, with what it started. */
export interface ExecutionChanges {
	readonly executionId: string;
	/** When it changed its first file: an ISO time. */
	readonly since: string;
	readonly changes: readonly FileChange[];
}

/** Files changed by threads, and by executions outside of any, with their before-images. */
export interface Changes {
	readonly onDidChange: Event<{ readonly owner: ChangeOwner; readonly changes: readonly FileChange[] }>;
	list(owner: ChangeOwner): Promise<FileChange[]>;
	/** Those of executions outside of threads that can be undone in this workspace, the newest first. */
	ofExecutions(): Promise<ExecutionChanges[]>;
	/** Text before the owner's first change; undefined when the owner created the file. */
	before(
		owner: ChangeOwner,
		path: string,
	): Promise<{ readonly absolutePath: string; readonly before: string | undefined }>;
	keep(owner: ChangeOwner, paths: readonly string[] | undefined): Promise<FileChange[]>;
	/** Goes through the gate and the ledger as the user's own act. */
	undo(
		owner: ChangeOwner,
		paths: readonly string[] | undefined,
		force: boolean,
		signal: AbortSignal,
	): Promise<{ changes: FileChange[]; skipped: string[] }>;
}

export interface Ledger {
	/** Newest first. */
	query(query: LedgerQuery): Promise<LedgerRow[]>;
	/** Walks every chain. */
	verify(signal: AbortSignal): Promise<LedgerVerification>;
	/** The rows that are meant as a file, in pieces, in the order in which they were written. */
	export(format: ExportFormat, filter: LedgerFilter, signal: AbortSignal): AsyncIterable<string>;
	/** The same, written to a file that only the user can read, whole or not at all. */
	exportTo(path: string, format: ExportFormat, filter: LedgerFilter, signal: AbortSignal): Promise<void>;
}

/** The rules in force, to be looked at. */
export interface PolicyView {
	/** Rules and hooks that cannot be read, and so make a question or a refusal of everything; rules a workspace may not make; patterns of secrets that are not used. */
	problems(signal: AbortSignal): Promise<readonly string[]>;
	/** What would become of an op: `op params-or-command-or-path`. Nothing is done, asked or recorded. */
	explain(question: string, signal: AbortSignal): Promise<Explanation>;
	rules(signal: AbortSignal): Promise<RulesInForce>;
	/** Takes back what "always" saved, in every thread too. False when there was no such rule. In the ledger as the user's own act. */
	removeRule(rule: string, scope: 'project' | 'everywhere', signal: AbortSignal): Promise<boolean>;
}

export interface TrustedBase {
	readonly desk: ApprovalDesk;
	readonly changes: Changes;
	readonly ledger: Ledger;
	readonly policy: PolicyView;
	readonly capabilities: CapabilityManager;
	/** Finds, installs, updates and removes capabilities, as the user's own acts. */
	readonly marketplace: Marketplace;
	/** Which capabilities are switched off: asked before one is offered, and before one is started. */
	readonly enabledCapabilities: EnabledCapabilities;
	/** Switches them on and off, whichever they are. */
	readonly capabilitySwitch: CapabilitySwitch;
	/** Which capabilities and executors there are, which are in force, and what is wrong with the others. */
	readonly registry: Pick<CapabilityRegistry, 'state' | 'refresh' | 'onDidChange'>;
	/** Removes every secret we know of and everything that looks like one. */
	redact(text: string): string;
	/** What `redact` would strike out, listed, and the text as it would be. */
	previewRedaction(text: string): string;
	/** A value to redact wherever it appears, in any of the usual encodings; called for each key that is read or stored. */
	addSecret(value: string): void;
	/** Serves `brokerRequests` to a server; its identity is this connection. Dispose cancels all it has under way. */
	serveServer(server: Peer): Disposable;
	/**
	 * For a thread that the user has deleted: ends its commands and what else it has under way, open questions included, and
	 * lets go of what was allowed for it and of its before-images. Bounded; never rejects. The ledger keeps what was done.
	 */
	endThread(threadId: ThreadId): Promise<void>;
	/** Refuses new work, cancels what runs, ends every process it started, closes the ledger. Idempotent, bounded. */
	close(): Promise<void>;
}
