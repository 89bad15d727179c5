/**
 * The one place where a path of a request becomes a place on this machine. `resolve` goes by the letters of the path,
 * `locate` looks at the disk, follows links and says what is there; rules are applied to what was found.
 * Effects open what was located through `verified-open.ts`.
 */
import type { Stats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import type { WorkspaceFolder, WorkspacePort } from '../../contract/ports/ports.ts';
import { findErrno, fileError, unlessMissing } from './file-error.ts';
import { findRealPlace } from './is-folder.ts';
import { findEqualName } from './names/equal-name.ts';
import { LinkedNames } from './names/linked-names.ts';
import { foldName } from './names/name-rules.ts';
import { parsePath } from './names/path-segments.ts';
import type { ProtectedKind } from '../../contract/ops/target.ts';
import { protectedKind } from './names/protected-names.ts';
import { isReachedByGit } from './names/repository-reach.ts';
import { isInRepositoryShape } from './names/repository-shape.ts';
import { isSecretName } from './names/secret-names.ts';

interface WorkspacePath {
	readonly folder: WorkspaceFolder;
	/** Below the folder. */
	readonly segments: readonly string[];
	/**
	 * Path as requests and results write it: with the folder's name first when there are several folders; `.` is the
	 * folder itself.
	 */
	readonly path: string;
	/** Path as the user and the editor know it: below `folder.path`, which may itself be a link. */
	readonly absolutePath: string;
}

/** Workspace path with what was found on the disk, links followed. */
export interface Located extends WorkspacePath {
	readonly kind: 'file' | 'folder' | 'missing' | 'other';
	readonly size: number;
	/** Root of the folder and the place itself, free of links. */
	readonly realRoot: string;
	readonly realPath: string;
	/** Encoding of a text that does not tell its own; absent: UTF-8. */
	readonly usualEncoding?: string;
	readonly isSecret: boolean;
	readonly isProtected: boolean;
	readonly protectedKind: ProtectedKind | undefined;
}

/** Place in the workspace by its own name: a link there is found as a link, and not what it leads to. */
export interface LocatedEntry extends Omit<Located, 'kind'> {
	readonly kind: Located['kind'] | 'link';
}

type PathsPort = Pick<WorkspacePort, 'folders' | 'linked' | 'usualEncoding'>;

export class WorkspacePaths {
	readonly #workspace: PathsPort;
	readonly #platform: NodeJS.Platform;
	readonly #judgeOtherNames: (realRoot: string, realPath: string) => boolean;
	readonly #linkedNames = new LinkedNames();
	/** Pinned when a folder is first used: a root that is later swapped for a link leads nowhere. */
	readonly #realRoots = new Map<string, string>();

	/** `judgeOtherNames`: true of a file with several names (hard links) that is secret by another of them. */
	constructor(
		workspace: PathsPort,
		platform: NodeJS.Platform = process.platform,
		judgeOtherNames: (realRoot: string, realPath: string) => boolean = () => false,
	) {
		this.#workspace = workspace;
		this.#platform = platform;
		this.#judgeOtherNames = judgeOtherNames;
	}

	get folders(): readonly WorkspaceFolder[] {
		return this.#workspace.folders;
	}

	/** Places beyond the folders that commands may read. */
	get linked(): readonly string[] {
		return this.#workspace.linked ?? [];
	}

	/** Encoding of texts there that do not tell their own; undefined: UTF-8. */
	usualEncoding(absolutePath: string): string | undefined {
		return this.#workspace.usualEncoding?.(absolutePath);
	}

	/** A relative path, or an absolute one inside a workspace folder. */
	resolve(path: string): WorkspacePath {
		return this.#resolve(path, parsePath(path, this.#platform));
	}

	/** The same of a path that was found on the disk: its name may hold line ends and the like, which no caller may name. */
	resolveFound(path: string): WorkspacePath {
		return this.#resolve(path, parsePath(path, this.#platform, true));
	}

	#resolve(path: string, { isAbsolute, segments }: ReturnType<typeof parsePath>): WorkspacePath {
		const { folders } = this.#workspace;
		const [first] = folders;
		if (first === undefined) {
			throw new ProwessError('NOT_AVAILABLE_HERE', 'no folder is open', { said: text('No folder is open.') });
		}
		if (isAbsolute) {
			return (
				this.#inside(segments) ??
				this.#behindLink(segments) ??
				throwPathError('PATH_OUTSIDE_WORKSPACE', `${path} is outside the workspace`, path, folders)
			);
		}
		if (folders.length === 1) {
			return this.#at(first, segments);
		}
		const folder = folders.find((candidate) => candidate.name === segments[0]);
		return folder === undefined
			? throwPathError(
					'PATH_INVALID',
					`${path} does not start with a workspace folder: ${joinFolderNames(folders)}`,
					path,
					folders,
				)
			: this.#at(folder, segments.slice(1));
	}

	/** `.` means every folder of the workspace; anything else one place. */
	resolveScope(path: string): WorkspacePath[] {
		const { isAbsolute, segments } = parsePath(path, this.#platform);
		return !isAbsolute && segments.length === 0 && this.folders.length > 1
			? this.folders.map((folder) => this.#at(folder, []))
			: [this.resolve(path)];
	}

	/**
	 * Locates a path that `resolve` returned on the disk. Rejects with PATH_OUTSIDE_WORKSPACE when a link leads out.
	 */
	async locate(asked: WorkspacePath): Promise<Located> {
		try {
			const root = await this.#realRoot(asked.folder);
			const { existing, missing } = await existingOrEqual(root, asked.segments);
			const place = await this.#insideReal(existing);
			if (place === undefined) {
				throw new ProwessError('PATH_OUTSIDE_WORKSPACE', `${asked.path} leads out of the workspace through a link`, {
					path: asked.path,
				});
			}
			const found = this.#at(place.folder, [...place.segments, ...missing]);
			const stat = missing.length === 0 ? await lstat(existing) : undefined;
			return await this.#judged(asked, found, { stat, realRoot: place.realRoot, realPath: join(existing, ...missing) });
		} catch (error) {
			throw fileError('open', asked.path, error);
		}
	}

	/**
	 * Locates what has the path that `resolve` returned by its own name: nothing is followed, so whatever lies behind a link on
	 * the way is missing.
	 */
	async locateEntry(asked: WorkspacePath): Promise<LocatedEntry> {
		try {
			const realRoot = await this.#realRoot(asked.folder);
			let realPath = realRoot;
			let stat: Stats | undefined = await lstat(realRoot);
			for (const name of asked.segments) {
				realPath = join(realPath, name);
				stat = stat?.isDirectory() === true ? await unlessMissing(lstat(realPath)) : undefined;
			}
			const entry = await this.#judged(asked, asked, { stat, realRoot, realPath });
			return stat?.isSymbolicLink() === true ? { ...entry, kind: 'link' } : entry;
		} catch (error) {
			throw fileError('open', asked.path, error);
		}
	}

	async #judged(
		asked: WorkspacePath,
		found: WorkspacePath,
		{ stat, realRoot, realPath }: Pick<Located, 'realRoot' | 'realPath'> & { readonly stat: Stats | undefined },
	): Promise<Located> {
		const hasOtherNames = stat?.isFile() === true && stat.nlink > 1;
		const isAsNamed = asked.segments.join('/') === found.segments.join('/');
		const byLinks = this.#linkedNames.namesOf(realRoot, found.segments);
		const named = [...(isAsNamed ? [] : [asked.segments]), found.segments, ...byLinks];
		const [byName] = named.map(protectedKind).filter((each) => each !== undefined);
		const isOfGit =
			byName === undefined &&
			(isReachedByGit(realRoot, found.segments) || (await isInRepositoryShape(realRoot, found.segments)));
		const kind = isOfGit ? 'git' : byName;
		const usualEncoding = this.#workspace.usualEncoding?.(found.absolutePath);
		return {
			...found,
			...(usualEncoding === undefined ? {} : { usualEncoding }),
			kind: stat === undefined ? 'missing' : stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other',
			size: stat?.size ?? 0,
			realRoot,
			realPath,
			isSecret: named.some(isSecretName) || (hasOtherNames && this.#judgeOtherNames(realRoot, realPath)),
			isProtected: kind !== undefined,
			protectedKind: kind,
		};
	}

	/** True of a file that is secret by another of its names, such as a second name of `.env`. */
	async isSecretByOtherName(realRoot: string, realPath: string): Promise<boolean> {
		const stat = await lstat(realPath).catch(() => undefined);
		return stat?.isFile() === true && stat.nlink > 1 && this.#judgeOtherNames(realRoot, realPath);
	}

	/** For results that name absolute paths; undefined when it is outside. */
	toWorkspacePath(absolutePath: string): string | undefined {
		return this.#inside(parsePath(absolutePath, this.#platform, true).segments)?.path;
	}

	#at(folder: WorkspaceFolder, segments: readonly string[]): WorkspacePath {
		const below = segments.join('/');
		const path = this.folders.length > 1 ? [folder.name, ...segments].join('/') : below === '' ? '.' : below;
		return { folder, segments, path, absolutePath: join(folder.path, ...segments) };
	}

	#inside(segments: readonly string[]): WorkspacePath | undefined {
		const inside = this.folders
			.flatMap((folder) =>
				[folder.path, this.#realRoots.get(folder.path) ?? folder.path].map((root) => ({ folder, root })),
			)
			.map(({ folder, root }) => ({ folder, rest: this.#below(root, segments) }))
			.filter((candidate) => candidate.rest !== undefined)
			.sort((a, b) => (a.rest?.length ?? 0) - (b.rest?.length ?? 0))[0];
		return inside?.rest === undefined ? undefined : this.#at(inside.folder, inside.rest);
	}

	/**
	 * Finds a place behind a link outside of the workspace, such as the one through which the workspace was opened:
	 * `/tmp` and `/var` are links on macOS. Links inside stay as they are named.
	 */
	#behindLink(segments: readonly string[]): WorkspacePath | undefined {
		for (const folder of this.folders) {
			const real = this.#realRoots.has(folder.path) ? undefined : findRealPlace(folder.path);
			if (real !== undefined && real !== folder.path) this.#realRoots.set(folder.path, real);
		}
		const top = this.#platform === 'win32' ? '' : '/';
		for (let length = 1; length <= segments.length; length++) {
			const real = findRealPlace(join(top, ...segments.slice(0, length)));
			if (real === undefined) return undefined;
			const inside = this.#inside([...splitAbsolutePath(real, this.#platform), ...segments.slice(length)]);
			if (inside !== undefined) return inside;
		}
		return undefined;
	}

	async #insideReal(
		realPath: string,
	): Promise<{ folder: WorkspaceFolder; segments: string[]; realRoot: string } | undefined> {
		const segments = splitAbsolutePath(realPath, this.#platform);
		const roots = await Promise.all(
			this.folders.map(async (folder) => ({ folder, realRoot: await this.#realRoot(folder).catch(() => undefined) })),
		);
		return roots
			.flatMap(({ folder, realRoot }) => {
				const rest = realRoot === undefined ? undefined : this.#below(realRoot, segments);
				return rest === undefined || realRoot === undefined ? [] : [{ folder, segments: rest, realRoot }];
			})
			.sort((a, b) => a.segments.length - b.segments.length)[0];
	}

	/** Segment by segment: `/srv/app-evil` is not below `/srv/app`. */
	#below(root: string, segments: readonly string[]): string[] | undefined {
		const start = splitAbsolutePath(root, this.#platform);
		const isSamePart = (a: string, b: string | undefined) =>
			a === b || (this.#platform === 'win32' && b !== undefined && foldName(a) === foldName(b));
		return start.every((part, index) => isSamePart(part, segments[index])) ? segments.slice(start.length) : undefined;
	}

	async #realRoot(folder: WorkspaceFolder): Promise<string> {
		const known = this.#realRoots.get(folder.path);
		if (known !== undefined) {
			return known;
		}
		const real = await realpath(folder.path);
		this.#realRoots.set(folder.path, real);
		return real;
	}
}

/** Does the same as `deepestExisting`; a missing name stands for the only one that is equal to it but for its form. */
async function existingOrEqual(
	root: string,
	segments: readonly string[],
): Promise<{ existing: string; missing: string[] }> {
	let named = segments;
	for (;;) {
		const found = await deepestExisting(root, named);
		const [name] = found.missing;
		const equal = name === undefined ? undefined : await findEqualName(found.existing, name);
		if (equal === undefined) {
			return found;
		}
		const before = named.length - found.missing.length;
		named = [...named.slice(0, before), equal, ...named.slice(before + 1)];
	}
}

/** The part of a path that exists, free of links, and the names that do not. */
async function deepestExisting(
	root: string,
	segments: readonly string[],
): Promise<{ existing: string; missing: string[] }> {
	for (let length = segments.length; length >= 0; length--) {
		const path = join(root, ...segments.slice(0, length));
		try {
			const existing = await realpath(path);
			if (length < segments.length && !(await lstat(existing)).isDirectory()) {
				throw new ProwessError('NOT_A_FOLDER', `${segments.slice(0, length).join('/')} is not a folder`, {
					path: segments.slice(0, length).join('/'),
				});
			}
			return { existing, missing: segments.slice(length) };
		} catch (error) {
			const errno = findErrno(error);
			if (errno !== 'ENOENT' && errno !== 'ENOTDIR') {
				throw error;
			}
			if (errno === 'ENOENT' && length > 0 && (await isLinkAt(path))) {
				const shown = segments.slice(0, length).join('/');
				throw new ProwessError('NOT_FOUND', `${shown} is a symbolic link to something that does not exist`, {
					path: shown,
				});
			}
		}
	}
	throw new ProwessError('NOT_FOUND', `the workspace folder ${root} does not exist`, { path: root });
}

async function isLinkAt(path: string): Promise<boolean> {
	try {
		return (await lstat(path)).isSymbolicLink();
	} catch {
		// A missing entry is not a link.
		return false;
	}
}

function splitAbsolutePath(absolutePath: string, platform: NodeJS.Platform): string[] {
	const parts = absolutePath.split(platform === 'win32' ? /[/\\]/ : '/').filter((part) => part !== '');
	return platform === 'win32' && parts[0] !== undefined ? [parts[0].toLowerCase(), ...parts.slice(1)] : parts;
}

function joinFolderNames(folders: readonly WorkspaceFolder[]): string {
	return folders.map((folder) => `${folder.name}/`).join(', ');
}

function throwPathError(
	code: 'PATH_OUTSIDE_WORKSPACE' | 'PATH_INVALID',
	message: string,
	path: string,
	folders: readonly WorkspaceFolder[],
): never {
	throw new ProwessError(code, message, { path, folders: folders.map((folder) => folder.name) });
}
