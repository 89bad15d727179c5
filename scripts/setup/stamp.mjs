// Remembers in .tools/stamps/ from what a step was made, so that it runs again only when that changes.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root, tools } from './paths.mjs';

/**
 * Does the work unless it was done for the same `madeFrom`. Returns whether it was done now.
 * @param {string} name
 * @param {string} madeFrom
 * @param {() => Promise<void>} work
 * @param {() => boolean} isThere whether what was made is still there
 */
export async function unlessStamped(name, madeFrom, work, isThere) {
	const file = join(tools, 'stamps', name);
	if (readIfThere(file) === madeFrom && isThere()) return false;
	// A step that is stopped half-way must not look done.
	rmSync(file, { force: true });
	await work();
	mkdirSync(join(tools, 'stamps'), { recursive: true });
	writeFileSync(file, madeFrom);
	return true;
}

/** A digest of whole files, for what changes seldom. @param {readonly string[]} files */
export function contentsOf(files) {
	const hash = createHash('sha256');
	for (const file of files) hash.update(`${basename(file)}\0`).update(readFileSync(file));
	return hash.digest('hex');
}

/** A digest of names, sizes and times below some paths of the repository: cheap enough for all sources. @param {readonly string[]} paths */
export function stateOf(paths) {
	const hash = createHash('sha256');
	for (const path of paths) addState(hash, join(root, path));
	return hash.digest('hex');
}

/** @param {import('node:crypto').Hash} hash @param {string} path */
function addState(hash, path) {
	const stat = statSync(path, { throwIfNoEntry: false });
	if (stat === undefined) return;
	if (stat.isDirectory()) for (const name of readdirSync(path).sort()) addState(hash, join(path, name));
	else hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`);
}

/** @param {string} file */
function readIfThere(file) {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return undefined;
	}
}
