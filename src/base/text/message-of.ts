/** Message of what was thrown: that of an error, else the value as text. */
export function toErrorMessage(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
