/** JSON with comments and trailing commas, as editors write their settings. */

const LAST_COMMAS = /"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g;
const COMMENTS = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g;

/** Throws a SyntaxError, whose position is that in the text. */
export function parseJsonc(text: string): unknown {
	const whole = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
	try {
		return JSON.parse(whole);
	} catch {
		// Comments first: one may stand between a comma and the bracket that makes it a trailing one.
		return JSON.parse(withoutComments(whole).replace(LAST_COMMAS, blankUnlessString));
	}
}

/** The same text with blanks in place of comments. */
export function withoutComments(text: string): string {
	return text.replace(COMMENTS, blankUnlessString);
}

function blankUnlessString(part: string): string {
	return part.startsWith('"') ? part : part.replaceAll(/[^\n]/g, ' ');
}

interface Member {
	readonly key: string;
	/** Where its value begins and ends in the text. */
	readonly from: number;
	readonly to: number;
}

/** Sets a member of the object that the text is, and leaves everything else as it is written, comments too. */
export function setJsoncMember(text: string, key: string, value: unknown): string {
	const written = JSON.stringify(value, null, '\t').replaceAll('\n', '\n\t');
	const { begin, members, hasLastComma } = findMembers(withoutComments(text));
	const known = members.findLast((member) => member.key === key);
	if (known !== undefined) {
		return text.slice(0, known.from) + written + text.slice(known.to);
	}
	const last = members.at(-1);
	const member = `\n\t${JSON.stringify(key)}: ${written}`;
	if (last === undefined) {
		return `${text.slice(0, begin)}${member}\n${text.slice(begin)}`;
	}
	const at = hasLastComma ? withoutComments(text).indexOf(',', last.to) + 1 : last.to;
	return `${text.slice(0, at)}${hasLastComma ? '' : ','}${member}${hasLastComma ? ',' : ''}${text.slice(at)}`;
}

/** `text`: valid, without comments. `begin`: behind its first bracket. */
function findMembers(text: string): { begin: number; members: Member[]; hasLastComma: boolean } {
	const members: Member[] = [];
	let [depth, begin, key, from, before] = [0, 0, '', 0, ''];
	const end = (to: number) => {
		const value = text.slice(from, to).trimEnd();
		if (from > 0 && value !== '') members.push({ key, from, to: from + value.length });
		from = 0;
	};
	for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
		if (token === '{' || token === '[') {
			depth += 1;
			if (depth === 1) begin = index + 1;
		} else if (token === '}' || token === ']') {
			depth -= 1;
			if (depth === 0) {
				end(index);
				return { begin, members, hasLastComma: before === ',' };
			}
		} else if (depth === 1 && token === ',') {
			end(index);
		} else if (depth === 1 && token === ':') {
			from = index + 1 + (/^\s*/.exec(text.slice(index + 1))?.[0].length ?? 0);
		} else if (depth === 1 && from === 0) {
			key = JSON.parse(token) as string;
		}
		before = token;
	}
	return { begin, members, hasLastComma: false };
}
