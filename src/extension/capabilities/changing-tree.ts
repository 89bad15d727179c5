/** A view whose rows are made anew whenever what they show has changed. */
import * as vscode from 'vscode';

export abstract class ChangingTree<Node> implements vscode.TreeDataProvider<Node> {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChangeTreeData = this.#changed.event;

	abstract getChildren(node?: Node): Node[] | Promise<Node[]>;
	abstract getTreeItem(node: Node): vscode.TreeItem;

	refresh(): void {
		this.#changed.fire();
	}

	dispose(): void {
		this.#changed.dispose();
	}
}
