/** The view *Executors*: the programs that run capabilities, the types each of them runs, and those that cannot be used. */
import * as vscode from 'vscode';
import { errorsOf } from '../../../capability-host/catalog/registry/items.ts';
import { problemText } from '../../../protocol/manifest/problem.ts';
import { ChangingTree } from '../../views/changing-tree.ts';
import type { Catalog, ListedExecutor } from '../catalog.ts';
import { portText } from '../pages/permission-texts.ts';
import { overrideText, sourceText } from '../texts/texts.ts';

interface ExecutorNode {
	readonly kind: 'executor';
	readonly item: ListedExecutor;
}

export class ExecutorsTree extends ChangingTree<ExecutorNode> {
	readonly #catalog: Catalog;

	constructor(catalog: Catalog) {
		super();
		this.#catalog = catalog;
	}

	protected async makeRows(): Promise<ExecutorNode[]> {
		const { executors } = await this.#catalog.list();
		return executors.map((item) => ({ kind: 'executor', item }));
	}

	protected rowsBelow(): readonly ExecutorNode[] {
		return [];
	}

	getTreeItem({ item: executor }: ExecutorNode): vscode.TreeItem {
		const { name, path, source, types, runs, manifest, shadows, shadowedBy, problems, isEnabled } = executor;
		const item = new vscode.TreeItem(name);
		const isUsed = manifest !== undefined && shadowedBy === undefined && isEnabled;
		item.description = [
			...(isEnabled ? [] : [vscode.l10n.t('disabled')]),
			sourceText(source),
			...(manifest === undefined ? [errorsOf(executor)] : [typesText(types, runs)]),
			...(shadows.length === 0 ? [] : [overrideText(shadows)]),
			...(shadowedBy === undefined ? [] : [vscode.l10n.t('overridden')]),
			...(manifest?.channel === 'loopback' ? [vscode.l10n.t('by a port')] : []),
		].join(' · ');
		item.iconPath =
			manifest === undefined
				? new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'))
				: new vscode.ThemeIcon(isUsed ? 'server-process' : 'circle-slash');
		item.contextValue = executor.own === undefined ? `executor.${isEnabled ? 'on' : 'off'}` : 'executor.own';
		const port = manifest?.channel === 'loopback' ? [portText()] : [];
		item.tooltip = [`${name} ${manifest?.version ?? ''}`.trim(), path, ...port, ...problems.map(problemText)].join(
			'\n',
		);
		item.accessibilityInformation = { label: `${name}, ${item.description}` };
		return item;
	}
}

/** Those that another executor was registered for later are in parentheses. */
function typesText(types: readonly string[], runs: readonly string[]): string {
	return types.map((type) => (runs.includes(type) ? type : `(${type})`)).join(', ');
}
