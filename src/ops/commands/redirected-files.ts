/**
 * Files that a command of a chain reads or writes in the place of its standard streams. They are found before anybody
 * is asked, and judged as the file ops would be. The host opens them when the command's turn has come, so that the
 * command gets a descriptor and no path. The content of a file is kept for undo before the file is written.
 */
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { listRedirectFiles, type Redirect } from '../../protocol/ops/commands/redirect.ts';
import type { OpContext } from '../../contract/ops/op-implementation.ts';
import { refuseUnlessFile } from '../../machine/paths/reading/open-file.ts';
import { readContent, standsForBytes } from '../../machine/paths/reading/read-content.ts';
import { readLocatedText } from '../../machine/paths/reading/read-file.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';
import type { OpenStreams, ProgramStreams } from '../../machine/shell/streams.ts';
import { createFileTarget, type FileTarget } from '../../trust/gate/targets.ts';
import { refuseUnsavedFile } from '../files/current-text.ts';
import { createPathNotFound } from '../files/not-found.ts';
import type { SeenTexts } from '../seen-texts.ts';
import type { FileDeps } from '../files/file-deps.ts';
import type { BeyondTarget } from './command-needs.ts';
import { openStreamFile, streamFileChanged } from './open-stream-file.ts';
import { openOutside, type OutsidePlaces, placeOfStream, type StreamPlace } from './outside-files.ts';

type RedirectDeps = Pick<FileDeps, 'paths' | 'documents' | 'beforeImages'> & { readonly seen: SeenTexts };
type RedirectContext = Pick<OpContext, 'caller' | 'signal'>;
type FileRedirect = ReturnType<typeof listRedirectFiles>[number];

interface OutsideFile {
	readonly redirect: FileRedirect;
	readonly place: Exclude<StreamPlace, { kind: 'workspace' }>;
}

interface FoundRedirectFile {
	readonly redirect: FileRedirect;
	readonly located: Located;
	/** True when the file's content is no text, or too much of one, and is not kept. */
	readonly hasNoUndo: boolean;
}

interface FoundRedirects {
	readonly targets: readonly (FileTarget | BeyondTarget)[];
	/** Files in the command's own `/tmp` that it writes, which are gone when it has ended. */
	readonly ownWrites: readonly string[];
	/** Rejects with FILE_CHANGED when a file that loses its text has been changed since the caller read it. */
	verify(context: RedirectContext): Promise<void>;
	/** Undefined when the command has its own streams. */
	streams(context: RedirectContext): ProgramStreams | undefined;
}

interface RedirectOrigin extends OutsidePlaces {
	readonly cwd: Located;
	/**
	 * True when no command runs before this one, or in spite of its failure: then a file that is not there at this
	 * moment is missing.
	 */
	readonly isFirst: boolean;
}

export async function findRedirects(
	deps: RedirectDeps,
	redirects: readonly Redirect[],
	at: RedirectOrigin,
	asking: RedirectContext,
): Promise<FoundRedirects> {
	const all = await Promise.all(listRedirectFiles(redirects).map((redirect) => findFile(deps, redirect, at, asking)));
	const files = all.filter((each) => 'located' in each);
	return {
		targets: all.flatMap((each) => toRedirectTarget(each) ?? []),
		ownWrites: all.flatMap((each) =>
			'place' in each && each.place.kind === 'own' && each.redirect.mode !== 'read' ? [each.redirect.path] : [],
		),
		async verify(context) {
			for (const { redirect, located } of files) {
				const now = await deps.paths.locate(deps.paths.resolve(located.absolutePath));
				if (now.kind === 'file' && redirect.mode === 'write') await refuseChanged(deps, now, context);
			}
		},
		streams: (context) =>
			redirects.length === 0 ? undefined : { open: (own) => openStreams(deps, redirects, all, { ...context, own }) },
	};
}

function toRedirectTarget(found: FoundRedirectFile | OutsideFile): FileTarget | BeyondTarget | undefined {
	if ('place' in found) {
		return found.place.kind === 'outside' ? found.place.target : undefined;
	}
	const { located, redirect, hasNoUndo } = found;
	return {
		...createFileTarget(located, redirect.mode === 'read' ? 'read' : 'write'),
		...(hasNoUndo ? { hasNoUndo } : {}),
	};
}

async function findFile(
	deps: RedirectDeps,
	redirect: FileRedirect,
	{ cwd, isFirst, ...places }: RedirectOrigin,
	asking: RedirectContext,
): Promise<FoundRedirectFile | OutsideFile> {
	const { paths } = deps;
	const { signal } = asking;
	const place = await placeOfStream(redirect, cwd, paths, places);
	if (place.kind !== 'workspace') {
		return { redirect, place };
	}
	const located = await paths.locate(paths.resolve(place.path));
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
	await refuseUnsavedFile(deps, located);
	const text = await readUndoText(located, signal);
	if (redirect.mode === 'write') {
		await refuseChanged(deps, located, asking, text);
	}
	return { redirect, located, hasNoUndo: text === undefined };
}

/**
 * Rejects with FILE_CHANGED when the file has been changed since the caller read it. Only for files to be overwritten:
 * adding to a file loses nothing. Bytes pass, because they are no text that was read.
 */
async function refuseChanged(
	{ seen }: RedirectDeps,
	located: Located,
	{ caller, signal }: RedirectContext,
	known?: string,
): Promise<void> {
	const text = known ?? (await readUndoText(located, signal));
	if (text !== undefined) {
		await seen.refuseChanged(caller, located, text);
	}
}

