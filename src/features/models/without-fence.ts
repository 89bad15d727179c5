/** Some models wrap all of an answer in a code fence, whatever they are told. */
export function withoutFence(text: string): string {
	return /^\s*```[^\n`]*\n([^]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}
