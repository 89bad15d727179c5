/**
 * SKILL.md as the Agent Skills specification has it: front matter with a name and a description, then instructions. Read
 * leniently, as its client guide asks: what is no YAML is read line by line.
 */
import { PERMISSIONS, type Permission } from '../risk.ts';
import { FRONT_MATTER_LINE, splitFrontMatter } from './front-matter.ts';
import { MAX_BORROWED_DESCRIPTION_CHARS, MAX_NOTE_CHARS } from './limits.ts';
import type { ManifestProblem } from './problem.ts';
import { readStrictYaml, type StrictYaml } from './strict-yaml.ts';

export interface SkillFile {
	/** Fields of a manifest, as far as they are there; not yet checked. */
	readonly fields: Readonly<Record<string, unknown>>;
	readonly problems: readonly ManifestProblem[];
	readonly problemAt: StrictYaml['problemAt'];
}

export function readSkillFile(text: string, file: string): SkillFile {
	const { yaml, body } = splitFrontMatter(text);
	const read = readStrictYaml(yaml ?? '', file, yaml === undefined ? 1 : FRONT_MATTER_LINE);
	const isMapping = typeof read.value === 'object' && read.value !== null && !Array.isArray(read.value);
	const front = isMapping ? (read.value as Record<string, unknown>) : lineByLine(yaml ?? '');
	const problems: ManifestProblem[] = read.problems.map((problem) => ({
		...problem,
		severity: 'warning',
		message: `${problem.message}; read line by line instead`,
	}));
	const metadata = mappingOf(front['metadata']);
	const version = textOf(front['version']) ?? textOf(metadata['version']);
	const author = textOf(front['author']) ?? textOf(metadata['author']);
	const tags = Array.isArray(front['tags']) ? front['tags'].map(String) : wordsOf(front['tags']);
	const name = textOf(front['name']);
	const fields: Record<string, unknown> = {
		...present('name', name),
		...present('version', version),
		...present('author', author),
		...(tags.length === 0 ? {} : { tags }),
		description: (textOf(front['description']) ?? body.trim()).slice(0, MAX_BORROWED_DESCRIPTION_CHARS),
		...rightsOf(front['allowed-tools']),
		...present('license', textOf(front['license'])?.slice(0, MAX_NOTE_CHARS)),
		...present('compatibility', textOf(front['compatibility'])?.slice(0, MAX_NOTE_CHARS)),
		...present('metadata', notesOf(metadata)),
		...(isSaid(front['disable-model-invocation'], 'true') ? { modelInvocable: false } : {}),
		...(isSaid(front['user-invocable'], 'false') ? { userInvocable: false } : {}),
	};
	return { fields, problems, problemAt: read.problemAt };
}

function present(name: string, value: unknown): Readonly<Record<string, unknown>> {
	return value === undefined ? {} : { [name]: value };
}

/** Read line by line, a truth value is a word. */
function isSaid(value: unknown, wanted: 'true' | 'false'): boolean {
	return String(value).toLowerCase() === wanted;
}

/** Texts by name, as the specification has them; what is none is left out. */
function notesOf(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> | undefined {
	const notes = Object.entries(metadata).flatMap(([key, value]) => {
		const text = typeof value === 'boolean' ? String(value) : textOf(value);
		return key === '' || key.length > 100 || text === undefined ? [] : [[key, text.slice(0, 2_000)] as const];
	});
	return notes.length === 0 ? undefined : Object.fromEntries(notes);
}

/** `key: value`, for front matter in which a value holds a colon. */
function lineByLine(text: string): Record<string, unknown> {
	const fields: [string, string][] = [];
	for (const line of text.split(/\r?\n/)) {
		const [, key, value] = /^([A-Za-z][\w-]*):[ \t]*(.*)$/.exec(line) ?? [];
		if (key !== undefined && value !== undefined) {
			fields.push([key, value.trim().replace(/^(["'])(.*)\1$/, '$2')]);
		}
	}
	return Object.fromEntries(fields);
}

/** What a skill may ask for that does not say which tools it needs: what is asked about or can be undone. */
const ORDINARY: readonly Permission[] = ['workspace.read', 'workspace.write', 'editor', 'git', 'user', 'thread', 'llm'];

/** The tools of the skills that are out there, by the names they are known by. */
const TOOLS: Readonly<Record<string, readonly Permission[]>> = {
	read: ['workspace.read'],
	grep: ['workspace.read'],
	glob: ['workspace.read'],
	ls: ['workspace.read'],
	write: ['workspace.read', 'workspace.write'],
	edit: ['workspace.read', 'workspace.write'],
	multiedit: ['workspace.read', 'workspace.write'],
	bash: ['workspace.read', 'shell'],
	shell: ['workspace.read', 'shell'],
	webfetch: ['http'],
	websearch: ['http'],
};

/** A skill that runs commands is as risky as they are. */
function rightsOf(allowed: unknown): { readonly permissions: readonly Permission[]; readonly level?: 'RESTRICTED' } {
	const tools = Array.isArray(allowed) ? allowed.map(String) : toolsOf(allowed);
	if (tools.length === 0) {
		return { permissions: ORDINARY };
	}
	const wanted = new Set<Permission>(['user', 'thread', 'llm']);
	for (const tool of tools) {
		const name = tool.replace(/\(.*$/s, '').toLowerCase();
		for (const permission of Object.hasOwn(TOOLS, name) ? (TOOLS[name] ?? []) : []) {
			wanted.add(permission);
		}
	}
	const permissions = PERMISSIONS.filter((each) => wanted.has(each));
	return { permissions, ...(wanted.has('shell') ? { level: 'RESTRICTED' } : {}) };
}

/** `Bash(git add *) Read` are two. */
function toolsOf(value: unknown): string[] {
	return typeof value === 'string' ? (value.match(/[^\s,()]+(?:\([^)]*\))?/g) ?? []) : [];
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
