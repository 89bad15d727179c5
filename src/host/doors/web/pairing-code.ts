/** A pairing code as it is shown to the user: in words, and as a picture that a phone reads from the screen. */
import { encode } from 'uqr';
import { isLoopbackAddress } from '../../../machine/http/server-here.ts';
import { webLimits } from '../limits.ts';

/** Light modules around the code, without which no camera finds it. */
const QUIET = 4;
const BLOCKS = [' ', '▄', '▀', '█'];

interface ShownPairing {
	readonly words: string;
	/** Rows of the picture, of the first address that another device reaches; none where there is no such address. */
	readonly picture: readonly string[];
}

export function describePairing(urls: readonly string[], code: string): ShownPairing {
	const addresses = urls.map((url) => `${url}/#${code}`);
	const far = addresses.find((each) => isFar(new URL(each).hostname.replaceAll(/[[\]]/g, '')));
	const minutes = webLimits.codeMs / 60_000;
	return {
		words: `${addresses.map((each) => `Open ${each}\n`).join('')}Pairing code: ${code} (for one browser, within ${minutes} minutes)\n`,
		picture: far === undefined ? [] : formatPairingCode(far),
	};
}

function isFar(hostname: string): boolean {
	return hostname !== 'localhost' && !isLoopbackAddress(hostname);
}

/** Rows of half blocks, for black on white: two modules above one another in each character. */
export function formatPairingCode(address: string): readonly string[] {
	const { data, size } = encode(address, { ecc: 'M', border: QUIET });
	const isDark = (x: number, y: number) => data[y]?.[x] === true;
	return Array.from({ length: Math.ceil(size / 2) }, (_row, row) =>
		Array.from(
			{ length: size },
			(_column, x) => BLOCKS[(isDark(x, 2 * row) ? 2 : 0) + (isDark(x, 2 * row + 1) ? 1 : 0)],
		).join(''),
	);
}
