// Where things are. Everything that set-up fetches or builds lies in .tools/, which git ignores.

import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');
export const tools = join(root, '.tools');
export const dist = join(root, 'dist');
/** Pictures and logs of the last run. */
export const artifacts = process.env['PROWESS_ARTIFACTS'] ?? join(root, 'artifacts');
/** Folder of the code that Node has compiled in this run of the tests. */
export const compiled = join(tools, 'compiled');
/** Folder of the bundled programs that specs start. */
export const specPrograms = join(tools, 'spec-programs');
