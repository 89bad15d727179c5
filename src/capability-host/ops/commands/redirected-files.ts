/**
 * Files that a command of a chain reads or writes in the place of its standard streams. They are found before anybody is asked,
 * and judged as the file ops would be; the host opens them when the command's turn has come, so that the command gets a
 * descriptor and no path. What a file held is kept for undo before it is written.
 */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isProwessError, ProwessError } from '../../../protocol/errors.ts';
import { filesOf, type Redirect } from '../../../protocol/ops/commands/redirect.ts';
import { text } from '../../../protocol/text/text.ts';
import type { OpContext } from '../../contract/op-implementation.ts';
import { type FileTarget, fileTarget } from '../../gate/targets/file-target.ts';
import { errnoOf, fileError } from '../../machine/paths/file-error.ts';
import { FolderDescriptor } from '../../machine/paths/folder-descriptor.ts';
import { refuseUnlessFile } from '../../machine/paths/reading/open-file.ts';
import { readContent, standsForBytes } from '../../machine/paths/reading/read-content.ts';
import { readText } from '../../machine/paths/reading/read-file.ts';
import { verifyOpen } from '../../machine/paths/reading/verified-open.ts';
import { retryWhenStarved } from '../../machine/paths/retry-when-starved.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';
import type { OpenStreams, ProgramStreams } from '../../machine/shell/streams.ts';
import { notFound } from '../files/not-found.ts';
import type { SeenTexts } from '../files/seen-texts.ts';
import type { OpDeps } from '../op-deps.ts';

type Deps = Pick<OpDeps, 'paths' | 'documents' | 'beforeImages'> & { readonly seen: SeenTexts };
type Asking = Pick<OpContext, 'caller' | 'signal'>;
type ToFile = ReturnType<typeof filesOf>[number];

interface FoundFile {
	readonly redirect: ToFile;
	readonly located: Located;
	/** What it holds is no text, or too much of one, and is not kept. */
	readonly hasNoUndo: boolean;
}

interface FoundRedirects {
	readonly targets: readonly FileTarget[];
	/** Rejects with FILE_CHANGED when a file that loses its text has been changed since the caller read it. */
	verify(context: Asking): Promise<void>;
	/** Undefined when the command has its own streams. */
	streams(context: Asking): ProgramStreams | undefined;
}

/** `isFirst`: nothing runs before it, or in spite of its failure, so what is not there now is missing. */
export async function findRedirects(
	deps: Deps,
	redirects: readonly Redirect[],
	{ cwd, isFirst }: { readonly cwd: Located; readonly isFirst: boolean },
	asking: Asking,
): Promise<FoundRedirects> {
	const files = await Promise.all(
		filesOf(redirects).map((redirect) => findFile(deps, redirect, { cwd, isFirst }, asking)),
	);
	return {
		targets: files.map(({ located, redirect, hasNoUndo }) => ({
			...fileTarget(located, redirect.mode === 'read' ? 'read' : 'write'),
			...(hasNoUndo ? { hasNoUndo } : {}),
		})),
		async verify(context) {
			for (const { redirect, located } of files) {
				const now = await deps.paths.locate(deps.paths.resolve(located.absolutePath));
				if (now.kind === 'file' && redirect.mode === 'write') await refuseChanged(deps, now, context);
			}
		},
		streams: (context) =>
			redirects.length === 0 ? undefined : { open: () => openStreams(deps, redirects, files, context) },
	};
}

async function findFile(
	deps: Deps,
	redirect: ToFile,
	{ cwd, isFirst }: { readonly cwd: Located; readonly isFirst: boolean },
	asking: Asking,
): Promise<FoundFile> {
	const { paths } = deps;
	const { signal } = asking;
	const located = await paths.locate(paths.resolve(join(cwd.absolutePath, redirect.path)));
	if (located.kind === 'missing') {
		if (isFirst) {
			await refuseMissing(deps, redirect, located, signal);
		}
		return { redirect, located, hasNoUndo: false };
	}
	refuseUnlessFile(located);
	if (redirect.mode === 'read') {
		return { redirect, located, hasNoUndo: false };
	}
	refuseUnsaved(deps, located);
	const text = await textOf(located, signal);
	if (redirect.mode === 'write') {
		await refuseChanged(deps, located, asking, text);
	}
	return { redirect, located, hasNoUndo: text === undefined };
}

