/** The environment of the server process. */
import { serverMayInherit } from '../../host/server-inheritance.ts';

export function buildServerEnvironment(
	inherited: Readonly<Record<string, string | undefined>>,
	home: string,
): Record<string, string | undefined> {
	const kept = Object.entries(inherited).filter(([name]) => serverMayInherit(name));
	return { ...Object.fromEntries(kept), PROWESS_HOME: home, NODE_USE_ENV_PROXY: '1' };
}
