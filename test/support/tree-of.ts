/** A folder as a list that can be compared: each entry with what it is, what it holds or where it leads, and its permissions. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Without the entries whose path `isLeftOut` names. */
export function treeOf(root: string, isLeftOut: (path: string) => boolean = () => false): Record<string, string> {
	const entries = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => !isLeftOut(path));
	return Object.fromEntries(entries.sort().map((path) => [path, describeEntry(join(root, path))]));
}

function describeEntry(path: string): string {
	const stat = lstatSync(path);
	const mode = (stat.mode & 0o7777).toString(8);
	if (stat.isSymbolicLink()) {
		return `-> ${readlinkSync(path)}`;
	}
	return stat.isDirectory() ? `folder ${mode}` : `${mode} ${readFileSync(path, 'utf8')}`;
}
