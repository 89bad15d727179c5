// `npm test` and `npm run check`. Works in a fresh clone on Node 20: it sets everything up by itself.
//   npm test                          everything, also in the real VS Code
//   npm test -- --check               types, lint, format, stale files and unit tests
//   npm test -- --only unit,types     some steps (see scripts/test/steps.ts)
//   npm test -- --jobs 1                one spec file after the other
//   npm test -- src/base/emitter.test.ts --grep 'a title'

import { join } from 'node:path';
import { onPinnedNode } from './setup/on-pinned-node.mjs';
import { explain } from './setup/step-failed.mjs';

try {
	await onPinnedNode(join(import.meta.dirname, 'test/main.ts'), process.argv.slice(2));
} catch (error) {
	explain(error);
	console.log('\n0 passed, 1 failed');
	process.exitCode = 1;
}
