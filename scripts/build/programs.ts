/**
 * A program is one script, that its entry runs with the code that V8 made of it in earlier starts (`src/start/program.ts`). For
 * that an entry's lazy import of a program becomes `runProgram`, and each program is ASCII alone and ends with a hash of itself.
 */

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { asciiSource } from './ascii-source.ts';
import { bundles } from './bundles.ts';

export function lazyPrograms(root: string): Plugin {
	const outOf = new Map(
		bundles(root)
			.filter(({ runsIn }) => runsIn === 'program')
			.map(({ entry, out }) => [join(root, entry), out]),
	);
	return {
		name: 'lazy-programs',
		setup({ onResolve, onLoad }) {
			onResolve({ filter: /^\.{1,2}\// }, ({ kind, path, resolveDir }) => {
				const out = kind === 'dynamic-import' ? outOf.get(resolve(resolveDir, path)) : undefined;
				return out === undefined ? undefined : { path: out, namespace: 'program' };
			});
			onLoad({ filter: /.*/, namespace: 'program' }, ({ path }) => ({
				contents: `module.exports = require('./src/start/program.ts').runProgram('${path}');`,
				resolveDir: root,
			}));
		},
	};
}

export const stampedPrograms: Plugin = {
	name: 'stamped-programs',
	setup({ onEnd, initialOptions: { absWorkingDir = '' } }) {
		onEnd(({ metafile }) => {
			for (const path of Object.keys(metafile?.outputs ?? {})) {
				if (path.endsWith('.js')) {
					const file = join(absWorkingDir, path);
					const source = asciiSource(readFileSync(file, 'utf8'));
					writeFileSync(file, `${source}// ${createHash('sha256').update(source).digest('hex')}`);
				}
			}
		});
	},
};
