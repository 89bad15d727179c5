/**
 * SKILL.md as the Agent Skills specification has it: front matter with a name and a description, then instructions. Read
 * leniently, as its client guide asks: what is no YAML is read line by line, and then gives no right that is not asked for.
 */
import { opsOfSkill } from '../op-table/skill-tools.ts';
import { PERMISSIONS } from '../ops/risk.ts';
import { FRONT_MATTER_LINE, splitFrontMatter } from './front-matter.ts';
import {
	MAX_ALLOWED_TOOL_CHARS,
	MAX_ALLOWED_TOOLS,
	MAX_AUTHOR_CHARS,
	MAX_DESCRIPTION_CHARS,
	MAX_HINT_CHARS,
	MAX_METADATA_CHARS,
	MAX_NOTE_CHARS,
	MAX_NOTE_NAME_CHARS,
	MAX_REQUIRED,
	MAX_REQUIRED_CHARS,
	MAX_TAG_CHARS,
	MAX_TAGS,
	MAX_VERSION_CHARS,
} from '../capability/limits.ts';
import { text, type Text } from '../text/text.ts';
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
	const found = new Fields(front, (path, words) => problems.push(read.problemAt('warning', path, words)));
	const allowedTools = isMapping ? readToolsField('allowed-tools', front, found) : [];
	const metadata = toMapping(front['metadata']);
	// The specification has no such field, and leaves room for it in the metadata. Text that cannot be read leaves no tool.
	const required = front['required-tools'] ?? metadata['required-tools'] ?? '';
	const tools = required === '' ? undefined : opsOfSkill(parseToolNames(required)).slice(0, MAX_ALLOWED_TOOLS);
	const skills = found.short(
		['required-skills'],
		parseToolNames(front['required-skills'] ?? metadata['required-skills']),
		{
			most: MAX_REQUIRED,
			chars: MAX_REQUIRED_CHARS,
		},
	);
	const version = found.text(['version'], MAX_VERSION_CHARS) ?? found.text(['metadata', 'version'], MAX_VERSION_CHARS);
	const author = found.text(['author'], MAX_AUTHOR_CHARS) ?? found.text(['metadata', 'author'], MAX_AUTHOR_CHARS);
	const tagsAt = front['tags'] === undefined ? 'keywords' : 'tags';
	const words = front[tagsAt];
	const listed = Array.isArray(words) ? words.map(String).filter((word) => word !== '') : splitTagWords(words);
	const tags = found.short([tagsAt], listed, { most: MAX_TAGS, chars: MAX_TAG_CHARS });
	const name = toFieldText(front['name']);
	const fields: Record<string, unknown> = {
		...toOptionalField('name', name),
		...toOptionalField('version', version),
		...toOptionalField('author', author),
		...(tags.length === 0 ? {} : { tags }),
		...toOptionalField('description', found.text(['description'], MAX_DESCRIPTION_CHARS)),
		// Instructions may need whatever an agent may ask for; each of it is asked as the agent is.
		permissions: PERMISSIONS,
		level: 'RESTRICTED',
		...(allowedTools.length === 0 ? {} : { allowedTools }),
		...toOptionalField('tools', tools),
		...(skills.length === 0 ? {} : { requiredCapabilities: skills }),
		instructions: front['context'] === 'fork' ? 'subTurn' : 'thread',
		...(isMapping && typeof front['budget'] === 'object' ? toOptionalField('budget', front['budget']) : {}),
		...toOptionalField('argumentHint', hintIn(front, found)),
		...toOptionalField('license', found.text(['license'], MAX_NOTE_CHARS)),
		...toOptionalField('compatibility', found.text(['compatibility'], MAX_NOTE_CHARS)),
		...toOptionalField('metadata', readMetadataNotes(metadata, found)),
		...(isForPeople(front['disable-model-invocation'], isMapping) ? { modelInvocable: false } : {}),
		...(isTruthWord(front['user-invocable'], 'false') ? { userInvocable: false } : {}),
	};
	return { fields, problems, problemAt: read.problemAt };
}

/** Front matter as it is taken: what is too long is cut, and what is too much left out, never in silence. */
class Fields {
	readonly #front: Readonly<Record<string, unknown>>;
	readonly #warn: (path: readonly string[], words: Text) => void;

	constructor(front: Readonly<Record<string, unknown>>, warn: (path: readonly string[], words: Text) => void) {
		this.#front = front;
		this.#warn = warn;
	}

	text([field, inner]: readonly [string, string?], most: number): string | undefined {
		const value = this.#front[field];
		const given = toFieldText(inner === undefined ? value : toMapping(value)[inner]);
		if (given === undefined || given.length <= most) return given;
		const path = inner === undefined ? [field] : [field, inner];
		this.#warn(path, text('{length} characters, the first {most} are taken', { length: given.length, most }));
		return given.slice(0, most);
	}

