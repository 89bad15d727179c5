/** The view *Executions*: what runs, for how long and how far it is; and what has ended, newest first. */
import * as vscode from 'vscode';
import { isLive } from '../../capability-host/execution/execution.ts';
import type { ExecutionStatus } from '../../protocol/execution.ts';
import { limits } from '../limits.ts';
import { ChangingTree } from './changing-tree.ts';
import { durationText } from './duration-text.ts';
import type { Executions, ShownExecution } from './executions.ts';
import { statusText } from './texts.ts';

export interface ExecutionNode {
	readonly kind: 'execution';
	readonly executionId: string;
}

export class ExecutionsTree extends ChangingTree<ExecutionNode> {
	readonly #executions: Executions;
	readonly #isVisible: () => boolean;
	#timer: NodeJS.Timeout | undefined;

	/** Ticks only while somebody sees it. */
	constructor(executions: Executions, isVisible: () => boolean) {
		super();
		this.#executions = executions;
		this.#isVisible = isVisible;
	}

	/** Soon, and once for many calls. */
	override refresh(): void {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.#show(), limits.capabilityRefreshMs);
	}

	getChildren(node?: ExecutionNode): ExecutionNode[] {
		return node === undefined
			? this.#executions.all.map(({ info }) => ({ kind: 'execution', executionId: info.executionId }))
			: [];
	}

	getTreeItem({ executionId }: ExecutionNode): vscode.TreeItem {
		const execution = this.#executions.find(executionId);
		return execution === undefined ? new vscode.TreeItem(executionId) : executionItem(execution);
	}

	override dispose(): void {
		clearTimeout(this.#timer);
		super.dispose();
	}

	#show(): void {
		super.refresh();
		if (this.#executions.live.length > 0 && this.#isVisible()) {
			this.#timer = setTimeout(() => this.#show(), limits.executionTickMs);
		}
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
