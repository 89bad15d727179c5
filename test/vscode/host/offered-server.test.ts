import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { commands, extensions, lm, workspace } from 'vscode';
import { waitFor } from '../../support/wait-for.ts';

describe('The MCP server for the agents of the editor', () => {
	before(async () => {
		const [folder] = workspace.workspaceFolders ?? [];
		assert.ok(folder);
		const home = process.env['PROWESS_HOME'] ?? join(homedir(), '.prowess');
		mkdirSync(home, { recursive: true, mode: 0o700 });
		const trusted = { version: 1, folders: [realpathSync(folder.uri.fsPath)] };
		writeFileSync(join(home, 'trust.json'), JSON.stringify(trusted));
		await extensions.getExtension('prowess.prowess')?.activate();
	});

	it('is known to the editor, and starts and lists its tools', async function () {
		this.timeout(60_000);
		const names = () => lm.tools.map(({ name }) => name).filter((name) => /^mcp_.*prowess/.test(name));
		await waitFor(
			'the tools of the server',
			async () => {
				if (names().length > 0) return true;
				await commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
				return names().length > 0;
			},
			50_000,
		);
		for (const tool of ['capability_list', 'fs_read', 'fs_edit', 'shell_run']) {
			assert.ok(
				names().some((name) => name.endsWith(tool)),
				`${tool} in ${names().join(', ')}`,
			);
		}
	});
});
