/**
 * Sections that a thread has given the model besides the user's words: instructions from files of the workspace, those
 * of skills, and where the agent works. Where the same was told again, only the newest holds.
 */
import { escapeHidden } from '../../base/text/hidden-characters.ts';
import type { ModelMessage } from '../models/model-port.ts';
import { readAttachments } from './messages.ts';

/** Tag of the instructions of one file. */
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

/**
 * Instructions of skills that the agent loaded, as the model reads them behind the results of its calls. They are rules
 * of the thread: they stay whole longer than results, and stay when older messages leave. When a skill was loaded
 * again, only its newest instructions hold.
 */
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

/** Tag of the lines about where the agent works. */
export const TOLD_ENVIRONMENT = 'environment';

const SECTION = new RegExp(`<${TOLD_ENVIRONMENT}(?: changed)?>\\n([\\s\\S]*?)\\n</${TOLD_ENVIRONMENT}>`);

/** Returns the newest value told under each name. */
export function toldEnvironment(messages: readonly ModelMessage[]): ReadonlyMap<string, string> {
	const told = new Map<string, string>();
	for (const message of messages) {
		const attached = message.role === 'user' ? readAttachments(message) : '';
		const [, lines = ''] = SECTION.exec(attached) ?? [];
		for (const line of lines.split('\n')) {
			const [name = '', value] = line.split(/: (.*)/s, 2);
			if (value !== undefined) {
				told.set(name, value);
			}
		}
	}
	return told;
}
