/** A text as a Markdown block of code, whatever is in it: its fence is longer than any run of backticks within. */
export function fenceCodeBlock(text: string, language = ''): string {
	const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
	const fence = '`'.repeat(longest + 1);
	return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}
