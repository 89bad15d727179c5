/** Ports of a host without an editor: its log, documents, places and workspace. */
import { userHomeFolder } from '../../machine/environment.ts';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import type { DocumentPort, LogPort, PlacesPort, WorkspaceFolder, WorkspacePort } from '../../contract/ports/ports.ts';
import { findRealPlace } from '../../machine/paths/is-folder.ts';
import { encodingLabel } from '../../base/text/encoding-label.ts';
import { worktreeOrigin } from '../../features/worktrees/worktree-origin.ts';
import { installation } from '../home/installation.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../terminal/usage-error.ts';

type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The log of the CLI: standard error. Errors always, since nobody would look for them; everything else with `--verbose`. */
export function createLog(terminal: Terminal, isVerbose: boolean): LogPort {
	const createLevelLog = (level: LogLevel) => (message: string, facts?: Readonly<Record<string, unknown>>) => {
		if (isVerbose || level === 'error') {
			const shown = facts === undefined || Object.keys(facts).length === 0 ? '' : ` ${JSON.stringify(facts)}`;
			terminal.err(`[${level}] ${message}${shown}\n`);
		}
	};
	return {
		debug: createLevelLog('debug'),
		info: createLevelLog('info'),
		warn: createLevelLog('warn'),
		error: createLevelLog('error'),
	};
}

/** Without an editor no document is open. */
export const documents: DocumentPort = {
	readOpen: () => undefined,
	writeOpen: async () => undefined,
};

/** Places on this machine. Only absolute entries of PATH count: a relative one would mean the workspace. */
export function createPlaces(home: string, searchPath: string | undefined, ripgrepPath: string): PlacesPort {
	const program = process.platform === 'win32' ? 'rg.exe' : 'rg';
	const onPath = (searchPath ?? '')
		.split(delimiter)
		.filter(isAbsolute)
		.map((folder) => join(folder, program));
	return {
		home,
		userHome: userHomeFolder(),
		dist: installation.dist,
		ripgrepCandidates: [...(ripgrepPath === '' ? [] : [ripgrepPath]), ...onPath],
	};
}

/**
 * Workspace of one folder, trusted before anything is composed; or of none, for commands that work on our own state
 * only. `encoding`: that of texts which do not tell their own, as the user names it; undefined: UTF-8. `named`: absolute
 * paths by which the user may have named the folder. Throws a UsageError for an encoding that nobody knows.
 */
export function createWorkspace(
	folder: string | undefined,
	home: string,
	{ encoding, named = [] }: { readonly encoding?: string | undefined; readonly named?: readonly string[] },
): WorkspacePort {
	const usual = encoding === undefined || /^utf-?8$/i.test(encoding) ? undefined : encodingLabel(encoding);
	if (encoding !== undefined && usual === undefined && !/^utf-?8$/i.test(encoding)) {
		throw new UsageError(
			`--encoding: unknown encoding "${encoding}"; name one such as gbk, shift_jis, koi8-r or windows-1250`,
		);
	}
	const origin = folder === undefined ? undefined : worktreeOrigin(home, folder);
	return {
		folders: folder === undefined ? [] : [namedByPath(folder)],
		openedBy: [...new Set(named)].filter((path) => path !== folder && findRealPlace(path) === folder),
		isTrusted: folder !== undefined,
		usualEncoding: () => usual,
		...(origin !== undefined && { origin: namedByPath(origin.project), linked: origin.linked }),
		// Neither changes while a command runs.
		onDidChange: () => ({ dispose() {} }),
	};
}

function namedByPath(path: string): WorkspaceFolder {
	return { name: basename(path) || 'root', path };
}
