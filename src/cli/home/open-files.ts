/**
 * Checks that this process may open as many files as it needs. Node's own errors about that come late and say little.
 */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** Beside those that are open at the start: chunks of code, databases with their logs, and the pipes of a few processes. */
const NEEDED = 32;

/** In words, with the way out; undefined when there is no problem. */
export function openFilesProblem(): string | undefined {
	const opened: number[] = [];
	try {
		while (opened.length < NEEDED) {
			opened.push(openSync(devNull, 'r'));
		}
		return undefined;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EMFILE'
			? `prowess needs to open at least ${NEEDED} more files, and this process may open ${opened.length} more. Raise the limit, for example with: ulimit -n 1024`
			: undefined;
	} finally {
		opened.forEach((file) => closeSync(file));
	}
}
