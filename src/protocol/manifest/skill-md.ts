/**
 * SKILL.md as the Agent Skills specification has it: front matter with a name and a description, then instructions. Read
 * leniently, as its client guide asks: what is no YAML is read line by line, and then gives no right that is not asked for.
 */
import { opsOfSkill } from '../op-table/skill-tools.ts';
import { PERMISSIONS } from '../ops/risk.ts';
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
import { text } from '../text/text.ts';
import { type ManifestProblem, manifestProblem } from './problem.ts';
import {
	type ForeignManifest,
	type FrontMatterFields,
	readFrontMatter,
	toFieldText,
	toMapping,
} from './read-front-matter.ts';

export function readSkillFile(written: string, file: string): ForeignManifest {
	const { front, isMapping, problems: unread, found, problemAt } = readFrontMatter(written, file);
	const isToolLost = !isMapping && front['allowed-tools'] !== undefined;
	const addLoss = (problem: ManifestProblem) =>
		text('{problem}; nothing of allowed-tools is allowed', { problem: problem.said ?? problem.message });
	const problems = isToolLost ? unread.map((each) => manifestProblem('warning', addLoss(each), each)) : unread;
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
	return { fields, problems: [...problems, ...found.problems], problemAt };
}

/** `[message]` without quotes is a list in YAML. */
function hintIn(front: Readonly<Record<string, unknown>>, found: FrontMatterFields): string | undefined {
	const hint = front['argument-hint'];
	return Array.isArray(hint)
		? `[${hint.map(String).join(', ')}]`.slice(0, MAX_HINT_CHARS)
		: found.text(['argument-hint'], MAX_HINT_CHARS);
}

function readToolsField(field: string, front: Readonly<Record<string, unknown>>, found: FrontMatterFields): string[] {
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
	found: FrontMatterFields,
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
