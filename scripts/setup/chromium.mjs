import { aptGet, hasApt } from './apt.mjs';
import { firstOnPath } from './programs.mjs';
import { say, step } from './progress.mjs';
import { StepFailed } from './step-failed.mjs';

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
	if (!hasApt()) throw new StepFailed('no Chromium on the PATH', { advice });
	say('installing Chromium with apt-get (about half a minute)');
	await aptGet(['update'], { advice });
	await aptGet(['install', '-y', '--no-install-recommends', 'chromium'], { advice });
}
