/**
 * Recognizes a prompt that names one capability, by `type/name` or with a word for its type, so that the prompt cannot
 * mean anything else.
 */
import { namesKind } from '../../../protocol/thread/message/user-wishes.ts';
import type { Language } from '../language.ts';

interface CapabilityMention {
	readonly language: Language;
	readonly name: string;
}

/** `verbs` of each language, as parts of a pattern. The name may come with its type, `skill/greet`. */
export function namedCapability(
	text: string,
	verbs: { readonly [L in Language]: string },
): CapabilityMention | undefined {
	if (!namesKind(text)) {
		return undefined;
	}
	const findName = (language: Language) =>
		new RegExp(
			`^(?:${verbs[language]}) (?:the |my |die |den |das )?(?:capability |skill |power |talent |fähigkeit )[\`"]?((?:[a-z0-9-]+/)?[\\p{L}\\p{N}](?:[\\p{L}\\p{N}:-]*[\\p{L}\\p{N}])?)[\`"]?[.!?]?$`,
			'iu',
		).exec(text.trim())?.[1];
	const [en, de] = [findName('en'), findName('de')];
	return en !== undefined ? { language: 'en', name: en } : de !== undefined ? { language: 'de', name: de } : undefined;
}
