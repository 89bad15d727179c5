/**
 * Requests of the page to the editor. The page shows model output, so no command or place from it is used unchecked.
 */
import * as vscode from 'vscode';
import { assertNever } from '../../../base/assert-never.ts';
import { orAborted } from '../../../base/time/bounded-wait.ts';
import type { WorkspacePort } from '../../../contract/ports/ports.ts';
import type { AllowingRule } from '../../../protocol/approvals/approvals.ts';
import type {
	RecordedOps,
	ServerState,
	ViewCommand,
	viewRequests,
	ViewSettings,
	WorkspaceState,
} from '../../../protocol/pages/chat-view.ts';
import type { TypedInput } from '../../../protocol/pages/typed-input.ts';
import type { ActiveFile, ContextRef } from '../../../protocol/thread/context.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { ApprovalId, OpId, ThreadId, TurnId } from '../../../protocol/rpc/ids.ts';
import type { Peer, RequestHandlers } from '../../../protocol/rpc/peer.ts';
import { openNamedFile } from '../../webview/open-file.ts';
import { pickFiles } from './pick-files.ts';
import { saveMediaAsFile } from './save-media.ts';
import { readTurnUse } from '../../../host/doors/turn-use.ts';
import type { AutomationTab } from '../../../protocol/pages/capability-page.ts';
import { pageActs } from '../../webview/page-acts.ts';
import { pageStrings } from '../../webview/page-files.ts';
import { toWorkspacePath } from '../../editor/workspace-paths.ts';
import type { NameableCapability } from './named-capabilities.ts';
import type { CommandRunRequests } from './command-runs.ts';
import type { MentionCompletion } from '../suggestions/completion.ts';

interface ViewPorts {
	readonly workspace: WorkspacePort;
	/** Folders that the thread on the page works in. */
	workplace(): Pick<WorkspacePort, 'folders'>;
	/** State of this workspace, kept by the editor. */
	readonly kept: vscode.Memento;
	/** Thread that this page shows. */
	readonly shown: { readonly id: ThreadId | null; set(id: ThreadId | null): void };
	readonly completion: MentionCompletion;
	serverState(): ServerState;
	workspaceState(): Promise<WorkspaceState>;
	viewSettings(): ViewSettings;
	activeFile(): ActiveFile | null;
	/** Typed input that the previous page kept. */
	typed(): TypedInput;
	capabilities(): Promise<readonly NameableCapability[]>;
	server(): Promise<Peer>;
	/** The page asks for its start values; what this gives is called when they are on their way. */
	starting(): () => void;
	showRecorded(opId: OpId): void;
	showTrace(turnId: TurnId): void;
	answerBeside(question: string, signal: AbortSignal): Promise<string>;
	applyCode(code: string): Promise<boolean>;
	verifyRecorded(opIds: readonly OpId[], signal: AbortSignal): Promise<RecordedOps>;
	showAllowed(rule: AllowingRule | null): Promise<void>;
	showWhy(id: ApprovalId): Promise<void>;
	exportThread(threadId: ThreadId, format: 'markdown' | 'json', signal: AbortSignal): Promise<void>;
	letServerWrite(server: string, path: string): Promise<void>;
}

type EditorRequests = Omit<RequestHandlers<typeof viewRequests>, keyof CommandRunRequests | 'runAct'>;

