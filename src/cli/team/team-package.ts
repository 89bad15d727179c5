/**
 * The package by which a home reaches its team: read from where the user says, kept in the home, and loaded only while it is what it was
 * when the user took it.
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { compileFunction, constants } from 'node:vm';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { fetchNpmPackage } from '../../catalog/marketplace/plugins/npm-package.ts';
import { readTarball } from '../../catalog/marketplace/plugins/read-tarball.ts';
import { TEAM_PACKAGE_FORM, type TeamPackage } from '../../contract/ports/team-port.ts';
import { readRegularFileSync } from '../../machine/paths/reading/read-regular-file.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { parseJsonObject } from '../home/json-file.ts';
import { UsageError } from '../terminal/usage-error.ts';

/** Largest program, unpacked, and largest archive. */
const MAX_PROGRAM_BYTES = 8_000_000;
const MAX_PACKAGE_JSON_BYTES = 65_536;
/** Always of npm, also where a repository has a folder of that name. */
const NPM_PACKAGE = /^((?:@[^@/\\]+\/)?[^@/\\]+)@([^@/\\]+)$/;

export interface FoundTeamPackage {
	/** Name and version. */
	readonly title: string;
	readonly program: Buffer;
	/** Content of the program alone, as npm writes it. */
	readonly integrity: string;
}

interface PackageSource {
	readonly given: string;
	/** Content that the user expects: of the archive, or of the program where a folder is given. */
	readonly expected: string | undefined;
	readonly cwd: string;
	readonly home: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
}

type ReadEntry = (path: string, mostBytes: number) => Buffer | undefined | Promise<Buffer | undefined>;

/** Rejects with NOT_FOUND, DOWNLOAD_FAILED, EXTRACTION_FAILED for another content, INVALID_PARAMS for what is no such package, or INVALID_STATE for what does not run here. */
export async function findTeamPackage(source: PackageSource, signal: AbortSignal): Promise<FoundTeamPackage> {
	const { given, expected, cwd } = source;
	if (expected !== undefined && !/^sha512-[A-Za-z0-9+/]{86}==$/.test(expected)) {
		throw new UsageError('--integrity takes what npm writes: sha512- and 88 characters of base64');
	}
	const [, name, version] = given.endsWith('.tgz') ? [] : (NPM_PACKAGE.exec(given) ?? []);
	if (name === undefined || version === undefined) {
		return await findLocalPackage(resolve(cwd, given), given, expected);
	}
	if (expected === undefined) {
		throw new UsageError(
			`--integrity is required for ${given}: the content is taken only if it is the one that you mean`,
		);
	}
	const environment: Record<string, string> = {};
	for (const [key, value] of Object.entries(source.environment)) if (value !== undefined) environment[key] = value;
	const access = { store: join(source.home, 'team'), environment };
	const pinned = { package: name, version, pinned: expected };
	const tree = await nameFailure(given, () => fetchNpmPackage(pinned, access, signal));
	return await readPackage(given, (part, most) => tree.readFile(part, most, signal));
}

async function findLocalPackage(path: string, given: string, expected: string | undefined): Promise<FoundTeamPackage> {
	const found = statSync(path, { throwIfNoEntry: false });
	if (found === undefined) {
		throw new ProwessError('NOT_FOUND', `${path}: there is no package of a team`);
	}
	if (found.isDirectory()) {
		const ofFolder = await readPackage(path, (part, most) => readRegularFileSync(join(path, part), most));
		checkContent(path, ofFolder.integrity, expected);
		return ofFolder;
	}
	const archive = readRegularFileSync(path, MAX_PROGRAM_BYTES);
	checkContent(path, computeIntegrity(archive), expected);
	const unpacked = await nameFailure(given, () => readTarball(archive));
	const files = new Map(unpacked.map((file) => [file.path, file.bytes]));
	return await readPackage(path, (part) => files.get(part));
}

/** Has failures say which package of a team it is: the readers are those of plugins. */
async function nameFailure<T>(given: string, read: () => T | Promise<T>): Promise<T> {
	try {
		return await read();
	} catch (error) {
		throw isProwessError(error) ? new ProwessError(error.code, `${given}: ${error.message}`, {}, error) : error;
	}
}

