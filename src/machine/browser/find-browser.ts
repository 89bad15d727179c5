/** Finds the browser that the user has installed, in the usual places of the system. No path of a project is looked in. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isAbsolute, posix, win32 } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';

const LINUX_FOLDERS = ['/usr/bin', '/usr/local/bin', '/opt/google/chrome', '/opt/microsoft/msedge', '/snap/bin'];
const LINUX_NAMES = [
	...['google-chrome-stable', 'google-chrome', 'chrome', 'chromium', 'chromium-browser'],
	...['microsoft-edge-stable', 'microsoft-edge', 'msedge'],
];
const MAC_NAMES = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
const WINDOWS_PLACES = [
	String.raw`Google\Chrome\Application\chrome.exe`,
	String.raw`Chromium\Application\chrome.exe`,
	String.raw`Microsoft\Edge\Application\msedge.exe`,
];

/** `named`: what the user's setting says; empty: nothing. Rejects with NOT_AVAILABLE_HERE. */
export async function findBrowser(named: string, environment: Readonly<Record<string, string>>): Promise<string> {
	if (named !== '') {
		if (isAbsolute(named) && (await isRunnableProgram(named))) {
			return named;
		}
		const message = `${named}, which prowess.browser.path names, is no program that can be run`;
		const said = text('{path}, which the setting prowess.browser.path names, is not a program that can be run.', {
			path: named,
		});
		throw new ProwessError('NOT_AVAILABLE_HERE', message, { said });
	}
	for (const place of listBrowserPlaces(process.platform, environment)) {
		if (await isRunnableProgram(place)) {
			return place;
		}
	}
	const message =
		'no Chrome, Edge or Chromium is installed in the usual places. Ask the user to install one, or to name it in prowess.browser.path';
	const said = text(
		'No Chrome, Edge or Chromium was found. Install one, or name its program in the setting prowess.browser.path.',
	);
	throw new ProwessError('NOT_AVAILABLE_HERE', message, { said });
}

export function listBrowserPlaces(
	platform: NodeJS.Platform,
	environment: Readonly<Record<string, string>>,
): readonly string[] {
	switch (platform) {
		case 'win32': {
			const folders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) => environment[name] ?? '');
			const known = folders.filter((folder) => folder !== '');
			return WINDOWS_PLACES.flatMap((place) => known.map((folder) => win32.join(folder, place)));
		}
		case 'darwin':
			return MAC_NAMES.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
		default:
			return LINUX_NAMES.flatMap((name) => LINUX_FOLDERS.map((folder) => posix.join(folder, name)));
	}
}

async function isRunnableProgram(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return (await stat(path)).isFile();
	} catch {
		// A place without a program that this user may run.
		return false;
	}
}
