/**
 * An executor speaks WebSocket over one plain socket, without compression. The library would load TLS and compression all the
 * same, for addresses that an executor never has, and that takes a twelfth of its start.
 */

import type { Plugin } from 'esbuild';

export const onlyPlainSockets: Plugin = {
	name: 'only-plain-sockets',
	setup(build) {
		build.onResolve({ filter: /^(?:https|tls|zlib)$/ }, ({ path, importer }) =>
			/[/\\]node_modules[/\\]ws[/\\]/.test(importer) ? { path, namespace: 'not-loaded' } : undefined,
		);
		build.onLoad({ filter: /.*/, namespace: 'not-loaded' }, () => ({ contents: 'module.exports = {};' }));
	},
};
