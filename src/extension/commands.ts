/**
 * Implements each command, in one line each. `command-table.ts` lists the names; a missing command does not compile.
 */
import * as vscode from 'vscode';
import { orAborted, withTimeLimit } from '../base/time/bounded-wait.ts';
import type { LogPort, WorkspacePort } from '../contract/ports/ports.ts';
import type { TrustedBase } from '../host/trusted-base.ts';
import { isObjectValue } from '../base/text/lenient.ts';
import type { ChangeOwner } from '../protocol/approvals/changes.ts';
import { ThreadId } from '../protocol/rpc/ids.ts';
import type { Effort } from '../protocol/turn/models.ts';
import { threadRequests } from '../protocol/thread/thread-requests.ts';
import { createApprovalCommands } from './approvals/approval-commands.ts';
import { executionIdIn } from './capabilities/commands/capability-commands.ts';
import type { AutomationViews } from './automation/automation-views.ts';
import type { McpViews } from './mcp/mcp-views.ts';
import type { CapabilityViews } from './capabilities/view/capability-views.ts';
import type { Comments } from './comments/comments.ts';
import type { ChatKeyboard } from './chat/chat-keyboard.ts';
import type { ChatTabs } from './chat/chat-tabs.ts';
import type { ChatView } from './chat/chat-view.ts';
import type { CurrentThread } from './shown/current-thread.ts';
import type { ShownLevel } from './shown/shown-level.ts';
import { type EditorCommandId, OVERVIEW_VIEW, WALKTHROUGH } from './editor/command-table.ts';
import { openThreadExport } from './chat/export-thread.ts';
import type { LazyInlineEdits } from './inline-edit/lazy-inline-edits.ts';
import type { LedgerPage } from './ledger/ledger-page.ts';
import type { TracePage } from './views/trace-page.ts';
import type { ProviderKeys } from './models/provider-keys.ts';
import { chooseForCapabilities } from './models/choose-for-capabilities.ts';
import { createMessageCommands } from './chat/message-commands.ts';
import type { WorktreeDocuments } from './worktrees/worktree-documents.ts';
import { takeTour } from './chat/take-tour.ts';
import { askAgain, type CurrentModel, disconnectModel, describeEffort, pickModel } from './models/switch-model.ts';
import { extensionLimits } from './editor/limits.ts';
import { inform, withProgress, withViewProgress } from './notices/notices.ts';
import type { EditorSettings } from './ports/settings-port.ts';
import type { ServerClient } from './server/server-client.ts';
import { isCancellation } from './editor/signals.ts';
import { fillCommitMessage } from './write-commit-message.ts';
import { reviewAgents } from './approvals/review-agents.ts';
import { reviewHooks } from './approvals/review-hooks.ts';
import { forgetSecret, storeSecret, type UserSecretPorts } from './ports/user-secrets.ts';
import type { ChangeDocuments } from './views/change-documents.ts';
import type { EditorDocuments } from './views/documents.ts';
import { keepHunk, keepOwnerChanges, undoHunk, undoOwnerChanges } from './views/keep-undo.ts';
import { pickLevel } from './views/pick-level.ts';
import { pickChanges } from './views/pick-changes.ts';
import type { Overview, OverviewNode } from './views/overview.ts';
import type { Proposals } from './views/proposals.ts';
import type { EditorRedactionPreview } from './views/redaction-preview.ts';
import type { RuleTest } from './views/rule-test.ts';
import type { Walkthrough } from './notices/walkthrough.ts';

interface CommandPorts {
	readonly extensionId: string;
	readonly log: LogPort;
	readonly channel: vscode.LogOutputChannel;
	readonly extensionUri: vscode.Uri;
	/** Folder for our files only, of this user on this machine. */
	readonly storageUri: vscode.Uri;
	readonly workspace: WorkspacePort;
	readonly settings: EditorSettings;
	readonly keys: ProviderKeys;
	readonly current: CurrentThread;
	readonly chat: ChatView;
	readonly tabs: Pick<ChatTabs, 'open'>;
	readonly shownLevel: ShownLevel;
	readonly keyboard: ChatKeyboard;
	readonly server: ServerClient;
	base(): Promise<TrustedBase>;
	readonly documents: EditorDocuments;
	readonly changeDocuments: ChangeDocuments;
	readonly worktreeDocuments: WorktreeDocuments;
	/** Begins a thread that works in the folder of a worktree. */
	beginThread(folder: string): Promise<ThreadId>;
	readonly proposals: Proposals;
	readonly inlineEdits: LazyInlineEdits;
	readonly comments: Pick<Comments, 'commands'>;
	readonly ledgerPage: LedgerPage;
	readonly tracePage: TracePage;
	readonly ruleTest: RuleTest;
	readonly redactionPreview: EditorRedactionPreview;
	readonly userSecrets: UserSecretPorts;
	readonly overview: Overview;
	readonly capabilities: Pick<CapabilityViews, 'commands' | 'pages' | 'titleOf'>;
	readonly mcp: Pick<McpViews, 'commands'>;
	readonly automation: Pick<AutomationViews, 'commands'>;
	readonly walkthrough: Walkthrough;
}

