/**
 * Bundles that wait until something rare is wanted share two files, which a first turn loads none of: the library of schemas, and
 * the modules of the protocol. Each bundle would hold 100 kB of the one and up to as much of the other.
 */

import { readdirSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'esbuild';
import { type Bundle, sharedProtocolBundle, sharedSchemasBundle } from './bundles.ts';

const isOfProtocol = 'of-the-shared-protocol';

export function sharedLibraries(root: string, importer: Bundle): Plugin {
	const schemas = join(root, sharedSchemasBundle.entry);
	const protocol = join(root, sharedProtocolBundle.entry) + sep;
	return {
		name: 'shared-libraries',
		setup({ onResolve, onLoad }) {
			onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir, kind }) => {
				const file = resolve(resolveDir, path);
				if (kind !== 'import-statement') return undefined;
				if (file === schemas) return { path: `./${basename(sharedSchemasBundle.out)}`, external: true };
				return importer !== sharedProtocolBundle && file.startsWith(protocol)
					? { path: relative(protocol, file), namespace: isOfProtocol }
					: undefined;
			});
			onResolve({ filter: /.*/, namespace: isOfProtocol }, ({ path }) => ({ path, external: true }));
			onLoad({ filter: /.*/, namespace: isOfProtocol }, ({ path }) => ({
				contents: `module.exports = require('./${basename(sharedProtocolBundle.out)}')[${JSON.stringify(path)}];`,
			}));
		},
	};
}

/** The entry of the shared protocol: its modules by their paths, of which none runs before it is asked for. */
export function protocolModules(root: string): Plugin {
	const folder = join(root, sharedProtocolBundle.entry);
	return {
		name: 'protocol-modules',
		setup({ onResolve, onLoad }) {
			onResolve({ filter: /.*/ }, ({ path, kind }) =>
				kind === 'entry-point' ? { path, namespace: 'protocol-modules' } : undefined,
			);
			onLoad({ filter: /.*/, namespace: 'protocol-modules' }, () => ({
				contents: `module.exports = {${modulesBelow(folder)
					.map((path) => `get ${JSON.stringify(path)}() { return require(${JSON.stringify(`./${path}`)}); }`)
					.join(',')}};`,
				resolveDir: folder,
			}));
		},
	};
}

function modulesBelow(folder: string): readonly string[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
		.sort();
}
