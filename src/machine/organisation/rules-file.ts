/** Files of rules in the hands of the administrator who writes them: checked, and signed. */
import { realpath, writeFile } from 'node:fs/promises';
import type { OrganisationRules } from '../../protocol/settings/organisation-rules.ts';
import type { Text } from '../../protocol/text/text.ts';
import { fileError } from '../paths/file-error.ts';
import { readRegularFile } from '../paths/reading/read-regular-file.ts';
import { parseRules, parseSystemFile } from './parse-rules.ts';
import { rulesInWords } from './rules-in-words.ts';
import { signRules } from './signed-rules.ts';
import { RULES_BYTES } from './system-file.ts';

/** Most bytes of a key. */
const KEY_BYTES = 10_000;

interface CheckedRules {
	/** Undefined: the file names an address where the rules are. */
	readonly rules: OrganisationRules | undefined;
	readonly words: readonly Text[];
}

/** Rejects with ORGANISATION_RULES_REFUSED and what is wrong with the file, and as files are read. */
export async function checkRulesFile(path: string): Promise<CheckedRules> {
	const found = parseSystemFile(await readText(path, RULES_BYTES), path);
	return 'address' in found ? { rules: undefined, words: [] } : { rules: found, words: rulesInWords(found) };
}

/**
 * Writes the signature beside the rules. Rejects with ORGANISATION_RULES_REFUSED where they would not be accepted, with
 * INVALID_PARAMS for another key, and as files are read and written.
 */
export async function signRulesFile(
	path: string,
	keyPath: string,
): Promise<{ readonly signaturePath: string; readonly publicKey: string }> {
	const written = await readText(path, RULES_BYTES);
	parseRules(written, path, new Date().toISOString().slice(0, 10));
	const { signature, publicKey } = signRules(written, await readText(keyPath, KEY_BYTES));
	const signaturePath = `${path}.sig`;
	try {
		await writeFile(signaturePath, `${signature}\n`);
	} catch (error) {
		throw fileError('write', signaturePath, error);
	}
	return { signaturePath, publicKey };
}

async function readText(path: string, maxBytes: number): Promise<string> {
	try {
		return (await readRegularFile(await realpath(path), maxBytes)).toString('utf8');
	} catch (error) {
		throw fileError('read', path, error);
	}
}
