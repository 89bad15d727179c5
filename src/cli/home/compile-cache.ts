/**
 * What is loaded after this is compiled from a cache of ours. Only in a home that is there already and whose place is
 * absolute: code from a folder that somebody else can fill would be theirs.
 */
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

export function useCompileCache(): void {
	const home = process.env['PROWESS_HOME'] || join(homedir(), '.prowess');
	if (isAbsolute(home) && existsSync(home)) {
		enableCompileCache(join(home, 'cache', 'node'));
	}
}
