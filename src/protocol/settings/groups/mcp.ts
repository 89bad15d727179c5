/** Settings of the group mcp: which MCP servers there are. */
import * as z from '../../text/zod.ts';
import { McpServerEntry, McpServerName } from '../mcp-server-entry.ts';
import { setting, type SettingDef } from '../setting-def.ts';

export const mcpSettings = {
	'prowess.mcp.servers': setting({
		schema: z.record(McpServerName, McpServerEntry),
		default: {},
		scope: 'application',
		description:
			'MCP servers by name, for example `{ "memory": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"] } }`. They are added to those of `.vscode/mcp.json`, `.mcp.json` and `~/.copilot/mcp-config.json`. None starts before you allow it. Keep keys out of here: `"${secret:name}"` in `env` and `headers` stands for a secret that you stored. See docs/mcp.md.',
	}),
} as const satisfies Record<string, SettingDef>;
