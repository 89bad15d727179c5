/** Views of MCP servers in the editor, and the events that make them show the present state. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { SettingsPort, WorkspacePort } from '../../contract/ports/ports.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { MCP_FILES } from '../editor/command-table.ts';
import { createMcpCommands } from './mcp-commands.ts';

interface McpViewPorts {
	readonly workspace: WorkspacePort;
	readonly settings: Pick<SettingsPort, 'onDidChange'>;
	base(): Promise<TrustedBase>;
	showChat(): Promise<void>;
	showLog(): Promise<void>;
	/** Keeps a secret of the user. */
	store(name: string, value: string): Promise<void>;
	/** The log has changed; it may be shown. */
	renewLog(): void;
	/** Shows the servers in the side bar. */
	reveal(): Promise<void>;
	/** Renews what is shown of the servers, because their state has changed. */
	refresh(): void;
}

export interface McpViews extends Disposable {
	readonly commands: ReturnType<typeof createMcpCommands>;
	/** From the moment it is there. */
	follow(base: TrustedBase): Disposable;
}

export function createMcpViews(ports: McpViewPorts): McpViews {
	const { workspace, settings, renewLog, refresh } = ports;
	const store = new DisposableStore();
	const files = store.add(vscode.workspace.createFileSystemWatcher(MCP_FILES));
	for (const changed of [files.onDidCreate, files.onDidChange, files.onDidDelete]) {
		store.add(changed(refresh));
	}
	store.add(workspace.onDidChange(refresh));
	store.add(settings.onDidChange(refresh));
	return {
		commands: createMcpCommands(ports),
		follow: ({ mcp, approvals }) => {
			const followed = new DisposableStore();
			followed.add(
				mcp.onDidChange(() => {
					refresh();
					renewLog();
				}),
			);
			followed.add(approvals.onDidChange(refresh));
			return followed;
		},
		dispose: () => store.dispose(),
	};
}
