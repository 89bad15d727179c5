const LOOKS = /^(?:get|list|search|find|read|fetch|query|describe|show|view|count|lookup|browse|status)(?![a-z])/;

/** True for a tool of an MCP server that only looks, as tools say by their name alone: `get_issue`, `listFiles`. */
export function onlyLooks(tool: string): boolean {
	return LOOKS.test(tool.replace(/^[a-z]+_(?=(?:get|list|search|find|read)_)/, ''));
}
