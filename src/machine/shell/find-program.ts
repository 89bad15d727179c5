/** Which file a program's name means, found before anything is started, so that the error can say where it was looked for. */
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { shellLineHint } from '../../protocol/ops/commands/shell-line.ts';

export async function findProgram(
	program: string,
	cwd: string,
	environment: Readonly<Record<string, string>>,
): Promise<string> {
	if (program === '' || program.includes('\0')) {
		throw new ProwessError('INVALID_PARAMS', 'argv[0] is not the name of a program', { program });
	}
	const searchPath = environment['PATH'] ?? '';
	const hasSlash = program.includes('/') || (process.platform === 'win32' && program.includes('\\'));
	const places = hasSlash
		? [isAbsolute(program) ? program : resolve(cwd, program)]
		: searchPath.split(delimiter).map((folder) => join(folder, program));
	for (const place of places.flatMap(withExtensions(environment))) {
		if (await isExecutableFile(place)) {
			return place;
		}
	}
	const where = hasSlash
		? `${places[0]} is not an executable file`
		: `not found in the ${places.length} folders of PATH`;
	throw new ProwessError('COMMAND_NOT_FOUND', `cannot run ${program}: ${where}${shellHint(program)}`, {
		program,
		path: searchPath,
	});
}

/**
 * Folders whose programs let the files of a project choose what runs: `.tool-versions` can name a program of the
 * project itself.
 */
const CHOOSERS = new Set(['shims', '.volta', '.proto']);

/**
 * True when a program, as `findProgram` found it, belongs to this machine: it is no file of the `workspace`, and
 * outside a sandbox it does not start another program that the project chooses.
 */
export async function isInstalledProgram(
	file: string | undefined,
	{ workspace, isSandboxed }: { readonly workspace: readonly string[]; readonly isSandboxed: boolean },
): Promise<boolean> {
	if (file === undefined) {
		return false;
	}
	const [real, ...folders] = await Promise.all([file, ...workspace].map((path) => realpath(path)));
	const ways = [file, real ?? file];
	const isOfWorkspace = ways.some((path) => [...workspace, ...folders].some((folder) => isBelowFolder(folder, path)));
	return !isOfWorkspace && (isSandboxed || !ways.some((path) => path.split(sep).some((name) => CHOOSERS.has(name))));
}

function isBelowFolder(folder: string, path: string): boolean {
	const way = relative(folder, path);
	return !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

function shellHint(program: string): string {
	return /[\s;&|<>$`]/.test(program) ? `; ${shellLineHint(program)}` : '';
}

function withExtensions(environment: Readonly<Record<string, string>>): (place: string) => string[] {
	if (process.platform !== 'win32') {
		return (place) => [place];
	}
	const extensions = (environment['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';');
	return (place) => (extname(place) === '' ? extensions.map((extension) => place + extension) : [place]);
}

async function isExecutableFile(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return (await stat(path)).isFile();
	} catch {
		// Not there, or not ours to run: look on.
		return false;
	}
}
