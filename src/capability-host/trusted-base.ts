/** The trusted base of one host, as the rest of the host sees it. */
import type { Disposable } from '../base/disposable.ts';
import type { ThreadId } from '../protocol/ids.ts';
import type { Peer } from '../protocol/rpc/peer.ts';
import type { Changes } from './contract/changes.ts';
import type { ApprovalDesk } from './contract/desk.ts';
import type { Explanation } from './contract/explanation.ts';
import type { Ledger } from './contract/ledger.ts';
import type { CapabilityManager } from './execution/capability-manager.ts';
import type { SandboxUse } from './machine/sandbox/command-sandbox.ts';
import type { SandboxProof } from './machine/sandbox/sandbox-proof.ts';
import type { Marketplace } from './catalog/marketplace/marketplace.ts';
import type { OutgoingMessage, UserMessage } from './record/redaction/outgoing-message.ts';
import type { RulesInForce } from './gate/policy/policy-text.ts';
import type { CapabilityRegistry } from './catalog/registry/capability-registry.ts';
import type { CapabilitySwitch } from './catalog/registry/capability-switch.ts';
import type { EnabledCapabilities } from './catalog/registry/enabled-capabilities.ts';

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
	/** Whether commands run in a sandbox here and now; tried out once. */
	commandSandbox(): Promise<SandboxUse>;
	/** Has a program in that sandbox try to get out. Undefined where there is none. */
	proveCommandSandbox(): Promise<SandboxProof | undefined>;
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
	/**
	 * What the user says, as it may go to the server. Known keys are always taken out; what only looks like a secret stays
	 * with `keepsLookalikes`.
	 */
	outgoingMessage(message: UserMessage, keepsLookalikes: boolean): OutgoingMessage;
	/** Reads every stored secret once more, so that it is known to the redaction; another window may have stored one. */
	noticeSecrets(): Promise<void>;
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
