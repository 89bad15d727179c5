/**
 * Titles of acts in the reader's language. The ledger keeps them in English, as they were shown and as they are exported;
 * a title is read back into its template and its arguments, and that template is translated.
 */
import { fillTemplate, listTemplateNames } from '../../protocol/text/text.ts';

interface TitleForm {
	readonly form: RegExp;
	readonly names: readonly string[];
	readonly translation: string;
	/** Characters that are no argument: of two forms that fit, the longer one says more. */
	readonly literal: number;
}

/** A title begins with a word of ours, such as `Run`; what begins with an argument could be anything. */
const FIRST_WORD = /^[A-Z][a-z]+(?=[ :])/;

/** `bundle`: translations by their English templates; undefined in English. */
export function createTitleTranslator(
	bundle: Readonly<Record<string, unknown>> | undefined,
): (title: string) => string {
	const forms = new Map<string, TitleForm[]>();
	for (const [template, translation] of Object.entries(bundle ?? {})) {
		const word = FIRST_WORD.exec(template)?.[0];
		const names = listTemplateNames(template);
		if (word !== undefined && names.length > 0 && typeof translation === 'string') {
			const parts = template.split(/\{\w+\}/).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
			const form = new RegExp(`^${parts.join('([^]*)')}$`);
			const literal = template.replaceAll(/\{\w+\}/g, '').length;
			forms.set(word, [...(forms.get(word) ?? []), { form, names, translation, literal }]);
		}
	}
	for (const each of forms.values()) each.sort((a, b) => b.literal - a.literal);
	return (title) => {
		const whole = bundle?.[title];
		if (typeof whole === 'string') {
			return whole;
		}
		for (const { form, names, translation } of forms.get(FIRST_WORD.exec(title)?.[0] ?? '') ?? []) {
			const found = form.exec(title);
			if (found !== null) {
				const args = new Map(names.map((name, at) => [name, found[at + 1]]));
				return fillTemplate(translation, (name) => args.get(name));
			}
		}
		return title;
	};
}
