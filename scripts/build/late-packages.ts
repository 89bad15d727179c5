/**
 * Packages that only some commands and turns need, and that load much: HTTP and TLS, tables, a hundred small files. They are in
 * the bundle as ever, and run when something of them is first used.
 */

import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';
import { lateModule } from './late-module.ts';

const require = createRequire(import.meta.url);

export const latePackages: Plugin = {
	name: 'late-packages',
	setup(build) {
		build.onResolve({ filter: /^(?:semver|ws|yauzl)$/ }, ({ path, kind, resolveDir }) =>
			kind === 'import-statement' ? { path, namespace: 'late-package', pluginData: resolveDir } : undefined,
		);
		build.onLoad({ filter: /.*/, namespace: 'late-package' }, ({ path, pluginData }) => ({
			contents: lateModule(require(path) as object, `require('${path}')`),
			resolveDir: String(pluginData),
		}));
	},
};
