/**
 * Ports that the trusted base needs from its host. The extension implements them with the editor, the CLI with plain Node.
 * Every implementation passes the contract suites in test/contracts.
 */
import type { Disposable } from '../../base/disposable.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { GivenAnswer, GivenWords } from '../approvals.ts';
import type { Proposal } from '../ops/op-implementation.ts';
import type { Event } from '../../base/emitter.ts';
import type { Approval, DeskQuestion } from '../../protocol/approvals/approvals.ts';
import type { ActiveFile } from '../../protocol/thread/context.ts';
import type { OpParams, OpResult } from '../../protocol/op-table/ops.ts';
import type { PermissionLevel } from '../../protocol/ops/permission-level.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { SettingProblem } from '../../protocol/settings/read-settings.ts';
import type { Organisation } from './organisation.ts';
import type { Settings } from '../../protocol/settings/settings.ts';

export interface SimulatedCall {
	readonly op: string;
	readonly params: unknown;
	/** Whose model is asked, and who pays. */
	readonly threadId: ThreadId | null;
	/** Words of what the caller works at. */
	context(signal: AbortSignal): Promise<string>;
}

/** Tries an op out in the mind, for the person who is asked and for the model that asked for it. */
export interface SimulationPort {
	/**
	 * Predicts the outcome and the risks of an op in words; nothing is judged by them. Undefined: switched off, or no model
	 * is connected. Rejects when a model was asked and did not answer. Seed 0, S0-15 to S0-18.
	 */
	simulate(call: SimulatedCall, signal: AbortSignal): Promise<string | undefined>;
}

/** Address of ours to which an authorization server sends the browser back, for one answer. */
export interface AwaitedAnswer extends Disposable {
	readonly redirectUrl: string;
	/** Opens a page in the user's browser, or shows its address where none can be opened. */
	open(url: string): Promise<void>;
	/** The query of the visit that brings this `state`; others are answered, and count for nothing. Rejects with the signal's reason. */
	answer(state: string, signal: AbortSignal): Promise<URLSearchParams>;
}

/** Signing in at MCP servers, which happens in the user's own browser. */
export interface SignInPort {
	/** Sign-ins that are kept, by key: beside the user's secrets, never among them. */
	readonly kept: {
		get(key: string): Promise<string | undefined>;
		/** Undefined removes it. */
		set(key: string, value: string | undefined): Promise<void>;
	};
	/** Rejects with NOT_AVAILABLE_HERE where no browser could come back. */
	awaitAnswer(): Promise<AwaitedAnswer>;
}

export type ProposedText = Pick<Proposal, 'path' | 'after'>;

/** Root folder of the workspace. `name` is unique among them and free of slashes. */
export interface WorkspaceFolder {
	readonly name: string;
	/** Absolute path on this machine. */
	readonly path: string;
}

export interface WorkspacePort {
	readonly folders: readonly WorkspaceFolder[];
	/** Other absolute paths by which the user has opened the folders, through links. */
	readonly openedBy?: readonly string[];
	readonly isTrusted: boolean;
	/** Folder of the project that this is a worktree of: its rules and its policy count here. Absent: it is none. */
	readonly origin?: WorkspaceFolder | undefined;
	/** Places beyond the folders that links in them lead to by the user's wish; commands may read them. */
	readonly linked?: readonly string[];
	/** Encoding in which the editor opens a file that does not tell its own, as a label of the platform's decoder; undefined: UTF-8. */
	usualEncoding?(absolutePath: string): string | undefined;
	/** Folders or trust changed. */
	readonly onDidChange: Event<void>;
}

interface OpenDocument {
	readonly text: string;
	readonly unsaved: boolean;
}

/**
 * Open documents. Text is what the user sees, unsaved changes included. Absolute paths, already verified by the
 * path service. Without an editor every document is closed.
 */
export interface DocumentPort {
	/**
	 * The text of an open document; undefined when the file is not open. An editor in another process is asked, within a
	 * limit of its own; rejects where it refuses.
	 */
	readOpen(absolutePath: string): OpenDocument | undefined | Promise<OpenDocument | undefined>;
	/**
	 * Replaces the text of an open document through the editor and saves it. Resolves with the text that was saved, which
	 * is another than `text` when something formats on save; with undefined when the file is not open: then the caller
	 * writes the disk. Rejects with FILE_CHANGED when the document no longer holds `expected`.
	 */
	writeOpen(absolutePath: string, expected: string, text: string, signal: AbortSignal): Promise<string | undefined>;
	/** Returns true when the last change of that file was made in an editor of this window. Absent: nobody knows. */
	isEdited?(absolutePath: string): boolean;
	/** Returns true when an editor of this window holds another text of that file than it has saved. Absent: nobody knows. */
	isUnsaved?(absolutePath: string): boolean;
}

/** Result of a change, and the errors and warnings of its file that were not there before. */
export interface NewProblems<T> {
	readonly result: T;
	readonly problems: OpResult<'editor.diagnostics'>['diagnostics'];
}

/**
 * Services of an editor. Absent in the CLI, where these ops answer NOT_AVAILABLE_HERE. Paths are absolute here and workspace
 * paths in results.
 */
