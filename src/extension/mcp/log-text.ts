/** The logs of all MCP servers of this window as one document, each below its name. */
import * as vscode from 'vscode';
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';

export async function mcpLogText({ mcp }: Pick<TrustedBase, 'mcp'>): Promise<string> {
	const { servers, problems } = await mcp.list();
	const logs = servers.map(({ name, address }) => {
		const log = escapeInvisible(mcp.log(name), 'lines').trimEnd();
		const head = `# ${name}\n${escapeInvisible(address, 'line')}\n`;
		return `${head}${log === '' ? vscode.l10n.t('It has not been started in this window.') : log}\n`;
	});
	return [...problems.map((problem) => `${escapeInvisible(problem, 'line')}\n`), ...logs].join('\n');
}
