/** Finds what a `curl` command names with `-u`: the password, or all that stands there when one of the two is left out. */
import type { Place } from '../findings.ts';
import { MAX_CURL_COMMAND } from '../limits.ts';

const command = 'curl';
/** The first group stays. */
const option =
	/(\s(?:-u|--user)(?:[ =]|\\\n){1,4}["']?(?:[^\s:"'$<]{0,64}["']?:["']?(?!["'\s])|(?=[^\s:"'$<]{3,64}:["'\s])))(?!<redacted:|["']?[$[]|\{\{)[^\s"'<]{3,200}/g;

export function findCurlCredentials(text: string): Place[] {
	return stretchesOf(text).flatMap((stretch) =>
		Array.from(text.slice(stretch.start, stretch.end).matchAll(option), ({ 0: whole, 1: kept = '', index }) => {
			const start = stretch.start + index;
			return { start: start + kept.length, end: start + whole.length };
		}),
	);
}

/** What stands behind each `curl`. What stands behind two of them is one stretch, so it is looked at once and is not cut. */
function stretchesOf(text: string): Place[] {
	const stretches: { start: number; end: number }[] = [];
	const word = new RegExp(`\\b${command}\\b`, 'g');
	while (word.test(text)) {
		const start = word.lastIndex - command.length;
		const last = stretches.at(-1);
		if (last !== undefined && start <= last.end) {
			last.end = start + MAX_CURL_COMMAND;
		} else {
			stretches.push({ start, end: start + MAX_CURL_COMMAND });
		}
	}
	return stretches;
}
