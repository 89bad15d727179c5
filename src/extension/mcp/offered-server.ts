/**
 * Our MCP server as VS Code's own list has it. VS Code trusts servers of extensions, so each start is a command line, which
 * serves only folders that the user has trusted for it. No process is started before.
 */
import * as vscode from 'vscode';

/** The command line has settings of its own, so no server is offered past what this editor's settings deny. */
export function describeServers({
	extensionUri,
	extension,
}: vscode.ExtensionContext): vscode.McpStdioServerDefinition[] {
	const program = vscode.Uri.joinPath(extensionUri, 'dist/cli.mjs').fsPath;
	const { version } = extension.packageJSON as { readonly version: string };
	const settings = vscode.workspace.getConfiguration('prowess');
	const isNarrowed = ['approvals.deny', 'access.deny'].some(
		(name) => Object.keys(settings.get<object>(name, {})).length > 0,
	);
	if (!vscode.workspace.isTrusted || isNarrowed) return [];
	const level = settings.get('approvals.level') === 'manual' ? 'manual' : 'ask';
	const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
	return folders.map(({ uri, name }) => {
		const label = folders.length === 1 ? 'Prowess' : `Prowess: ${name}`;
		const args = [program, 'mcp', 'serve', '--workspace', uri.fsPath, '--level', level];
		const server = new vscode.McpStdioServerDefinition(
			label,
			process.execPath,
			args,
			{ ELECTRON_RUN_AS_NODE: '1' },
			version,
		);
		server.cwd = uri;
		return server;
	});
}
