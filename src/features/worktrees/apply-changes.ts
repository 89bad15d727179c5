/**
 * Brings changes of a worktree home, as changes of the workspace: three-way, each file whole or not at all. Where both sides
 * have changed the same lines, nothing is written. A killed one is gone on with by the next: what is there already is left.
 */
import { createHash } from 'node:crypto';
import { mkdir, rmdir, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Caller } from '../../contract/ops/caller.ts';
import type { BeforeImages } from '../../contract/ops/op-implementation.ts';
import type { DocumentPort } from '../../contract/ports/ports.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { ThreadId } from '../../protocol/rpc/ids.ts';
import { text } from '../../protocol/text/text.ts';
import { forceRemoveFolder } from '../../machine/home-files/remove-entries.ts';
import { FolderDescriptor } from '../../machine/paths/folder-descriptor.ts';
import { contentIn } from '../../machine/paths/reading/read-content.ts';
import { removeFile } from '../../machine/paths/remove-file.ts';
import type { Located, WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import { writeBytes } from '../../machine/paths/write-file.ts';
import { noteApplied } from './applied-content.ts';
import { type FileEntry, isSameEntry, readEntry } from './file-entry.ts';
import { DIFF_BYTES } from './limits.ts';
import type { UserRepository } from './repository.ts';
import { type ComparedFile, compareFiles } from './worktree-changes.ts';
import { formatChanges } from './worktree-patch.ts';
import type { AppliedChanges, WorktreeRecord } from './worktree.ts';
import type { WorktreeRecords } from './worktree-records.ts';

export interface ApplyingDeps {
	readonly records: WorktreeRecords;
	/** Variables of commands. */
	readonly environment: Readonly<Record<string, string>>;
	/** Paths of the workspace that the changes come home to. */
	readonly paths: WorkspacePaths;
	readonly images: BeforeImages;
	readonly documents: Pick<DocumentPort, 'readOpen'>;
	/** The host itself is about to write there. */
	expect(absolutePath: string): void;
	/** The second of each pair of absolute paths is about to get what the first holds, with its label. */
	carryMade(pairs: readonly (readonly [from: string, to: string])[], signal: AbortSignal): Promise<void>;
}

/** Has the files of the workspace count as text from outside where those of the worktree do. */
export async function carryLabelsHome(
	{ records, carryMade }: Pick<ApplyingDeps, 'records' | 'carryMade'>,
	record: WorktreeRecord,
	paths: readonly string[],
	signal: AbortSignal,
): Promise<void> {
	const work = records.workOf(record);
	await carryMade(
		paths.map((path) => [join(work, path), join(record.project, path)]),
		signal,
	);
}

/** Whose version counts where both sides have changed the same lines. */
export type TakenSide = 'worktree' | 'workspace';

interface ApplyWish {
	/** Undefined: all. */
	readonly paths: readonly string[] | undefined;
	readonly take?: TakenSide | undefined;
	/** Whose changes these are then; absent: those of the worktree's owner. */
	readonly caller?: Caller | undefined;
	/** Fingerprint of the plan: other changes are not applied. */
	readonly planned?: string | undefined;
}

/** Plan of what applying would write. */
export interface PlannedChanges {
	/** Places that would be written, as they are found in the workspace. */
	readonly targets: readonly Located[];
	readonly patch: string;
	/** The same as long as the changes are. */
	readonly fingerprint: string;
}

/** Has no effect. Rejects with NOT_FOUND for a path without a change. */
export async function planApplying(
	deps: ApplyingDeps,
	record: WorktreeRecord,
	paths: readonly string[] | undefined,
	signal: AbortSignal,
): Promise<PlannedChanges> {
	const { wanted } = await wantedFiles(deps, record, paths, signal);
	const targets = await locateAll(deps, record, wanted);
	return { targets, patch: formatChanges(wanted, DIFF_BYTES), fingerprint: hashChanges(wanted, targets) };
}

/** Places of the files in the workspace, without those where something else lies in the way. */
async function locateAll(
	deps: ApplyingDeps,
	record: WorktreeRecord,
	files: readonly ComparedFile[],
): Promise<readonly Located[]> {
	const found: Located[] = [];
	for (const { path } of files) found.push(...[(await locateHome(deps, record, path)) ?? []].flat());
	return found;
}

/** A place that is free by now, or steers by now, is not the one that was asked about. */
function hashChanges(files: readonly ComparedFile[], targets: readonly Located[]): string {
	const hash = createHash('sha256');
	hash.update(JSON.stringify(targets.map(({ path, isProtected, isSecret }) => [path, isProtected, isSecret])));
	for (const { path, now } of files) {
		const content = now?.kind === 'file' ? createHash('sha256').update(now.bytes).digest('hex') : undefined;
		const rest = now?.kind === 'file' ? now.isExecutable : now?.kind === 'link' ? now.target : null;
		hash.update(JSON.stringify([path, now?.kind ?? null, content ?? null, rest]));
	}
	return hash.digest('hex');
}

async function wantedFiles(
	deps: ApplyingDeps,
	record: WorktreeRecord,
	paths: readonly string[] | undefined,
	signal: AbortSignal,
) {
	const { files, ...compared } = await compareFiles(deps, record, signal);
	const unknown = paths?.find((path) => !files.some((file) => file.path === path));
	if (unknown !== undefined) {
		throw new ProwessError('NOT_FOUND', `${unknown} has no change in the worktree ${record.name}`, {
			path: unknown,
			said: text('{path} has no change in this worktree.', { path: unknown }),
		});
	}
	return { ...compared, wanted: files.filter(({ path }) => paths === undefined || paths.includes(path)) };
}

type Outcome = 'same' | 'written' | 'merged' | 'conflict';

/** For the one who holds the lock of the project. */
export async function applyChanges(
	deps: ApplyingDeps,
	record: WorktreeRecord,
	wish: ApplyWish,
	signal: AbortSignal,
): Promise<AppliedChanges> {
	const { wanted, submodules, outside, repository } = await wantedFiles(deps, record, wish.paths, signal);
	if (wish.planned !== undefined && wish.planned !== hashChanges(wanted, await locateAll(deps, record, wanted))) {
		const message = `the worktree ${record.name} has changed since its changes were looked at; look again`;
		throw new ProwessError('FILE_CHANGED', message, { path: record.name });
	}
	const caller = wish.caller ?? ({ kind: 'user', threadId: ThreadId.parse(record.owner) } as const);
	const coming = wanted.filter(({ now }) => now !== undefined).map(({ path }) => path);
	await carryLabelsHome(deps, record, coming, signal);
	const by: Record<Outcome, string[]> = { same: [], written: [], merged: [], conflict: [] };
	const steering: string[] = [];
	// Deletions come first: a folder may come where a file was.
	const ordered = [...wanted.filter(({ now }) => now === undefined), ...wanted.filter(({ now }) => now !== undefined)];
	for (const file of ordered) {
		signal.throwIfAborted();
		const located = await locateHome(deps, record, file.path);
		const outcome =
			located === undefined
				? 'conflict'
				: await applyFile({ ...deps, repository, caller }, record, file, located, wish.take, signal);
		by[outcome].push(file.path);
		if (outcome !== 'conflict') await noteApplied(deps.records, record, file.path, file.now);
		if ((outcome === 'written' || outcome === 'merged') && located?.isProtected === true) steering.push(file.path);
	}
	const { written, merged, conflict, same } = by;
	return {
		written: written.sort(),
		merged,
		conflicts: conflict.sort(),
		same: same.length,
		submodules,
		outside,
		steering,
		owner: record.owner,
	};
}

/** Undefined: something else lies in the way, such as a link that leads out of the workspace. */
async function locateHome(
	{ paths }: ApplyingDeps,
	{ project }: WorktreeRecord,
	path: string,
): Promise<Located | undefined> {
	try {
		const absolute = join(project, path);
		const located = await paths.locate(paths.resolve(absolute));
		// A link in the workspace: the file that it leads to is another one.
		return located.realPath === join(located.realRoot, ...located.segments) && located.absolutePath === absolute
			? located
			: undefined;
	} catch (error) {
		if (isProwessError(error) && error.code !== 'IO_ERROR') return undefined;
		throw error;
	}
}

interface FileApplying extends ApplyingDeps {
	readonly repository: UserRepository | undefined;
	readonly caller: Caller;
}

async function applyFile(
	deps: FileApplying,
	record: WorktreeRecord,
	{ path, base, now }: ComparedFile,
	located: Located,
	take: TakenSide | undefined,
	signal: AbortSignal,
): Promise<Outcome> {
	const target = join(record.project, path);
	const ours = await readEntry(target);
	if (isSameEntry(ours, now)) return 'same';
	const isUnsaved = (await deps.documents.readOpen(target))?.unsaved === true;
	if (isLeftAlone(now) || isLeftAlone(ours) || isUnsaved) return 'conflict';
	const isOurs = isSameEntry(ours, base);
	if (!isOurs && take === 'workspace') return 'same';
	const merged =
		isOurs || take === 'worktree' ? undefined : await mergeTexts(deps, record, { base, ours, now }, signal);
	if (merged === undefined && !isOurs && take === undefined) return 'conflict';
	try {
		await putHome(deps, located, ours, merged ?? now, signal);
		return merged === undefined ? 'written' : 'merged';
	} catch (error) {
		// Somebody else was faster, or the file has other names: it is left as it is.
		if (isProwessError(error) && (error.code === 'FILE_CHANGED' || error.code === 'NOT_A_FILE')) return 'conflict';
		throw error;
	}
}

/** True of what is neither brought home nor written over. */
function isLeftAlone(entry: FileEntry | undefined): boolean {
	return entry?.kind === 'folder' || entry?.kind === 'other';
}

/** Undefined: they do not go together, or are no texts. */
async function mergeTexts(
	{ records, repository }: FileApplying,
	{ name }: WorktreeRecord,
	sides: {
		readonly base: FileEntry | undefined;
		readonly ours: FileEntry | undefined;
		readonly now: FileEntry | undefined;
	},
	signal: AbortSignal,
): Promise<FileEntry | undefined> {
	const { base, ours, now } = sides;
	if (repository === undefined || base?.kind !== 'file' || ours?.kind !== 'file' || now?.kind !== 'file')
		return undefined;
	// The side that has changed whether it is a program says so.
	const isExecutable = now.isExecutable === base.isExecutable ? ours.isExecutable : now.isExecutable;
	const permissions = isExecutable ? ours.permissions | 0o111 : ours.permissions & ~0o111;
	const folder = records.scratchOf(name);
	await mkdir(folder, { recursive: true, mode: 0o700 });
	try {
		const places = { ours, base, now };
		for (const [side, entry] of Object.entries(places))
			await writeFile(join(folder, side), entry.bytes, { mode: 0o600 });
		const args = ['merge-file', '-p', '--quiet', ...Object.keys(places).map((side) => join(folder, side))];
		const { exitCode, stdout, truncated } = await repository.tryGit(args, signal);
		return exitCode === 0 && !truncated ? { kind: 'file', bytes: stdout, isExecutable, permissions } : undefined;
	} finally {
		await forceRemoveFolder(folder);
	}
}

/** `before` must still be there. The text before is kept first, so that this can be undone. */
async function putHome(
	{ images, expect, caller }: FileApplying,
	located: Located,
	before: FileEntry | undefined,
	after: FileEntry | undefined,
	signal: AbortSignal,
): Promise<void> {
	const { path, absolutePath, usualEncoding } = located;
	const textOf = (entry: FileEntry | undefined) =>
		entry?.kind === 'file' ? contentIn(entry.bytes, usualEncoding) : undefined;
	const isKept = before?.kind !== 'link' && after?.kind !== 'link';
	if (isKept) await images.keep({ caller, path, absolutePath, before: textOf(before) });
	expect(absolutePath);
	if (after?.kind === 'file' && before?.kind !== 'link') {
		const permissions =
			before?.kind === 'file' && before.isExecutable === after.isExecutable ? before.permissions : after.permissions;
		await writeBytes(
			located,
			before?.kind === 'file' ? before.bytes : undefined,
			{ bytes: after.bytes, permissions },
			signal,
		);
	} else {
		if (before !== undefined) await removeBefore(located, before);
		if (after?.kind === 'file') await writeBytes(located, undefined, after, signal);
		if (after?.kind === 'link') await makeLink(located, after.target);
	}
	if (isKept) images.written({ caller, absolutePath, after: textOf(after) });
}

async function removeBefore(located: Located, before: FileEntry): Promise<void> {
	if (!isSameEntry(await readEntry(located.absolutePath), before)) {
		throw new ProwessError('FILE_CHANGED', `${located.path} has changed since it was compared`, { path: located.path });
	}
	if (before.kind === 'file') await removeFile(located);
	else await unlink(located.absolutePath);
	await removeEmptyFolders(located);
}

/** Git keeps no empty folders, and one may lie where a file is to come. */
async function removeEmptyFolders({ realRoot, segments }: Located): Promise<void> {
	for (let length = segments.length - 1; length > 0; length--) {
		try {
			await rmdir(join(realRoot, ...segments.slice(0, length)));
		} catch {
			return;
		}
	}
}

async function makeLink({ realRoot, segments }: Located, target: string): Promise<void> {
	const folder = await FolderDescriptor.enter(
		realRoot,
		dirname(segments.join('/'))
			.split('/')
			.filter((each) => each !== '.'),
	);
	try {
		await symlink(target, folder.at(segments.at(-1) ?? ''));
	} finally {
		await folder.close();
	}
}
