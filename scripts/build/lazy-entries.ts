/**
 * A lazy import of what is itself an entry of the same host, or one for programs, becomes a load of that file. esbuild splits ES
 * modules only, and these want CommonJS: without this, a start would read everything that is needed later.
 */

import { basename, join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { type Bundle, bundles } from './bundles.ts';

export function lazyEntries(root: string, importer: Bundle): Plugin {
	const outOf = new Map(
		bundles(root)
			.filter(({ runsIn, name, isForPrograms = false }) =>
				importer.runsIn === 'program' ? isForPrograms : runsIn === importer.runsIn && name !== importer.name,
			)
			.map(({ entry, out }) => [join(root, entry), out]),
	);
	return {
		name: 'lazy-entries',
		setup(build) {
			build.onResolve({ filter: /^\.{1,2}\// }, ({ kind, path, resolveDir }) => {
				const out = kind === 'dynamic-import' ? outOf.get(resolve(resolveDir, path)) : undefined;
				return out === undefined ? undefined : { path: `./${basename(out)}`, external: true };
			});
		},
	};
}
