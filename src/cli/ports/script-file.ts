import { toErrorMessage } from '../../base/text/message-of.ts';
import { readRegularFileSync } from '../../machine/paths/reading/read-regular-file.ts';
import { UsageError } from '../terminal/usage-error.ts';

/** Longer than any plan of at most 1,000 steps that somebody writes. */
const MAX_SCRIPT_BYTES = 4 * 1_048_576;

/** Text of a script. Throws UsageError, which names the command, for a file that cannot be read. */
export function readScriptFile(file: string, command: string): string {
	try {
		return readRegularFileSync(file, MAX_SCRIPT_BYTES).toString('utf8');
	} catch (error) {
		throw new UsageError(`${command}: ${file} cannot be read: ${toErrorMessage(error)}`);
	}
}
