import { cpSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cleanInstall, npm } from './npm.mjs';
import { tools } from './paths.mjs';
import { say } from './progress.mjs';
import { contentsOf, unlessStamped } from './stamp.mjs';

/** Files of a kit: the list of packages, and the lock file that pins the content of each. */
const files = ['package.json', 'package-lock.json'];

/**
 * @typedef {object} Kit
 * @property {string} name folder beside this file that holds the list and its lock file, and folder below .tools/
 * @property {string} what what is fetched, as the reader knows it
 * @property {string} stamp tells apart what one list gives on several platforms
 * @property {(folder: string) => boolean} isThere false: what was installed is gone, and is installed again
 * @property {number} limitMs
 * @property {(folder: string) => void} [finish] does what an install script would, since none runs
 */

/**
 * Installs the packages of a kit into .tools/, once for each content of its list. Returns the folder. Says nothing of a
 * program that a platform has no package for: the caller looks.
 * @param {Kit} kit
 */
export async function installKit({ name, what, stamp, isThere, limitMs, finish = () => {} }) {
	const folder = join(tools, name);
	const pinned = files.map((file) => join(import.meta.dirname, name, file));
	const install = async () => {
		say(`fetching ${what}`);
		mkdirSync(folder, { recursive: true });
		for (const file of pinned) cpSync(file, join(folder, basename(file)));
		await npm({ what: `fetching ${what}`, args: cleanInstall, cwd: folder, limitMs });
		finish(folder);
	};
	await unlessStamped(stamp, contentsOf(pinned), install, () => isThere(folder));
	return folder;
}
