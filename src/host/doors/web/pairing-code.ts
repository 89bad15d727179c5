/** A pairing code as it is shown to the user: its addresses, in words, and as a picture that a phone reads from the screen. */
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
	const { addresses, far } = toPairingAddresses(urls, code);
	return {
		words: `${addresses.map((each) => `Open ${each}\n`).join('')}Pairing code: ${code} (for one browser, within ${PAIRING_MINUTES} minutes)\n`,
		picture: far === undefined ? [] : formatPairingCode(far),
	};
}

export const PAIRING_MINUTES = webLimits.codeMs / 60_000;

/** Addresses that pair a browser when it opens one. `far`: the first that another device reaches. */
export function toPairingAddresses(
	urls: readonly string[],
	code: string,
): { readonly addresses: readonly string[]; readonly far: string | undefined } {
	const addresses = urls.map((url) => `${url}/#${code}`);
	return { addresses, far: addresses.find((each) => isFar(new URL(each).hostname.replaceAll(/[[\]]/g, ''))) };
}

function isFar(hostname: string): boolean {
	return hostname !== 'localhost' && !isLoopbackAddress(hostname);
}

/** Modules of the QR code of an address, row by row, with the light ones around them; true is dark. */
export function encodePairingCode(address: string): readonly (readonly boolean[])[] {
	return encode(address, { ecc: 'M', border: QUIET }).data;
}

/** Rows of half blocks, for black on white: two modules above one another in each character. */
export function formatPairingCode(address: string): readonly string[] {
	const rows = encodePairingCode(address);
	const isDark = (x: number, y: number) => rows[y]?.[x] === true;
	return Array.from({ length: Math.ceil(rows.length / 2) }, (_row, row) =>
		Array.from(rows, (_column, x) => BLOCKS[(isDark(x, 2 * row) ? 2 : 0) + (isDark(x, 2 * row + 1) ? 1 : 0)]).join(''),
	);
}