/** What is added to loses nothing, and bytes are no text that was read. */
async function refuseChanged(
	{ seen }: Deps,
	located: Located,
	{ caller, signal }: Asking,
	known?: string,
): Promise<void> {
	const text = known ?? (await textOf(located, signal));
	if (text !== undefined) {
		await seen.refuseChanged(caller, located, text);
	}
}

/** A file to read must be there, and the folder of one to write: no shell creates it. */
async function refuseMissing({ paths }: Deps, { mode }: ToFile, located: Located, signal: AbortSignal): Promise<void> {
	if (mode === 'read') {
		throw await notFound(paths, located, signal);
	}
	const folder = await paths.locate(paths.resolve(dirname(located.absolutePath)));
	if (folder.kind !== 'folder') {
		const message = `${folder.path}, the folder of ${located.path}, does not exist: create it first`;
		throw new ProwessError('NOT_FOUND', message, { path: folder.path });
	}
}

function refuseUnsaved({ documents }: Deps, { path, absolutePath }: Located): void {
	if (documents.readOpen(absolutePath)?.unsaved === true) {
		const message = `${path} is open with changes that are not saved. Ask the user to save or discard them`;
		const said = text('"{path}" has changes in the editor that are not saved. Save or discard them first.', { path });
		throw new ProwessError('INVALID_STATE', message, { path, said });
	}
}

/** Undefined for what is not kept. */
async function textOf(located: Located, signal: AbortSignal): Promise<string | undefined> {
	try {
		return (await readText(located, signal)).text;
	} catch (error) {
		if (isProwessError(error) && (error.code === 'FILE_IS_BINARY' || error.code === 'FILE_TOO_LARGE')) {
			return undefined;
		}
		throw error;
	}
}

interface OpenFile extends FoundFile {
	readonly handle: FileHandle;
	/** Whoever wrote it knows all of its text then: it replaced it, or knew what it added to. */
	readonly isKnown: boolean;
}

/** All are open, and what they held is kept, before the first of them is emptied. */
async function openStreams(
	deps: Deps,
	redirects: readonly Redirect[],
	files: readonly FoundFile[],
	context: Asking,
): Promise<OpenStreams> {
	const opened: OpenFile[] = [];
	const close = async () => {
		for (const each of opened.splice(0)) await closeFile(deps, each, context);
	};
	try {
		for (const file of files) {
			opened.push({ ...file, ...(await openFile(deps, file, context)) });
		}
		for (const { redirect, handle } of opened) {
			if (redirect.mode === 'write') await handle.truncate(0);
		}
	} catch (error) {
		await close();
		throw error;
	}
	const handles = new Map(opened.map(({ redirect, handle }) => [redirect, handle.fd] as const));
	return { ...wired(redirects, handles), close };
}

/** Each redirect changes one stream, and `to` takes what the other one is by then. */
function wired(redirects: readonly Redirect[], files: ReadonlyMap<Redirect, number>): Omit<OpenStreams, 'close'> {
	const streams: { -readonly [S in 'stdin' | 'stdout' | 'stderr']: OpenStreams[S] } = {
		stdin: undefined,
		stdout: 'stdout',
		stderr: 'stderr',
	};
	for (const redirect of redirects) {
		if ('to' in redirect) {
			streams[redirect.stream] = streams[redirect.to];
		} else {
			streams[redirect.stream] = files.get(redirect) ?? 'nothing';
		}
	}
	return streams;
}

