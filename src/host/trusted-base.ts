/** The trusted base of one host, as the rest of the host sees it. */
import type { Principal } from '../protocol/approvals/access.ts';
import type { OpKnowledge } from '../protocol/turn/broker.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Peer } from '../protocol/rpc/peer.ts';
import type { ChangeTracker, Hunk, Restores } from '../contract/changes.ts';
import type { ApprovalDesk, KeptApprovals } from '../contract/approvals.ts';
import type { PerformOp } from '../contract/ops/perform-op.ts';
import type { Ledger } from '../contract/ledger.ts';
import type { Runs } from '../contract/runs.ts';
import type { WatchedPages } from '../contract/watched-page.ts';
import type { OpId, ThreadId } from '../protocol/rpc/ids.ts';
import type { AskedByUser } from '../features/models/asked-by-user.ts';
import type { PersonDesk } from '../trust/gate/approvals/desk.ts';
import type { Levels } from '../trust/gate/policy/levels/level-register.ts';
import type { Modes } from '../trust/gate/policy/levels/mode-register.ts';
import type { PolicyView } from '../trust/broker/policy-register.ts';
import type { AgentRegister } from '../features/agents/agent-register.ts';
import type { CodeRegister } from '../features/code-index/code-register.ts';
import type { GoalRegister } from '../features/goal/goal-register.ts';
import type { ScriptRegister } from '../features/script/script-register.ts';
import type { BoundWorktree } from '../features/worktrees/bound-threads.ts';
import type { WorktreeRegister } from '../features/worktrees/worktree-register.ts';
import type { ScheduleRegister } from '../features/schedule/schedule-register.ts';
import type { MemoryRegister } from '../features/memory/memory-register.ts';
import type { HookRegister } from '../trust/gate/hooks/hook-register.ts';
import type { McpRegister } from '../execution/mcp/mcp-register.ts';
import type { CapabilityManager } from '../execution/runs/capability-manager.ts';
import type { CommandWall, SandboxProof, SandboxUse } from '../machine/sandbox/command-wall.ts';
import type { Marketplace } from '../catalog/marketplace/marketplace.ts';
import type { UserAct } from '../trust/record/ledger/user-act.ts';
import type { OutgoingMessage, WrittenUserMessage } from '../trust/record/redaction/outgoing-message.ts';
import type { Telemetry } from '../features/telemetry/telemetry.ts';
import type { Quotas } from '../features/quota/quotas.ts';
import type { CapabilityRegistry } from '../catalog/registry/capability-registry.ts';
import type { CapabilitySwitch } from '../catalog/registry/sources/capability-switch.ts';
import type { EnabledCapabilities } from '../catalog/registry/sources/enabled-capabilities.ts';

