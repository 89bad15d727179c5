/** Words of `prowess web` apart from its schemas: the script of the page reads them. */

/** Folder of a page, in its address and its greeting. */
export const FOLDER_PARAMETER = 'folder';

/** Codes with which the socket of a page ends. */
export const WEB_CLOSING = {
	/** The device is not paired, or not any more. */
	unpaired: 4401,
	/** The user shows nothing more to it. */
	denied: 4403,
	/** The page is to come back: too slow, too many, or the server behind it has ended. */
	comeBack: 4503,
} as const;
