/** `@prowess/sdk` as whoever uses it has it: packed by npm, and installed from that file. */
import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tempDir } from './temp-dir.ts';

const sdk = join(import.meta.dirname, '../../sdk');

/** Returns a new folder of a project that has the package in its `node_modules`. The package has no dependencies, so nothing is fetched. */
export async function installPackedSdk(): Promise<string> {
	const [packed, project] = [tempDir('packed'), tempDir('project')];
	writeFileSync(join(project, 'package.json'), '{"type":"module"}\n');
	const env = { ...process.env, npm_config_cache: tempDir('npm'), npm_config_offline: 'true' };
	await promisify(execFile)('npm', ['pack', sdk, '--ignore-scripts', '--pack-destination', packed], { env });
	const [file = ''] = readdirSync(packed);
	const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
	await promisify(execFile)('npm', ['install', ...options, join(packed, file)], { cwd: project, env });
	return project;
}
