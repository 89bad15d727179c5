/** The texts in a capability's own folder, which is all of the disk that its process may read. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodeUtf16 } from '../../base/text/utf16.ts';

/** Limits of a single text, and of everything in a request. */
const MAX_TEXT_BYTES = 200_000;
const MAX_ALL_BYTES = 600_000;

export interface OwnText {
	/** Below the folder, slashes forward. */
	readonly name: string;
	readonly text: string;
}

/** Undefined when there is no such file. */
export function readOwnText(folder: string, name: string): string | undefined {
	try {
		const bytes = readFileSync(join(folder, name));
		return decodeUtf16(bytes) ?? bytes.toString('utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
		throw error;
	}
}

/** Names of the files and folders at the top. */
export function ownNames(folder: string): readonly string[] {
	return readdirSync(folder);
}

/** In the order of their names, without what is too large or no text; `leftOut` names what is. */
export function ownTexts(
	folder: string,
	isWanted: (name: string) => boolean,
): { readonly texts: OwnText[]; readonly leftOut: string[] } {
	const texts: OwnText[] = [];
	const leftOut: string[] = [];
	let bytes = 0;
	const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
	for (const name of names.sort()) {
		const path = join(folder, name);
		const stat = statSync(path);
		if (!stat.isFile() || name.split('/').includes('node_modules') || !isWanted(name)) continue;
		const text = stat.size > MAX_TEXT_BYTES || bytes + stat.size > MAX_ALL_BYTES ? undefined : textAt(path);
		if (text === undefined) {
			leftOut.push(name);
		} else {
			bytes += stat.size;
			texts.push({ name, text });
		}
	}
	return { texts, leftOut };
}

function textAt(path: string): string | undefined {
	const bytes = readFileSync(path);
	return decodeUtf16(bytes) ?? (bytes.includes(0) ? undefined : bytes.toString('utf8'));
}
