/** True when `value` is what `pattern` says, where `*` stands for any text. Takes time in proportion to the value. */
export function matchesPattern(pattern: string, value: string): boolean {
	const parts = pattern.split('*');
	if (parts.length === 1) return pattern === value;
	const [first = '', last = ''] = [parts[0], parts.at(-1)];
	if (!value.startsWith(first) || !value.endsWith(last) || value.length < first.length + last.length) return false;
	let from = first.length;
	const end = value.length - last.length;
	for (const part of parts.slice(1, -1)) {
		const at = value.indexOf(part, from);
		if (at < 0 || at + part.length > end) return false;
		from = at + part.length;
	}
	return true;
}
