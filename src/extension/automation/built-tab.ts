/** A tab of *Automation* as it was made, and what its rows offer. */
import * as vscode from 'vscode';
import type { PageAction, RowAction } from '../../protocol/pages/capability-page.ts';
import type { BuiltPage, OfferedAction } from '../capabilities/pages/built-page.ts';

/** Content of a tab, below the head of the page. */
export type BuiltAutomationTab = Pick<BuiltPage, 'actions' | 'rowActions' | 'changed'> & {
	readonly summary: string;
	readonly blocks: BuiltPage['content']['blocks'];
};

/** Collects what rows offer: each act under the id that the page names it by. */
export class OfferedActs {
	readonly all = new Map<string, OfferedAction>();

	/** Returns the action as the page is told of it. `row`: what it is done to. */
	offer(action: PageAction, label: string, row: string, act: () => Promise<unknown>): RowAction {
		const on = `${action} ${row}`;
		this.all.set(on, { action, label, act });
		return { action, label, on };
	}
}

export async function showThreadInChat(threadId: string): Promise<void> {
	await vscode.commands.executeCommand('prowess.openThread', threadId);
}
