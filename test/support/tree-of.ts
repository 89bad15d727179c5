/** A folder as a list that can be compared: each entry with what it is, what it holds or where it leads, and its permissions. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Links are not followed. Without the entries whose path `isLeftOut` names. */
export function treeOf(root: string, isLeftOut: (path: string) => boolean = () => false): Record<string, string> {
	const entries: [string, string][] = [];
	const add = (folder: string) => {
		for (const name of readdirSync(join(root, folder)).sort()) {
			const path = join(folder, name);
			if (isLeftOut(path)) continue;
			const stat = lstatSync(join(root, path));
			const mode = (stat.mode & 0o7777).toString(8);
			if (stat.isSymbolicLink()) entries.push([path, `-> ${readlinkSync(join(root, path))}`]);
			else if (!stat.isDirectory()) entries.push([path, `${mode} ${readFileSync(join(root, path), 'utf8')}`]);
			else {
				entries.push([path, `folder ${mode}`]);
				add(path);
			}
		}
	};
	add('');
	return Object.fromEntries(entries);
}
