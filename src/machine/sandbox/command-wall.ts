/**
 * Wall that keeps commands in, with the means of the system: bubblewrap on Linux, Seatbelt on macOS. The wall counts
 * only after a program behind it has tried to get out on this very machine, and failed.
 */
import type { Disposable } from '../../base/disposable.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { Text } from '../../protocol/text/text.ts';
import type { SandboxEntry } from './entry.ts';
import type { CommandNetwork, HostGate } from './network/command-network.ts';
import type { SandboxNetworks } from './network/sandbox-networks.ts';
import type { CopiedWorkspace, SandboxReach } from './mounts/sandbox-mounts.ts';

/** State of the sandbox: commands run in it here at this time, or the reason why they do not, and what helps. */
export type SandboxUse = { readonly works: true } | { readonly works: false; readonly why: Text };

export interface SandboxRequest {
	/** Absolute and free of links. */
	readonly cwd: string;
	readonly environment: Readonly<Record<string, string>>;
	readonly reach: SandboxReach;
	/** Words of the command's programs: tools that they name find the packages that the workspace needs. */
	readonly words: readonly string[];
	/** False: it may not change the workspace. */
	readonly isWritable: boolean;
	/**
	 * Returns true when no caller waits for the command's end. Called at that end: the user may have changed the
	 * workspace meanwhile.
	 */
	isBackground(): boolean;
	/** No process of the command ran in that time; milliseconds of the wall clock. */
	readonly onRested?: ((time: { readonly fromMs: number; readonly toMs: number }) => void) | undefined;
	/** Undefined: an empty one. */
	readonly network: CommandNetwork | undefined;
	/** Whose `/tmp` it has; absent: one of its own. */
	readonly thread?: ThreadId | undefined;
	/**
	 * Copy that the command finds in place of the workspace, filled before the command starts; absent: the workspace
	 * itself.
	 */
	readonly copy?: FilledCopy | undefined;
}

export interface FilledCopy extends CopiedWorkspace {
	/** Copies these folders; of what `isHidden` names only the name. Rejects when they are too large. */
	fill(roots: readonly string[], isHidden: (path: string) => boolean): Promise<void>;
}

/** The sandbox of one command, from its first program to the end of its last one. */
export interface ProgramSandbox {
	/** Environment of the programs in the sandbox. */
	readonly environment: Readonly<Record<string, string>>;
	/** Folder that its programs find in place of `/tmp`, as the host finds it; undefined: they have none there. */
	readonly temporary?: string;
	/** True when the processes are apart from those of the machine: all of them then end with the first one. */
	readonly hasOwnProcesses: boolean;
	/**
	 * The command line that starts a program in it. `file` is absolute. `hasOneOutput`: what it writes to its errors goes to
	 * its output. `terminal`: what makes the program a terminal, where the sandbox has processes of its own. Throws when the
	 * system could not start it there.
	 */
	enter(file: string, args: readonly string[], hasOneOutput?: boolean, terminal?: string): SandboxEntry;
	/** Finds anew what is to be guarded, for another try. */
	renew(): void;
	/** Ends a program, by `kill`, that takes more of the machine than it may; `leader` is what `enter` was started as. */
	watch(leader: number, kill: () => void): Disposable;
	/**
	 * Once all its programs have ended. `failure`: the end of the output of a command that failed. Resolves with sentences on what
	 * it was kept from; never rejects.
	 */
	close(failure: string | undefined): Promise<readonly string[]>;
}

export interface SandboxProof {
	/** The program that keeps it in. */
	readonly by: string;
	/** Attempts of a program in the sandbox, each as the end of "kept from". */
	readonly attempts: readonly { readonly what: Text; readonly isKept: boolean }[];
	/** Absolute paths and words for several of them. */
	readonly writable: readonly Text[];
	readonly readable: readonly Text[];
	readonly hidden: readonly (Text | string)[];
	/** Limits on the machine's resources for a single command. */
	readonly limits: readonly Text[];
}

export interface CommandWall {
	/** Resolves with the state as tried out in this process. Code that runs or judges a command asks this. */
	state(): Promise<SandboxUse>;
	/**
	 * Resolves once a prompt may be sent. `warn` hears once why commands are not sandboxed here: before that, or, where an earlier
	 * start has found that they are, before the first command is judged.
	 */
	warnUnsandboxed(warn: (why: Text) => void): Promise<void>;
	/**
	 * True when the sandbox hides every secret file of the workspace. False for a workspace that is too large: it is
	 * guarded only in part.
	 */
	hidesSecrets(): boolean;
	/** Has a program in it try to get out; what did not work is tried anew. Undefined where there is none. */
	prove(environment: Readonly<Record<string, string>>): Promise<SandboxProof | undefined>;
	/** For one command; whoever opens it closes it when the command has ended. Rejects when the sandbox does not work. */
	open(request: SandboxRequest): Promise<ProgramSandbox>;
	/** For one command, which disposes of it. Undefined where commands can have an empty network only. */
	openNetwork(threadId: ThreadId | null, gate: HostGate): Promise<CommandNetwork | undefined>;
	/**
	 * Opens a connection to a server that a sandboxed command of the thread runs; undefined where none listens at that port, or
	 * commands have no network of their own here. Rejects when the signal aborts.
	 */
	connectInside?(...to: Parameters<SandboxNetworks['connect']>): ReturnType<SandboxNetworks['connect']>;
	/** Ends the network of its commands, and removes their `/tmp`. */
	endThread(threadId: ThreadId): Promise<void>;
	/** The host itself is about to write there, for somebody who may: no command that runs has planted it. */
	expect(path: string): void;
	/**
	 * True for a file that steers agents or other programs, and that a command in the background may have made: nobody follows
	 * it until the user, or an op that was agreed to, has written it.
	 */
	isHeld(path: string): boolean;
	/** Absolute paths of the files that are held after commands in the background. */
	held(): readonly string[];
	/**
	 * True for an empty folder that the sandbox of a command has put into the workspace, in this host or in another.
	 */
	isPlaceholder(path: string): boolean;
	/**
	 * Has `write` do to the workspace what a command did to a copy, and takes away again what no command may leave. Resolves with
	 * sentences on that. Absent: a command cannot be run on a copy here.
	 */
	asCommand?(write: () => Promise<void>): Promise<readonly string[]>;
	close(): Promise<void>;
}