/** A file to read must be there, and the folder of one to write: no shell creates it. */
async function refuseMissing(
	{ paths }: RedirectDeps,
	{ mode }: FileRedirect,
	located: Located,
	signal: AbortSignal,
): Promise<void> {
	if (mode === 'read') {
		throw await createPathNotFound(paths, located, signal);
	}
	const folder = await paths.locate(paths.resolve(dirname(located.absolutePath)));
	if (folder.kind !== 'folder') {
		const message = `${folder.path}, the folder of ${located.path}, does not exist: create it first`;
		throw new ProwessError('NOT_FOUND', message, { path: folder.path });
	}
}

/** Undefined for what is not kept. */
async function readUndoText(located: Located, signal: AbortSignal): Promise<string | undefined> {
	try {
		return (await readLocatedText(located, signal)).text;
	} catch (error) {
		if (isProwessError(error) && (error.code === 'FILE_IS_BINARY' || error.code === 'FILE_TOO_LARGE')) {
			return undefined;
		}
		throw error;
	}
}

type OpenedRedirectFile = (FoundRedirectFile | OutsideFile) & {
	readonly handle: FileHandle;
	/** True when the writer knows all of the file's text afterwards: it replaced the text, or knew what it added to. */
	readonly isKnown: boolean;
};

/** All are open, and what they held is kept, before the first of them is emptied. */
async function openStreams(
	deps: RedirectDeps,
	redirects: readonly Redirect[],
	files: readonly (FoundRedirectFile | OutsideFile)[],
	context: RedirectContext & { readonly own: string | undefined },
): Promise<OpenStreams> {
	const opened: OpenedRedirectFile[] = [];
	const close = async () => {
		for (const each of opened.splice(0)) await closeFile(deps, each, context);
	};
	try {
		for (const file of files) {
			context.signal.throwIfAborted();
			const now =
				'place' in file
					? { handle: await openOutside(file.place, file.redirect, context.own), isKnown: false }
					: await openRedirectFile(deps, file, context);
			opened.push({ ...file, ...now });
		}
		for (const { redirect, handle } of opened) {
			if (redirect.mode === 'write') await handle.truncate(0);
		}
	} catch (error) {
		await close();
		throw error;
	}
	const handles = new Map(opened.map(({ redirect, handle }) => [redirect, handle.fd] as const));
	return { ...wireStreams(redirects, handles), close };
}

/** Each redirect changes one stream, and `to` takes what the other one is by then. */
function wireStreams(redirects: readonly Redirect[], files: ReadonlyMap<Redirect, number>): Omit<OpenStreams, 'close'> {
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

async function openRedirectFile(
	deps: RedirectDeps,
	file: FoundRedirectFile,
	{ caller, signal }: RedirectContext,
): Promise<Pick<OpenedRedirectFile, 'handle' | 'isKnown'>> {
	const { paths, beforeImages, seen } = deps;
	const { redirect, located, hasNoUndo } = file;
	const now = await paths.locate(paths.resolve(located.absolutePath));
	const isSame = now.realPath === located.realPath;
	if (!isSame || now.isSecret !== located.isSecret || now.isProtected !== located.isProtected) {
		throw streamFileChanged(located.path);
	}
	const { realRoot, realPath, path } = now;
	const openAccess = (access: number) => openStreamFile({ realRoot, realPath, shown: path }, access);
	if (redirect.mode === 'read') {
		refuseUnlessFile(now);
		return { handle: await openAccess(constants.O_RDONLY), isKnown: false };
	}
	if (now.kind !== 'missing') {
		refuseUnlessFile(now);
		await refuseUnsavedFile(deps, now);
	}
	const before = now.kind === 'missing' ? undefined : await readUndoText(now, signal);
	if (!hasNoUndo) {
		if (now.kind !== 'missing' && before === undefined) {
			throw streamFileChanged(located.path);
		}
		const { absolutePath } = located;
		await beforeImages.keep({ caller, path: located.path, absolutePath, before });
	}
	signal.throwIfAborted();
	const append = redirect.mode === 'append' ? constants.O_APPEND : 0;
	const create = now.kind === 'missing' ? constants.O_CREAT | constants.O_EXCL : 0;
	const isKnown = redirect.mode === 'write' || before === undefined || (await seen.knows(caller, now, before));
	return { handle: await openAccess(constants.O_WRONLY | append | create), isKnown };
}

/** Notes what the command has left in it, for undo and for later changes by others. */
async function closeFile(
	{ paths, beforeImages, seen }: RedirectDeps,
	{ redirect, handle, isKnown, ...file }: OpenedRedirectFile,
	{ caller }: RedirectContext,
): Promise<void> {
	await handle.close().catch(() => undefined);
	if (redirect.mode === 'read' || 'place' in file) {
		return;
	}
	const { absolutePath } = file.located;
	try {
		const now = await paths.locate(paths.resolve(absolutePath));
		// The op may have been stopped; what it has written is noted all the same.
		const after = now.kind === 'missing' ? undefined : await readContent(now, AbortSignal.any([]));
		beforeImages.written({ caller, absolutePath, after });
		if (after !== undefined && isKnown && !standsForBytes(after)) {
			seen.saw(caller, now, after);
		}
	} catch {
		// A file that cannot be read at this point counts as changed by somebody else.
	}
}
