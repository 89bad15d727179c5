/**
 * A command as one Markdown file, in the form of Claude Code (`commands/*.md`) or as a prompt file of VS Code
 * (`*.prompt.md`), read as the SKILL.md it stands for. This module runs no part of the file: `!command` and `@file` are
 * words that the agent reads.
 */
import { splitFrontMatter } from '../protocol/manifest/front-matter.ts';
import type { ManifestProblem } from '../protocol/manifest/problem.ts';
import { readSkillFile } from '../protocol/manifest/skill-md.ts';

/** True when the file name is that of a command; a readme beside commands is not a command. */
export function isCommandFile(name: string): boolean {
	return /\.md$/i.test(name) && !/^readme\.md$/i.test(name);
}

export function isPromptFile(name: string): boolean {
	return /\.prompt\.md$/i.test(name);
}

/** `git/commit.md` is `git-commit`. Empty when its path has neither letters nor digits of ASCII. */
export function commandName(path: string): string {
	return path
		.replace(/(?:\.(?:agent|prompt))?\.md$/i, '')
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, '-')
		.slice(0, 64)
		.replaceAll(/^-|-$/g, '');
}

/**
 * A skill that people start by its name. Models may start it, too, unless it says no or is a prompt file, which is for people
 * in VS Code as well. `name`: absent where its place gives it one.
 */
export function commandAsSkill(text: string, path: string, name?: string): string {
	const isPrompt = isPromptFile(path);
	const { fields } = readSkillFile(text, path);
	const { body } = splitFrontMatter(text);
	const first = body.split('\n').find((line) => /\w/.test(line)) ?? name ?? path;
	const said = typeof fields['description'] === 'string' ? fields['description'] : first.replace(/^#+\s*/, '').trim();
	const { filled, inputs } = isPrompt ? withInputs(body) : { filled: body, inputs: [] };
	const hint =
		fields['argumentHint'] ?? (inputs.length === 0 ? undefined : inputs.map((each) => `[${each}]`).join(' '));
	const front = {
		...(name === undefined ? {} : { name }),
		description: said.slice(0, 1_024),
		...(fields['allowedTools'] === undefined ? {} : { 'allowed-tools': fields['allowedTools'] }),
		...(hint === undefined ? {} : { 'argument-hint': hint }),
		...(isPrompt || fields['modelInvocable'] === false ? { 'disable-model-invocation': true } : {}),
	};
	// JSON is YAML.
	const lines = Object.entries(front).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
	return `---\n${lines.join('\n')}\n---\n${filled}${isPrompt ? aboutLinks(body, path) : ''}`;
}

/**
 * Returns warnings about the front matter of a command. They carry no file name, because the file is the capability
 * itself.
 */
export function commandProblems(text: string): readonly ManifestProblem[] {
	return readSkillFile(text, '').problems;
}

/** `${input:name}` and `${input:name:placeholder}`: one takes all that follows the command, of several each takes one word. */
function withInputs(body: string): { readonly filled: string; readonly inputs: readonly string[] } {
	const pattern = /\$\{input:([\w-]+)(?::([^}\n]*))?\}/g;
	const hints = new Map<string, string>();
	for (const [, name = '', hint = ''] of body.matchAll(pattern)) hints.set(name, hints.get(name) || hint.trim());
	const inputs = [...hints.keys()];
	if (inputs.length === 0) return { filled: body, inputs };
	const formatPlaceholder = (name: string) =>
		inputs.length === 1 ? '$ARGUMENTS' : `$ARGUMENTS[${inputs.indexOf(name)}]`;
	const listed = [...hints].map(
		([name, hint]) => `- ${name}${hint === '' ? '' : ` (${hint})`}: "${formatPlaceholder(name)}"`,
	);
	const filled = body.replaceAll(pattern, (_whole, name: string) => formatPlaceholder(name)).trimEnd();
	return { filled: `${filled}\n\nInputs; ask the user for each that is empty:\n${listed.join('\n')}\n`, inputs };
}

/** The agent reads a copy in another folder, so it must know where links to other files start. */
function aboutLinks(body: string, path: string): string {
	const [, folder] = /[/\\](\.github[/\\]prompts(?:[/\\].*)?)[/\\][^/\\]+$/.exec(path) ?? [];
	return folder === undefined || !/\]\((?![a-z]+:|#)/i.test(body)
		? ''
		: `\nRelative links start from the folder ${folder.replaceAll('\\', '/')} of the workspace.\n`;
}
