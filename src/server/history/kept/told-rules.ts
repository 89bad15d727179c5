/**
 * Instructions from files of the workspace that a thread has given the model, one section for each file. When a file
 * was told again, only its newest section holds.
 */

/** The name of what a file tells. */
export const TOLD_RULES = 'workspace-instructions';

/** Matches also a section without its end tag: a section that was cut in its middle has lost it. */
const TOLD_RULE_SECTIONS = new RegExp(
	`^<${TOLD_RULES} file=("(?:[^"\\\\]|\\\\.)*")[^\\n]*>\\n(?:[\\s\\S]*?\\n</${TOLD_RULES}>(?=\\n\\n|$(?![\\s\\S])))?`,
	'gm',
);

/** Sections in the order in which they were told. */
export function toldSections(rules: string): readonly (readonly [path: string, section: string])[] {
	return [...rules.matchAll(TOLD_RULE_SECTIONS)].map(([whole, path = '""']) => [JSON.parse(path) as string, whole]);
}

/** The rules without the sections that a later one of the same file replaces. */
export function newestRules(rules: string): string {
	const newest = new Map(toldSections(rules));
	if (newest.size === toldSections(rules).length) {
		return rules;
	}
	const last = new Map([...rules.matchAll(TOLD_RULE_SECTIONS)].map(({ 1: path = '', index }) => [path, index]));
	return rules
		.replaceAll(TOLD_RULE_SECTIONS, (whole: string, path: string, at: number) => (last.get(path) === at ? whole : ''))
		.replaceAll(/\n{3,}(?=<|$(?![\s\S]))/g, '\n\n')
		.replace(/\n\n$/, '');
}
