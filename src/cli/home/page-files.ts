/** Files of our own pages, as a browser is served them, and the translations of their texts. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installation } from './installation.ts';

interface PageStrings {
	readonly language: string;
	/** Translations by their English; empty in English. */
	readonly strings: Readonly<Record<string, string>>;
}

/** Languages of a browser that are looked for, each in a file. */
const MOST_LANGUAGES = 10;
const english: PageStrings = { language: 'en', strings: {} };
const known = new Map<string, PageStrings>([['en', english]]);

/** `name` has no folder. Undefined: it is not there. */
export async function readPageFile(name: string): Promise<Buffer | undefined> {
	return await readFile(join(installation.dist, name)).catch(() => undefined);
}

/** Returns the first language of the header that the pages have; of a long header only the beginning counts. */
export function readPageStrings(acceptLanguage: string): PageStrings {
	const wanted = acceptLanguage.split(',', MOST_LANGUAGES).map((each) => each.trim().slice(0, 2).toLowerCase());
	for (const language of wanted) {
		const found = known.get(language) ?? readBundle(language);
		if (found !== undefined) return found;
	}
	return english;
}

function readBundle(language: string): PageStrings | undefined {
	if (!/^[a-z]{2}$/.test(language)) return undefined;
	try {
		const text = readFileSync(join(installation.dist, '..', 'l10n', `bundle.l10n.${language}.json`), 'utf8');
		const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
		const strings = Object.fromEntries(
			entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
		);
		known.set(language, { language, strings });
	} catch {
		// No such translation: the next language of the header is looked for.
	}
	return known.get(language);
}
