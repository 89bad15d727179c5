/** Where our own files are: beside each other in `dist/` when built, in the source tree when run from it. */
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const isSource = import.meta.url.endsWith('.ts');
const root = isSource ? join(here, '../../..') : join(basename(here) === 'chunks' ? dirname(here) : here, '..');

export const installation = {
	dist: join(root, 'dist'),
	/** The program of the command line. */
	cli: isSource ? join(root, 'src/cli/main.ts') : join(root, 'dist/cli.mjs'),
	/** The program of the server process. */
	server: isSource ? join(root, 'src/server/main.ts') : join(root, 'dist/server.mjs'),
} as const;

export const version: string = (createRequire(import.meta.url)(join(root, 'package.json')) as { version: string })
	.version;
