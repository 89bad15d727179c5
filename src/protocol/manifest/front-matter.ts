/** A Markdown file with YAML between two lines of three hyphens at its beginning, as SKILL.md is. */
import { withoutByteOrderMark } from '../../base/text/lenient.ts';

interface FrontMatter {
	/** Undefined when there is none. */
	readonly yaml: string | undefined;
	/** Text after the front matter. */
	readonly body: string;
}

/** The line in the file on which the YAML begins. */
export const FRONT_MATTER_LINE = 2;

export function splitFrontMatter(given: string): FrontMatter {
	const text = withoutByteOrderMark(given);
	const opening = /^---[ \t]*\r?\n/.exec(text);
	if (opening === null) {
		return { yaml: undefined, body: text };
	}
	const rest = text.slice(opening[0].length);
	const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
	return closing === null
		? { yaml: undefined, body: text }
		: { yaml: rest.slice(0, closing.index), body: rest.slice(closing.index + closing[0].length) };
}
