/** Reads a custom agent as Claude Code, VS Code and Copilot write it: instructions in Markdown, below what it may use. */
import { isPlainData } from '../../../base/text/lenient.ts';
import { HandOff } from '../../../protocol/agents/agent-view.ts';
import { AgentTurnOptions } from '../../../protocol/thread/thread-requests.ts';
import { problemText } from '../../../protocol/manifest/problem.ts';
import { splitFrontMatter } from '../../../protocol/manifest/front-matter.ts';
import { readFrontMatter, toFieldText } from '../../../protocol/manifest/read-front-matter.ts';
import * as z from '../../../protocol/text/zod.ts';
import { formatSchemaProblems } from '../../../protocol/text/schema-problem.ts';
import { text } from '../../../protocol/text/text.ts';
import { agentLimits } from '../limits.ts';
import { understoodTools } from './agent-tools-of-others.ts';

/** `maxTurns` is Claude Code's word for rounds. */
const AgentTurnFields = {
	temperature: ['temperature', AgentTurnOptions.shape.temperature],
	rounds: ['maxTurns', AgentTurnOptions.shape.rounds],
	earlierMessages: ['earlierMessages', AgentTurnOptions.shape.earlierMessages],
} as const;

const AgentHandOffs = z.array(HandOff).max(10);

/** Fields that the vendors document; in a head that is no YAML, only these begin a new one. */
const AGENT_FIELDS: ReadonlySet<string> = new Set(
	`name description tools model handoffs target mcp-servers argument-hint agents user-invocable disable-model-invocation infer
	hooks color permissionMode disallowedTools maxTurns skills memory mcpServers background isolation effort initialPrompt
	version author tags category license metadata mode temperature allowed-tools earlierMessages`.split(/\s+/),
);

interface WrittenAgent {
	readonly name: string;
	readonly description: string;
	readonly instructions: string;
	/** Undefined: all. */
	readonly ops: readonly string[] | undefined;
	/** Names of models as written, best first. */
	readonly models: readonly string[];
	readonly handOffs: readonly HandOff[];
	/** Options of each turn. */
	readonly options: AgentTurnOptions;
	/** True when it works in a worktree of its own. */
	readonly isIsolated: boolean;
	/** Parts of the file that do not take effect as its author meant them, in words. */
	readonly problems: readonly string[];
}

/** `file`: its name. `fallback`: name of the agent where its file says none. Throws for what nobody could follow as it is meant. */
export function readAgentFile(written: string, file: string, fallback: string): WrittenAgent {
	const { front, body, isMapping, problems: unread, found } = readFrontMatter(written, file, AGENT_FIELDS);
	for (const field of ['name', 'description']) {
		if (typeof (front[field] ?? '') === 'object') found.warn([field], text('it is no text, so it is left out'));
	}
	const isClear = isMapping || isClearOnTools(written);
	const switches = readSwitches(findField(front, 'tools'));
	const tools = !isClear
		? 'unreadable'
		: switches === undefined
			? readWordList(findField(front, 'tools'))
			: switches.on;
	const listed = readWordList(findField(front, 'disallowedTools'));
	const refused = switches === undefined || listed === 'unreadable' ? listed : [...switches.off, ...(listed ?? [])];
	if (findField(front, 'tools') === null) {
		found.warn(['tools'], text('it has no value, so the agent has all tools, as without the field'));
	} else if (tools?.length === 0) {
		found.warn(['tools'], text('it names no tools, so the agent has none'));
	}
	if (findField(front, 'disallowedTools') === null || (listed?.length === 0 && refused?.length === 0)) {
		found.warn(['disallowedTools'], text('it names no tools, so it refuses none'));
	}
	if (tools === 'unreadable' || refused === 'unreadable') {
		const field = tools === 'unreadable' ? 'tools' : 'disallowedTools';
		throw new Error(`${field}: expected a list of names. Without it, the agent could do more than its author meant`);
	}
	const models = readWordList(front['model']);
	if (models === 'unreadable') found.warn(['model'], text('it is no name, so it is left out'));
	const handOffs = AgentHandOffs.safeParse(front['handoffs'] ?? []);
	const name = found.text(['name'], agentLimits.agentNameChars) ?? fallback;
	const description = found.text(['description'], agentLimits.agentDescriptionChars) ?? '';
	const { ops, problems } = understoodTools(tools, refused);
	const options: Record<string, number> = {};
	for (const [option, [field, schema]] of Object.entries(AgentTurnFields)) {
		const given = front[field];
		const read = schema.safeParse(
			typeof given === 'string' && given.trim() !== '' ? Number(given) : (given ?? undefined),
		);
		if (read.data !== undefined) options[option] = read.data;
		else if (!read.success) found.warn([field], text('it is no number that is allowed there, so it is left out'));
	}
	const isolation = front['isolation'] ?? undefined;
	if (isolation !== undefined && isolation !== 'worktree') {
		throw new Error('isolation: expected worktree. Without it, the agent would change your folder');
	}
	return {
		name,
		description,
		isIsolated: isolation !== undefined,
		instructions: body.trim(),
		ops,
		models: models === 'unreadable' ? [] : (models ?? []),
		handOffs: handOffs.data ?? [],
		options,
		problems: [
			// Later mistakes of a head are mostly consequences of the first.
			...[...unread.slice(0, 1), ...found.problems].map(problemText),
			...problems,
			...(handOffs.success ? [] : [`handoffs: ${formatSchemaProblems(handOffs.error)}`]),
		],
	};
}

