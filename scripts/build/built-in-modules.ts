/**
 * An ES module that imports a built-in module makes Node read each of its exports, and some of them load more than the module
 * itself: `node:http` has a WebSocket, which loads all that `fetch` is made of. Asked of the process, a module loads only
 * itself. In a program, one that Node has not loaded for its own start waits until something of it is used.
 */

import type { Plugin } from 'esbuild';
import type { Bundle } from './bundles.ts';
import { lateModule } from './late-module.ts';

const notLoadedAtStart = /^node:(?:crypto|dns|http|inspector|net|readline|sqlite|tls|vm|zlib)/;
/**
 * Built-in modules whose exports load more of Node when they are read: thirty modules for `node:util`. A copy of the
 * exports reads each.
 */
const hasLazyExports = /^node:(?:buffer|util)$/;

export const builtInModules = ({ runsIn }: Pick<Bundle, 'runsIn'>): Plugin => ({
	name: 'built-in-modules',
	setup(build) {
		build.onResolve({ filter: /^node:/ }, ({ path, kind, namespace }) =>
			// Leave lazy imports alone: each becomes a file of its own, which has no named exports when it is made of
			// CommonJS.
			kind === 'import-statement'
				? { path, namespace: namespace === 'exports' ? 'of-the-process' : 'exports' }
				: undefined,
		);
		// Each file that imports what is made of CommonJS copies all of its exports, so only this one does.
		build.onLoad({ filter: /.*/, namespace: 'exports' }, ({ path }) => ({
			contents: `export { ${['default', ...namesOf(path)].join(', ')} } from '${path}';`,
		}));
		build.onLoad({ filter: /.*/, namespace: 'of-the-process' }, ({ path }) => ({
			contents:
				hasLazyExports.test(path) || (runsIn === 'program' && notLoadedAtStart.test(path))
					? lateModule(process.getBuiltinModule(path) ?? {}, `process.getBuiltinModule('${path}')`)
					: `module.exports = process.getBuiltinModule('${path}');`,
		}));
	},
});

function namesOf(path: string): string[] {
	return Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => name !== 'default');
}
