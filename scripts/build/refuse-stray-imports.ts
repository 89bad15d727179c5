/**
 * Fails the bundle on an import that the table of arrows does not have, `import()` included. The lint sees the same in the
 * text of each file; this sees what really ends up in a process.
 */

import { isBuiltin } from 'node:module';
import { relative, resolve, sep } from 'node:path';
import type { Plugin } from 'esbuild';
import { arrows, type Arrows } from '../boundaries.ts';

export function refuseStrayImports(root: string): Plugin {
	const sources = resolve(root, 'src');
	return {
		name: 'refuse-stray-imports',
		setup(build) {
			build.onResolve({ filter: /.*/ }, ({ path, importer, resolveDir, kind }) => {
				const from = folderUnder(sources, importer);
				if (from === undefined || kind === 'entry-point' || kind === 'url-token') return undefined;
				const allowed: Arrows = arrows[from] ?? { folders: [], packages: [] };
				const problem = path.startsWith('.')
					? strayFolder(from, folderUnder(sources, resolve(resolveDir, path)), allowed)
					: strayPackage(path, allowed);
				return problem === undefined
					? undefined
					: { errors: [{ text: `src/${from} may not import ${problem} (scripts/boundaries.ts)` }] };
			});
		},
	};
}

function strayFolder(from: string, to: string | undefined, { folders }: Arrows): string | undefined {
	if (to === undefined) return 'a file outside src/';
	return to === from || folders.includes(to) ? undefined : `src/${to}`;
}

function strayPackage(path: string, { packages }: Arrows): string | undefined {
	const isAllowed = packages.some((name) => {
		if (name === 'node:') return isBuiltin(path);
		return name.endsWith('/') ? path.startsWith(name) : path === name || path.startsWith(`${name}/`);
	});
	return isAllowed ? undefined : `the package "${path}"`;
}

/** `server` for `<sources>/server/models/x.ts`; nothing for a file that is not in a folder of `src/`. */
function folderUnder(sources: string, file: string): string | undefined {
	const path = relative(sources, file);
	return file === '' || path === '' || path.startsWith('..') ? undefined : path.split(sep)[0];
}
