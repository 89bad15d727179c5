/** Finds what a `curl` command names with `-u`: the password, or all that stands there when one of the two is left out. */
import type { Place } from '../findings.ts';
import { MAX_CURL_COMMAND } from '../limits.ts';

const option =
	/(?<keep>\s(?:-u|--user)(?:[ =]|\\\n){1,4}["']?(?:[^\s:"'$<]{0,64}["']?:["']?(?!["'\s])|(?=[^\s:"'$<]{3,64}:["'\s])))(?!<redacted:|["']?[$[]|\{\{)[^\s"'<]{3,200}/g;

export function findCurlCredentials(text: string): Place[] {
	const found: Place[] = [];
	let from = 0;
	for (const { index } of text.matchAll(/\bcurl\b/g)) {
		// What stands behind two of them is looked at once.
		from = Math.max(from, index);
		const end = index + MAX_CURL_COMMAND;
		for (const match of text.slice(from, end).matchAll(option)) {
			const start = from + match.index + (match.groups?.['keep']?.length ?? 0);
			found.push({ start, end: from + match.index + match[0].length });
		}
		from = end;
	}
	return found;
}
