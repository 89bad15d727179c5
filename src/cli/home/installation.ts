/** Where our own files are: beside each other in `dist/` when built, in the source tree when run from it. */
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBuiltPrograms } from '../../machine/worker-url.ts';

const here = dirname(fileURLToPath(import.meta.url));
const runsFromSource = import.meta.url.endsWith('.ts');
const installationRoot = runsFromSource
	? join(here, '../../..')
	: join(basename(here) === 'chunks' ? dirname(here) : here, '..');

const dist = join(installationRoot, 'dist');
const built = findBuiltPrograms(dist);

export const installation = {
	dist,
	/** The program of the command line. */
	cli: built === undefined ? join(installationRoot, 'src/cli/main.ts') : join(built, 'cli.mjs'),
	/** The program of the server process. */
	server: built === undefined ? join(installationRoot, 'src/server/main.ts') : join(built, 'server.mjs'),
} as const;

export const packageVersion: string = (
	createRequire(import.meta.url)(join(installationRoot, 'package.json')) as { version: string }
).version;
