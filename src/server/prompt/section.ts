/** A part of a message that is not the user's words, with its name around it. */
export function formatSection(name: string, about: string, text: string): string {
	return `<${name}${about === '' ? '' : ` ${about}`}>\n${text}\n</${name}>`;
}
