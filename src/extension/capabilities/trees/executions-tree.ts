/** The view *Executions*: what runs, for how long and how far it is; and what has ended, newest first. */
import * as vscode from 'vscode';
import { isLive } from '../../../capability-host/execution/execution.ts';
import type { ExecutionStatus } from '../../../protocol/execution/execution.ts';
import { limits } from '../../limits.ts';
import { durationText } from '../texts/duration-text.ts';
import type { Executions, ShownExecution } from './executions.ts';
import { statusText } from '../texts/texts.ts';

interface ExecutionNode {
	readonly kind: 'execution';
	readonly executionId: string;
}

/** Whether the editor shows the view, and when it begins to or ceases to. */
export type ViewVisibility = Pick<vscode.TreeView<ExecutionNode>, 'visible' | 'onDidChangeVisibility'>;

/**
 * A row that is there stays: the editor hears which ones show something else, and asks for all of them only when one is new or
 * gone, since a command that is called on a row meanwhile gets none.
 */
export class ExecutionsTree implements vscode.TreeDataProvider<ExecutionNode> {
	readonly #executions: Executions;
	readonly #view: ViewVisibility;
	readonly #visibility: vscode.Disposable;
	readonly #changed = new vscode.EventEmitter<ExecutionNode[] | undefined>();
	readonly onDidChangeTreeData = this.#changed.event;
	#shown: readonly ExecutionNode[] = [];
	/** Status when it was shown last, by id. */
	#statuses = new Map<string, ExecutionStatus>();
	#soon: NodeJS.Timeout | undefined;
	#tick: NodeJS.Timeout | undefined;

	/** Ticks only while somebody sees it. */
	constructor(executions: Executions, view: ViewVisibility) {
		this.#executions = executions;
		this.#view = view;
		this.#visibility = view.onDidChangeVisibility(() => this.#show());
	}

	/** Soon, and once for many calls; how far they are, at the next tick. */
	refresh(): void {
		const all = this.#executions.all;
		const isSame =
			all.length === this.#statuses.size &&
			all.every(({ info }) => this.#statuses.get(info.executionId) === info.status);
		if (!isSame || this.#tick === undefined) {
			this.#soon ??= setTimeout(() => this.#show(), limits.capabilityRefreshMs);
		}
	}

	getChildren(node?: ExecutionNode): ExecutionNode[] {
		if (node !== undefined) {
			return [];
		}
		const known = new Map(this.#shown.map((each) => [each.executionId, each]));
		this.#shown = this.#executions.all.map(
			({ info: { executionId } }) => known.get(executionId) ?? { kind: 'execution', executionId },
		);
		return [...this.#shown];
	}

	getTreeItem({ executionId }: ExecutionNode): vscode.TreeItem {
		const execution = this.#executions.find(executionId);
		return execution === undefined ? new vscode.TreeItem(executionId) : executionItem(execution);
	}

	dispose(): void {
		this.#clear();
		this.#visibility.dispose();
		this.#changed.dispose();
	}

	#show(): void {
		this.#clear();
		const all = this.#executions.all.map(({ info }) => info);
		const isInPlace = ({ executionId }: ExecutionNode, at: number) => all[at]?.executionId === executionId;
		if (all.length === this.#shown.length && this.#shown.every(isInPlace)) {
			this.#changed.fire(
				this.#shown.filter(({ executionId }) => isLive(this.#statuses.get(executionId) ?? 'starting')),
			);
		} else {
			this.#changed.fire(undefined);
		}
		this.#statuses = new Map(all.map(({ executionId, status }) => [executionId, status]));
		if (this.#view.visible && all.some(({ status }) => isLive(status))) {
			this.#tick = setTimeout(() => this.#show(), limits.executionTickMs);
		}
	}

	#clear(): void {
		clearTimeout(this.#soon);
		clearTimeout(this.#tick);
		this.#soon = undefined;
		this.#tick = undefined;
	}
}

function executionItem(execution: ShownExecution): vscode.TreeItem {
	const { info, progress, elapsedMs, result } = execution;
	const { executionId, name, type, status } = info;
	const isRunning = isLive(status);
	const said = isRunning ? progress?.message : status === 'stopped' ? undefined : result?.error?.message;
	const item = new vscode.TreeItem(name);
	item.id = executionId;
	item.description = [
		statusText(status),
		durationText(elapsedMs),
		...(progress?.fraction !== undefined && isRunning ? [`${Math.round(100 * progress.fraction)} %`] : []),
		...(said === undefined ? [] : [said.split('\n', 1)[0]]),
	].join(' · ');
	item.iconPath = iconOf(status);
	item.contextValue = isRunning ? 'execution.live' : 'execution.ended';
	const facts = [
		`${type} ${name}`,
		executionId,
		new Date(info.startedAt).toLocaleString(),
		...(said === undefined ? [] : [said]),
	];
	item.tooltip = [...facts, ...tailOf(execution.output)].join('\n');
	item.command = {
		command: 'prowess.showExecution',
		title: vscode.l10n.t('Show Execution'),
		arguments: [{ kind: 'execution', executionId }],
	};
	item.accessibilityInformation = { label: `${type} ${name}, ${item.description}` };
	return item;
}

/** The last lines, after an empty one. */
function tailOf(output: string): string[] {
	const lines = output.trimEnd().split('\n').slice(-limits.outputTailLines);
	return output.trim() === '' ? [] : ['', ...lines];
}

function iconOf(status: ExecutionStatus): vscode.ThemeIcon {
	switch (status) {
		case 'starting':
		case 'running':
		case 'stopping':
			return new vscode.ThemeIcon('sync~spin');
		case 'completed':
			return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
		case 'stopped':
			return new vscode.ThemeIcon('circle-slash');
		case 'failed':
		case 'timeout':
			return new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
		default:
			return status satisfies never;
	}
}
