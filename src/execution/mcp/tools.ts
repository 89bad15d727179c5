/** Tools as a server lists them: data of others, by which nothing of ours is named. */
import { escapeHidden } from '../../base/text/hidden-characters.ts';
import { isPlainData, textOrEmpty } from '../../base/text/lenient.ts';
import { cutText, joinToLine } from '../../base/text/one-line.ts';
import type { McpServerListing } from '../../protocol/ops/definitions/agent/mcp.ts';
import { type Text, text } from '../../protocol/text/text.ts';
import { canonicalJson, sha256 } from '../../trust/record/store/chain/canonical-json.ts';
import type { PinnedTools } from './consent/kept-consents.ts';
import { isShallow } from './process/raw-results.ts';
import {
	DESCRIPTION_CHARS,
	LISTED_DESCRIPTION_CHARS,
	LISTING_CHARS,
	MAX_SERVER_TOOLS,
	NAMED_ODDITIES,
	ODD_NAME_CHARS,
	SCHEMA_CHARS,
	SCHEMAS_CHARS,
} from './limits.ts';

export interface McpTool {
	readonly name: string;
	/** Hidden characters are written out; not cut. */
	readonly description: string;
	/** JSON Schema as text. */
	readonly inputSchema: string;
	/** Hash of everything that the server says of the tool and that can be read. */
	readonly hash: string;
}

/** Pattern of a tool's name, so that a rule can name it and a person can read it. */
const TOOL_NAME = /^[A-Za-z0-9][A-Za-z0-9_./:-]{0,127}$/;

/** Input of a tool that does not say what it takes. */
const ANY_INPUT = { type: 'object' };

/** Reads tools one by one, so that an odd one costs no other. `problems`: what was left out or is shown otherwise, in sentences. */
export function readTools(listed: readonly unknown[]): {
	readonly tools: readonly McpTool[];
	readonly problems: readonly Text[];
} {
	const tools = new Map<string, McpTool>();
	const odd = {
		unusable: [] as unknown[],
		anyInput: [] as unknown[],
		fields: [] as unknown[],
		tooMany: [] as unknown[],
	};
	for (const entry of listed) {
		const { name, title, description, inputSchema, outputSchema, annotations } = isPlainData(entry)
			? entry
			: ({ name: entry } as Readonly<Record<string, unknown>>);
		if (!isPlainData(entry) || typeof name !== 'string' || !TOOL_NAME.test(name) || tools.has(name)) {
			odd.unusable.push(name);
			continue;
		}
		if (tools.size >= MAX_SERVER_TOOLS) {
			odd.tooMany.push(name);
			continue;
		}
		const schema = readInputSchema(inputSchema);
		if (schema === undefined) odd.anyInput.push(name);
		const isOdd = [title, description].some((each) => each !== undefined && each !== null && typeof each !== 'string');
		if (isOdd || (annotations !== undefined && annotations !== null && !isPlainData(annotations))) {
			odd.fields.push(name);
		}
		const said = { name, title, description: description ?? '', inputSchema, outputSchema, annotations };
		tools.set(name, {
			name,
			description: joinToLine(escapeHidden(textOrEmpty(description))),
			inputSchema: escapeHidden(schema ?? JSON.stringify(ANY_INPUT)),
			hash: hashToolParts(said),
		});
	}
	return {
		tools: [...tools.values()],
		problems: [
			...nameOddities(odd.unusable, (names) =>
				text('Tools left out, because their names cannot be used or are taken: {names}', { names }),
			),
			...nameOddities(odd.anyInput, (names) =>
				text('Tools offered with any object as input, because their input schema cannot be used: {names}', { names }),
			),
			...nameOddities(odd.fields, (names) =>
				text('Tools shown without the details that cannot be read: {names}', { names }),
			),
			...nameOddities(odd.tooMany, (names) =>
				text('Tools left out, because a server may have {limit}: {names}', { limit: MAX_SERVER_TOOLS, names }),
			),
		],
	};
}

/** A part that is nested too deep to be read is told to no model and counts as null, alone: all that is told is in the hash. */
function hashToolParts(said: Readonly<Record<string, unknown>>): string {
	const parts = Object.entries(said).map(([part, value]) => [part, isShallow(value) ? value : null] as const);
	return sha256(canonicalJson(Object.fromEntries(parts)));
}

/** JSON Schema as text; undefined for what describes no object, or is too large or too deep to be told. */
function readInputSchema(schema: unknown): string | undefined {
	if (schema === undefined || schema === null) return JSON.stringify(ANY_INPUT);
	if (!isPlainData(schema) || !isShallow(schema)) return undefined;
	const { type } = schema;
	const isObject = type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
	const told = JSON.stringify(schema);
	return isObject && told.length <= SCHEMA_CHARS ? told : undefined;
}

/** The sentence with the names of what is odd; none where nothing is. */
export function nameOddities(names: readonly unknown[], say: (names: string) => Text): Text[] {
	const words = names.filter((name) => typeof name === 'string' || typeof name === 'number').map(String);
	const shown = words
		.filter((word) => word !== '')
		.slice(0, NAMED_ODDITIES)
		.map((word) => `"${cutText(joinToLine(escapeHidden(word)), ODD_NAME_CHARS)}"`);
	const more = names.length - shown.length;
	return names.length === 0
		? []
		: [say([...shown, ...(more === 0 ? [] : [shown.length === 0 ? String(more) : `+${more}`])].join(', '))];
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
