/** Checks of `doctor` that look at the machine alone, without the trusted base and the server. */
import { toErrorMessage } from '../base/text/message-of.ts';
import { execFile } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join, parse } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { cliLimits } from './terminal/limits.ts';

/** `needed`: without it Prowess does not work; else something is missing that only some work needs. */
export interface DoctorCheckResult {
	readonly name: string;
	readonly ok: boolean;
	readonly needed: boolean;
	readonly detail: string;
	/** Further details, a line each. */
	readonly more?: readonly string[];
}

const execFileAsync = promisify(execFile);

export function checkNode(): DoctorCheckResult {
	return { name: 'Node', ok: true, needed: true, detail: `${process.versions.node}, ${process.execPath}` };
}

export function checkSqlite(): DoctorCheckResult {
	const name = 'SQLite';
	try {
		const database = new DatabaseSync(':memory:');
		try {
			database.exec("CREATE VIRTUAL TABLE words USING fts5(text); INSERT INTO words VALUES ('a')");
			const row = database.prepare('SELECT sqlite_version() AS version').get();
			return { name, ok: true, needed: true, detail: `${String(row?.['version'])} with full-text search` };
		} finally {
			database.close();
		}
	} catch (error) {
		return { name, ok: false, needed: true, detail: toErrorMessage(error) };
	}
}

export function checkHome(home: string): DoctorCheckResult {
	try {
		accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
		const isOpen = process.platform !== 'win32' && (statSync(home).mode & 0o077) !== 0;
		return isOpen
			? { name: 'Home', ok: false, needed: false, detail: `${home}: readable by other users; run chmod 700 on it` }
			: { name: 'Home', ok: true, needed: true, detail: home };
	} catch (error) {
		return { name: 'Home', ok: false, needed: true, detail: toErrorMessage(error) };
	}
}

export function checkTemporaryFolder(): DoctorCheckResult {
	const [name, path] = ['Temporary', tmpdir()];
	try {
		rmdirSync(mkdtempSync(join(path, 'prowess-doctor-')));
		return { name, ok: true, needed: false, detail: path };
	} catch (error) {
		const detail = `${toErrorMessage(error)}: create ${path}, or set TMPDIR to another folder`;
		return { name, ok: false, needed: false, detail };
	}
}

export async function checkRipgrep(candidates: readonly string[], signal: AbortSignal): Promise<DoctorCheckResult> {
	return await firstThatRuns('ripgrep', candidates, ['--version'], 'not found: our own, slower search is used', signal);
}

export async function checkGit(signal: AbortSignal): Promise<DoctorCheckResult> {
	return await firstThatRuns(
		'git',
		onPath('git'),
		['--version'],
		'not found: git.status and git.diff do not work',
		signal,
	);
}

async function firstThatRuns(
	name: string,
	candidates: readonly string[],
	words: readonly string[],
	missing: string,
	signal: AbortSignal,
	detail?: string,
): Promise<DoctorCheckResult> {
	for (const candidate of candidates) {
		try {
			// Not in the workspace, where a program could find a configuration.
			const cwd = parse(process.execPath).root;
			const { stdout } = await execFileAsync(candidate, words, { signal, timeout: cliLimits.doctorCheckMs, cwd });
			const firstLine = stdout.split('\n')[0] ?? '';
			return { name, ok: true, needed: false, detail: `${detail ?? firstLine}, ${candidate}` };
		} catch {
			signal.throwIfAborted();
			// Not there, or not to be run: the next one.
		}
	}
	return { name, ok: false, needed: false, detail: missing };
}

function onPath(program: string): string[] {
	const folders = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
	return folders.map((folder) => join(folder, process.platform === 'win32' ? `${program}.exe` : program));
}
