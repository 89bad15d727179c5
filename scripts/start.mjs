// `npm start`: opens VS Code with Prowess on a copy of the sample project. Works in a fresh clone on Node 20: it sets
// everything up by itself. Uses the `code` of this machine, or else a VS Code server that it fetches.
//   --port N     where the VS Code server shall listen (default 41710)     --no-open  only prints the address
//   --browser    the VS Code server even where there is a `code`           --fresh    a new copy of the sample project
//   --check      starts the VS Code server, waits until it answers, prints the address and ends

import { join } from 'node:path';
import { onPinnedNode } from './setup/on-pinned-node.mjs';
import { explain } from './setup/step-failed.mjs';

try {
	await onPinnedNode(join(import.meta.dirname, 'start/main.ts'), process.argv.slice(2));
} catch (error) {
	explain(error);
	process.exitCode = 1;
}
