import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { firstOnPath } from './programs.mjs';
import { say, step } from './progress.mjs';
import { run } from './run.mjs';
import { StepFailed } from './step-failed.mjs';

const limitMs = 10 * 60_000;
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of a Chromium for the UI tests: from the PATH, else installed with apt where that needs no question. */
export function ensureChromium() {
	return step('Chromium', async () => {
		const found = process.env['PROWESS_CHROMIUM'] ?? firstOnPath(names);
		if (found !== undefined) return found;
		await installWithApt();
		const installed = firstOnPath(names);
		if (installed !== undefined) return installed;
		throw new StepFailed('Chromium is not on the PATH after its installation', { advice });
	});
}

const advice =
	'Install Chromium or Chrome (Debian: apt-get install chromium), or set PROWESS_CHROMIUM to its program. ' +
	'Without a browser run `npm test -- --only unit` (or integration).';

async function installWithApt() {
	const prefix = isRoot() ? [] : hasPasswordlessSudo() ? ['sudo', '-n'] : undefined;
	if (!isDebianLike() || prefix === undefined) throw new StepFailed('no Chromium on the PATH', { advice });
	say('installing Chromium with apt-get (about half a minute)');
	for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
		const [command = '', ...rest] = [...prefix, 'apt-get', ...args];
		await run({
			what: `apt-get ${args[0]}`,
			command,
			args: rest,
			limitMs,
			env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
			advice,
		});
	}
}

const isRoot = () => process.getuid?.() === 0;

function hasPasswordlessSudo() {
	try {
		execFileSync('sudo', ['-n', 'true'], { stdio: 'ignore', timeout: 10_000 });
		return true;
	} catch {
		return false;
	}
}

function isDebianLike() {
	try {
		return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));
	} catch {
		return false;
	}
}
