/** Which file a program's name means, found before anything is started, so that the error can say where it was looked for. */
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { isAbsolute, posix, relative, sep, win32 } from 'node:path';
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
	const { folders, files } = listProgramPlaces(program, cwd, environment, process.platform);
	for (const file of files) {
		if (await isExecutableFile(file)) {
			return file;
		}
	}
	const where =
		folders === undefined ? `${files[0]} is not an executable file` : `not found in the ${folders} folders of PATH`;
	throw new ProwessError('COMMAND_NOT_FOUND', `cannot run ${program}: ${where}${shellHint(program)}`, {
		program,
		path: searchPath,
	});
}

/**
 * Files that a program's name can mean there, best first. `folders`: how many of PATH they lie in; undefined: the name is a
 * path. Windows looks for the endings of PATHEXT, also behind a dot that begins none of them, as in `python3.12`.
 */
export function listProgramPlaces(
	program: string,
	cwd: string,
	environment: Readonly<Record<string, string>>,
	platform: NodeJS.Platform,
): { readonly folders: number | undefined; readonly files: readonly string[] } {
	const paths = platform === 'win32' ? win32 : posix;
	const { delimiter, extname, join, resolve } = paths;
	const isPath = program.includes('/') || (platform === 'win32' && program.includes('\\'));
	const searched = (environment['PATH'] ?? '').split(delimiter);
	const places = isPath
		? [paths.isAbsolute(program) ? program : resolve(cwd, program)]
		: searched.map((folder) => join(folder, program));
	const endings = platform === 'win32' ? listEndings(environment['PATHEXT'] ?? '') : [];
	const own = extname(program);
	const isWhole = platform !== 'win32' || endings.some((ending) => ending.toLowerCase() === own.toLowerCase());
	const listWritten = (place: string) => (own === '' ? [] : [place]);
	return {
		folders: isPath ? undefined : searched.length,
		files: isWhole
			? places
			: places.flatMap((place) => [...listWritten(place), ...endings.map((ending) => place + ending)]),
	};
}

/** Endings that PATHEXT names, which may end with its separator; the usual ones where it names none. */
function listEndings(written: string): readonly string[] {
	const endings = written.split(';').filter((ending) => ending !== '');
	return endings.length === 0 ? ['.COM', '.EXE', '.BAT', '.CMD'] : endings;
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

async function isExecutableFile(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return (await stat(path)).isFile();
	} catch {
		// Not there, or not ours to run: look on.
		return false;
	}
}
