/**
 * Fails the bundle on an import that the table of arrows does not have, `import()` included. The lint sees the same in the
 * text of each file; this sees what really ends up in a process.
 */

import { isBuiltin } from 'node:module';
import { relative, resolve, sep } from 'node:path';
import type { Plugin } from 'esbuild';
import { arrows, type Arrows, faces, wings } from '../boundaries.ts';

/** Where a file lies: `server` and `models` for `<sources>/server/models/x.ts`, no wing for `<sources>/server/x.ts`. */
interface Place {
	readonly folder: string;
	readonly wing: string | undefined;
	/** Below its folder, with slashes. */
	readonly path: string;
}

export function refuseStrayImports(root: string): Plugin {
	const sources = resolve(root, 'src');
	return {
		name: 'refuse-stray-imports',
		setup(build) {
			build.onResolve({ filter: /.*/ }, ({ path, importer, resolveDir, kind }) => {
				const from = placeUnder(sources, importer);
				if (from === undefined || kind === 'entry-point' || kind === 'url-token') return undefined;
				const allowed: Arrows = arrows[from.folder] ?? { folders: [], packages: [] };
				const to = path.startsWith('.') ? placeUnder(sources, resolve(resolveDir, path)) : undefined;
				const problem = path.startsWith('.') ? strayFile(from, to, allowed) : strayPackage(path, allowed);
				return problem === undefined
					? undefined
					: { errors: [{ text: `${named(from)} may not import ${problem} (scripts/boundaries.ts)` }] };
			});
		},
	};
}

function strayFile(from: Place, to: Place | undefined, { folders, seesFacesOnly }: Arrows): string | undefined {
	if (to === undefined) return 'a file outside src/';
	if (to.folder !== from.folder) {
		const isListed = folders.includes(to.folder) || folders.includes(`${to.folder}/${to.wing ?? ''}`);
		return isListed && (seesFacesOnly !== true || isOnFace(to)) ? undefined : named(to);
	}
	const inner = wings[from.folder];
	if (inner === undefined || from.wing === undefined || to.wing === from.wing) return undefined;
	return to.wing !== undefined && inner[from.wing]?.includes(to.wing) === true ? undefined : named(to);
}

function isOnFace({ folder, path }: Place): boolean {
	return faces[folder]?.includes(path) ?? true;
}

function strayPackage(path: string, { packages }: Arrows): string | undefined {
	const isAllowed = packages.some((name) => {
		if (name === 'node:') return isBuiltin(path);
		return name.endsWith('/') ? path.startsWith(name) : path === name || path.startsWith(`${name}/`);
	});
	return isAllowed ? undefined : `the package "${path}"`;
}

function named({ folder, wing }: Place): string {
	return wing === undefined ? `src/${folder}` : `src/${folder}/${wing}`;
}

/** Returns the folder, wing and path of a file; undefined for a file that is not in a folder of `src/`. */
function placeUnder(sources: string, file: string): Place | undefined {
	const path = relative(sources, file);
	if (file === '' || path === '' || path.startsWith('..')) return undefined;
	const [folder = '', ...rest] = path.split(sep);
	return { folder, wing: rest.length > 1 ? rest[0] : undefined, path: rest.join('/') };
}
