/**
 * How an op is carried out, in two steps: `prepare` finds out what exactly would happen, without any effect; the gate
 * judges that; `run` does just that and nothing else. So what was approved is what runs.
 */
import type { ApprovalDetail } from '../../protocol/approvals.ts';
import type { ThreadMessage } from '../../protocol/execution.ts';
import type { OpId, ThreadId, TurnId } from '../../protocol/ids.ts';
import type { OpName, OpParams, OpResult } from '../../protocol/ops.ts';
import type { NamedDatabases } from '../gate/policy/execution-databases.ts';
import type { Permission, RiskLevel } from '../../protocol/risk.ts';

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

/** What an op would touch, resolved: the gate judges these, not the strings of the request. */
export type Target =
	| {
			readonly kind: 'file';
			readonly access: 'read' | 'write';
			/** Relative to its workspace folder (with the folder's name first when there are several), slashes forward. */
			readonly path: string;
			readonly absolutePath: string;
			/** Holds secrets by its name (`.env*`, keys, `.npmrc` …): reading asks. */
			readonly isSecret: boolean;
			/** Steers what runs (`.git`, `.vscode`, `.prowess`, rc files …): writing always asks, never automatically. */
			readonly isProtected: boolean;
			/** Why only a person may answer for it (a whole folder, no undo …): no rule and no earlier answer counts. */
			readonly onlyByPerson?: string;
	  }
	/** A database is a file too; what is written to it has no before-image. */
	| {
			readonly kind: 'database';
			readonly access: 'read' | 'write';
			readonly path: string;
			readonly absolutePath: string;
			readonly isSecret: boolean;
			readonly isProtected: boolean;
	  }
	/** `host` as a rule writes it: in lower case, with the port when it is not the usual one. */
	| { readonly kind: 'host'; readonly host: string }
	/** By its name, never its value. `host`: the only place it would be sent to; absent when the caller would get the value. */
	| { readonly kind: 'secret'; readonly name: string; readonly host?: string }
	/** `fedBy`: the commands before it in its pipe, whose output it reads; absent when it reads nothing. */
	| {
			readonly kind: 'command';
			readonly argv: readonly string[];
			readonly cwd: string;
			readonly fedBy?: readonly (readonly string[])[];
	  };

export interface OpContext {
	readonly opId: OpId;
	readonly caller: Caller;
	/** Aborts on stop, on timeout, and when the caller's connection goes. */
	readonly signal: AbortSignal;
	/** At this limit the effect ends itself, and its result says so; 0: none, or none that is its own. */
	readonly limitMs: number;
	/** Streams output while the op runs; redacted on the way out. */
	emit(chunk: string): void;
	/** Whether the gate lets this op touch one more target without a question: where a redirect leads. */
	isAllowed(target: Target): boolean;
	/** For as long as `wait` takes, the op is shown as waiting, its clock stands, and the time does not count as its own. */
	waitForPerson<T>(reason: string, wait: () => Promise<T>): Promise<T>;
	/** The conversation the caller works in, oldest first; empty when there is none. */
	readThread(): Promise<readonly ThreadMessage[]>;
}

/** Before an effect there is nothing to stream, to limit or to wait for. */
export type PrepareContext = Pick<OpContext, 'opId' | 'caller' | 'signal'>;

export interface Prepared<R> {
	readonly targets: readonly Target[];
	/** What the user is shown if it asks: the exact bytes that will be run or written. */
	readonly detail: ApprovalDetail;
	/** Performs exactly what was prepared; rejects with FILE_CHANGED when the world moved in between. */
	run(context: OpContext): Promise<R>;
}

export interface OpImplementation<N extends OpName> {
	/** No effects. Rejects with the error the caller should read when the op cannot be meant (no such file, no match …). */
	prepare(params: OpParams<N>, context: PrepareContext): Promise<Prepared<OpResult<N>>>;
}

/** One implementation for each op: a missing one does not compile. */
export type OpImplementations = { readonly [N in OpName]: OpImplementation<N> };

/** Keeps the before-image of a file that is about to change, for undo. Resolves when it is durable. */
export interface BeforeImages {
	keep(change: {
		readonly caller: Caller;
		readonly path: string;
		readonly absolutePath: string;
		/** Text before; undefined when the file did not exist. */
		readonly before: string | undefined;
	}): Promise<void>;
	/** What our own write left (undefined: nothing, it was removed), so that later changes of others are noticed. */
	written(change: { readonly caller: Caller; readonly absolutePath: string; readonly after: string | undefined }): void;
}
