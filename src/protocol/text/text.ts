/**
 * Texts for people. A text is written in English where it is made, and translated where it is shown: the English template is
 * the key of its translation, and the arguments travel beside it.
 */

export interface Text {
	/** English; `{name}` stands for an argument. */
	readonly template: string;
	readonly args: TextArgs;
}

/** An argument may be a text of its own, which is translated with the one it stands in. */
type TextArgs = Readonly<Record<string, string | number | Text>>;

/** The words of a template in the language of the reader; the template itself where there is no translation. */
export type Translation = (template: string) => string;

export function text(template: string, args: TextArgs = {}): Text {
	return { template, args };
}

/** Joins texts in order. A string is said as it is: others have written it. */
export function joinTexts(...parts: readonly (Text | string)[]): Text {
	const [only, ...others] = parts;
	return typeof only === 'object' && others.length === 0 ? only : joinTextsBy(parts, ' ');
}

/** The same as a list. */
export function joinTextsWithCommas(parts: readonly (Text | string)[]): Text {
	return joinTextsBy(parts, ', ');
}

function joinTextsBy(parts: readonly (Text | string)[], by: string): Text {
	return text(parts.map((_, index) => `{${index}}`).join(by), Object.fromEntries(parts.entries()));
}

/** The text with its arguments changed, as those that others have written: secrets taken out, invisible characters shown. */
export function withArgs({ template, args }: Text, change: (arg: string) => string): Text {
	const changed = Object.entries(args).map(([name, arg]) => [
		name,
		typeof arg === 'string' ? change(arg) : typeof arg === 'object' ? withArgs(arg, change) : arg,
	]);
	return { template, args: Object.fromEntries(changed) as TextArgs };
}

/** The text in words. A name without an argument stays as it is. */
export function translateText({ template, args }: Text, translate: Translation): string {
	return fillTemplate(translate(template), (name) => {
		const arg = Object.hasOwn(args, name) ? args[name] : undefined;
		return typeof arg === 'object' ? translateText(arg, translate) : arg?.toString();
	});
}

/** The text for the ledger, the log, models and the terminal. A string is said as it is. */
export function inEnglish(said: Text | string): string {
	return typeof said === 'string' ? said : translateText(said, (template) => template);
}

/** Title in the reader's language; those of older threads are English only. */
export function titleInWords(
	{ said, title }: { readonly said?: Text | undefined; readonly title: string },
	translate: Translation,
): string {
	return said === undefined ? title : translateText(said, translate);
}

/** Returns true when a value that crossed a wire is a text. */
export function isText(value: unknown): value is Text {
	return (
		typeof value === 'object' &&
		value !== null &&
		'template' in value &&
		typeof value.template === 'string' &&
		'args' in value &&
		typeof value.args === 'object' &&
		value.args !== null
	);
}

/** The names that a template asks for, in their order. */
export function listTemplateNames(template: string): string[] {
	return [...template.matchAll(TEMPLATE_NAMES)].map(([, name = '']) => name);
}

/** The template with the value of each name; a name whose value is undefined stays as it is. */
export function fillTemplate(template: string, valueOf: (name: string) => string | undefined): string {
	return template.replace(TEMPLATE_NAMES, (whole, name: string) => valueOf(name) ?? whole);
}

const TEMPLATE_NAMES = /\{(\w+)\}/g;
