/** Replaces a file whole or not at all. A link is followed: what it points at is replaced. */
import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function replaceFile(path: string, text: string): void {
	const target = realPathOr(path);
	const temporary = join(dirname(target), `.${process.pid}-${Date.now()}.tmp`);
	try {
		const file = openSync(temporary, 'wx', 0o600);
		try {
			writeFileSync(file, text);
			fsyncSync(file);
		} finally {
			closeSync(file);
		}
		renameSync(temporary, target);
	} catch (error) {
		rmSync(temporary, { force: true });
		throw error;
	}
}

function realPathOr(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		// Not there yet: it is made where it was asked for.
		return path;
	}
}
