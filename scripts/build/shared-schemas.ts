/**
 * Bundles that wait until something rare is wanted share the library of schemas: each would hold 100 kB of it, and a first turn
 * loads none of them.
 */

import { basename, join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { sharedSchemasBundle } from './bundles.ts';

export function sharedSchemas(root: string): Plugin {
	const entry = join(root, sharedSchemasBundle.entry);
	return {
		name: 'shared-schemas',
		setup(build) {
			build.onResolve({ filter: /\/zod\.ts$/ }, ({ path, resolveDir, kind }) =>
				kind !== 'entry-point' && resolve(resolveDir, path) === entry
					? { path: `./${basename(sharedSchemasBundle.out)}`, external: true }
					: undefined,
			);
		},
	};
}
