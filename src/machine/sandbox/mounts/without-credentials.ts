/** Settings of tools as a sandboxed command may see them: line by line, without those that hold a credential. */
import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTextOrEmpty } from '../../paths/reading/read-regular-file.ts';
import { GIT_SETTINGS_BYTES } from '../../paths/limits.ts';

const CREDENTIAL = /auth|token|passw|secret|api[-_]?key|extraheader|credential/i;
const USER_IN_URL = /(\w:\/\/)[^\s/@"']+@/g;

/** Copies a file, or the files of a folder, to a place that does not exist. */
export function copyWithoutCredentials(path: string, to: string): void {
	if (lstatSync(path).isDirectory()) {
		mkdirSync(to, { recursive: true, mode: 0o700 });
		for (const entry of readdirSync(path, { withFileTypes: true })) {
			if (entry.isFile()) copyWithoutCredentials(join(path, entry.name), join(to, entry.name));
		}
		return;
	}
	mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
	writeFileSync(to, removeCredentials(readTextOrEmpty(path, GIT_SETTINGS_BYTES)), { mode: 0o600 });
}

/**
 * The path of a file that says the same without credentials: itself, where there are none, or a copy in this folder. The
 * copy of what cannot be read as a file is empty.
 */
export function withoutCredentials(path: string, folder: string): string {
	const text = readTextOrEmpty(path, GIT_SETTINGS_BYTES);
	if (text !== '' && removeCredentials(text) === text) {
		return path;
	}
	const copy = join(folder, `clean${path.replaceAll('/', '%')}`);
	copyWithoutCredentials(path, copy);
	return copy;
}

function removeCredentials(text: string): string {
	return text
		.split('\n')
		.filter((line) => !CREDENTIAL.test(line))
		.map((line) => line.replaceAll(USER_IN_URL, '$1'))
		.join('\n');
}
