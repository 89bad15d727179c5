/** Who asks for an op. */
import type { ThreadId, TurnId } from '../../protocol/ids.ts';
import type { Permission, RiskLevel } from '../../protocol/risk.ts';

/** Databases by name, each with its path in the workspace. */
export type NamedDatabases = Readonly<Record<string, string>>;

/** Who asks. Decided by the connection a request came in on, never by what is written in it. */
export type Caller =
	| { readonly kind: 'agent'; readonly threadId: ThreadId; readonly turnId: TurnId }
	/** A running capability, over the channel the host made for it. Its permissions were computed by the host when it began. */
	| {
			readonly kind: 'execution';
			readonly threadId: ThreadId | null;
			readonly executionId: string;
			/** What runs, for the ledger: `skill/greet`. */
			readonly capability: string;
			readonly permissions: ReadonlySet<Permission>;
			/** No op is its that is riskier: the lowest level of its own and of those that it lies in. */
			readonly level: RiskLevel;
			/** Those it may use, by name; absent: any of the workspace. */
			readonly databases?: NamedDatabases | undefined;
			/** What a person agreed to beforehand, with its content; absent: nothing. */
			readonly beforehand?: AllowedBeforehand | undefined;
			/** Its model asks, in a sub-turn: only for these ops. */
			readonly ops?: ReadonlySet<string>;
	  }
	| { readonly kind: 'user'; readonly threadId: ThreadId | null };

/** What the content of an execution names in `allowed-tools`. */
export interface AllowedBeforehand {
	/** As they are written, `Bash(git status *)`: its own, then those of each execution it lies in. Only what all of them name counts. */
	readonly tools: readonly (readonly string[])[];
	/** Where its own files lie: to run one of them is to run what was agreed to. */
	readonly folder: string;
}

/** Whose ops these are: two callers are one only when this is the same. */
export function identityOf(caller: Caller): string {
	switch (caller.kind) {
		case 'agent':
			return `agent:${caller.threadId}`;
		case 'execution':
			return `execution:${caller.executionId}`;
		case 'user':
			return 'user';
	}
}

/** What set the op off, as the ledger says it: of a capability which one, by which op, in which run of it. */
export function triggerOf(caller: Caller, op: string): string {
	return caller.kind === 'execution' ? `${caller.capability}:${op} (${caller.executionId})` : identityOf(caller);
}