async function openFile(
	deps: Deps,
	file: FoundFile,
	{ caller, signal }: Asking,
): Promise<Pick<OpenFile, 'handle' | 'isKnown'>> {
	const { paths, beforeImages, seen } = deps;
	const { redirect, located, hasNoUndo } = file;
	signal.throwIfAborted();
	const now = await paths.locate(paths.resolve(located.absolutePath));
	const isSame = now.realPath === located.realPath;
	if (!isSame || now.isSecret !== located.isSecret || now.isProtected !== located.isProtected) {
		throw changed(located);
	}
	if (redirect.mode === 'read') {
		refuseUnlessFile(now);
		return { handle: await openIn(now, constants.O_RDONLY), isKnown: false };
	}
	if (now.kind !== 'missing') {
		refuseUnlessFile(now);
		refuseUnsaved(deps, now);
	}
	const before = now.kind === 'missing' ? undefined : await textOf(now, signal);
	if (!hasNoUndo) {
		if (now.kind !== 'missing' && before === undefined) {
			throw changed(located);
		}
		const { path, absolutePath } = located;
		await beforeImages.keep({ caller, path, absolutePath, before });
	}
	signal.throwIfAborted();
	const append = redirect.mode === 'append' ? constants.O_APPEND : 0;
	const create = now.kind === 'missing' ? constants.O_CREAT | constants.O_EXCL : 0;
	const isKnown = redirect.mode === 'write' || before === undefined || (await seen.knows(caller, now, before));
	return { handle: await openIn(now, constants.O_WRONLY | append | create), isKnown };
}

/** Opens a regular file with one name, through its folder and without following links. */
async function openIn(located: Located, access: number): Promise<FileHandle> {
	const below = relative(located.realRoot, located.realPath).split(sep);
	const name = below.pop() ?? '';
	const flags = access | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
	try {
		const folder = await FolderDescriptor.reach(located.realRoot, below);
		try {
			const path = folder.at(name);
			if ((access & constants.O_CREAT) === 0 && !(await lstat(path)).isFile()) {
				throw changed(located);
			}
			const handle = await retryWhenStarved(() => open(path, flags, 0o666));
			try {
				await verifyFile(handle, located, access);
				await folder.verify();
				return handle;
			} catch (error) {
				await handle.close();
				throw error;
			}
		} finally {
			await folder.close();
		}
	} catch (error) {
		throw errnoOf(error) === 'EEXIST' || errnoOf(error) === 'ELOOP'
			? changed(located)
			: fileError(access === constants.O_RDONLY ? 'read' : 'write', located.path, error);
	}
}

async function verifyFile(handle: FileHandle, located: Located, access: number): Promise<void> {
	const { path } = located;
	const stat = await handle.stat();
	if (!stat.isFile()) {
		throw changed(located);
	}
	await verifyOpen(handle, located.realPath);
	if (access !== constants.O_RDONLY && stat.nlink !== 1) {
		const message = `${path} has ${stat.nlink} hard links: writing would change its other names, too`;
		throw new ProwessError('NOT_A_FILE', message, { path, links: stat.nlink });
	}
}

/** Notes what the command has left in it, for undo and for later changes by others. */
async function closeFile(
	{ paths, beforeImages, seen }: Deps,
	{ redirect, located, handle, isKnown }: OpenFile,
	{ caller }: Asking,
): Promise<void> {
	await handle.close().catch(() => undefined);
	if (redirect.mode === 'read') {
		return;
	}
	const { absolutePath } = located;
	try {
		const now = await paths.locate(paths.resolve(absolutePath));
		// The op may have been stopped; what it has written is noted all the same.
		const after = now.kind === 'missing' ? undefined : await readContent(now, AbortSignal.any([]));
		beforeImages.written({ caller, absolutePath, after });
		if (after !== undefined && isKnown && !standsForBytes(after)) {
			seen.saw(caller, now, after);
		}
	} catch {
		// It cannot be read any more: then it counts as changed by somebody else.
	}
}

function changed({ path }: Located): ProwessError {
	return new ProwessError('FILE_CHANGED', `${path} was replaced since it was looked at`, { path });
}
