/**
 * Packages that only some commands and turns need. Each is a file of its own, which is loaded where something of the package is
 * first used: no start reads it, and one file serves the extension and the programs.
 */

import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';
import { latePackageNames } from './bundles.ts';
import { lateModule } from './late-module.ts';

const require = createRequire(import.meta.url);

export const latePackages: Plugin = {
	name: 'late-packages',
	setup({ onResolve, onLoad }) {
		onResolve({ filter: /.*/, namespace: 'late-package' }, ({ path }) => ({ path, external: true }));
		onResolve({ filter: new RegExp(`^(?:${latePackageNames.join('|')})$`) }, ({ path, kind }) =>
			kind === 'import-statement' ? { path, namespace: 'late-package' } : undefined,
		);
		onLoad({ filter: /.*/, namespace: 'late-package' }, ({ path }) => ({
			contents: lateModule(require(path) as object, `require('./packages/${path}.cjs')`),
		}));
	},
};
