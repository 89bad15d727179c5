/**
 * SKILL.md as the Agent Skills specification has it: front matter with a name and a description, then instructions. Read
 * leniently, as its client guide asks: what is no YAML is read line by line, and then gives no right that is not asked for.
 */
import { opsOfSkill } from '../ops/skill-tools.ts';
import { PERMISSIONS } from '../approvals/risk.ts';
import { FRONT_MATTER_LINE, splitFrontMatter } from './front-matter.ts';
import { MAX_ALLOWED_TOOL_CHARS, MAX_ALLOWED_TOOLS, MAX_DESCRIPTION_CHARS, MAX_NOTE_CHARS } from './limits.ts';
import { text } from '../text/text.ts';
import { type ManifestProblem, manifestProblem } from './problem.ts';
import { readStrictYaml, type StrictYaml } from './strict-yaml.ts';

interface SkillFile {
	/** Fields of a manifest, as far as they are there; not yet checked. */
	readonly fields: Readonly<Record<string, unknown>>;
	readonly problems: readonly ManifestProblem[];
	readonly problemAt: StrictYaml['problemAt'];
}

export function readSkillFile(written: string, file: string): SkillFile {
	const { yaml } = splitFrontMatter(written);
	const read = readStrictYaml(yaml ?? '', file, yaml === undefined ? 1 : FRONT_MATTER_LINE);
	const isMapping = typeof read.value === 'object' && read.value !== null && !Array.isArray(read.value);
	const front = isMapping ? (read.value as Record<string, unknown>) : lineByLine(yaml ?? '');
	const hasTools = !isMapping && front['allowed-tools'] !== undefined;
	const problems: ManifestProblem[] = read.problems.map((found) => {
		const problem = found.said ?? found.message;
		const words = hasTools
			? text('{problem}; read line by line instead; nothing of allowed-tools is allowed', { problem })
			: text('{problem}; read line by line instead', { problem });
		return manifestProblem('warning', words, found);
	});
	for (const [field, most] of LIMITED) {
		const length = textOf(front[field])?.length ?? 0;
		if (length > most) {
			const words = text('{length} characters, the first {most} are taken', { length, most });
			problems.push(read.problemAt('warning', [field], words));
		}
	}
	const allowedTools = isMapping ? toolsOf(front['allowed-tools']).slice(0, MAX_ALLOWED_TOOLS) : [];
	const metadata = mappingOf(front['metadata']);
	// The specification has no such field, and leaves room for it in the metadata. Text that cannot be read leaves no tool.
	const required = front['required-tools'] ?? metadata['required-tools'] ?? '';
	const tools = required === '' ? undefined : opsOfSkill(toolsOf(required)).slice(0, MAX_ALLOWED_TOOLS);
	const version = textOf(front['version']) ?? textOf(metadata['version']);
	const author = textOf(front['author']) ?? textOf(metadata['author']);
	const words = front['tags'] ?? front['keywords'];
	const tags = Array.isArray(words) ? words.map(String) : wordsOf(words);
	const name = textOf(front['name']);
	const fields: Record<string, unknown> = {
		...present('name', name),
		...present('version', version),
		...present('author', author),
		...(tags.length === 0 ? {} : { tags }),
		...present('description', textOf(front['description'])?.slice(0, MAX_DESCRIPTION_CHARS)),
		// Instructions may need whatever an agent may ask for; each of it is asked as the agent is.
		permissions: PERMISSIONS,
		level: 'RESTRICTED',
		...(allowedTools.length === 0 ? {} : { allowedTools }),
		...present('tools', tools),
		instructions: front['context'] === 'fork' ? 'subTurn' : 'thread',
		...(isMapping && typeof front['budget'] === 'object' ? present('budget', front['budget']) : {}),
		...present('license', textOf(front['license'])?.slice(0, MAX_NOTE_CHARS)),
		...present('compatibility', textOf(front['compatibility'])?.slice(0, MAX_NOTE_CHARS)),
		...present('metadata', notesOf(metadata)),
		...(isForPeople(front['disable-model-invocation'], isMapping) ? { modelInvocable: false } : {}),
		...(isSaid(front['user-invocable'], 'false') ? { userInvocable: false } : {}),
	};
	return { fields, problems, problemAt: read.problemAt };
}

/** Texts that are cut. */
const LIMITED = [
	['description', MAX_DESCRIPTION_CHARS],
	['license', MAX_NOTE_CHARS],
	['compatibility', MAX_NOTE_CHARS],
] as const;

function present(name: string, value: unknown): Readonly<Record<string, unknown>> {
	return value === undefined ? {} : { [name]: value };
}

/** Read line by line, a truth value is a word. */
function isSaid(value: unknown, wanted: 'true' | 'false'): boolean {
	return String(value).toLowerCase() === wanted;
}

/** A word that cannot be read for sure keeps models out. */
function isForPeople(value: unknown, isYaml: boolean): boolean {
	return isYaml ? isSaid(value, 'true') : value !== undefined && !isSaid(value, 'false');
}

/** Texts by name, as the specification has them; what is none is left out. */
function notesOf(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> | undefined {
	const notes = Object.entries(metadata).flatMap(([key, value]) => {
		const note = typeof value === 'boolean' ? String(value) : textOf(value);
		return key === '' || key.length > 100 || note === undefined ? [] : [[key, note.slice(0, 2_000)] as const];
	});
	return notes.length === 0 ? undefined : Object.fromEntries(notes);
}

/**
 * Reads `key: value` lines, for front matter in which a value holds a colon. Indented lines belong to the value above. A
 * duplicate key is ambiguous, so its values are joined.
 */
function lineByLine(text: string): Record<string, unknown> {
	const fields = new Map<string, string[]>();
	let current: string[] | undefined;
	for (const line of text.split(/\r?\n/)) {
		const [, key, value] = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/.exec(line) ?? [];
		if (key !== undefined) {
			current = fields.get(key) ?? [];
			fields.set(key, current);
			current.push(unquoted((value ?? '').trim().replace(/^[|>][+-]?\d?$/, '')));
		} else if (/^(?:[ \t]|-[ \t])/.test(line)) {
			current?.push(line.trim());
		}
	}
	return Object.fromEntries([...fields].map(([key, lines]) => [key, lines.join(' ').trim()]));
}

function unquoted(value: string): string {
	return value.replace(/^(["'])(.*)\1$/, '$2');
}

/** `Bash(git add *) Read` are two, and so are they in a list. */
function toolsOf(value: unknown): string[] {
	const tools = Array.isArray(value)
		? value.map((each) => String(each).trim())
		: typeof value === 'string'
			? (value.match(/[^\s,()]+(?:\([^)]*\))?/g) ?? [])
			: [];
	return tools.filter(({ length }) => length > 0 && length <= MAX_ALLOWED_TOOL_CHARS);
}

function wordsOf(value: unknown): string[] {
	return typeof value === 'string' ? value.split(/[\s,[\]]+/).filter((word) => word !== '') : [];
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== ''
		? value.trim()
		: typeof value === 'number'
			? String(value)
			: undefined;
}

function mappingOf(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
