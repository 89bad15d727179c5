/**
 * fs.stat, fs.makeFolder, fs.move, fs.delete. Content of each file that goes is kept before, and where each link leads, so
 * that they can be brought back with their folders.
 */
import type { Stats } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import type { OpName } from '../../protocol/op-table/ops.ts';
import { text } from '../../protocol/text/text.ts';
import { fileError } from '../../machine/paths/file-error.ts';
import { composeName } from '../../machine/paths/names/equal-name.ts';
import {
	alreadyExistsError,
	inspectTree,
	moveTree,
	refuseIfTreeChanged,
	removeTree,
	type FileTreeEntry,
} from '../../machine/paths/file-tree.ts';
import { FolderDescriptor } from '../../machine/paths/folder-descriptor.ts';
import { isProtectedName } from '../../machine/paths/names/protected-names.ts';
import { FOLDER_MARK, readEntryContent } from '../../machine/paths/reading/read-content.ts';
import { isSecretName } from '../../machine/paths/names/secret-names.ts';
import { isSamePath } from '../../machine/paths/reading/verified-open.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';
import type { OpImplementation, OpImplementations } from '../../contract/ops/op-implementation.ts';
import { createFileTarget, type FileTarget } from '../../trust/gate/targets.ts';
import { refuseUnsavedFile } from './current-text.ts';
import { createPathNotFound } from './not-found.ts';
import type { FileDeps } from './file-deps.ts';

type TreeOp = Extract<OpName, 'fs.stat' | 'fs.makeFolder' | 'fs.move' | 'fs.delete'>;

type TreeDeps = Pick<FileDeps, 'paths' | 'documents' | 'beforeImages'>;

export function fileTreeOps(deps: TreeDeps): Pick<OpImplementations, TreeOp> {
	return {
		'fs.stat': statOp(deps),
		'fs.makeFolder': makeFolderOp(deps),
		'fs.move': moveOp(deps),
		'fs.delete': deleteOp(deps),
	};
}

function statOp({ paths }: Pick<FileDeps, 'paths'>): OpImplementation<'fs.stat'> {
	return {
		async prepare({ path }, { signal }) {
			const located = await paths.locate(paths.resolve(path));
			if (located.kind === 'missing') {
				throw await createPathNotFound(paths, located, signal);
			}
			return {
				// Size and time of change of a file are no secret, whatever it holds.
				targets: [{ ...createFileTarget(located, 'read'), isSecret: false, isProtected: false }],
				detail: { kind: 'path', path: located.path },
				async run() {
					try {
						const found = await statLocated(located);
						const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
						return { path: located.path, kind, size: found.size, modified: found.mtime.toISOString() };
					} catch (error) {
						throw fileError('look at', located.path, error);
					}
				},
			};
		},
	};
}

/** Through the folder it was located in: a link that has taken the place of that folder since leads nowhere. */
async function statLocated({ realRoot, realPath }: Located): Promise<Stats> {
	const names = relative(realRoot, realPath).split(sep);
	const name = names.pop() ?? '';
	const folder = await FolderDescriptor.reach(realRoot, names);
	try {
		// The root itself has no name in a folder; its descriptor is it.
		return name === '' ? await stat(folder.at('')) : await lstat(folder.at(name));
	} finally {
		await folder.close();
	}
}

function makeFolderOp({
	paths,
	beforeImages,
}: Pick<FileDeps, 'paths' | 'beforeImages'>): OpImplementation<'fs.makeFolder'> {
	return {
		async prepare({ path }) {
			const located = await paths.locate(paths.resolve(path));
			if (located.kind === 'file' || located.kind === 'other') {
				throw alreadyExistsError(located.path);
			}
			return {
				targets: [createFileTarget(located, 'write')],
				detail: { kind: 'text', text: `Create the folder ${located.path}` },
				async run(context) {
					const now = await requireSameEntry(paths, located);
					const { caller } = context;
					const missing = await foldersMissing(paths, now);
					context.signal.throwIfAborted();
					for (const { path, absolutePath } of missing) {
						await beforeImages.keep({ caller, path, absolutePath, before: undefined });
					}
					try {
						const names = relative(now.realRoot, now.realPath).split(sep);
						const folder = await FolderDescriptor.enter(
							now.realRoot,
							names.filter((name) => name !== ''),
						);
						await folder.close();
						for (const { absolutePath } of missing) {
							beforeImages.written({ caller, absolutePath, after: FOLDER_MARK });
						}
						return { path: located.path, created: now.kind === 'missing' };
					} catch (error) {
						throw fileError('create', located.path, error);
					}
				},
			};
		},
	};
}

