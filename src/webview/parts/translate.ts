/** Texts of the view: written in English where they are used, translated by the table the extension sends. */
import { fillTemplate } from '../../protocol/text/text.ts';

export type Translate = (english: string, args?: Readonly<Record<string, string | number>>) => string;

/** `{name}` in a text stands for an argument; a name without argument stays as it is. */
export function createTranslator(strings: Readonly<Record<string, string>>): Translate {
	return (english, args = {}) => {
		const text = (Object.hasOwn(strings, english) ? strings[english] : undefined) ?? english;
		return fillTemplate(text, (name) => (Object.hasOwn(args, name) ? String(args[name]) : undefined));
	};
}
