/** Names that look the same and are written in another way: accents as one character or two, blanks of another kind. */
import { opendir } from 'node:fs/promises';
import { LIST_SCAN_ENTRIES } from '../limits.ts';

const OTHER_BLANKS = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;

/** Name with accents in one character and plain blanks. */
export function composeName(name: string): string {
	return name.normalize('NFC').replaceAll(OTHER_BLANKS, ' ');
}

/**
 * The only entry of a folder that is equal to a missing name but for its form; also without an `@` before it, with which
 * users mention files. Undefined: there is none, or several.
 */
export async function findEqualName(folder: string, name: string): Promise<string | undefined> {
	// Names of plain ASCII without a blank have one form.
	if (!/[^!-~]|^@./.test(name)) {
		return undefined;
	}
	const wanted = new Set([composeName(name), ...(name.startsWith('@') ? [composeName(name.slice(1))] : [])]);
	const found: string[] = [];
	let looked = 0;
	try {
		for await (const entry of await opendir(folder)) {
			looked += 1;
			if (looked > LIST_SCAN_ENTRIES) {
				return undefined;
			}
			if (entry.name !== name && wanted.has(composeName(entry.name))) {
				found.push(entry.name);
			}
		}
	} catch {
		// No folder, or one that cannot be listed: the name stays missing.
		return undefined;
	}
	return found.length === 1 ? found[0] : undefined;
}
