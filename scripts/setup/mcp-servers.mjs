import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installKit } from './kit.mjs';
import { step } from './progress.mjs';

const limitMs = 10 * 60_000;

/** The folder with the packages of public MCP servers for the specs, as npm has them. */
export function ensureMcpServers() {
	return step('public MCP servers', async () => {
		const folder = await installKit({
			name: 'mcp-servers',
			what: 'public MCP servers',
			stamp: 'mcp-servers',
			isThere: (installed) => existsSync(join(installed, 'node_modules/.package-lock.json')),
			limitMs,
		});
		return join(folder, 'node_modules');
	});
}
