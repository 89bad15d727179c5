/** The sandbox of one command on macOS: each of its programs starts behind a profile of its own, and nothing is mounted. */
import { userHomeFolder } from '../../environment.ts';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Disposable } from '../../../base/disposable.ts';
import type { ProgramSandbox, SandboxRequest } from '../command-wall.ts';
import type { SandboxEntry } from '../entry.ts';
import { MAX_FILE_BLOCKS, MAX_FILES_OF_PROCESS, MAX_PROCESSES_OF_USER } from '../limits.ts';
import { cacheName } from '../mounts/home-contents.ts';
import { homeOfUser, homeTable, resolveHomeEntry } from '../mounts/home-table.ts';
import { isInFolder } from '../mounts/mounts.ts';
import { withoutCredentials } from '../mounts/without-credentials.ts';
import type { CommandFolders } from '../sandbox-folders.ts';
import { watchDisks } from '../watch/disk-watch.ts';
import { watchFolders } from '../watch/folder-watch.ts';
import type { SandboxWatchLimits } from '../watch/watch-limits.ts';
import { endMarked, COMMAND_MARK } from './marked-processes.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';

export interface SeatbeltOptions extends Pick<SandboxRequest, 'environment' | 'reach' | 'isWritable'> {
	/** sandbox-exec. */
	readonly program: string;
	readonly own: CommandFolders;
	/** PROWESS_HOME. */
	readonly home: string;
	/** Folders of the workspace, free of links. */
	readonly roots: readonly string[];
	readonly limits: SandboxWatchLimits;
	/** Lets go of its folders. */
	tidy(): void;
}

/** Homes, places of keys, and temporary folders, which all programs of a user share. */
const SEATBELT_HIDDEN = ['/Users', '/home', '/root', '/private/var/root', '/Volumes', '/Library/Keychains'];
const SHARED_TEMPORARIES = ['/tmp', '/var/tmp', '/var/folders'];
/** For `sh`: what it cannot set it passes over, since the system's own may be lower. */
const LIMITED = [
	...[`-n ${MAX_FILES_OF_PROCESS}`, `-u ${MAX_PROCESSES_OF_USER}`, `-f ${MAX_FILE_BLOCKS}`, '-c 0'].map(
		(limit) => `(ulimit ${limit}) 2>/dev/null && ulimit ${limit}`,
	),
	'exec "$@"',
].join('\n');

export class OpenSeatbelt implements ProgramSandbox {
	readonly hasOwnProcesses = false;
	readonly environment: Readonly<Record<string, string>>;
	readonly #options: SeatbeltOptions;
	readonly #mark = randomBytes(16).toString('hex');
	readonly #exceeded = new Set<string>();
	#closed: Promise<readonly string[]> | undefined;

	constructor(options: SeatbeltOptions) {
		this.#options = options;
		const { environment, own } = options;
		furnishHome(own, environment);
		this.environment = {
			...environment,
			HOME: own.home,
			TMPDIR: own.temporary,
			TMP: own.temporary,
			TEMP: own.temporary,
			[COMMAND_MARK]: this.#mark,
		};
	}

	enter(file: string, args: readonly string[], hasOneOutput = false): SandboxEntry {
		const { program, own, home, roots, isWritable, reach, environment } = this.#options;
		const userHome = environment['HOME'] ?? userHomeFolder();
		const tools = homeTable
			.filter(({ as }) => as === 'tools')
			.map((entry) => resolveHomeEntry(entry, userHome, environment));
		const profile = seatbeltProfile({
			hidden: listRealPaths([...SEATBELT_HIDDEN, ...SHARED_TEMPORARIES, tmpdir(), userHome, homeOfUser(), home]).filter(
				(path) => path !== '/',
			),
			tools: listRealPaths([...tools, file]),
			own: listRealPaths([own.temporary, own.home, own.caches, own.cachesElsewhere]),
			workspace: roots,
			isWritable,
			reach: { read: listRealPaths(reach.read), write: listRealPaths(reach.write) },
			gitSettings: roots.map((root) => join(root, '.git/config')).filter((path) => hasNoCredentials(path, own.root)),
		});
		const entering = hasOneOutput ? `${LIMITED} 2>&1` : LIMITED;
		return { file: program, args: ['-p', profile, '/bin/sh', '-c', entering, 'sh', file, ...args], gate: undefined };
	}

	/** Does not act: Seatbelt judges each path when it is used. */
	renew(): void {}

	watch(_leader: number, kill: () => void): Disposable {
		const { limits, roots, own } = this.#options;
		const endExceeded = (why: string) => {
			this.#exceeded.add(why);
			kill();
		};
		const folders = watchFolders([own.temporary, own.home], limits.temporaryBytes, endExceeded);
		const disks = watchDisks([...roots, own.root], limits.diskReserveBytes, endExceeded);
		return {
			dispose: () => {
				folders.dispose();
				disks.dispose();
			},
		};
	}

	close(failure: string | undefined): Promise<readonly string[]> {
		this.#closed ??= this.#close(failure);
		return this.#closed;
	}

	async #close(failure: string | undefined): Promise<readonly string[]> {
		await endMarked(this.#mark);
		this.#options.tidy();
		const isKept = failure !== undefined && /operation not permitted|EPERM/i.test(failure);
		const lacked =
			'The sandbox seems to have kept it from a file, a host or another program. Ask with needs.read, needs.write or needs.noSandbox.';
		return [...this.#exceeded, ...(isKept ? [lacked] : [])];
	}
}

/** Tools of the user's home, and the caches of the workspace, where programs look for them. */
function furnishHome(own: CommandFolders, environment: Readonly<Record<string, string>>): void {
	const home = environment['HOME'] ?? userHomeFolder();
	for (const entry of homeTable.filter(({ as }) => as !== 'settings')) {
		const place = resolveHomeEntry(entry, home, environment);
		const to = entry.as === 'cache' ? join(own.caches, cacheName(place, home)) : place;
		if (isInFolder(place, home) && place !== home && existsSync(to)) {
			const at = join(own.home, relative(home, place));
			rmSync(at, { recursive: true, force: true });
			mkdirSync(dirname(at), { recursive: true, mode: 0o700 });
			symlinkSync(to, at);
		}
	}
}

function hasNoCredentials(path: string, folder: string): boolean {
	return existsSync(path) && withoutCredentials(path, folder) === path;
}

function listRealPaths(paths: readonly string[]): string[] {
	return [...new Set(paths.filter((path) => existsSync(path)).map((path) => realpathSync.native(path)))];
}
