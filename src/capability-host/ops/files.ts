/** fs.read, fs.list, fs.write, fs.edit. Text is what the user sees: of an open document its buffer, else the disk. */
import { ProwessError } from '../../protocol/errors.ts';
import type { FileWritten } from '../../protocol/ops/files.ts';
import type { OpName } from '../../protocol/ops.ts';
import { listFolder, readText, refuseUnlessFile } from '../machine/paths/read-file.ts';
import type { Located } from '../machine/paths/workspace-paths.ts';
import { writeText } from '../machine/paths/write-file.ts';
import type { OpContext, OpImplementation, OpImplementations, Prepared } from '../contract/op-implementation.ts';
import { applyEdits } from './apply-edits.ts';
import { bounded, fileDiff } from './file-diff.ts';
import { ON_SAVE_PATCH_CHARS } from './limits.ts';
import { notFound } from './not-found.ts';
import type { OpDeps } from './op-deps.ts';
import { pageOf } from './page.ts';
import { fileTarget } from '../gate/targets/file-target.ts';

type FileOp = Extract<OpName, 'fs.read' | 'fs.list' | 'fs.write' | 'fs.edit'>;
type FileDeps = Pick<OpDeps, 'paths' | 'documents' | 'beforeImages'>;

export function fileOps(deps: FileDeps): Pick<OpImplementations, FileOp> {
	return { 'fs.read': readOp(deps), 'fs.list': listOp(deps), 'fs.write': writeOp(deps), 'fs.edit': editOp(deps) };
}

function readOp(deps: FileDeps): OpImplementation<'fs.read'> {
	return {
		async prepare({ path, offset, limit }, { signal }) {
			const located = await locateFile(deps, path, signal);
			return {
				targets: [fileTarget(located, 'read')],
				detail: { kind: 'path', path: located.path },
				async run(context) {
					const { text, unsaved } = await currentText(deps, located, context.signal);
					return { path: located.path, ...pageOf(located.path, text, offset, limit), unsaved };
				},
			};
		},
	};
}

function listOp({ paths }: FileDeps): OpImplementation<'fs.list'> {
	return {
		async prepare({ path }, { signal }) {
			const scope = paths.resolveScope(path);
			const [asked] = scope;
			if (asked === undefined || scope.length > 1) {
				const entries = paths.folders.map(({ name }) => ({ name, kind: 'folder' as const }));
				const run = () => Promise.resolve({ path: '.', entries, truncated: false });
				return { targets: [], detail: { kind: 'path', path: '.' }, run };
			}
			const located = await paths.locate(asked);
			if (located.kind === 'missing') {
				throw await notFound(paths, located, signal);
			}
			return {
				// The names in a folder are no secret, whatever the files hold.
				targets: [{ ...fileTarget(located, 'read'), isSecret: false, isProtected: false }],
				detail: { kind: 'path', path: located.path },
				run: async (context) => ({ path: located.path, ...(await listFolder(located, context.signal)) }),
			};
		},
	};
}

function writeOp(deps: FileDeps): OpImplementation<'fs.write'> {
	return {
		async prepare({ path, content }, { signal }) {
			const located = await deps.paths.locate(deps.paths.resolve(path));
			if (located.kind === 'missing') {
				return prepareWrite(deps, located, undefined, content);
			}
			refuseUnlessFile(located);
			const { text } = await currentText(deps, located, signal);
			return prepareWrite(deps, located, text, content);
		},
	};
}

function editOp(deps: FileDeps): OpImplementation<'fs.edit'> {
	return {
		async prepare({ path, edits }, { signal }) {
			const located = await locateFile(deps, path, signal);
			const { text } = await currentText(deps, located, signal);
			return prepareWrite(deps, located, text, applyEdits(located.path, text, edits));
		},
	};
}

/** From here on the new text is fixed: it is shown, and it is what is written. */
function prepareWrite(
	deps: FileDeps,
	located: Located,
	before: string | undefined,
	after: string,
): Prepared<FileWritten> {
	const diff = fileDiff(located.path, before, after);
	return {
		targets: [fileTarget(located, 'write')],
		detail: { kind: 'diff', diff },
		async run(context) {
			const saved = await write(deps, located, before, after, context);
			if (saved === after) {
				return bounded(diff);
			}
			const { added, removed, patch } = bounded(fileDiff(located.path, after, saved), ON_SAVE_PATCH_CHARS);
			return { ...bounded(fileDiff(located.path, before, saved)), onSave: { added, removed, patch } };
		},
	};
}

/** Resolves with the text that the file holds now: of an open document what the editor saved, else `after`. */
async function write(
	{ paths, documents, beforeImages }: FileDeps,
	located: Located,
	before: string | undefined,
	after: string,
	{ caller, signal }: OpContext,
): Promise<string> {
	const { path, absolutePath } = located;
	const now = await paths.locate(paths.resolve(path));
	if (now.realPath !== located.realPath || (now.kind === 'missing') !== (before === undefined)) {
		throw new ProwessError('FILE_CHANGED', `${path} has changed since it was read: read it again`, { path });
	}
	// Read before the before-image is kept, so that a change in between keeps no image of a write that never was.
	if (before !== undefined && (await currentText({ documents }, now, signal)).text !== before) {
		throw new ProwessError('FILE_CHANGED', `${path} has changed since it was read: read it again`, { path });
	}
	await beforeImages.keep({ caller, path, absolutePath, before });
	signal.throwIfAborted();
	let saved = before === undefined ? undefined : await documents.writeOpen(absolutePath, before, after, signal);
	if (saved === undefined) {
		await writeText(now, before, after, signal);
		saved = after;
	}
	beforeImages.written({ caller, absolutePath, after: saved });
	return saved;
}

async function locateFile({ paths }: Pick<OpDeps, 'paths'>, path: string, signal: AbortSignal): Promise<Located> {
	const located = await paths.locate(paths.resolve(path));
	if (located.kind === 'missing') {
		throw await notFound(paths, located, signal);
	}
	refuseUnlessFile(located);
	return located;
}

async function currentText(
	{ documents }: Pick<OpDeps, 'documents'>,
	located: Located,
	signal: AbortSignal,
): Promise<{ text: string; unsaved: boolean }> {
	const open = documents.readOpen(located.absolutePath);
	if (open !== undefined) {
		return open;
	}
	const { text } = await readText(located, signal);
	return { text, unsaved: false };
}
