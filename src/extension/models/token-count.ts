/** What the counter of another extension says, as a number of tokens: rounded up, and none where it is no number of them. */
export function tokenCount(said: number): number {
	return Number.isFinite(said) && said > 0 ? Math.min(Math.ceil(said), Number.MAX_SAFE_INTEGER) : 0;
}
