/** Pairing code as a picture that a phone reads from the screen. */
import { encode } from 'uqr';

/** Light modules around the code, without which no camera finds it. */
const QUIET = 4;
const BLOCKS = [' ', '▄', '▀', '█'];

/** Rows of half blocks, for black on white: two modules above one another in each character. */
export function formatPairingCode(address: string): readonly string[] {
	const { data, size } = encode(address, { ecc: 'M', border: QUIET });
	const isDark = (x: number, y: number) => data[y]?.[x] === true;
	return Array.from({ length: Math.ceil(size / 2) }, (_row, row) =>
		Array.from({ length: size }, (_column, x) => BLOCKS[(isDark(x, 2 * row) ? 2 : 0) + (isDark(x, 2 * row + 1) ? 1 : 0)]).join(''),
	);
}
