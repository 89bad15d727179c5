import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dist, root } from './paths.mjs';
import { say, step } from './progress.mjs';
import { run } from './run.mjs';
import { stateOf, unlessStamped } from './stamp.mjs';

const limitMs = 5 * 60_000;
/** Files and folders that a bundle is made from. */
const inputs = ['src', 'esbuild.mjs', 'scripts/build', 'scripts/boundaries.ts', 'package.json', 'package-lock.json'];

/**
 * The bundles in dist/, built again when a source changed.
 * @param {string} node the pinned Node
 * @param {{ isProduction: boolean }} form
 */
export function ensureBundles(node, { isProduction }) {
	const flags = isProduction ? ['--production'] : [];
	const build = async () => {
		say('building dist/');
		await run({
			what: 'the build',
			command: node,
			args: ['esbuild.mjs', ...flags],
			cwd: root,
			limitMs,
			advice: 'Mend the sources named above, or look at the arrows in scripts/boundaries.ts.',
		});
	};
	return step('bundles', async () => {
		await unlessStamped('bundles', `${stateOf(inputs)} ${flags.join(' ')}`, build, () =>
			existsSync(join(dist, 'meta.json')),
		);
	});
}
