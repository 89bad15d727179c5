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

/** Bounds of files that are picked for a message: those of pictures and pasted texts, and what keeps a message short. */
export const WEB_PICKED = {
	files: 20,
	pictureBytes: 5 * 1024 * 1024,
	pictureTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as readonly string[],
	/** Pixels of the longest edge of a picture that is drawn anew. */
	longestEdge: 2_048,
	textChars: 200_000,
	nameChars: 200,
} as const;
