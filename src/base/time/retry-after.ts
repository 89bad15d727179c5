/**
 * Returns the wait that an endpoint asks for, in ms: `retry-after-ms`, or `Retry-After` in seconds or as an HTTP date.
 * Undefined without a usable value; a date in the past gives 0.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
	const exact = headers['retry-after-ms'];
	if (exact !== undefined && /^\d+(\.\d+)?$/.test(exact.trim())) {
		return Math.ceil(Number(exact));
	}
	const value = headers['retry-after']?.trim();
	if (value === undefined || value === '') {
		return undefined;
	}
	if (/^\d+(\.\d+)?$/.test(value)) {
		return Math.ceil(Number(value) * 1000);
	}
	// Date.parse also takes "-1" and "12 apples"; an HTTP date begins with the day's name.
	const at = /^[A-Z][a-z]{2,8},? /.test(value) ? Date.parse(value) : Number.NaN;
	return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
