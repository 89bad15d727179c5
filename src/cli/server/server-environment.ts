/** The environment and the flags of the server process. */
import { serverMayInherit } from '../../capability-host/server-inheritance.ts';

export function serverEnvironment(
	inherited: Readonly<Record<string, string | undefined>>,
	home: string,
): Record<string, string | undefined> {
	const kept = Object.entries(inherited).filter(([name]) => serverMayInherit(name));
	return { ...Object.fromEntries(kept), PROWESS_HOME: home, NODE_USE_ENV_PROXY: '1' };
}

/** Without SIGUSR1 nobody can open a debugger on it from outside. */
export const serverFlags: readonly string[] = [
	'--disable-warning=ExperimentalWarning',
	'--disable-sigusr1',
	// MB of a half of the young generation. It lives as long as one command, and more pays only later.
	'--max-semi-space-size=2',
];
