/**
 * Modules that a tool cannot use, and what it uses instead. This is help for authors and no wall: the sandbox around the
 * process is, and it holds however a module is come by.
 */
import * as nodeModule from 'node:module';

const NETWORK = 'http';
const MODULE_ALTERNATIVES: Readonly<Record<string, string>> = {
	child_process: 'shell',
	cluster: 'shell',
	worker_threads: 'async functions',
	net: NETWORK,
	tls: NETWORK,
	http: NETWORK,
	https: NETWORK,
	http2: NETWORK,
	dgram: NETWORK,
	dns: NETWORK,
	'dns/promises': NETWORK,
	sqlite: 'sql',
	vm: 'plain functions',
	inspector: 'progress',
};

function bannedMessage(name: string, instead: string): string {
	const help = /^[a-z]+$/.test(instead)
		? `use ${instead} of the SDK: import { ${instead} } from '@prowess/sdk'`
		: `use ${instead}`;
	return `"${name}" cannot be used in a worker; ${help}. The sandbox keeps the process in either way`;
}

class BannedModule extends Error {
	override readonly name = 'BannedModule';
}

export function refuseBannedModules(): void {
	// Since Node 22.15; before, the sandbox alone says no.
	if (typeof nodeModule.registerHooks === 'function') {
		nodeModule.registerHooks({
			resolve(specifier, context, next) {
				const name = specifier.replace(/^node:/, '');
				const instead = Object.hasOwn(MODULE_ALTERNATIVES, name) ? MODULE_ALTERNATIVES[name] : undefined;
				if (instead !== undefined) throw new BannedModule(bannedMessage(name, instead));
				return next(specifier, context);
			},
		});
	}
	for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']) {
		if (!(name in globalThis)) continue;
		Object.defineProperty(globalThis, name, {
			configurable: true,
			value: function refused() {
				throw new BannedModule(bannedMessage(name, NETWORK));
			},
		});
	}
}