type EditorCommands = { readonly [C in EditorCommandId]: (...given: unknown[]) => Promise<void> };

export function createCommands(ports: CommandPorts): EditorCommands {
	const { chat, current, server, documents, changeDocuments } = ports;
	const base = () => ports.base();
	const runEditorCommand = async (command: string, ...given: unknown[]) => {
		await vscode.commands.executeCommand(command, ...given);
	};
	return {
		...ports.capabilities.commands,
		...ports.mcp.commands,
		...ports.automation.commands,
		...ports.comments.commands,
		'prowess.showWorktrees': async () =>
			(await import('./worktrees/worktree-commands.ts')).showWorktrees({
				base,
				documents: ports.worktreeDocuments,
				async beginThread(folder, bind) {
					const id = await ports.beginThread(folder);
					await bind(id);
					await chat.showThread(id);
				},
			}),
		'prowess.newThread': () => chat.showThread(null),
		'prowess.focusChat': () => chat.focus(),
		'prowess.openInEditor': (on) => ports.tabs.open(threadIn(on) ?? current.id),
		'prowess.newThreadInEditor': () => ports.tabs.open(null),
		...createMessageCommands(ports),
		'prowess.writeCommitMessage': (sourceControl) => fillCommitMessage(base, sourceControl),
		'prowess.connectModel': () => connectAndUseModel(ports),
		'prowess.disconnectModel': () => disconnectModel(connectPorts(ports)),
		'prowess.switchModel': () => switchModel(ports),
		'prowess.changeLevel': () => changeLevel(ports),
		'prowess.chooseModelForCapabilities': () => chooseForCapabilities(connectPorts(ports), base),
		'prowess.stop': async () => stopShownTurn(ports),
		'prowess.showChanges': (on) => onChanges(ports, on, (owner) => changeDocuments.showAll(owner)),
		'prowess.keepChanges': (on) =>
			onChanges(ports, on, async (owner) => keepOwnerChanges(await base(), owner, undefined)),
		'prowess.undoChanges': (on) =>
			onChanges(ports, on, async (owner) => undoOwnerChanges(await base(), owner, undefined)),
		'prowess.exportThread': () => actOnShownThread(current, (id) => exportAs(ports, id)),
		'prowess.showLedger': async (filter) =>
			ports.ledgerPage.show(typeof filter === 'string' ? { line: filter } : undefined),
		'prowess.filterLedger': async () => ports.ledgerPage.search(),
		'prowess.acknowledgeLedgerDamage': async () => void (await ports.ledgerPage.acknowledgeDamage()),
		...createApprovalCommands({ base, pages: ports.capabilities.pages }),
		'prowess.reviewHooks': () => reviewHooks(base),
		'prowess.showAgents': () =>
			reviewAgents(base, async (name) => {
				const mode = ports.settings.current['prowess.mode'];
				await chat.showThread(await (await base()).agents.begin(name, mode, null, new AbortController().signal));
			}),
		'prowess.testRule': (question) => testRule(ports, question),
		'prowess.previewRedaction': () => showRedactionPreview(ports),
		'prowess.storeSecret': async () => void (await storeSecret(ports.userSecrets)),
		'prowess.forgetSecret': (name) => forgetSecret(ports.userSecrets, name),
		'prowess.showLogs': async () => ports.channel.show(),
		'prowess.doctor': () => documents.preview('doctor'),
		'prowess.showTrace': async () => ports.tracePage.show({ threadId: ports.current.id, turnId: null }),
		'prowess.restartServer': async () => void (await server.restart()),
		'prowess.openSettings': () => runEditorCommand('workbench.action.openSettings', `@ext:${ports.extensionId}`),
		'prowess.openWalkthrough': () => ports.walkthrough.show(`${ports.extensionId}#${WALKTHROUGH}`),
		'prowess.takeTour': () => takeTour(ports),
		'prowess.refreshDocument': async (uri) => documents.refresh(uri instanceof vscode.Uri ? uri : undefined),
		'prowess.refreshOverview': async () => withViewProgress(OVERVIEW_VIEW, () => ports.overview.refresh()),
		'prowess.openThread': async (id) => {
			const threadId = threadIn(id);
			await (threadId === undefined ? chat.focus() : chat.showThread(threadId));
		},
		'prowess.showChange': (node) => onChange(node, (threadId, path) => changeDocuments.show(threadId, path)),
		'prowess.keepChange': (node) =>
			onChange(node, async (threadId, path) => keepOwnerChanges(await base(), threadId, [path])),
		'prowess.undoChange': (node) =>
			onChange(node, async (threadId, path) => undoOwnerChanges(await base(), threadId, [path])),
		'prowess.keepHunk': async () => keepHunk(await base()),
		'prowess.undoHunk': async () => undoHunk(await base()),
		'prowess.editSelection': async () => (await ports.inlineEdits.get()).propose(),
		'prowess.acceptEdit': async (thread) => (await ports.inlineEdits.loaded())?.accept(thread),
		'prowess.refuseEdit': async (thread) => (await ports.inlineEdits.loaded())?.refuse(thread),
		'prowess.acceptEdits': async () => (await ports.inlineEdits.loaded())?.accept('all'),
		'prowess.refuseEdits': async () => (await ports.inlineEdits.loaded())?.refuse('all'),
		'prowess.allowProposal': (uri) => ports.proposals.allow(uri),
		'prowess.denyProposal': (uri) => ports.proposals.deny(uri),
	};
}

