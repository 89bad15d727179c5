/** Describes in words what a rule allows, for the person who reviews it. */
import { isOpName } from '../../../../protocol/op-table/ops.ts';
import { type Text, text } from '../../../../protocol/text/text.ts';
import { parseAllowRules } from './allow-rule.ts';

export function ruleInWords(rule: string): Text {
	const [parsed] = parseAllowRules([rule]);
	if (parsed === undefined || !isOpName(parsed.op)) {
		return text('Nothing: "{rule}" cannot be read as a rule.', { rule });
	}
	const { op, pattern } = parsed;
	const secret = /^(?<name>[^@/]+)@(?<host>[^@]+)$/.exec(pattern)?.groups;
	switch (op) {
		case 'shell.run':
			return pattern.endsWith(' *')
				? text('Run commands that begin with "{words}"', { words: pattern.slice(0, -2) })
				: text('Run "{command}"', { command: pattern });
		case 'fs.write':
			return text('Write {pattern}', { pattern });
		case 'fs.edit':
			return text('Edit {pattern}', { pattern });
		case 'editor.refactor':
			return text('Change {pattern} with the language server', { pattern });
		case 'fs.delete':
			return text('Delete {pattern}', { pattern });
		case 'fs.read':
			return text('Read {pattern}', { pattern });
		case 'net.connect':
			return text('Let sandboxed commands connect to {host}', { host: pattern });
		case 'http.get':
			return text('Read from {host}', { host: pattern });
		case 'browser.open':
			return text('Open pages of {host} in the browser', { host: pattern });
		case 'http.request':
		case 'browser.act':
			return secret === undefined
				? text('Send requests to {host}', { host: pattern })
				: text('Send the secret "{name}" to {host}', { name: secret['name'] ?? '', host: secret['host'] ?? '' });
		case 'web.search':
			return secret === undefined
				? text('Search the web through {host}', { host: pattern })
				: text('Send the secret "{name}" to {host}', { name: secret['name'] ?? '', host: secret['host'] ?? '' });
		case 'mcp.call':
			return text('Call the MCP tool {pattern}', { pattern });
		case 'mcp.sample':
			return text('Let the MCP server ask a model: {pattern}', { pattern });
		case 'mcp.read':
			return text('Read the MCP resource {pattern}', { pattern });
		default:
			return text('{op} of {pattern}', { op, pattern });
	}
}
