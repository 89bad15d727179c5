import type { Text } from '../../protocol/text/text.ts';

/** Readers of a protected file, by which the question about a change says what it reaches. */
export type ProtectedKind =
	| 'git'
	| 'editor'
	| 'agent'
	/** Told to agents at each start. */
	| 'instructions'
	| 'integration'
	/** Read by shells and command-line tools wherever they start. */
	| 'shell'
	| 'build'
	/** Installed programs that others start by their name. */
	| 'programs'
	| 'packages';

/** Resolved object of an op. The gate judges targets, not the strings of the request. */
export type OpTarget =
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
			/** Absent where it is not known what the file steers. */
			readonly protectedKind?: ProtectedKind;
			/** Why only a person may answer for it (a whole folder, no undo …): no rule and no earlier answer counts. */
			readonly onlyByPerson?: Text;
			/** True where undo cannot bring back what it holds; absent: it can. */
			readonly hasNoUndo?: boolean;
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
	| {
			readonly kind: 'host';
			readonly host: string;
			/** A server on this machine: its port is in `host`, and only a rule that names it exactly covers it. */
			readonly isHere?: true;
			/** A page of it is open in the browser of the thread, and the user agreed to that: no question arises. */
			readonly isOpen?: true;
	  }
	/**
	 * A secret by its name, never its value. `host`: the only place it would be sent to; absent when the caller would
	 * get the value.
	 */
	| { readonly kind: 'secret'; readonly name: string; readonly host?: string }
	/**
	 * A tool of an MCP server, its resource, prompt or model, both by the names that rules write: `github/create_issue`.
	 * An empty `tool` is the server itself, whose lists are read.
	 * `isKnown`: the server listed it, or the user named it, so that asking for it tells the server nothing, and no question arises.
	 */
	| { readonly kind: 'mcp'; readonly server: string; readonly tool: string; readonly isKnown?: true }
	/** A capability, by its type and name. The consent to it is another question; only rules that tighten look at it here. */
	| { readonly kind: 'capability'; readonly type: string; readonly name: string }
	/** `fedBy`: the commands before it in its pipe, whose output it reads, none for a file; absent when it reads nothing. */
	| {
			readonly kind: 'command';
			readonly argv: readonly string[];
			/** The words before their wildcards became names: what was meant may be riskier than what is there now. Absent: the same. */
			readonly written?: readonly string[];
			readonly cwd: string;
			readonly fedBy?: readonly (readonly string[])[];
			/** Files in the place of its streams, as they are written; each is a target besides. Absent: there is none. */
			readonly streams?: { readonly reads: readonly string[]; readonly writes: readonly string[] };
			/** Runs in the sandbox of commands, as `ops/commands/shell.ts` prepares it; absent: nothing keeps it in. */
			readonly isSandboxed?: true;
			/** Asks to run without the sandbox that it would have; absent: it has one, or there is none. */
			readonly leavesSandbox?: true;
			/** Arguments that name what the file ops would not pass without a question; absent: none does. */
			readonly strays?: readonly Stray[];
			/** Arguments that name what is in the `/tmp` of its thread, which only commands of it wrote; absent: none does. */
			readonly temporaries?: readonly string[];
			/** True where its sandbox guards the workspace only in part, because there is more in it than was looked through. */
			readonly isGuardedInPart?: true;
			/** True where its sandbox hides every secret file of the workspace; absent: some may be seen. */
			readonly hidesSecrets?: true;
			/** True for a program of this machine: neither a file of the workspace, nor one by which the project chooses another. */
			readonly isInstalled?: true;
			/** True for git in a repository that names no program git would start. */
			readonly isInPlainRepository?: true;
			/** Absolute folders of the workspace; absent: not known. */
			readonly folders?: readonly string[];
	  }
	/** A file or folder beyond the sandbox of a command, which it is to reach; `path` is absolute, with links resolved. */
	| {
			readonly kind: 'beyond';
			readonly access: 'read' | 'write';
			readonly path: string;
			readonly isSecret: boolean;
			readonly isProtected: boolean;
			/** True for a file in the place of a stream, which the host opens; absent: the command reaches it by itself. */
			readonly isStream?: true;
	  };

/** An argument that names something outside the workspace, a secret or a protected file, as it was found on the disk. */
export interface Stray {
	readonly argument: string;
	/** Only a link leads there: the words of the command do not show it. */
	readonly isByLink: boolean;
}
