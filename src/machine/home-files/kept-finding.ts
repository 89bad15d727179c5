/**
 * Results of trials on this machine, kept in a file of the home so that later starts need not repeat them. A result
 * holds as long as the things it depends on stay the same; `on` describes them in words.
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

/** Replaces the whole file. The file need not survive a loss of power: the trial is then repeated. */
export async function keepFinding(path: string, on: string, found: Readonly<Record<string, unknown>>): Promise<void> {
	const draft = `${path}.${v7()}`;
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	await writeFile(draft, `${JSON.stringify({ on, ...found })}\n`, { mode: PRIVATE_FILE });
	await rename(draft, path);
}
