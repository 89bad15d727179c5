/** Composes the handlers of everything that the page of the chat may ask for. */
import * as vscode from 'vscode';
import type { LogPort, WorkspacePort } from '../../contract/ports/ports.ts';
import { createThreadReader } from '../../trust/record/thread-reader.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { PageAddress } from '../../protocol/pages/capability-page.ts';
import type { ViewSettings, WorkspaceState } from '../../protocol/pages/chat-view.ts';
import type { TypedInput } from '../../protocol/pages/typed-input.ts';
import { restoreAnswers } from '../../host/doors/change-answers.ts';
import { prepareMessage } from '../../host/doors/send-message.ts';
import type { Mode } from '../../protocol/thread/thread.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { allowingApproval } from '../approvals/approval-commands.ts';
import { verifyRecorded } from '../ledger/ledger-verdict.ts';
import { createAgentRequests } from './requests/agent-requests.ts';
import { Catalog } from '../capabilities/catalog.ts';
import { openThreadExport } from './export-thread.ts';
import type { LazyInlineEdits } from '../inline-edit/lazy-inline-edits.ts';
import type { LazyBase } from '../editor/lazy-base.ts';
import type { ProviderKeys } from '../models/provider-keys.ts';
import { inform, warn } from '../notices/notices.ts';
import type { ServerClient } from '../server/server-client.ts';
import type { ChangeDocuments } from '../views/change-documents.ts';
import type { ComposedPages } from '../views/compose-pages.ts';
import type { Proposals } from '../views/proposals.ts';
import type { ChatKeyboard } from './chat-keyboard.ts';
import type { CreatePorts } from './chat-page.ts';
import type { SessionPorts } from './chat-session.ts';
import type { ChatTab } from './chat-tabs.ts';
import { createCommandRunRequests } from './requests/command-runs.ts';
import { confirmDangerous, confirmKeptAnswer } from './requests/confirm-answers.ts';
import { createChangeRequests, createDeskRequests } from './requests/desk-requests.ts';
import { namedCapabilities } from './requests/named-capabilities.ts';
import { createRunActRequests } from './requests/run-acts.ts';
import { createPromptRequests } from './requests/outgoing-prompts.ts';
import { createViewRequests } from './requests/view-requests.ts';
import type { Insertion } from './chat-view.ts';
import type { ActiveEditor } from '../shown/active-editor.ts';
import type { CurrentThread } from '../shown/current-thread.ts';
import type { KeptInput } from '../shown/kept-input.ts';
import type { ShownLevel } from '../shown/shown-level.ts';
import { MentionCompletion } from './suggestions/completion.ts';
import { extensionLimits } from '../editor/limits.ts';

interface ChatParts {
	readonly log: LogPort;
	readonly home: string;
	readonly workspace: WorkspacePort;
	readonly base: LazyBase;
	readonly server: ServerClient;
	readonly keys: ProviderKeys;
	readonly current: CurrentThread;
	readonly activeEditor: ActiveEditor;
	readonly shownLevel: ShownLevel;
	readonly keyboard: ChatKeyboard;
	readonly keptInput: KeptInput;
	readonly proposals: Proposals;
	readonly changeDocuments: ChangeDocuments;
	readonly inlineEdits: LazyInlineEdits;
	workspaceState(): Promise<WorkspaceState>;
	/** Path of a folder of the workspace that is no longer there; undefined: all are. */
	missingFolder(): Promise<string | undefined>;
	/** State of this workspace, kept by the editor. */
	readonly kept: vscode.Memento;
	viewSettings(): ViewSettings;
	/** Mode of a new thread. */
	modeOfNew(): Mode;
	/** Shows a thread with a text in its composer, or sends it there. */
	showWith(threadId: ThreadId, insertion: Insertion): Promise<void>;
	/** Tells the other pages what was typed in one. */
	tellTyped(typed: TypedInput, tab: ChatTab | undefined): void;
	pages(): ComposedPages;
	showPage(address: PageAddress): void;
	/** Has the user decide whether an MCP server may change this. */
	letServerWrite(server: string, path: string): Promise<void>;
}

/** Which thread a page of the chat shows. */
interface PageThread {
	readonly id: ThreadId | null;
	set(id: ThreadId | null): void;
}

