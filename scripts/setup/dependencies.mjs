import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanInstall, npm } from './npm.mjs';
import { root } from './paths.mjs';
import { say, step } from './progress.mjs';

const limitMs = 10 * 60_000;

/** The packages of package-lock.json in node_modules/. Compares with what npm noted there, so an install by hand counts too. */
export async function ensureDependencies() {
	await step('dependencies', async () => {
		if (isInstalled()) return;
		say('installing dependencies (npm ci, about a minute)');
		await npm({ what: 'npm ci', args: cleanInstall, cwd: root, limitMs });
	});
}

function isInstalled() {
	const wanted = packagesIn('package-lock.json');
	const installed = packagesIn('node_modules/.package-lock.json');
	if (wanted === undefined || installed === undefined) return false;
	return Object.entries(wanted).every(
		([path, locked]) =>
			path === '' || (installed[path] === undefined ? locked.optional : isSame(installed[path], locked)),
	);
}

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean }} Locked
 * @param {Locked} one @param {Locked} other
 */
const isSame = (one, other) => one.version === other.version && one.integrity === other.integrity;

/** @param {string} lock @returns {Record<string, Locked> | undefined} */
function packagesIn(lock) {
	try {
		return JSON.parse(readFileSync(join(root, lock), 'utf8')).packages;
	} catch {
		// Not there, or half written: install again.
		return undefined;
	}
}
