/** Settings of tools as a sandboxed command may see them: line by line, without those that hold a credential. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandFolders } from './sandbox-folders.ts';

const CREDENTIAL = /auth|token|passw|secret|api[-_]?key|extraheader|credential/i;
const USER_IN_URL = /(\w:\/\/)[^\s/@"']+@/g;

/** The path of a file or folder that says the same without credentials: itself, where there are none. */
export function withoutCredentials(path: string, own: CommandFolders): string {
	if (lstatSync(path).isDirectory()) {
		const copy = place(path, own);
		mkdirSync(copy, { recursive: true });
		for (const entry of readdirSync(path, { withFileTypes: true })) {
			if (entry.isFile()) writeFileSync(join(copy, entry.name), cleaned(readFileSync(join(path, entry.name), 'utf8')));
		}
		return copy;
	}
	const text = readFileSync(path, 'utf8');
	const clean = cleaned(text);
	if (clean === text) {
		return path;
	}
	const copy = place(path, own);
	writeFileSync(copy, clean);
	return copy;
}

function place(path: string, { root }: CommandFolders): string {
	return join(root, `clean${path.replaceAll('/', '%')}`);
}

function cleaned(text: string): string {
	return text
		.split('\n')
		.filter((line) => !CREDENTIAL.test(line))
		.map((line) => line.replaceAll(USER_IN_URL, '$1'))
		.join('\n');
}
