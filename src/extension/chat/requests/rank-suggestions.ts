/** Which suggestions after `@` fit what was typed, best first. Pure. */

export interface Candidate<T> {
	readonly value: T;
	/** What is matched: a path, or a word like `problems`. */
	readonly text: string;
	/** Added to the score: open editors and the selection come first. */
	readonly bonus: number;
}

/** Letters must occur in order; a hit in the last part of a path, at the start of a word, or in one piece counts more. */
export function rankSuggestions<T>(query: string, candidates: Iterable<Candidate<T>>, most: number): T[] {
	const wanted = query.toLowerCase().replaceAll('\\', '/');
	const scored: { value: T; text: string; score: number }[] = [];
	for (const { value, text, bonus } of candidates) {
		const score = scoreOf(wanted, text.toLowerCase());
		if (score !== undefined) {
			scored.push({ value, text, score: score + bonus });
		}
	}
	scored.sort((a, b) => b.score - a.score || a.text.length - b.text.length || (a.text < b.text ? -1 : 1));
	return scored.slice(0, most).map(({ value }) => value);
}

function scoreOf(wanted: string, text: string): number | undefined {
	if (wanted === '') {
		return 0;
	}
	const name = text.slice(text.lastIndexOf('/', text.length - 2) + 1);
	if (name.startsWith(wanted)) {
		return 100 - name.length / 100;
	}
	if (name.includes(wanted)) {
		return 80;
	}
	if (text.includes(wanted)) {
		return 60;
	}
	let at = -1;
	let gaps = 0;
	for (const letter of wanted) {
		const next = text.indexOf(letter, at + 1);
		if (next === -1) {
			return undefined;
		}
		gaps += at === -1 || next === at + 1 || '/-_.'.includes(text.charAt(next - 1)) ? 0 : 1;
		at = next;
	}
	return 40 - gaps * 4;
}
