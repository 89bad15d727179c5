import { hash } from 'node:crypto';

/**
 * Returns one text for one value, whatever the order of its keys. The approved op and the op that runs are compared by
 * it.
 * Plain data only; `undefined` members do not count.
 */
export function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) {
		return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
	}
	if (typeof value === 'object' && value !== null) {
		const members = Object.entries(value)
			.filter(([, member]) => member !== undefined)
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
		return `{${members.join(',')}}`;
	}
	return JSON.stringify(value) ?? 'null';
}

export function sha256(content: string | Uint8Array): string {
	return hash('sha256', content, 'hex');
}
