// `npm run soak`: the long runs, in files named `*.soak.ts` under test/. Not part of `npm test`.

import { join } from 'node:path';
import { onPinnedNode } from './setup/on-pinned-node.mjs';
import { explain } from './setup/step-failed.mjs';

try {
	await onPinnedNode(join(import.meta.dirname, 'test/main.ts'), ['--only', 'soak', ...process.argv.slice(2)]);
} catch (error) {
	explain(error);
	process.exitCode = 1;
}
