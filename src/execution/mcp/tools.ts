/** Tools as a server lists them: data of others, by which nothing of ours is named. */
import { escapeHidden } from '../../base/text/hidden-characters.ts';
import { cutText } from '../../base/text/one-line.ts';
import type { McpServerListing } from '../../protocol/ops/definitions/agent/mcp.ts';
import { canonicalJson, sha256 } from '../../trust/record/store/chain/canonical-json.ts';
import type { PinnedTools } from './consent/kept-consents.ts';
import {
	DESCRIPTION_CHARS,
	LISTED_DESCRIPTION_CHARS,
	LISTING_CHARS,
	SCHEMAS_CHARS,
	MAX_SERVER_TOOLS,
} from './limits.ts';

export interface McpTool {
	readonly name: string;
	/** Hidden characters are written out; not cut. */
	readonly description: string;
	/** JSON Schema as text. */
	readonly inputSchema: string;
	/** Hash of everything that the server says of the tool. */
	readonly hash: string;
}

export interface ListedTool {
	readonly name: string;
	readonly title?: string | undefined;
	readonly description?: string | undefined;
	readonly inputSchema: unknown;
	readonly outputSchema?: unknown;
	readonly annotations?: unknown;
}

/** Pattern of a tool's name, so that a rule can name it and a person can read it. */
const TOOL_NAME = /^[A-Za-z0-9][A-Za-z0-9_./:-]{0,127}$/;

/** `problems`: what was left out, in sentences. */
export function readTools(listed: readonly ListedTool[]): {
	readonly tools: readonly McpTool[];
	readonly problems: readonly string[];
} {
	const tools = new Map<string, McpTool>();
	const left = { unnamed: 0, doubled: 0, tooMany: 0 };
	for (const { name, title, description = '', inputSchema, outputSchema, annotations } of listed) {
		if (!TOOL_NAME.test(name)) {
			left.unnamed += 1;
		} else if (tools.has(name)) {
			left.doubled += 1;
		} else if (tools.size >= MAX_SERVER_TOOLS) {
			left.tooMany += 1;
		} else {
			const said = { name, title, description, inputSchema, outputSchema, annotations };
			tools.set(name, {
				name,
				description: escapeHidden(description).replaceAll(/\s+/g, ' ').trim(),
				inputSchema: escapeHidden(JSON.stringify(inputSchema ?? {})),
				hash: sha256(canonicalJson(said)),
			});
		}
	}
	return {
		tools: [...tools.values()],
		problems: [
			...(left.unnamed === 0
				? []
				: [`${left.unnamed} tools are left out: their names hold characters that none may have.`]),
			...(left.doubled === 0 ? [] : [`${left.doubled} tools are left out: others have the same names.`]),
			...(left.tooMany === 0 ? [] : [`${left.tooMany} tools are left out: a server may have ${MAX_SERVER_TOOLS}.`]),
		],
	};
}

export function toPinnedTools(tools: readonly McpTool[]): PinnedTools {
	return Object.fromEntries(tools.map(({ name, hash }) => [name, hash]));
}

export interface ToolChanges {
	readonly added: readonly McpTool[];
	readonly changed: readonly McpTool[];
	/** Names of those that are not there any more. */
	readonly gone: readonly string[];
}

export function findToolChanges(pinned: PinnedTools, tools: readonly McpTool[]): ToolChanges {
	const isPinned = ({ name }: McpTool) => Object.hasOwn(pinned, name);
	return {
		added: tools.filter((tool) => !isPinned(tool)),
		changed: tools.filter((tool) => isPinned(tool) && pinned[tool.name] !== tool.hash),
		gone: Object.keys(pinned).filter((name) => !tools.some((tool) => tool.name === name)),
	};
}

interface ListingOptions {
	/** Words that a tool has to hold; absent: all of them are listed. */
	readonly query: string | undefined;
	readonly withSchemas: boolean;
}

/** Lists as many tools as one answer holds; schemas of the first ones, each in full or not at all. */
export function listTools(
	tools: readonly McpTool[],
	{ query, withSchemas }: ListingOptions,
): Pick<McpServerListing, 'tools' | 'more'> {
	const words = (query ?? '').toLowerCase().split(/\s+/).filter(Boolean);
	const found = tools.filter((tool) => {
		const text = `${tool.name} ${tool.description}`.toLowerCase();
		return words.length === 0 || words.some((word) => text.includes(word));
	});
	let chars = 0;
	let schemaChars = 0;
	const listed: McpServerListing['tools'] = [];
	for (const { name, description, inputSchema } of found) {
		const said = cutText(description, withSchemas ? DESCRIPTION_CHARS : LISTED_DESCRIPTION_CHARS);
		chars += name.length + said.length;
		if (chars > LISTING_CHARS) {
			break;
		}
		const hasRoom = withSchemas && schemaChars + inputSchema.length <= SCHEMAS_CHARS;
		schemaChars += hasRoom ? inputSchema.length : 0;
		listed.push({ name, description: said, ...(hasRoom ? { inputSchema } : {}) });
	}
	return { tools: listed, more: found.length - listed.length };
}
