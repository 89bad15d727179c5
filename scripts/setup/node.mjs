import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cleanInstall, npm } from './npm.mjs';
import { tools } from './paths.mjs';
import { say, step } from './progress.mjs';
import { contentsOf, unlessStamped } from './stamp.mjs';
import { StepFailed } from './step-failed.mjs';

const limitMs = 5 * 60_000;
/** Folder with a list of one optional package per platform; the lock file beside it pins the content of each. */
const kit = join(import.meta.dirname, 'node');

/**
 * The path of the pinned Node: the one this runs on if it is of the same line, else one fetched into .tools/node/.
 * Everything but set-up itself runs on it: sources and specs as they are, without a build.
 */
export function ensureNode() {
	return step('Node 24', async () => {
		if (isPinnedLine(process.versions.node)) return process.execPath;
		const platform = process.platform === 'win32' ? 'win' : process.platform;
		const folder = join(tools, 'node');
		const program = join(
			folder,
			`node_modules/node-${platform}-${process.arch}`,
			platform === 'win' ? 'bin/node.exe' : 'bin/node',
		);
		const files = ['package.json', 'package-lock.json'].map((name) => join(kit, name));
		const fetchNode = async () => {
			say(`fetching Node 24 (this is Node ${process.versions.node})`);
			mkdirSync(folder, { recursive: true });
			for (const file of files) cpSync(file, join(folder, file.slice(kit.length)));
			await npm({ what: 'fetching Node 24', args: cleanInstall, cwd: folder, limitMs });
		};
		await unlessStamped(`node-${platform}-${process.arch}`, contentsOf(files), fetchNode, () => existsSync(program));
		if (existsSync(program)) return program;
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
