/** Settings of the group mcp: which MCP servers there are, and which of them may ask models. */
import { ModelName } from '../../ops/definitions/agent/llm.ts';
import * as z from '../../text/zod.ts';
import { McpServerEntry, McpServerName } from '../../ops/mcp-server-entry.ts';
import { defineSetting, type SettingDef } from '../setting-def.ts';

/** Use of models that the user grants an MCP server, for as long as their window or command lasts. */
export const McpSamplingBudget = z.strictObject({
	calls: z.int().min(1).max(10_000).default(10).meta({ description: 'Requests that it may make. Default: 10' }),
	tokens: z
		.int()
		.min(1_000)
		.max(100_000_000)
		.default(50_000)
		.meta({ description: 'Tokens that it may use, input and output together. Default: 50000' }),
	model: ModelName.optional().meta({ description: 'Model that answers it, as `provider/model`. Default: yours' }),
});
export type McpSamplingBudget = z.output<typeof McpSamplingBudget>;

export const mcpSettings = {
	'prowess.mcp.servers': defineSetting({
		schema: z.record(McpServerName, McpServerEntry),
		default: {},
		scope: 'application',
		description:
			'MCP servers by name, for example `{ "memory": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"] } }`. They are added to those of `.vscode/mcp.json`, `.mcp.json` and `~/.copilot/mcp-config.json`. None starts before you allow it. Keep keys out of here: `"${secret:name}"` in `env` and `headers` stands for a secret that you stored. See docs/mcp.md.',
	}),
	'prowess.mcp.sampling': defineSetting({
		schema: z.record(McpServerName, McpSamplingBudget),
		default: {},
		scope: 'application',
		description:
			'MCP servers that may ask your model while you use them, each with what it may take until the window or the command ends, for example `{ "notes": { "calls": 10, "tokens": 50000 } }`. Each request needs your approval unless a rule such as `mcp.sample notes/**` allows it. Default: none may. See docs/mcp.md.',
	}),
} as const satisfies Record<string, SettingDef>;
