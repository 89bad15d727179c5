/**
 * Wishes of the user that need no model, as their whole message says them, in English or German. The server reads them to act;
 * the host reads them from the message that it saw itself, so no server can claim a wish.
 */

export interface SwitchWish {
	readonly isEnabled: boolean;
	readonly type?: string | undefined;
	readonly name: string;
}

const KIND = '(?:capability|skill|power|talent|fähigkeit)';
const NAME = '(?:([a-z0-9-]+)/)?([\\p{L}\\p{N}][\\p{L}\\p{N}:-]*)';
const SWITCH = new RegExp(
	`^(enable|disable|aktiviere|deaktiviere) (?:the |my |die |den |das )?${KIND} [\`"]?${NAME}[\`"]?[.!]?$`,
	'iu',
);
const REMEMBER =
	/^(?:please |bitte )?(?:remember(?: this| that)?|note|merke? dir(?: bitte)?)(?:[:,]? dass|[:,]? that|:|,)\s+(\S[\s\S]*)$/iu;

/** Undefined: the message asks for more, or for something else. */
export function switchWish(text: string): SwitchWish | undefined {
	const [, verb = '', type, name] = SWITCH.exec(text.trim()) ?? [];
	return name === undefined ? undefined : { isEnabled: /^(?:enable|aktiviere)$/i.test(verb), type, name };
}

/** Text to be remembered, in one line; undefined: the message asks for more, or for something else. */
export function rememberWish(text: string): string | undefined {
	const [, what] = REMEMBER.exec(text.trim()) ?? [];
	return what === undefined || /\n|\?\s*$/.test(what) ? undefined : what;
}
