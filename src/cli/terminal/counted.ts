/** Number and noun, in the singular for one: `1 row`, `2 rows`. */
export function pluralizeCount(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
