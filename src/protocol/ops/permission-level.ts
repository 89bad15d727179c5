/**
 * Permission levels: how much the agent may do in a thread without a question, the order of the levels, and their words
 * for people.
 */
import { SaidText } from '../text/said-text.ts';
import { type Text, text } from '../text/text.ts';
import * as z from '../text/zod.ts';

/** Strictest first. */
export const PERMISSION_LEVELS = ['manual', 'ask', 'edit', 'auto', 'full'] as const;
export const PermissionLevel = z.enum(PERMISSION_LEVELS);
export type PermissionLevel = (typeof PERMISSION_LEVELS)[number];

/** Level at which a thread is, with the widest one that is permitted, and whose rule that is; null: no rule limits it. */
export const LevelInForce = z.object({
	level: PermissionLevel,
	widest: PermissionLevel,
	why: SaidText.nullable(),
});
export type LevelInForce = z.infer<typeof LevelInForce>;

/** Level up to which a host asks nothing in a thread; `isUnattended`: it asks nobody about the rest either, and denies it. */
export const LevelHere = z.object({ level: PermissionLevel, isUnattended: z.boolean() });
export type LevelHere = z.infer<typeof LevelHere>;

/** A wider one asks less. */
export function isWiderLevel(level: PermissionLevel, than: PermissionLevel): boolean {
	return PERMISSION_LEVELS.indexOf(level) > PERMISSION_LEVELS.indexOf(than);
}

export function pickNarrowerLevel(one: PermissionLevel, other: PermissionLevel): PermissionLevel {
	return isWiderLevel(one, other) ? other : one;
}

/** Name of each level, and a sentence on what runs without a question. */
export const LEVEL_WORDS: { readonly [L in PermissionLevel]: { readonly name: Text; readonly sentence: Text } } = {
	manual: {
		name: text('Manual'),
		sentence: text('Asks for everything but reading. Your rules and earlier answers do not count.'),
	},
	ask: {
		name: text('Ask first'),
		sentence: text('Asks before it changes files or runs commands that do more than read.'),
	},
	edit: {
		name: text('Edit freely'),
		sentence: text('Changes files that you can undo without asking. Asks before it runs commands.'),
	},
	auto: {
		name: text('Auto'),
		sentence: text('Changes files and runs sandboxed commands without asking.'),
	},
	full: {
		name: text('Full'),
		sentence: text('Runs commands without asking, outside the sandbox too. Only for containers.'),
	},
};

/** Codicon of each level. */
export const LEVEL_ICONS: { readonly [L in PermissionLevel]: string } = {
	manual: 'lock',
	ask: 'shield',
	edit: 'edit',
	auto: 'unlock',
	full: 'warning',
};