export interface TrustedBase extends AskedByUser {
	/** Other hosts may ask at it, too. */
	readonly desk: ApprovalDesk & Pick<PersonDesk, 'ask' | 'question'>;
	/** Performs ops for clients that ask for them one by one; who asks is what the door says. */
	readonly perform: PerformOp;
	readonly changes: ChangeTracker;
	/** Hunks that turn one text into another; undefined where they cannot be found out in time. */
	compareTexts(before: string, after: string): readonly Hunk[] | undefined;
	/** Ways back to a message of a thread. */
	readonly restores: Restores;
	readonly ledger: Ledger;
	/** Throws DENIED_BY_ORGANISATION where threads and the ledger must not be exported. */
	checkExport(): void;
	/** Records what a client has done for the user, beside what the op itself records: intent before it, outcome after it. */
	recordAct<T>(act: UserAct, work: () => Promise<T>): Promise<T>;
	readonly policy: PolicyView;
	/** Approvals and consents of the user that hold until further notice, to be looked over and revoked. */
	readonly approvals: KeptApprovals;
	readonly levels: Levels;
	readonly modes: Modes;
	/** Sub-agents: what they do, and how they are ended. */
	readonly agents: AgentRegister;
	readonly capabilities: CapabilityManager;
	/** Hooks of other agents: which there are, and what the user has agreed to. */
	readonly hooks: HookRegister;
	/** MCP servers: which there are, and how each stands. */
	readonly mcp: McpRegister;
	/** Use of models so far, and what is left of the user's quotas. */
	readonly usage: Pick<Quotas, 'begin' | 'used' | 'report' | 'ofThread' | 'checkKey' | 'overrules'>;
	/** Collector that is told how turns went. */
	readonly telemetry: Pick<Telemetry, 'endedCall' | 'isOn' | 'startedIn' | 'test'>;
	/** Kept memories, and those that wait for a review. */
	readonly memory: MemoryRegister;
	/** The code index: searched, brought up to date, deleted. */
	readonly code: CodeRegister;
	/** Work that is to run at times that the user has set. */
	readonly schedules: ScheduleRegister;
	readonly goals: GoalRegister;
	readonly scripts: ScriptRegister;
	/** Work trees beside the folder that is open. */
	readonly worktrees: WorktreeRegister & {
		/** The worktree that a thread works in; undefined: it works in the folder. */
		placeOf(threadId: ThreadId): BoundWorktree | undefined;
	};
	/** Commands in the hands of the user, while they run. */
	readonly runs: Runs;
	/** Pages that agents have open, for the user who watches. */
	readonly pages: WatchedPages;
	/** Resolves with the state of the sandbox for commands on this machine, which is tested once. */
	commandSandbox(): Promise<SandboxUse>;
	/**
	 * Resolves once a prompt may be sent. `warn` hears once why commands are not sandboxed here: before that, or, where an earlier
	 * start has found that they are, before the first command is judged.
	 */
	warnUnsandboxed: CommandWall['warnUnsandboxed'];
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
	/** Returns a list of what `redact` would strike out, and the text as it would be. */
	previewRedaction(text: string): string;
	/**
	 * Returns a message of the user as it may go to the server. Known keys are always taken out; text that only looks
	 * like a secret stays with `keepsLookalikes`.
	 */
	outgoingMessage(message: WrittenUserMessage, keepsLookalikes: boolean): OutgoingMessage;
	/** Reads every stored secret once more, so that it is known to the redaction; another window may have stored one. */
	noticeSecrets(): Promise<void>;
	/** A value to redact wherever it appears, in any of the usual encodings; called for each key that is read or stored. */
	addSecret(value: string): void;
	/** Resolves with the fate of an op, also of an op that an earlier host was asked for. */
	knowledge(opId: OpId): Promise<OpKnowledge>;
	/** Serves `brokerRequests` to a server; its identity is this connection. Dispose cancels all it has under way. */
	serveServer(server: Peer): Disposable;
	/**
	 * The user says something in this thread, through this host: from now on its agent may ask for ops. Until then, and again
	 * when it is deleted, an op that a server asks for in its name is refused. `text`: what they say, which may name a capability. `by`: who says it, if not the user of
	 * this host. `cause`: what had them say it, in words of the ledger. `isSteering`: to a turn that runs. `told`: threads that
	 * the message refers to.
	 */
	beginThread(
		threadId: ThreadId,
		text?: string,
		how?: {
			readonly by?: Principal;
			readonly device?: string;
			readonly cause?: string;
			readonly isSteering?: boolean;
			readonly told?: readonly ThreadId[];
		},
	): void;
	/**
	 * For a thread that begins with messages of another: what that one's model has read, this one's has, too. Rejects when that
	 * cannot be kept.
	 */
	handOnLabel(from: ThreadId, to: ThreadId, signal: AbortSignal): Promise<void>;
	/**
	 * For a thread that the user has deleted: ends its commands and what else it has under way, open questions included, and
	 * lets go of what was allowed for it and of its before-images. Bounded; never rejects. The ledger keeps what was done.
	 */
	endThread(threadId: ThreadId): Promise<void>;
	/** Refuses new work, cancels what runs, ends every process it started, closes the ledger. Idempotent, bounded. */
	close(): Promise<void>;
}
