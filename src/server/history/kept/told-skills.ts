/**
 * Instructions of skills that the agent loaded, as the model reads them behind the results of its calls. They are rules
 * of the thread: they stay whole longer than results, and stay when older messages leave. When a skill was loaded
 * again, only its newest instructions hold.
 */
import { escapeHidden } from '../../../base/text/hidden-characters.ts';
import { TOLD_RULES } from './told-rules.ts';

export interface LoadedSection {
	/** `skill/pdf`. */
	readonly name: string;
	readonly text: string;
}

const TOLD_SKILL = 'skill-instructions';

/** The text cannot pass for another section: its own tags of these names are no tags. */
export function skillSections(loaded: readonly LoadedSection[]): string {
	return loaded
		.map(({ name, text }) => {
			const told = escapeHidden(text).replaceAll(OWN_TAGS, '‹$1$2');
			return `\n\n<${TOLD_SKILL} name=${JSON.stringify(name)}>\n${told}\n</${TOLD_SKILL}>`;
		})
		.join('');
}

const OWN_TAGS = new RegExp(`<(/?)(${TOLD_SKILL}|${TOLD_RULES})`, 'g');

const TOLD_SKILL_SECTIONS = new RegExp(
	`\\n\\n<${TOLD_SKILL} name=("(?:[^"\\\\]|\\\\.)*")>\\n[\\s\\S]*?\\n</${TOLD_SKILL}>(?=\\n\\n|$(?![\\s\\S]))`,
	'g',
);

/** The rules without the instructions of a skill that was loaded again later. */
export function newestSkills(rules: string): string {
	const last = new Map([...rules.matchAll(TOLD_SKILL_SECTIONS)].map(({ 1: name = '', index }) => [name, index]));
	return rules.replaceAll(TOLD_SKILL_SECTIONS, (whole: string, name: string, at: number) =>
		last.get(name) === at ? whole : '',
	);
}
