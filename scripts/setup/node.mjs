import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installKit } from './kit.mjs';
import { step } from './progress.mjs';
import { StepFailed } from './step-failed.mjs';

const limitMs = 5 * 60_000;

/**
 * The path of the pinned Node: the one this runs on if it is of the same line, else one fetched into .tools/node/.
 * Everything but set-up itself runs on it: sources and specs as they are, without a build.
 */
export function ensureNode() {
	return step('Node 24', async () => {
		if (isPinnedLine(process.versions.node)) return process.execPath;
		const platform = process.platform === 'win32' ? 'win' : process.platform;
		const program = join(
			`node_modules/node-${platform}-${process.arch}`,
			platform === 'win' ? 'bin/node.exe' : 'bin/node',
		);
		const what = `Node 24 (this is Node ${process.versions.node})`;
		const stamp = `node-${platform}-${process.arch}`;
		// The list has one optional package for each platform.
		const isThere = (/** @type {string} */ folder) => existsSync(join(folder, program));
		const folder = await installKit({ name: 'node', what, stamp, isThere, limitMs });
		if (isThere(folder)) return join(folder, program);
		throw new StepFailed(`there is no Node 24 for ${process.platform}-${process.arch} to fetch`, {
			advice: 'Install Node 24.18 or a newer 24, put it first on the PATH and run this again.',
		});
	});
}

/** @param {string} version */
function isPinnedLine(version) {
	const [major = 0, minor = 0] = version.split('.').map(Number);
	return major === 24 && minor >= 18;
}
