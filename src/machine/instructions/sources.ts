/** Where instructions for agents lie: the names that this and other agents read. */

/** For the folder they lie in and all below; the nearer one counts. */
export const FOLDER_FILES = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'] as const;

/** For the whole workspace, only at its root. */
export const ROOT_FILES = ['.claude/CLAUDE.md', '.github/copilot-instructions.md', '.cursorrules'] as const;

interface RuleFolder {
	readonly folder: string;
	readonly ending: string;
}

/** Folders of rules, in which each file says what it is about. */
export const RULE_FOLDERS: readonly RuleFolder[] = [
	{ folder: '.github/instructions', ending: '.instructions.md' },
	{ folder: '.cursor/rules', ending: '.mdc' },
];

/** `@path` in them names a file that belongs to them. */
export function mayImport(path: string): boolean {
	return path.endsWith('.md') && !path.endsWith('.instructions.md');
}
