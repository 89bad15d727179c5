/** Gives `@prowess` in VS Code's own chat what it needs of the extension; its work is loaded with its first message. */
import * as vscode from 'vscode';
import type { WorkspacePort } from '../../contract/ports/ports.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { toAbsolutePath, toWorkspacePath } from '../editor/workspace-paths.ts';
import type { ServerClient } from '../server/server-client.ts';
import type { CreatePorts } from './chat-page.ts';

interface HandOverPorts {
	base(): Promise<TrustedBase>;
	readonly server: ServerClient;
	readonly workspace: WorkspacePort;
	readonly createPorts: CreatePorts;
	/** Begins a thread. */
	begin(): Promise<ThreadId>;
}

export type AnswerInEditorChat = (...asked: Parameters<vscode.ChatRequestHandler>) => Promise<vscode.ChatResult>;

export function createHandOver({ base, server, workspace, createPorts, begin }: HandOverPorts): AnswerInEditorChat {
	const toUri = (path: string) => {
		const absolute = toAbsolutePath(workspace.folders, path);
		return absolute === undefined ? undefined : vscode.Uri.file(absolute);
	};
	return async (request, context, stream, token) => {
		const { answerInEditorChat } = await import('./participant.ts');
		const ports = {
			base,
			server: () => server.peer(),
			onServerChange: (listener: () => void) => server.onDidChange(listener),
			isRunning: (peer: unknown) => server.running === peer,
			prompts: createPorts(() => () => {}).prompts,
			begin,
			toPath: (uri: vscode.Uri) => (uri.scheme === 'file' ? toWorkspacePath(workspace.folders, uri.fsPath) : undefined),
			toUri,
		};
		return await answerInEditorChat(ports, request, context, stream, token);
	};
}