export interface EditorPort {
	/** The file of the workspace that the user looks at, and the selected lines; undefined: none. */
	activeFile?(): ActiveFile | undefined;
	diagnostics(absolutePath: string | undefined, signal: AbortSignal): Promise<OpResult<'editor.diagnostics'>>;
	/** Makes a change of a file and waits, bounded, for what the editor finds wrong with it. Rejects as `change` does. */
	withNewProblems<T>(absolutePath: string, change: () => Promise<T>, signal: AbortSignal): Promise<NewProblems<T>>;
	symbols(
		params: { readonly absolutePath: string | undefined; readonly query: string | undefined },
		signal: AbortSignal,
	): Promise<OpResult<'editor.symbols'>>;
	references(
		params: Pick<OpParams<'editor.references'>, 'line' | 'symbol' | 'what'> & { readonly absolutePath: string },
		signal: AbortSignal,
	): Promise<OpResult<'editor.references'>>;
	/**
	 * Shows a comment beside its line, or an answer below the comment that it names. Rejects with NOT_FOUND where there is no
	 * such comment, with INVALID_PARAMS where the file has no such line, with INVALID_STATE beyond the most.
	 */
	comment(given: WrittenComment, signal: AbortSignal): Promise<OpResult<'editor.comment'>>;
	/** Works out a change without making it. Rejects where no language server offers it, or it is more than texts. */
	refactor(
		params: Omit<OpParams<'editor.refactor'>, 'path'> & { readonly absolutePath: string },
		signal: AbortSignal,
	): Promise<WorkedOutChange>;
}

/** Comment of the agent: a new one at a line of a file, or an answer. */
export type WrittenComment = Pick<OpParams<'editor.comment'>, 'text' | 'severity' | 'resolved'> &
	({ readonly answers: string } | { readonly absolutePath: string; readonly path: string; readonly line: number });

/** Change that a language server has worked out, with the texts that it was worked out for. */
export interface WorkedOutChange {
	/** Texts with LF, whatever ends their lines have. */
	readonly files: readonly { readonly absolutePath: string; readonly before: string; readonly after: string }[];
	/** Command that belongs to it, which nobody ran; absent: none. */
	readonly notRun?: string;
}

/**
 * Asks the person. Resolves with the answer, or undefined when nobody answers; the desk decides what that means.
 * `signal` aborts when the question is void (stopped, expired, answered elsewhere): then the port takes it off the screen.
 */
export interface PersonPort {
	/** Nobody can answer anywhere else: where this port has no answer, the question ends at once. */
	readonly isOnlyWay?: true;
	/**
	 * `proposed` is the text that the person may change; what they make of it is in the answer.
	 * `tryFirst` runs a command on a copy of the workspace, where the approval offers that, and gives the approval as it is then.
	 */
	approve(
		approval: Approval,
		signal: AbortSignal,
		tryFirst?: () => Promise<Approval>,
		proposed?: ProposedText,
	): Promise<GivenAnswer | undefined>;
	answer(question: DeskQuestion, signal: AbortSignal): Promise<string | GivenWords | undefined>;
}

/** Lists of the user's settings that let something pass, or be asked for at all. */
export type AllowList = 'prowess.approvals.allow' | 'prowess.http.allowHosts';

export interface SettingsPort {
	/** Settings as the rules of the organisation leave them. */
	readonly current: Settings;
	/** Rules that users and workspaces can only tighten; absent: no organisation has set any. */
	readonly organisation?: Organisation | undefined;
	/** Settings that cannot be read. If one restricts the agent, the gate tightens as the table of settings says. */
	readonly problems: readonly SettingProblem[];
	readonly onDidChange: Event<void>;
	/** Adds a rule to `prowess.approvals.allow` in the user's own settings. */
	allowAlways(rule: string): Promise<void>;
	/** Takes entries out of a list in the user's own settings. Resolves with how many were there. */
	removeAllowed(list: AllowList, entries: readonly string[]): Promise<number>;
}

/** Secrets that the user keeps for capabilities, by name. Keys of models are not among them. */
export interface SecretsPort {
	get(name: string): Promise<string | undefined>;
	/** Undefined removes it. Rejects with NOT_AVAILABLE_HERE where they cannot be stored. */
	set(name: string, value: string | undefined): Promise<void>;
	list(): Promise<readonly string[]>;
}

export interface LogPort {
	debug(message: string, facts?: Readonly<Record<string, unknown>>): void;
	info(message: string, facts?: Readonly<Record<string, unknown>>): void;
	warn(message: string, facts?: Readonly<Record<string, unknown>>): void;
	error(message: string, facts?: Readonly<Record<string, unknown>>): void;
}

/** Where the host finds things that differ between the editor's installation and the CLI's. */
export interface PlacesPort {
	/** PROWESS_HOME, absolute; created 0700. */
	readonly home: string;
	/** The user's own folder, absolute; other programs keep skills in it. */
	readonly userHome: string;
	/** Folder of our built files (workers); `capabilities` lies beside it. */
	readonly dist: string;
	/** Candidate paths of ripgrep, best first; the first that runs is used. */
	readonly ripgrepCandidates: readonly string[];
}

/**
 * Answer to approvals. `ask`: by the person, as far as the level of the thread asks. `edit`, `auto`, `full`: nobody is
 * asked; acts that the permission level lets through are allowed, the rest denied. `never`: denied, with a text that
 * says how to allow it.
 */
export type ApprovalMode = Exclude<PermissionLevel, 'manual'> | 'never';

export interface HostPorts {
	readonly workspace: WorkspacePort;
	readonly documents: DocumentPort;
	readonly editor: EditorPort | undefined;
	/** The same for folders of a worktree; absent: there is no editor. */
	editorIn?(workspace: WorkspacePort): EditorPort;
	readonly person: PersonPort;
	readonly settings: SettingsPort;
	readonly secrets: SecretsPort;
	readonly signIn: SignInPort;
	readonly log: LogPort;
	readonly places: PlacesPort;
	readonly approvalMode: ApprovalMode;
	/**
	 * The server, started on first need: what a capability wants of a model is answered there. Rejects when it cannot be had;
	 * bounded by the host's own limits.
	 */
	server(): Promise<Peer>;
}
