/**
 * Returns the count of another extension's counter as a number of tokens: rounded up, and 0 when it is not a positive
 * finite number.
 */
export function toTokenCount(said: number): number {
	return Number.isFinite(said) && said > 0 ? Math.min(Math.ceil(said), Number.MAX_SAFE_INTEGER) : 0;
}
