/** Contract between the entry point and the composed extension: what each gives to the other. */
import type * as vscode from 'vscode';
import type { CapabilityViews } from './capabilities/view/capability-views.ts';
import type { AnswerInEditorChat } from './chat/hand-over.ts';
import type { ChatTabs } from './chat/chat-tabs.ts';
import type { ChatView } from './chat/chat-view.ts';
import type { EditorCommandId } from './editor/command-table.ts';
import type { ChangeDocuments } from './views/change-documents.ts';
import type { ComposedPages } from './views/compose-pages.ts';
import type { Overview } from './views/overview.ts';
import type { Proposals } from './views/proposals.ts';
import type { StatusBar } from './views/status-bar.ts';

export interface Shell {
	readonly context: vscode.ExtensionContext;
	readonly channel: vscode.LogOutputChannel;
	readonly status: StatusBar;
}

export interface ExtensionApp {
	readonly chat: ChatView;
	readonly tabs: ChatTabs;
	readonly overview: Overview;
	readonly documents: ComposedPages['documents'];
	readonly changeDocuments: ChangeDocuments;
	readonly proposals: Proposals;
	readonly ledgerPage: ComposedPages['ledgerPage'];
	readonly tracePage: ComposedPages['tracePage'];
	readonly capabilities: CapabilityViews;
	/** Shows what a link from outside of the editor names. */
	followLink(uri: vscode.Uri): Promise<void>;
	/** For what it does by itself; what goes wrong is shown when somebody asks for something. */
	startServer(): void;
	/** From now on what falls due is run, also where nothing else is asked for. */
	followSchedules(): void;
	/** Answers what is said to `@prowess` in VS Code's own chat. */
	readonly answerInEditorChat: AnswerInEditorChat;
	/** Questions of other agents that use Prowess here are asked in this window, too. */
	attendDoors(): void;
	runCommand(id: EditorCommandId, given: readonly unknown[]): Promise<void>;
	/** Idempotent, bounded. */
	close(): Promise<void>;
}