/** The folder and those above it that are not there yet, from the top. */
async function foldersMissing(paths: FileDeps['paths'], { kind, absolutePath }: Located): Promise<readonly Located[]> {
	const missing: Located[] = [];
	for (let at = absolutePath, isMissing = kind === 'missing'; isMissing; at = dirname(at)) {
		const located = await paths.locate(paths.resolve(at));
		isMissing = located.kind === 'missing';
		if (isMissing) missing.unshift(located);
	}
	return missing;
}

function moveOp(deps: TreeDeps): OpImplementation<'fs.move'> {
	const { paths, beforeImages } = deps;
	return {
		async prepare({ from, to }, { signal }) {
			const source = await locateEntry(deps, from, signal);
			const place = await paths.locate(paths.resolve(to));
			if (place.kind !== 'missing') {
				throw alreadyExistsError(place.path);
			}
			if (`${place.realPath}${sep}`.startsWith(`${source.realPath}${sep}`)) {
				throw new ProwessError('INVALID_PARAMS', `${source.path} cannot be moved into itself`, {
					path: place.path,
					said: text('"{path}" cannot be moved into itself.', { path: source.path }),
				});
			}
			const seen = await inspectTree(source, signal);
			await refuseUnsavedTree(deps, source, seen);
			const files = seen.filter((entry) => entry.kind === 'file').length;
			return {
				targets: [treeTarget(source, seen), treeTarget(place, seen)],
				detail: {
					kind: 'text',
					text: [`Move ${source.path}`, `to ${place.path}`, ...formatTreeEntries(seen)].join('\n'),
				},
				async run(context) {
					const now = await requireSameEntry(paths, source);
					const target = await requireSameEntry(paths, place);
					await refuseIfTreeChanged(now, seen, context.signal);
					const { caller } = context;
					const texts = await readTreeTexts(deps, now, seen, context.signal);
					for (const { below, text } of texts) {
						await beforeImages.keep({ caller, ...joinBelow(source, below), before: text });
						await beforeImages.keep({ caller, ...joinBelow(target, below), before: undefined });
					}
					await moveTree(now, seen, target, context.signal);
					for (const { below, text } of texts) {
						beforeImages.written({ caller, absolutePath: joinBelow(source, below).absolutePath, after: undefined });
						beforeImages.written({ caller, absolutePath: joinBelow(target, below).absolutePath, after: text });
					}
					return { from: source.path, to: target.path, files };
				},
			};
		},
	};
}

function deleteOp(deps: TreeDeps): OpImplementation<'fs.delete'> {
	const { paths, beforeImages } = deps;
	return {
		async prepare({ path, recursive }, { signal }) {
			const located = await locateEntry(deps, path, signal);
			const seen = await inspectTree(located, signal);
			if (seen.length > 1 && !recursive) {
				const inside = seen.length === 2 ? '1 entry. Delete it' : `${seen.length - 1} entries. Delete them`;
				const message = `${located.path} holds ${inside} first, or set recursive`;
				const said = text('"{path}" is not empty, so it was not deleted.', { path: located.path });
				throw new ProwessError('INVALID_STATE', message, { path: located.path, said });
			}
			await refuseUnsavedTree(deps, located, seen);
			const kept = await readTreeTexts(deps, located, seen, signal);
			const lost = seen.length - kept.length;
			const reason =
				seen.length > 1
					? text('"{path}" is a folder. Deleting a folder and everything in it always needs your approval.', {
							path: located.path,
						})
					: lost > 0
						? text('"{path}" cannot be kept, so undo cannot bring it back.', { path: located.path })
						: undefined;
			const notice =
				lost > 0 ? `${lost} of these cannot be kept: undo does not bring them back` : 'Undo brings it back';
			return {
				targets: [{ ...treeTarget(located, seen), ...(reason === undefined ? {} : { onlyByPerson: reason }) }],
				detail: { kind: 'text', text: [`Delete ${located.path}`, ...formatTreeEntries(seen), notice].join('\n') },
				async run(context) {
					const now = await requireSameEntry(paths, located);
					await refuseIfTreeChanged(now, seen, context.signal);
					const { caller } = context;
					const texts = await readTreeTexts(deps, now, seen, context.signal);
					for (const { below, text } of texts) {
						await beforeImages.keep({ caller, ...joinBelow(located, below), before: text });
					}
					await removeTree(now, seen, context.signal);
					for (const { below } of texts) {
						beforeImages.written({ caller, absolutePath: joinBelow(located, below).absolutePath, after: undefined });
					}
					const files = seen.filter((entry) => entry.kind !== 'folder').length;
					return { path: located.path, files, undoable: lost === 0 };
				},
			};
		},
	};
}