/** Throws INVALID_STATE when it has changed since it was taken, INVALID_PARAMS when it is no such program. */
export function loadTeamPackage(path: string, integrity: string): TeamPackage {
	const program = readRegularFileSync(path, MAX_PROGRAM_BYTES);
	if (computeIntegrity(program) !== integrity) {
		throw new ProwessError(
			'INVALID_STATE',
			`${path} is not the program that was taken with "prowess team join": it has ${computeIntegrity(program)}, expected was ${integrity}; to take another one, run "prowess team leave" first`,
			{ path },
		);
	}
	const team = evaluateProgram(path, program, integrity);
	if (team.form !== TEAM_PACKAGE_FORM) {
		throw wrongForm(path, team.form);
	}
	return team;
}

/** Programs by their content: each is evaluated once in a process. */
const evaluated = new Map<string, TeamPackage>();

/** Evaluates the bytes that were checked: the file may be another one by now. */
function evaluateProgram(path: string, program: Buffer, integrity: string): TeamPackage {
	const known = evaluated.get(integrity);
	if (known !== undefined) {
		return known;
	}
	try {
		const names = ['module', 'exports', 'require', '__filename', '__dirname'];
		const run = compileFunction(program.toString('utf8'), names, {
			filename: path,
			importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
		}) as (...values: unknown[]) => void;
		const module = { exports: {} };
		run.call(module.exports, module, module.exports, createRequire(path), path, dirname(path));
		const team = module.exports as TeamPackage;
		evaluated.set(integrity, team);
		return team;
	} catch (error) {
		throw new ProwessError('EXTRACTION_FAILED', `${path} cannot be loaded: ${toErrorMessage(error)}`, {}, error);
	}
}

async function readPackage(where: string, read: ReadEntry): Promise<FoundTeamPackage> {
	const text = await readPackageEntry(where, 'package.json', read, MAX_PACKAGE_JSON_BYTES);
	const { name, version, main, engines, prowess } = parseJsonObject(join(where, 'package.json'), text.toString('utf8'));
	const form = (prowess as { readonly team?: unknown } | undefined)?.team;
	if (form !== TEAM_PACKAGE_FORM) {
		throw wrongForm(where, form);
	}
	const wanted = String((engines as { readonly node?: unknown } | undefined)?.node);
	if (!isNodeAtLeast(wanted)) {
		throw new ProwessError('INVALID_STATE', `${where} needs Node.js ${wanted}, this is ${process.versions.node}`);
	}
	const program = await readPackageEntry(where, String(main), read, MAX_PROGRAM_BYTES);
	return { title: `${String(name)} ${String(version)}`, program, integrity: computeIntegrity(program) };
}

async function readPackageEntry(where: string, part: string, read: ReadEntry, mostBytes: number): Promise<Buffer> {
	let bytes: Buffer | undefined;
	try {
		bytes = await read(part, mostBytes);
	} catch (error) {
		const message = `${where}: ${part} cannot be read: ${toErrorMessage(error)}`;
		throw new ProwessError('NOT_FOUND', message, {}, error);
	}
	if (bytes === undefined) {
		throw new ProwessError('NOT_FOUND', `${where}: there is no ${part} in it`);
	}
	return bytes;
}

/** False also for what is no such condition. */
function isNodeAtLeast(condition: string): boolean {
	const least = /^>=(\d+)\.(\d+)\.(\d+)$/.exec(condition)?.slice(1).map(Number);
	const here = process.versions.node.split('.').map(Number);
	const at = least?.findIndex((part, index) => part !== here[index]);
	return least !== undefined && at !== undefined && (at === -1 || (here[at] ?? 0) > (least[at] ?? 0));
}

function checkContent(path: string, integrity: string, expected: string | undefined): void {
	if (expected !== undefined && integrity !== expected) {
		throw new ProwessError('EXTRACTION_FAILED', `${path} has the content ${integrity}, expected was ${expected}`);
	}
}

function computeIntegrity(bytes: Buffer): string {
	return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}

function wrongForm(where: string, form: unknown): ProwessError {
	const message = `${where} is no package of a team of form ${TEAM_PACKAGE_FORM}: it says ${JSON.stringify(form) ?? 'nothing'}`;
	return new ProwessError('INVALID_PARAMS', message);
}