export function createViewRequests(ports: ViewPorts): EditorRequests {
	const { workspace, shown, completion } = ports;
	return {
		start: async () => {
			const started = ports.starting();
			const workspaceState = await ports.workspaceState();
			started();
			return {
				threadId: shown.id,
				server: ports.serverState(),
				workspace: workspaceState,
				settings: ports.viewSettings(),
				activeFile: ports.activeFile(),
				strings: pageStrings(),
				typed: ports.typed(),
			};
		},
		show: async ({ threadId }) => {
			shown.set(threadId);
			return {};
		},
		showAllowed: async ({ rule }) => {
			await ports.showAllowed(rule);
			return {};
		},
		showWhy: async ({ id }) => {
			await ports.showWhy(id);
			return {};
		},
		command: async ({ command }) => {
			await vscode.commands.executeCommand(editorCommand(command), toAutomationTab(command));
			return {};
		},
		suggestTasks: async (_params, signal) => {
			const { suggestTasks } = await import('../suggestions/suggest-tasks.ts');
			return { tasks: await suggestTasks(workspace, ports.kept, signal) };
		},
		complete: ({ query }, signal) => completion.complete(query, signal),
		turnOnCodeIndex: async () => {
			const configuration = vscode.workspace.getConfiguration('prowess.search');
			await configuration.update('codeIndex', true, vscode.ConfigurationTarget.Global);
			return {};
		},
		capabilities: async () => ({ items: [...(await ports.capabilities())] }),
		resolveDrop: async ({ uris }, signal) => {
			const refs = await Promise.all(uris.map((uri) => toDroppedRef(workspace, uri, signal)));
			return { refs: refs.filter((ref) => ref !== undefined) };
		},
		pickFiles: async (_params, signal) => ({ refs: await pickFiles(ports, signal) }),
		tellActiveFile: async ({ tells }) => {
			const configuration = vscode.workspace.getConfiguration('prowess');
			await configuration.update('chat.tellActiveFile', tells, vscode.ConfigurationTarget.Global);
			return {};
		},
		openFile: async ({ path, line }, signal) => {
			await openNamedFile(ports.workplace(), { path, line }, signal);
			return {};
		},
		...pageActs,
		insertAtCursor: async ({ text }) => {
			const editor = vscode.window.activeTextEditor;
			const isDone = await editor?.edit((edit) => {
				for (const selection of editor.selections) {
					edit.replace(selection, text);
				}
			});
			if (isDone !== true) {
				throw new ProwessError('INVALID_STATE', vscode.l10n.t('Place the cursor in a file where the text should go.'));
			}
			return {};
		},
		aside: async ({ question }, signal) => ({ answer: await ports.answerBeside(question, signal) }),
		applyCode: async ({ code }) => ({ isShown: await ports.applyCode(code) }),
		letServerWrite: async ({ server, path }) => {
			await ports.letServerWrite(server, path);
			return {};
		},
		saveMedia: async (media, signal) => {
			await saveMediaAsFile(media, ports, signal);
			return {};
		},
		turnUse: async ({ turnId }, signal) => readTurnUse(await ports.server(), turnId, signal),
		showTrace: async ({ turnId }) => {
			ports.showTrace(turnId);
			return {};
		},
		showRecorded: async ({ opId }) => {
			ports.showRecorded(opId);
			return {};
		},
		verifyRecorded: async ({ opIds }, signal) => ports.verifyRecorded(opIds, signal),
		exportThread: async ({ threadId, format }, signal) => {
			await ports.exportThread(threadId, format, signal);
			return {};
		},
	};
}

function editorCommand(command: ViewCommand): string {
	switch (command) {
		case 'connectModel':
		case 'switchModel':
		case 'showLogs':
		case 'openSettings':
		case 'showLedger':
		case 'restartServer':
		case 'manageApprovals':
		case 'showTrace':
		case 'doctor':
		case 'addTerminal':
		case 'takeTour':
		case 'showWorktrees':
		case 'reviewHooks':
		case 'showAgents':
		case 'showCapabilities':
		case 'showMcpServers':
			return `prowess.${command}`;
		case 'showGoals':
		case 'showSchedules':
		case 'showScripts':
		case 'showMemory':
			return 'prowess.showAutomation';
		case 'trustWorkspace':
			return 'workbench.trust.manage';
		case 'openFolder':
			return 'vscode.openFolder';
		default:
			return assertNever(command);
	}
}

/** Tab of *Automation* that a command of the view leads to; undefined for all others, which take nothing. */
function toAutomationTab(command: ViewCommand): AutomationTab | undefined {
	const tabs: Partial<Record<ViewCommand, AutomationTab>> = {
		showGoals: 'goals',
		showSchedules: 'schedules',
		showScripts: 'scripts',
		showMemory: 'memory',
	};
	return tabs[command];
}

async function toDroppedRef(
	workspace: WorkspacePort,
	text: string,
	signal: AbortSignal,
): Promise<ContextRef | undefined> {
	const uri = URL.canParse(text) ? vscode.Uri.parse(text) : undefined;
	// A remote window drops its files under its own scheme; the path means this machine all the same.
	const isFile = uri !== undefined && ['file', 'vscode-remote'].includes(uri.scheme);
	const path = isFile
		? toWorkspacePath(workspace.folders, uri.with({ scheme: 'file', authority: '' }).fsPath)
		: undefined;
	if (uri === undefined || path === undefined || path === '') {
		return undefined;
	}
	try {
		const { type } = await orAborted(vscode.workspace.fs.stat(uri), signal);
		return (type & vscode.FileType.Directory) === 0 ? { kind: 'file', path } : { kind: 'folder', path };
	} catch {
		signal.throwIfAborted();
		// Dropped and already gone: there is nothing to refer to.
		return undefined;
	}
}
