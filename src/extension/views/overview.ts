/** The native overview: what waits for an answer, what the shown thread has changed, and the recent threads. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/assert-never.ts';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { Approval, Desk, DeskQuestion } from '../../protocol/approvals/approvals.ts';
import type { FileChange } from '../../protocol/approvals/changes.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { otherFolder, type ThreadInfo } from '../../protocol/thread/thread.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { titleInWords, translateText } from '../../protocol/text/text.ts';
import { extensionLimits } from '../editor/limits.ts';
import { ChangingTree } from '../editor/changing-tree.ts';

export type OverviewNode =
	| {
			readonly kind: 'group';
			readonly group: 'waiting' | 'changes' | 'threads';
			readonly children: readonly OverviewNode[];
	  }
	| { readonly kind: 'approval'; readonly approval: Approval }
	| { readonly kind: 'question'; readonly question: DeskQuestion }
	/** Memories of the agent that wait for a review. */
	| { readonly kind: 'memories'; readonly count: number }
	| { readonly kind: 'change'; readonly threadId: ThreadId; readonly change: FileChange }
	/** `folder`: the name of the one it was begun in, where that is not here. */
	| { readonly kind: 'thread'; readonly thread: ThreadInfo; readonly folder: string | undefined };

interface OverviewPorts {
	desk(): Desk;
	currentThread(): ThreadId | null;
	changes(threadId: ThreadId): Promise<readonly FileChange[]>;
	/** Number of memories that wait for a review. */
	memoriesToReview(): Promise<number>;
	/** Undefined when there is none to be had: before the workspace is trusted, and when it keeps dying. */
	server(): Promise<Peer | undefined>;
	resourceUri(path: string): vscode.Uri | undefined;
	/** Absolute paths, of those of the workspace. */
	folders(): readonly string[];
}

export class Overview extends ChangingTree<OverviewNode> {
	readonly #ports: OverviewPorts;
	#timer: NodeJS.Timeout | undefined;

	constructor(ports: OverviewPorts) {
		super();
		this.#ports = ports;
	}