	/** The first ones of at most `chars`. */
	short(path: readonly string[], given: readonly string[], { most, chars }: Bounds): string[] {
		const taken = given.filter(({ length }) => length <= chars);
		const left = given.length - taken.length;
		if (left === 1) this.#warn(path, text('1 longer than {chars} characters is left out', { chars }));
		if (left > 1) this.#warn(path, text('{left} longer than {chars} characters are left out', { left, chars }));
		if (taken.length > most) {
			this.#warn(path, text('{length} entries, the first {most} are taken', { length: taken.length, most }));
		}
		return taken.slice(0, most);
	}
}

interface Bounds {
	readonly most: number;
	readonly chars: number;
}

/** `[message]` without quotes is a list in YAML. */
function hintIn(front: Readonly<Record<string, unknown>>, found: Fields): string | undefined {
	const hint = front['argument-hint'];
	return Array.isArray(hint)
		? `[${hint.map(String).join(', ')}]`.slice(0, MAX_HINT_CHARS)
		: found.text(['argument-hint'], MAX_HINT_CHARS);
}

function readToolsField(field: string, front: Readonly<Record<string, unknown>>, found: Fields): string[] {
	return found.short([field], parseToolNames(front[field]), { most: MAX_ALLOWED_TOOLS, chars: MAX_ALLOWED_TOOL_CHARS });
}

function toOptionalField(name: string, value: unknown): Readonly<Record<string, unknown>> {
	return value === undefined ? {} : { [name]: value };
}

/** Read line by line, a truth value is a word. */
function isTruthWord(value: unknown, wanted: 'true' | 'false'): boolean {
	return String(value).toLowerCase() === wanted;
}

/** A word that cannot be read for sure keeps models out. */
function isForPeople(value: unknown, isYaml: boolean): boolean {
	return isYaml ? isTruthWord(value, 'true') : value !== undefined && !isTruthWord(value, 'false');
}

/** Texts by name, as the specification has them; what is none is left out. */
function readMetadataNotes(
	metadata: Readonly<Record<string, unknown>>,
	found: Fields,
): Readonly<Record<string, string>> | undefined {
	const names = Object.entries(metadata).flatMap(([key, value]) =>
		key === '' || (typeof value !== 'boolean' && toFieldText(value) === undefined) ? [] : [key],
	);
	const bounds = { most: Number.POSITIVE_INFINITY, chars: MAX_NOTE_NAME_CHARS };
	const notes = found.short(['metadata'], names, bounds).map((key) => {
		const value = metadata[key];
		const note = typeof value === 'boolean' ? String(value) : found.text(['metadata', key], MAX_METADATA_CHARS);
		return [key, note ?? ''] as const;
	});
	return notes.length === 0 ? undefined : Object.fromEntries(notes);
}

/**
 * Reads `key: value` lines, for front matter in which a value holds a colon. Indented lines belong to the value above. A
 * duplicate key is ambiguous, so its values are joined.
 */
export function lineByLine(text: string): Record<string, unknown> {
	const fields = new Map<string, string[]>();
	let current: string[] | undefined;
	for (const line of text.split(/\r?\n/)) {
		const [, key, value] = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/.exec(line) ?? [];
		if (key !== undefined) {
			current = fields.get(key) ?? [];
			fields.set(key, current);
			current.push(stripValueQuotes((value ?? '').trim().replace(/^[|>][+-]?\d?$/, '')));
		} else if (/^(?:[ \t]|-[ \t])/.test(line)) {
			current?.push(line.trim());
		}
	}
	return Object.fromEntries([...fields].map(([key, lines]) => [key, lines.join(' ').trim()]));
}

function stripValueQuotes(value: string): string {
	return value.replace(/^(["'])(.*)\1$/, '$2');
}

/** `Bash(git add *) Read` are two, and so are they in a list. */
function parseToolNames(value: unknown): string[] {
	const tools = Array.isArray(value)
		? value.map((each) => String(each).trim())
		: typeof value === 'string'
			? (value.match(/[^\s,()]+(?:\([^)]*\))?/g) ?? [])
			: [];
	return tools.filter(({ length }) => length > 0);
}

function splitTagWords(value: unknown): string[] {
	return typeof value === 'string' ? value.split(/[\s,[\]]+/).filter((word) => word !== '') : [];
}

function toFieldText(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== ''
		? value.trim()
		: typeof value === 'number'
			? String(value)
			: undefined;
}

function toMapping(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
