/**
 * What was tried out on this machine, kept in a file of our home so that later starts need not try it again: as long as what
 * it depends on is the same, which `on` says in words.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { v7 } from 'uuid';
import { PRIVATE_FILE } from './durable-file.ts';

/** Undefined where nothing is kept, where it was found on something else, and for a file that is not ours or damaged. Never rejects. */
export async function readFinding(path: string, on: string): Promise<Readonly<Record<string, unknown>> | undefined> {
	try {
		const kept = JSON.parse(await readFile(path, 'utf8')) as Readonly<Record<string, unknown>>;
		return kept['on'] === on ? kept : undefined;
	} catch {
		return undefined;
	}
}

/** Replaces the file whole. It need not survive a loss of power: then it is tried again. */
export async function keepFinding(path: string, on: string, found: Readonly<Record<string, unknown>>): Promise<void> {
	const draft = `${path}.${v7()}`;
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	await writeFile(draft, `${JSON.stringify({ on, ...found })}\n`, { mode: PRIVATE_FILE });
	await rename(draft, path);
}
