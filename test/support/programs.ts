/**
 * The programs that specs start. `npm test` builds them first and says so with PROWESS_BUILT: it tests what people get, and
 * a start takes a third of the time. A spec that is run by itself starts the sources and needs no build.
 */
import { join, relative } from 'node:path';
import { specPrograms } from '../../scripts/setup/paths.mjs';
import { installation } from '../../src/cli/home/installation.ts';
import { findBuiltPrograms } from '../../src/machine/worker-url.ts';

const root = join(import.meta.dirname, '../..');
/** True when `dist/` holds the programs built from these sources. */
export const isBuilt = findBuiltPrograms(installation.dist) !== undefined;
const compileCache = process.env['NODE_COMPILE_CACHE'];

export const programs = {
	cli: installation.cli,
	server: installation.server,
	/** For an environment that holds nothing else of ours: where the run of the tests keeps what Node has compiled. */
	compileCache: compileCache === undefined ? {} : { NODE_COMPILE_CACHE: compileCache },
} as const;

/** The program to start for a source below `test`: its bundle (scripts/setup/spec-programs.mjs), or the source itself. */
export function specProgram(source: string): string {
	const bundled = relative(join(root, 'test'), source).replace(/\.ts$/, '.mjs');
	return isBuilt ? join(specPrograms, bundled) : source;
}
