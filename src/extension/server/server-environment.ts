/** The environment of the server process, laid over what VS Code tells its own children. */
import { serverMayInherit } from '../../host/server-inheritance.ts';

/**
 * Returns an overlay for the inherited environment: `undefined` removes a variable. `proxy` is the user's `http.proxy`,
 * used when the environment names none; a forked server gets nothing of VS Code's own proxy support.
 */
export function createServerOverlay(
	inherited: Readonly<Record<string, string | undefined>>,
	proxy: string | undefined,
): Record<string, string | undefined> {
	const overlay: Record<string, string | undefined> = {};
	for (const name of Object.keys(inherited)) {
		if (!serverMayInherit(name) && name !== 'PROWESS_HOME') {
			overlay[name] = undefined;
		}
	}
	const isProxied = ['HTTPS_PROXY', 'https_proxy'].some((name) => inherited[name] !== undefined);
	if (!isProxied && proxy !== undefined && proxy !== '') {
		overlay['HTTPS_PROXY'] = proxy;
		overlay['HTTP_PROXY'] = proxy;
		// Model servers on this machine are never reached through a proxy.
		overlay['NO_PROXY'] = inherited['NO_PROXY'] ?? inherited['no_proxy'] ?? 'localhost,127.0.0.1,::1';
	}
	overlay['NODE_USE_ENV_PROXY'] = '1';
	return overlay;
}