/** An entry of a folder, by its own name: neither a root of the workspace, nor a link, nor a device. */
async function locateEntry({ paths }: Pick<FileDeps, 'paths'>, path: string, signal: AbortSignal): Promise<Located> {
	const asked = paths.resolve(path);
	if (asked.segments.length === 0) {
		throw new ProwessError('PATH_INVALID', `${asked.path} is a workspace folder itself, which stays`, {
			path,
			said: text('"{path}" is a workspace folder itself, which stays.', { path: asked.path }),
		});
	}
	const located = await paths.locate(asked);
	if (located.kind === 'missing') {
		throw await createPathNotFound(paths, located, signal);
	}
	const parent = await paths.locate(paths.resolveFound(dirname(asked.absolutePath)));
	const named = join(parent.realPath, asked.segments.at(-1) ?? '');
	const isThere = (await lstat(named).catch(() => undefined)) !== undefined;
	const isEqual = !isThere && composeName(located.realPath) === composeName(named);
	if (!isEqual && !isSamePath(located.realPath, named)) {
		const message = `${asked.path} is a symbolic link to ${located.path}. Name that one, or use a command for the link`;
		throw new ProwessError('NOT_A_FILE', message, { path: asked.path });
	}
	if (located.kind === 'other') {
		throw new ProwessError('NOT_A_FILE', `${located.path} is neither a file nor a folder`, { path: located.path });
	}
	for (const { name, path: root } of paths.folders) {
		const realRoot = await realpath(root).catch(() => root);
		if (`${realRoot}${sep}`.startsWith(`${located.realPath}${sep}`)) {
			const message = `${located.path} holds the workspace folder ${name}, which stays`;
			throw new ProwessError('PATH_INVALID', message, { path });
		}
	}
	return located;
}

async function requireSameEntry(paths: FileDeps['paths'], located: Located): Promise<Located> {
	const now = await paths.locate(paths.resolveFound(located.absolutePath));
	if (now.realPath !== located.realPath || now.kind !== located.kind) {
		throw new ProwessError('FILE_CHANGED', `${located.path} has changed since it was looked at`, {
			path: located.path,
		});
	}
	return now;
}

/** The rules for names hold for everything that moves along, at its old and its new place. */
function treeTarget(located: Located, seen: readonly FileTreeEntry[]): FileTarget {
	const names = seen.map(({ below }) => [...located.segments, ...below]);
	return {
		...createFileTarget(located, 'write'),
		isSecret: located.isSecret || names.some(isSecretName),
		isProtected: located.isProtected || names.some(isProtectedName),
	};
}

interface KeptTreeText {
	readonly below: readonly string[];
	readonly text: string;
}

/**
 * Reads the content of every entry: the text of a file, or the mark of bytes, of a link, of a folder. A file that is too large
 * to be kept is left out, and so is a device.
 */
async function readTreeTexts(
	{ paths }: Pick<FileDeps, 'paths'>,
	located: Located,
	seen: readonly FileTreeEntry[],
	signal: AbortSignal,
): Promise<KeptTreeText[]> {
	const texts: KeptTreeText[] = [];
	for (const { below } of seen.filter((entry) => entry.kind !== 'other')) {
		const entry = await paths.locateEntry(paths.resolveFound(join(located.absolutePath, ...below)));
		try {
			const content = await readEntryContent(entry, signal);
			if (content !== undefined) texts.push({ below, text: content });
		} catch (error) {
			if (!isProwessError(error) || !['FILE_TOO_LARGE', 'FILE_IS_BINARY'].includes(error.code)) {
				throw error;
			}
		}
	}
	return texts;
}

async function refuseUnsavedTree(
	deps: Pick<FileDeps, 'documents'>,
	located: Located,
	seen: readonly FileTreeEntry[],
): Promise<void> {
	for (const { below } of seen) {
		await refuseUnsavedFile(deps, joinBelow(located, below));
	}
}

function joinBelow({ path, absolutePath }: Located, below: readonly string[]): { path: string; absolutePath: string } {
	return { path: [path, ...below].join('/'), absolutePath: join(absolutePath, ...below) };
}

function formatTreeEntries(seen: readonly FileTreeEntry[]): string[] {
	return seen.slice(1).map(({ below, kind }) => `  ${below.join('/')}${kind === 'folder' ? '/' : ''}`);
}
