/** A thread as a document of its own: untitled, so that nothing is written before the user saves it. */
import * as vscode from 'vscode';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';

export async function openThreadExport(
	server: Peer,
	threadId: ThreadId,
	format: 'markdown' | 'json',
	signal: AbortSignal,
): Promise<void> {
	const { text } = await server.call(threadRequests.export, { threadId, format }, signal);
	const document = await vscode.workspace.openTextDocument({ content: text, language: format });
	await vscode.window.showTextDocument(document, { preview: false });
}
