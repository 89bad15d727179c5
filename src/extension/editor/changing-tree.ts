import * as vscode from 'vscode';
import { isObjectValue } from '../../base/text/lenient.ts';
import { FollowedRows } from './followed-rows.ts';

/** A view whose rows follow what they show. All that a row shows is in its node: rows of equal nodes are not shown again. */
export abstract class ChangingTree<Node> implements vscode.TreeDataProvider<Node> {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChangeTreeData = this.#changed.event;
	readonly #rows = new FollowedRows(
		() => this.makeRows(),
		() => this.#changed.fire(),
	);

	/** Makes the rows of the top level. */
	protected abstract makeRows(): Promise<readonly Node[]>;
	protected abstract rowsBelow(node: Node): readonly Node[];
	abstract getTreeItem(node: Node): vscode.TreeItem;

	async getChildren(node?: Node): Promise<Node[]> {
		return [...(node === undefined ? await this.#rows.ask() : this.rowsBelow(node))];
	}

	/** Resolves when they are shown, or will be once the view is; never rejects. */
	async refresh(): Promise<void> {
		await this.#rows.follow();
	}

	dispose(): void {
		this.#changed.dispose();
	}
}

/** Returns true for the node that a command of a view was called on, if the node is of this kind. */
export function isNodeOfKind<Node>(node: unknown, kind: string): node is Node {
	return isObjectValue(node) && node['kind'] === kind;
}