const TOOLS_LINE = /^["']?(disallowed[-_]?)?tools["']?[ \t]*:/i;

/**
 * Line by line, only a field in its plain form is seen, and text below it joins its names. False where that could give a
 * tool that is not in the list: for quotes, capitals or no blank behind the colon, a field that is there twice, or other text.
 */
function isClearOnTools(written: string): boolean {
	const lines = (splitFrontMatter(written).yaml ?? '').split(/\r?\n/);
	const seen = new Set<string>();
	let isInTools = false;
	for (const line of lines) {
		const field = TOOLS_LINE.exec(line);
		const [, key = ''] = /^([A-Za-z][\w-]*):(?:\s|$)/.exec(line) ?? [];
		if (field !== null) {
			if (!['tools', 'disallowedTools'].includes(key) || seen.has(key)) return false;
			seen.add(key);
			isInTools = true;
		} else if (AGENT_FIELDS.has(key)) {
			isInTools = false;
		} else if (isInTools && (/^[^\s\-[\]{}]/.test(line) || /:\s/.test(line))) {
			return false;
		}
	}
	// An example in a description may have such a line; without any other, it may be the field itself.
	return seen.has('tools') || !lines.some((line) => TOOLS_LINE.test(line.trimStart()) && !TOOLS_LINE.test(line));
}

/** The value of a field, however its author wrote small and capital letters; an object, which is no list, if it is there twice. */
function findField(front: Readonly<Record<string, unknown>>, name: string): unknown {
	const keys = Object.keys(front).filter((each) => each.replaceAll(/[-_]/g, '').toLowerCase() === name.toLowerCase());
	return keys.length > 1 ? {} : front[keys[0] ?? name];
}

/**
 * OpenCode's form, `tools: { read: true, bash: false }`. Tools that are switched on are all that the agent has; `on` is
 * undefined where none is. Undefined for any other value.
 */
function readSwitches(
	value: unknown,
): { readonly on: readonly string[] | undefined; readonly off: readonly string[] } | undefined {
	if (!isPlainData(value)) return undefined;
	const entries = Object.entries(value);
	if (entries.length === 0 || entries.some(([, isOn]) => typeof isOn !== 'boolean')) return undefined;
	const on = entries.filter(([, isOn]) => isOn === true).map(([name]) => name);
	return {
		on: on.length === 0 ? undefined : on,
		off: entries.filter(([, isOn]) => isOn === false).map(([name]) => name),
	};
}

/**
 * Names in a list, or in one text with commas between them; undefined for a field that is missing or has no value. An
 * empty text names none. Line by line, a list is a text, too: `[Read, "Grep"]` or `- Read - Grep`.
 */
function readWordList(value: unknown): readonly string[] | undefined | 'unreadable' {
	if (value === undefined || value === null) return undefined;
	if (value === '') return [];
	if (Array.isArray(value)) {
		const words = value.map(toFieldText);
		return words.every((word) => word !== undefined) ? words : 'unreadable';
	}
	const text = toFieldText(value);
	// Behind a `#` stands a comment, which may name what the agent is not to have.
	if (text === undefined || /(?:^|\s)#/.test(text)) return 'unreadable';
	const plain = text.replace(/^\[(.*)\]$/s, '$1').replace(/^-[ \t]+/, '');
	const parts = plain.split(/,(?![^(]*\))|[ \t]-[ \t]/);
	// Without a comma, blanks part the names: `Read Bash(git log *)`.
	return (parts.length > 1 ? parts : (plain.match(/[^\s()]+(?:\([^)]*\))?/g) ?? []))
		.map((word) => word.trim().replace(/^(["'])(.*)\1$/, '$2'))
		.filter((word) => word !== '');
}
