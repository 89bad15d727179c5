/** PROWESS_HOME: where the CLI keeps settings, trust, threads and the ledger. Decided by the environment alone, never by a workspace. */
import { userHomeFolder } from '../../machine/environment.ts';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { UsageError } from '../terminal/usage-error.ts';

/** Returns the home as it is given, when it is absolute and exists; otherwise undefined. */
export function existingHome(environment: Readonly<Record<string, string | undefined>>): string | undefined {
	const home = resolveHomePath(environment);
	return isAbsolute(home) && existsSync(home) ? home : undefined;
}

function resolveHomePath(environment: Readonly<Record<string, string | undefined>>): string {
	return environment['PROWESS_HOME'] || join(userHomeFolder(), '.prowess');
}

/** Absolute and real; created for the user alone when it is not there. */
export function openHome(environment: Readonly<Record<string, string | undefined>>): string {
	const path = resolveHomePath(environment);
	if (!isAbsolute(path)) {
		throw new UsageError(`PROWESS_HOME must be an absolute path, got "${path}"`);
	}
	try {
		mkdirSync(path, { recursive: true, mode: 0o700 });
		return realpathSync(path);
	} catch (error) {
		throw new ProwessError(
			'STORE_UNAVAILABLE',
			`${path}: the folder of our state cannot be used: ${toErrorMessage(error)}`,
			{ path },
		);
	}
}
