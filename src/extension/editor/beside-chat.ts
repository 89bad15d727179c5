/** Where a file opens that the chat leads to: never over a chat in a tab, beside which it is read. */
import * as vscode from 'vscode';
import { CHAT_TAB } from './command-table.ts';

export function besideChat(): { readonly viewColumn?: vscode.ViewColumn } {
	const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
	// The editor puts a word of its own before the type of a page.
	const isChat = input instanceof vscode.TabInputWebview && input.viewType.endsWith(CHAT_TAB);
	return isChat ? { viewColumn: vscode.ViewColumn.Beside } : {};
}
