/** Parts of a host that requests to other machines are made of. */
import type { HostPorts } from '../../contract/ports/ports.ts';
import type { CookieJars } from '../../machine/http/cookie-jar.ts';
import type { BrowserPages } from './browser-pages.ts';
import { type Resolve, systemResolve } from '../../machine/http/resolve-host.ts';
import type { WebSearch } from '../../protocol/ops/definitions/network/web.ts';

interface HttpDeps {
	/** `prowess.http.allowHosts`, as it is now. */
	allowedHosts(): readonly string[];
	readonly resolve: Resolve;
	readonly cookies: CookieJars;
}

export interface NetworkDeps {
	readonly http: HttpDeps;
	/** Browsers of threads; resolves once their code is loaded. */
	readonly browsers: { load(): Promise<Pick<BrowserPages, 'ops'>> };
	/** `prowess.web.search`, as it is now. */
	webSearch(): WebSearch;
}

interface NetworkOpParts {
	readonly ports: Pick<HostPorts, 'settings'>;
	readonly cookies: CookieJars;
	readonly browsers: NetworkDeps['browsers'];
}

export function createNetworkDeps({ ports: { settings }, cookies, browsers }: NetworkOpParts): NetworkDeps {
	return {
		http: {
			allowedHosts: () => settings.current['prowess.http.allowHosts'],
			resolve: systemResolve,
			cookies,
		},
		browsers,
		webSearch: () => settings.current['prowess.web.search'],
	};
}
