/** After this nothing can change what was judged. Plain data only. */
export function deepFreeze<T>(value: T): T {
	if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
		Object.freeze(value);
		for (const member of Object.values(value)) {
			deepFreeze(member);
		}
	}
	return value;
}