/** The thread of an id or a row; undefined: neither. */
function threadIn(on: unknown): ThreadId | undefined {
	return ThreadId.safeParse(isOverviewNode(on) && on.kind === 'thread' ? on.thread.id : on).data;
}

async function changeLevel({ shownLevel, current, base, chat, keyboard }: CommandPorts): Promise<void> {
	const isFromChat = keyboard.isHere;
	// Rejects before the workspace is trusted, because no level is kept until then.
	await base();
	try {
		await pickLevel(shownLevel, current);
	} finally {
		// VS Code gives the keyboard back to an editor, never to a page in a view.
		if (isFromChat) {
			await chat.focus();
		}
	}
}

/** `question`: what the user is about to change and ask; without one, what was asked last. */
async function testRule({ ruleTest, documents }: CommandPorts, question: unknown): Promise<void> {
	if (await ruleTest.ask(typeof question === 'string' ? question : undefined)) {
		await documents.show('rule');
	}
}

async function showRedactionPreview({ redactionPreview, documents }: CommandPorts): Promise<void> {
	await redactionPreview.take();
	await documents.show('redaction');
}

function connectPorts({ settings, keys, log, server }: CommandPorts) {
	return { settings, keys, log, server: () => server.peer() };
}

async function connectAndUseModel(ports: CommandPorts): Promise<void> {
	const { connectModel, offerRetry } = await import('./models/connect/connect-model.ts');
	for (;;) {
		try {
			const modelId = await connectModel(connectPorts(ports));
			if (modelId !== undefined) {
				await useInThread(ports, modelId);
				await ports.chat.focus();
			}
			return;
		} catch (error) {
			ports.log.warn(`connect a model: ${error instanceof Error ? error.message : String(error)}`);
			if (isCancellation(error) || !(await offerRetry(error))) {
				return;
			}
		}
	}
}

async function switchModel(ports: CommandPorts): Promise<void> {
	const { current, server, settings } = ports;
	const shown = current.id === null ? NO_THREAD : await modelOfThread(ports, current.id);
	const asked = { ...connectPorts(ports), server: () => server.peer() };
	const picked = await pickModel(asked, shown);
	if (picked?.kind === 'connect') {
		await connectAndUseModel(ports);
	} else if (picked?.kind === 'askAgain') {
		await askAgain(asked, picked.provider);
	} else if (picked?.kind === 'effort') {
		await setEffort(ports, picked.id, picked.effort);
	} else if (picked !== undefined) {
		await settings.change('prowess.model', () => picked.id);
		await useInThread(ports, picked.id);
	}
}

/** Sets the effort of the shown thread; without one, of the model in every later thread. */
async function setEffort(
	{ current, server, settings }: CommandPorts,
	modelId: string,
	effort: Effort | null,
): Promise<void> {
	const threadId = current.id;
	if (threadId === null) {
		await settings.change('prowess.models.settings', (own) => {
			const { effort: _, ...known } = own[modelId] ?? {};
			return { ...own, [modelId]: { ...known, ...(effort !== null && { effort }) } };
		});
		// The chat does not show it.
		inform(vscode.l10n.t('Thinking of {0} in new threads: {1}', modelId, describeEffort(effort)));
		return;
	}
	const peer = await server.peer();
	const limit = { what: 'setting how hard the thread’s model thinks', timeoutMs: extensionLimits.changeThreadMs };
	await withTimeLimit(limit, (signal) => peer.call(threadRequests.update, { threadId, effort }, signal));
}

