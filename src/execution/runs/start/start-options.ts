/** Options of a start: the capability, its parameters, and its caller. */
import type { ThreadMessage } from '../../../protocol/execution/execution.ts';
import type { OpId } from '../../../protocol/rpc/ids.ts';
import type { PermissionLevel } from '../../../protocol/ops/permission-level.ts';
import type { ActiveFile } from '../../../protocol/thread/context.ts';
import type { Mode } from '../../../protocol/thread/thread.ts';
import type { Caller } from '../../../contract/ops/caller.ts';

/** Facts of a thread that are no messages, as the host knows them; a fact that it does not know is absent. */
export interface ThreadFacts {
	readonly mode?: Mode;
	/** Permission level: how much runs in the thread without a question. */
	readonly level?: PermissionLevel;
	/** The branch that is checked out in the first folder. */
	readonly branch?: string;
	/** The file in front of the user, and the selected lines. */
	readonly activeFile?: ActiveFile;
	/** The service that it is asked for; then nothing else is here. */
	readonly service?: string;
}

export interface StartOptions {
	/** Capability to run, by its name or by its folder. */
	readonly capability: { readonly name: string; readonly type?: string } | { readonly folder: string };
	readonly params?: unknown;
	/** Tool of a capability that runs in a worker; absent: its only one. */
	readonly tool?: string;
	/** Milliseconds of running time; absent: no limit. */
	readonly timeout?: number;
	/** Caller that wants the run: the user, an agent, or another execution. */
	readonly caller: Caller;
	readonly parentAgentId?: string;
	readonly parentAgentInstanceId?: string;
	/**
	 * Messages of the thread, oldest first. An execution that another one starts is told the messages of that one
	 * instead.
	 */
	readonly messages?: readonly ThreadMessage[];
	/** A person is being asked, for it or by it, or is not any more. */
	readonly onWaiting?: (isWaiting: boolean) => void;
	/**
	 * The service it is asked for, one that it provides. Then it works below who asks, but not for them: it has its own rights,
	 * and is told nothing of the thread.
	 */
	readonly service?: string;
	/** Op of the agent that starts it, for the user to stop it by. */
	readonly startedBy?: OpId;
	/** The user named it themselves in the message that is being worked on; absent: no. */
	readonly isNamedByUser?: boolean;
}
