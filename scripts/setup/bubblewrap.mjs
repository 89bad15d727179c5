import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { aptGet, hasApt } from './apt.mjs';
import { tools } from './paths.mjs';
import { firstOnPath } from './programs.mjs';
import { say, step } from './progress.mjs';
import { run } from './run.mjs';
import { StepFailed } from './step-failed.mjs';

const folder = join(tools, 'bubblewrap');
const unpacked = join(folder, 'usr/bin/bwrap');
const advice = 'Install bubblewrap (Debian: apt-get install bubblewrap), or go on without the specs that need it.';

/**
 * The path of a bubblewrap for the specs of the sandbox: from the PATH, else unpacked beside the other tools and not
 * installed, so that everything else on this machine goes on without it. Undefined where none can be had, or the system lets
 * it make no namespaces: those specs are skipped, and counted.
 */
export function ensureBubblewrap() {
	return step('bubblewrap', async () => {
		if (process.platform !== 'linux') return undefined;
		try {
			const found = firstOnPath(['bwrap']) ?? (existsSync(unpacked) ? unpacked : await unpack());
			const args = ['--unshare-all', '--ro-bind', '/', '/', process.execPath, '--version'];
			await run({ what: 'a process in bubblewrap', command: found, args, limitMs: 30_000, advice });
			return found;
		} catch (error) {
			if (!(error instanceof StepFailed)) throw error;
			say(`no bubblewrap: ${error.message}. ${advice}`);
			return undefined;
		}
	});
}

async function unpack() {
	if (!hasApt()) throw new StepFailed('it is not on the PATH, and apt-get would have to ask', { advice });
	say('fetching bubblewrap with apt-get');
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	// Download as root: apt's own user cannot write into a folder of somebody else.
	const download = ['download', '-o', 'APT::Sandbox::User=root', 'bubblewrap'];
	await aptGet(['update'], { advice });
	await aptGet(download, { advice, cwd: folder });
	const archive = readdirSync(folder).find((name) => name.endsWith('.deb'));
	if (archive === undefined) throw new StepFailed('apt-get fetched nothing', { advice });
	const args = ['-x', join(folder, archive), folder];
	await run({ what: 'the unpacking of bubblewrap', command: 'dpkg-deb', args, limitMs: 60_000, advice });
	return unpacked;
}