const NO_THREAD: CurrentModel = { id: null, effort: undefined };

async function modelOfThread({ server }: CommandPorts, threadId: ThreadId): Promise<CurrentModel> {
	try {
		const peer = await server.peer();
		const limit = { what: 'reading the model of the thread', timeoutMs: extensionLimits.readThreadMs };
		const { info } = await withTimeLimit(limit, (signal) =>
			peer.call(threadRequests.open, { threadId, items: 1 }, signal),
		);
		return { id: info.modelId, effort: info.effort ?? null };
	} catch {
		// A thread that is gone has no model; the choice still serves new ones.
		return NO_THREAD;
	}
}

/** The thread that is shown goes on with the new model; a running turn ends with the old one. */
async function useInThread({ current, server }: CommandPorts, modelId: string): Promise<void> {
	const threadId = current.id;
	if (threadId !== null) {
		const peer = await server.peer();
		const limit = { what: 'setting the model of the thread', timeoutMs: extensionLimits.changeThreadMs };
		await withTimeLimit(limit, (signal) => peer.call(threadRequests.update, { threadId, modelId }, signal));
	}
}

async function stopShownTurn({ current, server }: CommandPorts): Promise<void> {
	const { running } = server;
	const threadId = current.id;
	if (threadId !== null && running !== undefined) {
		const limit = { what: 'stopping the turn', timeoutMs: extensionLimits.stopTurnMs };
		await withTimeLimit(limit, (signal) => running.call(threadRequests.stop, { threadId }, signal));
	}
}

async function exportAs({ base, server }: CommandPorts, threadId: ThreadId): Promise<void> {
	(await base()).checkExport();
	const formats = [
		{ label: 'Markdown', format: 'markdown' as const, description: vscode.l10n.t('to read') },
		{ label: 'JSON', format: 'json' as const, description: vscode.l10n.t('everything, for programs') },
	];
	const picked = await vscode.window.showQuickPick(formats, { title: vscode.l10n.t('Export Thread') });
	if (picked !== undefined) {
		await withProgress(vscode.l10n.t('Exporting the thread…'), async (signal) =>
			openThreadExport(await orAborted(server.peer(), signal), threadId, picked.format, signal),
		);
	}
}

async function actOnShownThread(current: CurrentThread, act: (threadId: ThreadId) => Promise<void>): Promise<void> {
	if (current.id === null) {
		inform(vscode.l10n.t('Open a thread in the chat first.'));
		return;
	}
	await act(current.id);
}

/** `on`: a run; without one, whose changes it is about is found out. */
async function onChanges(
	{ base, current, capabilities, server }: CommandPorts,
	on: unknown,
	act: (owner: ChangeOwner) => Promise<void>,
): Promise<void> {
	const options = {
		threadId: current.id,
		titleOf: (id: string) => capabilities.titleOf(id),
		threadTitles: () => readAllThreadTitles(server),
	};
	const owner = changeOwnerIn(on) ?? (await pickChanges(await base(), options));
	if (owner !== undefined) {
		await act(owner);
	}
}

/** The thread or the run that a command was called on. */
function changeOwnerIn(on: unknown): ChangeOwner | undefined {
	const owner = isObjectValue(on) ? on['owner'] : undefined;
	return typeof owner === 'string' ? owner : executionIdIn(on);
}

/** Empty while there is no server: the changes are there all the same. */
async function readAllThreadTitles({ running }: ServerClient): Promise<ReadonlyMap<string, string>> {
	if (running === undefined) {
		return new Map();
	}
	const limit = { what: 'reading the titles of threads', timeoutMs: extensionLimits.readThreadMs };
	const { threads } = await withTimeLimit(limit, (signal) => running.call(threadRequests.list, {}, signal));
	return new Map(threads.map(({ id, title }) => [id, title]));
}

async function onChange(node: unknown, act: (threadId: ThreadId, path: string) => Promise<void>): Promise<void> {
	if (isOverviewNode(node) && node.kind === 'change') {
		await act(node.threadId, node.change.path);
	}
}

/** Commands of our tree get its nodes; anything else that calls them gets nothing done. */
function isOverviewNode(value: unknown): value is OverviewNode {
	return typeof value === 'object' && value !== null && 'kind' in value;
}
