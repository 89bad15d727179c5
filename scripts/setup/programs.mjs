import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of the first of these programs that is on the PATH. @param {readonly string[]} names */
export function firstOnPath(names) {
	const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
	const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
	return names
		.flatMap((name) => folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))))
		.find(isExecutable);
}

/** @param {string} file */
function isExecutable(file) {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
