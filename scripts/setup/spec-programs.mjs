import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root, specPrograms } from './paths.mjs';
import { step } from './progress.mjs';
import { stateOf, unlessStamped } from './stamp.mjs';

/** Programs that specs start by the dozen; from their sources each would load hundreds of files. */
const entries = ['test/integration/**/*-program.ts', 'test/fixtures/processes/*.ts', 'test/support/worktrees-at.ts'];
const inputs = ['src', 'test', 'scripts/setup/spec-programs.mjs', 'package-lock.json'];

/** Bundles the programs that specs start, again when a source has changed: each lies where it lies below `test`. */
export function ensureSpecPrograms() {
	const work = async () => {
		rmSync(specPrograms, { recursive: true, force: true });
		await build({
			absWorkingDir: root,
			entryPoints: globSync(entries, { cwd: root }),
			outbase: 'test',
			outdir: specPrograms,
			outExtension: { '.js': '.mjs' },
			bundle: true,
			splitting: true,
			format: 'esm',
			platform: 'node',
			// Packages of CommonJS still call `require` for built-in modules.
			banner: {
				js: "import { createRequire as requireOfSpec } from 'node:module'; const require = requireOfSpec(import.meta.url);",
			},
			define: { 'process.env.PROWESS_BUILT': '"1"' },
			plugins: [ownPlaces],
			logLevel: 'error',
		});
	};
	return step('programs of specs', () =>
		unlessStamped('spec-programs', stateOf(inputs), work, () => existsSync(specPrograms)),
	);
}

/** Each module still knows where its source lies: what is found from there is found. @type {import('esbuild').Plugin} */
const ownPlaces = {
	name: 'own-places',
	setup({ onLoad }) {
		onLoad({ filter: /[\\/](?:src|test|scripts)[\\/].*\.(?:ts|mjs)$/ }, ({ path }) => ({
			contents: readFileSync(path, 'utf8')
				.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
				.replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
			loader: path.endsWith('.ts') ? 'ts' : 'js',
		}));
	},
};
