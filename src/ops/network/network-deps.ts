/** Parts of a host that requests to other machines are made of. */
import type { Event } from '../../base/emitter.ts';
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

/** The same before any of their code is loaded. */
export interface LateNetworkDeps extends Omit<NetworkDeps, 'http'> {
	readonly http: Omit<HttpDeps, 'cookies'>;
	/** Tells of each execution that has ended: its cookies go. */
	readonly onDidEndExecution: Event<{ readonly executionId: string }>;
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
	readonly capabilities: { readonly onDidEnd: LateNetworkDeps['onDidEndExecution'] };
	readonly browsers: NetworkDeps['browsers'];
}

export function createNetworkDeps({ ports, capabilities, browsers }: NetworkOpParts): LateNetworkDeps {
	const { settings } = ports;
	return {
		http: {
			allowedHosts: () => settings.current['prowess.http.allowHosts'],
			resolve: systemResolve,
		},
		onDidEndExecution: capabilities.onDidEnd,
		browsers,
		webSearch: () => settings.current['prowess.web.search'],
	};
}