	/** Soon, and once for many calls. */
	refreshSoon(): void {
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			void this.refresh();
		}, extensionLimits.overviewRefreshMs);
	}

	protected rowsBelow(node: OverviewNode): readonly OverviewNode[] {
		return node.kind === 'group' ? node.children : [];
	}

	protected async makeRows(): Promise<OverviewNode[]> {
		const server = await this.#ports.server();
		if (server === undefined) {
			return [];
		}
		const { approvals, questions } = this.#ports.desk();
		const count = await this.#ports.memoriesToReview();
		const groups = [
			createGroupNode('waiting', [
				...approvals.map((approval) => ({ kind: 'approval', approval }) as const),
				...questions.map((question) => ({ kind: 'question', question }) as const),
				...(count === 0 ? [] : [{ kind: 'memories', count } as const]),
			]),
			createGroupNode('changes', await this.#changes()),
			createGroupNode('threads', await this.#threads(server)),
		];
		return groups.filter(({ children }) => children.length > 0);
	}

	getTreeItem(node: OverviewNode): vscode.TreeItem {
		switch (node.kind) {
			case 'group':
				return groupItem(node.group);
			case 'approval':
				return waitingItem(
					titleInWords(node.approval, (template) => vscode.l10n.t(template)),
					translateText(node.approval.reason, (template) => vscode.l10n.t(template)),
					'shield',
					node.approval.threadId,
				);
			case 'question':
				return waitingItem(
					node.question.question,
					node.question.isOurs === true ? vscode.l10n.t('Prowess asks') : vscode.l10n.t('The agent asks'),
					'question',
					node.question.threadId,
				);
			case 'memories':
				return memoriesItem(node.count);
			case 'change':
				return toChangeTreeItem(node.threadId, node.change, this.#ports.resourceUri(node.change.path));
			case 'thread':
				return threadItem(node);
			default:
				return assertNever(node);
		}
	}

	override dispose(): void {
		clearTimeout(this.#timer);
		super.dispose();
	}

	async #changes(): Promise<OverviewNode[]> {
		const threadId = this.#ports.currentThread();
		const changes = threadId === null ? [] : await this.#ports.changes(threadId);
		return threadId === null ? [] : changes.map((change) => ({ kind: 'change', threadId, change }));
	}

	async #threads(server: Peer): Promise<OverviewNode[]> {
		const limit = { what: 'listing the threads', timeoutMs: extensionLimits.listModelsMs };
		const { threads } = await withTimeLimit(limit, (signal) =>
			server.call(threadRequests.list, { limit: extensionLimits.overviewThreads }, signal),
		);
		const folders = this.#ports.folders();
		return threads.map((thread) => ({ kind: 'thread', thread, folder: otherFolder(thread, folders) }));
	}
}

function createGroupNode(name: 'waiting' | 'changes' | 'threads', children: readonly OverviewNode[]) {
	return { kind: 'group', group: name, children } as const;
}

function groupItem(name: 'waiting' | 'changes' | 'threads'): vscode.TreeItem {
	const labels = {
		waiting: vscode.l10n.t('Needs Your Answer'),
		changes: vscode.l10n.t('Changed Files'),
		threads: vscode.l10n.t('Recent Threads'),
	};
	const item = new vscode.TreeItem(labels[name], vscode.TreeItemCollapsibleState.Expanded);
	item.id = name;
	item.contextValue = `group.${name}`;
	return item;
}

function waitingItem(label: string, description: string, icon: string, threadId: ThreadId | null): vscode.TreeItem {
	const item = new vscode.TreeItem(label);
	item.description = description;
	item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor('list.warningForeground'));
	item.command = { command: 'prowess.openThread', title: vscode.l10n.t('Show in the Chat'), arguments: [threadId] };
	return item;
}

function memoriesItem(count: number): vscode.TreeItem {
	const { t } = vscode.l10n;
	const item = new vscode.TreeItem(count === 1 ? t('1 memory to review') : t('{0} memories to review', count));
	item.iconPath = new vscode.ThemeIcon('inbox');
	item.command = { command: 'prowess.showAutomation', title: t('Show Automation'), arguments: ['memory'] };
	return item;
}

function toChangeTreeItem(threadId: ThreadId, change: FileChange, uri: vscode.Uri | undefined): vscode.TreeItem {
	const item = new vscode.TreeItem(change.path.slice(change.path.lastIndexOf('/') + 1));
	const touched = change.touchedSince ? ` · ${vscode.l10n.t('changed afterwards')}` : '';
	const counts = change.entry === undefined ? ` +${change.added} −${change.removed}` : '';
	item.description = `${change.path}${counts}${touched}`;
	item.contextValue = 'change';
	if (uri !== undefined) {
		item.resourceUri = uri;
		item.iconPath = vscode.ThemeIcon.File;
	}
	item.command = {
		command: 'prowess.showChange',
		title: vscode.l10n.t('Show Change'),
		arguments: [{ kind: 'change', threadId, change }],
	};
	return item;
}

function threadItem({ thread, folder }: OverviewNode & { readonly kind: 'thread' }): vscode.TreeItem {
	const item = new vscode.TreeItem(thread.title === '' ? vscode.l10n.t('New thread') : thread.title);
	item.id = thread.id;
	item.description = [folder, thread.modelId ?? undefined].filter((each) => each !== undefined).join(' · ');
	item.tooltip = new Date(thread.updatedAt).toLocaleString();
	item.iconPath = new vscode.ThemeIcon(thread.running ? 'sync~spin' : 'comment-discussion');
	item.contextValue = 'thread';
	item.command = { command: 'prowess.openThread', title: vscode.l10n.t('Open Thread'), arguments: [thread.id] };
	return item;
}
