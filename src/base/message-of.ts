/** What was thrown, in words: its message when it is an error. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
