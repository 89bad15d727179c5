/** The names of the pictures that are made of the screen when a spec fails, and at its second try. */

export type Try = 'first' | 'second';

const prefixes = { first: 'failed', second: 'again' } as const;
/** A file name may have 255 bytes. */
const longestTitle = 150;

/** The pattern of all pictures of this try, one for each window. */
export function picturesOf(which: Try, title: string): string {
	return pictureName(which, title, '*');
}

/** @param at which window, counted from 1 */
export function pictureName(which: Try, title: string, at: number | '*'): string {
	const name = title.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, longestTitle);
	return `${prefixes[which]}-${name}-${at}.png`;
}

/** Which try the specs of this process are in. */
export function currentTry(): Try {
	return process.env['PROWESS_TRY'] === 'second' ? 'second' : 'first';
}
