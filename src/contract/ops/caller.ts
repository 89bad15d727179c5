/** Callers of ops. */
import type { ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { Permission, RiskLevel } from '../../protocol/ops/risk.ts';

/** Databases by name, each with its path in the workspace. */
export type NamedDatabases = Readonly<Record<string, string>>;

/** Caller of an op, identified by the connection a request came in on, never by its content. */
export type Caller =
	| { readonly kind: 'agent'; readonly threadId: ThreadId; readonly turnId: TurnId }
	/** A running capability, over the channel the host made for it. The host computed its permissions when it started. */
	| {
			readonly kind: 'execution';
			readonly threadId: ThreadId | null;
			readonly executionId: string;
			/** Name of the capability in the ledger: `skill/greet`. */
			readonly capability: string;
			/** The tool of it that was called; absent: it has none. */
			readonly tool?: string | undefined;
			readonly permissions: ReadonlySet<Permission>;
			/** Highest risk level of its ops: the lowest level of its own and of the executions that it lies in. */
			readonly level: RiskLevel;
			/** Databases it may use, by name; absent: any of the workspace. */
			readonly databases?: NamedDatabases | undefined;
			/** Ops that the user consented to in advance, with the content; absent: none. */
			readonly beforehand?: AllowedBeforehand | undefined;
			/** Where the copy of its own files lies, which its commands may read; absent: it has none. */
			readonly ownFolder?: string | undefined;
			/** Folder of its plugin's data, which its commands may change; absent: it names none. */
			readonly ownData?: string | undefined;
			/** Ops that its model may ask for in a sub-turn; absent outside of one. */
			readonly ops?: ReadonlySet<string>;
	  }
	| { readonly kind: 'user'; readonly threadId: ThreadId | null };

export type AgentCaller = Extract<Caller, { kind: 'agent' }>;

/** Folders of capabilities, beyond the workspace, that a caller may reach. */
export interface OwnFolders {
	/** Copies of the files of its own capability, or of those that its thread has loaded, which it may read. */
	readonly folders: readonly string[];
	/** Where plugins of these keep their data, which it may read and its commands may change. */
	readonly data: readonly string[];
}

/** Tools that the content of an execution names in `allowed-tools`. */
export interface AllowedBeforehand {
	/**
	 * Tools as they are written, `Bash(git status *)`: its own, then those of each execution it lies in. Only tools
	 * that all of them name count.
	 */
	readonly tools: readonly (readonly string[])[];
	/** Where its own files lie: to run one of them is to run what was agreed to. */
	readonly folder: string;
}

/** Whose ops these are: two callers are one only when this is the same. */
export function toCallerIdentity(caller: Caller): string {
	switch (caller.kind) {
		case 'agent':
			return `agent:${caller.threadId}`;
		case 'execution':
			return `execution:${caller.executionId}`;
		case 'user':
			return 'user';
	}
}

/** Cause of the op in the ledger's words: for a capability its name, the op and the run. */
export function formatOpTrigger(caller: Caller, op: string): string {
	if (caller.kind !== 'execution') {
		return toCallerIdentity(caller);
	}
	const tool = caller.tool === undefined ? '' : `${caller.tool}:`;
	return `${caller.capability}:${tool}${op} (${caller.executionId})`;
}