/** Ports of the pages of a chat: that of a tab, else that of the side bar. */
export function chatPorts(parts: ChatParts): (tab: ChatTab | undefined) => CreatePorts {
	const { log, home, workspace, base, server, keys, current, activeEditor, shownLevel, keyboard, keptInput } = parts;
	const { proposals, changeDocuments, inlineEdits, workspaceState, viewSettings, pages } = parts;
	const namedHere = () => namedCapabilities(new Catalog(workspace, () => base.get()));
	const completion = new MentionCompletion({
		workspace,
		log,
		capabilities: namedHere,
		// A list of suggestions loads nothing: without a trusted base, no MCP server runs yet.
		offers: async () => (await base.now?.mcp.offers(AbortSignal.timeout(extensionLimits.mcpOffersMs))) ?? [],
		offersChanged: () => base.now?.mcp.changes ?? 0,
		server: () => server.peer(),
		folders: () => workspace.folders.map(({ path }) => path),
		shown: () => current.id,
	});
	// Where there is no trusted base, nothing is read or changed in any mode.
	const keepMode = async (threadId: ThreadId, mode: Mode, signal: AbortSignal) =>
		await base.now?.modes.set(threadId, mode, signal);
	const sideBar: PageThread = {
		get id() {
			return current.ofSideBar;
		},
		set: (id) => current.set(id),
	};
	const createSessionPorts = (
		shown: PageThread,
		tab: ChatTab | undefined,
		starting: () => () => void,
	): SessionPorts => ({
		log,
		reader: createThreadReader(home),
		server: () => server.peer(),
		prompts: createPromptRequests({
			server: () => server.peer(),
			missingFolder: parts.missingFolder,
			keepMode,
			beginThread: (...beginning) => base.now?.beginThread(...beginning),
			hooked: async (threadId, text, signal) => (await base.get()).hooks.prompted(threadId, text, signal),
			async outgoingMessage(message, keepsLookalikes) {
				const created = await base.get();
				await Promise.all([keys.noticeStored(), created.noticeSecrets()]);
				return await prepareMessage(created, message, keepsLookalikes);
			},
		}),
		// The level of a thread that is yet to begin is chosen in the side bar only, and for the side bar's thread.
		levels: tab === undefined ? shownLevel : levelsOfTab(shownLevel),
		keepMode,
		handOnLabel: async (from, to, signal) => await base.now?.handOnLabel(from, to, signal),
		keyboard(isHere) {
			keyboard.tell(isHere, tab);
			if (isHere) {
				current.bring(tab);
			}
		},
		title: (title) => tab?.setTitle(title),
		// In a folder that is not trusted, nothing is stored.
		keep(typed) {
			if (workspace.isTrusted) {
				keptInput.take(typed);
				parts.tellTyped(typed, tab);
			}
		},
		endThread: async (threadId) => {
			keptInput.drop(threadId);
			await (await base.get()).endThread(threadId);
		},
		agents: createAgentRequests({
			current,
			server: () => server.peer(),
			base: () => base.now,
			mode: parts.modeOfNew,
			showWith: parts.showWith,
		}),
		desk: createDeskRequests({
			base: () => base.now,
			shownThread: () => shown.id,
			confirm: confirmKeptAnswer,
			onGone: () => warn(vscode.l10n.t('The question had gone, so nothing was allowed or saved.')),
			withText: (id, answer) => proposals.withText(id, answer),
			showDiff: async (id) => void (await proposals.show(id, { keepsFocus: false })),
			confirmDangerous,
			onRemoved: (count) =>
				inform(
					count === 1
						? vscode.l10n.t('1 key was removed from your answer.')
						: vscode.l10n.t('{n} keys were removed from your answer.', { n: count }),
				),
		}),
		changes: createChangeRequests(
			() => base.get(),
			(threadId, path) => changeDocuments.show(threadId, path),
		),
		restores: restoreAnswers(() => base.get()),
		view: {
			...createViewRequests({
				workspace,
				workplace() {
					const place = shown.id === null ? undefined : base.now?.worktrees.placeOf(shown.id);
					return place === undefined ? workspace : { folders: [{ name: place.name, path: place.folder }] };
				},
				kept: parts.kept,
				shown,
				completion,
				capabilities: namedHere,
				server: () => server.peer(),
				serverState: () => server.state,
				workspaceState,
				viewSettings,
				activeFile: () => activeEditor.current,
				typed: () => keptInput.typed,
				starting,
				async answerBeside(question, signal) {
					const { id } = shown;
					const { text } =
						id === null
							? { text: '' }
							: await (await server.peer()).call(threadRequests.words, { threadId: id }, signal);
					return (await base.get()).answerBeside({ question, conversation: text }, signal);
				},
				applyCode: async (code) => (await inlineEdits.get()).apply(code),
				showRecorded: (opId) => pages().ledgerPage.show({ line: `id:${opId}` }),
				showTrace: (turnId) => pages().tracePage.show({ threadId: shown.id, turnId }),
				verifyRecorded: async (opIds, signal) => verifyRecorded((await base.get()).ledger, opIds, signal),
				showAllowed: async (rule) =>
					vscode.commands.executeCommand(
						'prowess.manageApprovals',
						await allowingApproval(await base.get(), rule, shown.id),
					),
				showWhy: async (id) => vscode.commands.executeCommand('prowess.whyAsked', id),
				letServerWrite: parts.letServerWrite,
				exportThread: async (threadId, format, signal) => {
					(await base.get()).checkExport();
					await openThreadExport(await server.peer(), threadId, format, signal);
				},
			}),
			...createCommandRunRequests({
				runs: () => base.now?.runs,
				executions: () => base.now?.capabilities,
				shownThread: () => shown.id,
				server: () => server.peer(),
			}),
			...createRunActRequests({
				showBrowser: (of) => parts.showPage({ kind: 'browser', of, title: vscode.l10n.t('Browser') }),
				executions: async () => (await base.get()).capabilities,
				shownThread: () => shown.id,
				server: () => server.peer(),
			}),
		},
	});
	return (tab) => (starting) => createSessionPorts(tab ?? sideBar, tab, starting);
}

function levelsOfTab(levels: ShownLevel): SessionPorts['levels'] {
	return {
		of: (threadId, signal) => levels.of(threadId, signal),
		choose: (threadId, level, signal) =>
			threadId === null ? levels.of(threadId, signal) : levels.choose(threadId, level, signal),
		begun: async () => {
			// A thread of a tab begins at the level of the settings.
		},
	};
}
