/**
 * Files of workspaces that commands made while they were connected: downloaded, cloned, pulled. Nobody here wrote them, so what
 * they say counts as text from outside, in each thread and after a restart.
 */
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { LogPort, WorkspacePort } from '../../../contract/ports/ports.ts';
import { LatestReading } from '../../../machine/home-files/latest-reading.ts';
import { SharedJson } from '../../../machine/home-files/shared-json.ts';
import type { CommandState } from '../../../protocol/ops/definitions/commands/shell.ts';
import { text } from '../../../protocol/text/text.ts';
import * as z from '../../../protocol/text/zod.ts';
import { MADE_ELSEWHERE_FILE, MAX_MADE_ELSEWHERE } from './limits.ts';

/** Absolute paths: of files, and of folders in place of too many. */
const MadePaths = z.object({ paths: z.array(z.string()) });
type MadePaths = z.infer<typeof MadePaths>;

const NOTHING_MADE: MadePaths = { paths: [] };

type FileMadeElsewhere = NonNullable<CommandState['changed']>[number];

/** Where a path is read or written: relative paths are of this workspace. */
type MadePlace = Pick<WorkspacePort, 'folders' | 'origin'>;

interface MadeElsewhereDeps {
	readonly home: string;
	readonly log: Pick<LogPort, 'warn'>;
}

export class MadeElsewhere {
	readonly #file: SharedJson<MadePaths>;
	readonly #kept: LatestReading<MadePaths>;
	#known: ReadonlySet<string> = new Set();

	constructor({ home, log }: MadeElsewhereDeps) {
		this.#file = new SharedJson<MadePaths>({
			path: join(home, MADE_ELSEWHERE_FILE),
			schema: MadePaths,
			empty: NOTHING_MADE,
			consequence: text('every file counts as text from outside'),
			misfit: 'the files that a command has fetched cannot be noted. Look at what it made before you go on',
		});
		this.#kept = new LatestReading<MadePaths>({ read: () => this.#file.read(), empty: NOTHING_MADE, log });
	}

	/** To be waited for before `has`. Rejects only when the signal aborts. */
	async refresh(signal: AbortSignal): Promise<void> {
		const before = this.#kept.current;
		await this.#kept.refresh(signal);
		if (this.#kept.current !== before) this.#known = new Set(this.#kept.current.paths);
	}

	/**
	 * `path`: absolute, or as the workspace shows it, or as a command in its folder would write it. Worktrees
	 * begin with what their project holds, so what was made there counts in them, too.
	 */
	has(path: string, place: MadePlace): boolean {
		if (this.#kept.problem !== undefined) return true;
		return this.#known.size > 0 && listMadePaths(path, place).some((each) => this.#isKnown(each));
	}

	/** True for a folder with such files in it; `path` as in `has`. */
	holds(path: string, place: MadePlace): boolean {
		return listMadePaths(path, place).some((each) => this.#below(each).length > 0);
	}

	/** Absolute paths of what was made in a folder. */
	#below(folder: string): string[] {
		return [...this.#known].filter((path) => path.startsWith(join(folder, sep)));
	}

	#isKnown(absolutePath: string): boolean {
		for (let at = absolutePath; ; at = dirname(at)) {
			if (this.#known.has(at)) return true;
			if (dirname(at) === at) return false;
		}
	}

	/** Adds the files that a command made. Resolves once they are on the disk; rejects with INVALID_STATE when they cannot be. */
	async add(changed: readonly FileMadeElsewhere[], { folders }: MadePlace, signal: AbortSignal): Promise<void> {
		const paths = changed.filter(({ kind }) => kind === 'created').map(({ path }) => path);
		await this.#add(
			paths.map((path) => resolveMadePath(path, folders)),
			signal,
		);
	}

	/** The second of each pair of absolute paths gets what the first holds, or has in it. Resolves and rejects as `add` does. */
	async carry(pairs: readonly (readonly [from: string, to: string])[], signal: AbortSignal): Promise<void> {
		const nowhere = { folders: [] };
		await this.#add(
			pairs.flatMap(([from, to]) =>
				this.has(from, nowhere) ? [to] : this.#below(from).map((path) => join(to, relative(from, path))),
			),
			signal,
		);
	}

	/** A file or folder is about to be moved; paths as in `has`. */
	async move(from: string, to: string, place: MadePlace, signal: AbortSignal): Promise<void> {
		const moved = resolveMadePath(to, place.folders);
		await this.carry(
			listMadePaths(from, place).map((each) => [each, moved] as const),
			signal,
		);
	}

	async #add(absolutePaths: readonly string[], signal: AbortSignal): Promise<void> {
		const isKnown = (path: string) => this.#kept.problem === undefined && this.#isKnown(path);
		const added = absolutePaths.filter((path) => !isKnown(path));
		if (added.length === 0) return;
		await this.#file.change((made) => ({ paths: foldPaths([...new Set([...made.paths, ...added])]) }), signal);
		await this.refresh(signal);
	}
}

/** The absolute path, and in a worktree the one of its project. */
function listMadePaths(path: string, { folders, origin }: MadePlace): readonly string[] {
	const absolute = resolveMadePath(path, folders);
	const [folder] = folders;
	const below = folder === undefined || origin === undefined ? '..' : relative(folder.path, absolute);
	const isOfProject = origin !== undefined && !below.split(sep).includes('..') && !isAbsolute(below);
	return isOfProject ? [absolute, join(origin.path, below)] : [absolute];
}

function resolveMadePath(path: string, folders: MadePlace['folders']): string {
	if (isAbsolute(path)) return path;
	const [name = '', ...rest] = path.split('/');
	const named = folders.length > 1 ? folders.find((folder) => folder.name === name) : undefined;
	return named === undefined ? join(folders[0]?.path ?? '/', path) : join(named.path, ...rest);
}

/** Puts folders in the place of too many files: a limit that is reached takes in more, never less. */
function foldPaths(paths: readonly string[]): string[] {
	let all = [...paths];
	while (all.length > MAX_MADE_ELSEWHERE) {
		const deepest = Math.max(...all.map((path) => path.split(/[\\/]/).length));
		all = [...new Set(all.map((path) => (path.split(/[\\/]/).length === deepest ? dirname(path) : path)))];
	}
	return all;
}
