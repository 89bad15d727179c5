// Runs one of our scripts on the pinned Node after the set-up it needs: `node scripts/run.mjs esbuild.mjs --watch`.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onPinnedNode } from './setup/on-pinned-node.mjs';
import { root } from './setup/paths.mjs';
import { explain, StepFailed } from './setup/step-failed.mjs';

const [script = '', ...args] = process.argv.slice(2);
try {
	if (!existsSync(join(root, script))) {
		throw new StepFailed(`there is no script ${script}`, {
			advice: 'Name one relative to the root of the repository.',
		});
	}
	await onPinnedNode(join(root, script), args);
} catch (error) {
	explain(error);
	process.exitCode = 1;
}
