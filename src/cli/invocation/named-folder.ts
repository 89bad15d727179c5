/** The folder that a command is to work on. */
import { relative, sep } from 'node:path';
import { realFolder } from '../home/trusted-folders.ts';
import type { Invocation } from './command.ts';
import { UsageError } from '../terminal/usage-error.ts';

/** Returns the real path of the folder; no file in it is read. Throws a UsageError when PROWESS_HOME is inside. */
export function namedFolder({ values }: Invocation, home: string, command: string): string {
	const folder = realFolder(values['workspace'] ?? '.');
	// The gate guards `.prowess` wherever it lies; under another name the agent could rewrite its own rules.
	if (!relative(folder, home).startsWith('..') && !relative(folder, home).split(sep).includes('.prowess')) {
		throw new UsageError(`${command}: PROWESS_HOME (${home}) is inside the workspace; set it to a folder outside`);
	}
	return folder;
}
