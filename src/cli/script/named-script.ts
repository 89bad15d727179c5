/** The text of the file that the command line names. */
import { readFileSync } from 'node:fs';
import { UsageError } from '../terminal/usage-error.ts';

/** Throws UsageError for one that cannot be read. */
export function namedScript(file: string, what: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		throw new UsageError(`script ${what}: ${file} cannot be read: ${why}`);
	}
}
