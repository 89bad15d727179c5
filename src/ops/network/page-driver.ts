/** The package that drives browsers: fetched with the user's own npm when a page is first opened, with the bytes that are expected. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fetchNpmPackage } from '../../catalog/marketplace/plugins/npm-package.ts';
import type { BrowserDriver } from '../../machine/browser/thread-browser.ts';

/** A package of npm, and the sha512 of its bytes. */
interface PinnedPackage {
	readonly package: string;
	readonly version: string;
	readonly pinned: string;
}

/** Package and version, as the lock file of this project has them. */
export const DRIVER: PinnedPackage = {
	package: 'playwright-core',
	version: '1.65.1',
	pinned: 'sha512-hqPpz7blSMPxWVdoeE1yiBSzXsKiVOd2k+kjCvmUywD2GPO2Dd9HfcWnq9NN0GHbNZDFgZ9JfBFr+X5/BLo0qw==',
};

/** Parts of the package that show traces and describe types: nothing here needs them. */
const UNNEEDED_FILES = /^(?:types|lib\/vite|bin)\//;

interface DriverPlace {
	/** PROWESS_HOME. */
	readonly home: string;
	readonly environment: Readonly<Record<string, string>>;
}

export function isDriverThere({ home }: Pick<DriverPlace, 'home'>): boolean {
	return existsSync(join(driverFolder(home), 'package.json'));
}

/** Rejects with COMMAND_NOT_FOUND where there is no npm, with DOWNLOAD_FAILED, or with the signal's reason. */
export async function loadDriver(place: DriverPlace, signal: AbortSignal, wanted = DRIVER): Promise<BrowserDriver> {
	const folder = driverFolder(place.home, wanted);
	const file = join(folder, 'package.json');
	if (!existsSync(file)) await fetchDriver(folder, wanted, place, signal);
	return createRequire(file)(folder) as BrowserDriver;
}

function driverFolder(home: string, wanted = DRIVER): string {
	return join(home, 'tools', `${wanted.package}-${wanted.version}`);
}

/** The folder has its name only once it is whole. */
async function fetchDriver(
	folder: string,
	wanted: PinnedPackage,
	{ environment }: DriverPlace,
	signal: AbortSignal,
): Promise<void> {
	const tools = dirname(folder);
	const tree = await fetchNpmPackage(wanted, { store: tools, environment }, signal);
	const names = (await tree.filesBelow('', signal)).filter((name) => !UNNEEDED_FILES.test(name));
	const made = await mkdtemp(join(tools, 'driver-'));
	try {
		for (const { path, bytes } of await tree.readFiles('', names, signal)) {
			await mkdir(dirname(join(made, path)), { recursive: true, mode: 0o700 });
			await writeFile(join(made, path), bytes, { mode: 0o600 });
		}
		signal.throwIfAborted();
		await rename(made, folder);
	} catch (error) {
		// Another host was faster.
		if (!existsSync(join(folder, 'package.json'))) throw error;
	} finally {
		await rm(made, { recursive: true, force: true });
	}
}
