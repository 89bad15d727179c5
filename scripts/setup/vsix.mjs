import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dist, root } from './paths.mjs';
import { step } from './progress.mjs';
import { run } from './run.mjs';
import { stateOf, unlessStamped } from './stamp.mjs';

const limitMs = 5 * 60_000;
/** Beside the bundles: what .vscodeignore lets into the package. */
const inputs = [
	'dist/meta.json',
	'scripts/setup/vsix.mjs',
	'package.json',
	'package.nls.json',
	'package.nls.de.json',
	'l10n',
	'ThirdPartyNotices.txt',
	'.vscodeignore',
	'README.md',
	'docs',
	'CHANGELOG.md',
	'LICENSE',
	'media',
	'capabilities',
];

/**
 * Provides the packaged extension, as users install it. Dependencies are in the bundles.
 * @param {string} node the pinned Node
 */
export function ensureVsix(node) {
	const vsix = join(dist, 'prowess.vsix');
	const pack = async () => {
		await run({
			what: 'packaging the extension',
			command: node,
			args: [
				'node_modules/@vscode/vsce/vsce',
				'package',
				'--no-dependencies',
				'--allow-missing-repository',
				// The links of the README lead to files of the repository, whose address the package does not say.
				'--no-rewrite-relative-links',
				'-o',
				vsix,
			],
			cwd: root,
			limitMs,
			advice: 'Mend what vsce names above: most often package.json, .vscodeignore or a missing README.md.',
		});
	};
	return step('package', async () => {
		await unlessStamped('vsix', stateOf(inputs), pack, () => existsSync(vsix));
		return vsix;
	});
}
