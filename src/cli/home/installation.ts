/** Where our own files are: beside each other in `dist/` when built, in the source tree when run from it. */
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const isSource = import.meta.url.endsWith('.ts');
const installationRoot = isSource
	? join(here, '../../..')
	: join(basename(here) === 'chunks' ? dirname(here) : here, '..');

export const installation = {
	dist: join(installationRoot, 'dist'),
	/** The program of the command line. */
	cli: isSource ? join(installationRoot, 'src/cli/main.ts') : join(installationRoot, 'dist/cli.mjs'),
	/** The program of the server process. */
	server: isSource ? join(installationRoot, 'src/server/main.ts') : join(installationRoot, 'dist/server.mjs'),
} as const;

export const packageVersion: string = (
	createRequire(import.meta.url)(join(installationRoot, 'package.json')) as { version: string }
).version;
