/**
 * Tells whether an address leads to this machine or to a device plugged into it: a visit there may have effects, and
 * the editor does not ask before it.
 */
import { isLoopbackUrl } from '../../protocol/base-url.ts';

/** `hostname` as `URL` gives it: IPv4 in decimal parts, IPv6 shortened and in brackets. */
export function isLocalAddress(hostname: string): boolean {
	const name = hostname.replace(/\.$/, '');
	const mapped = /^\[::(?:ffff:)?([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(name);
	const plain = mapped === null ? name : toDottedDecimal(mapped[1] ?? '', mapped[2] ?? '');
	return (
		isLoopbackUrl({ hostname: plain }) ||
		/^(?:0|169\.254)\./.test(plain) ||
		plain === '[::]' ||
		/^\[fe[89ab][\da-f]:/.test(plain)
	);
}

/** An IPv4 address that stands in the last two groups of an IPv6 one. */
function toDottedDecimal(high: string, low: string): string {
	const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
	return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}
