/** fs.read, fs.list, fs.write, fs.edit. Text is what the user sees: of an open document its buffer, else the disk. */
import { text } from '../../protocol/text/text.ts';
import { basename, isAbsolute, sep } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { FileDiff, FileWritten, LooseEdit } from '../../protocol/ops/definitions/files/files.ts';
import type { OpName } from '../../protocol/op-table/ops.ts';
import { refuseUnlessFile } from '../../machine/paths/reading/open-file.ts';
import { encodeText, isSameIn, USUAL_ENCODING } from '../../machine/paths/reading/text-encoding.ts';
import { type Located, WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import { writeText } from '../../machine/paths/write-file.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import type { NewProblems } from '../../contract/ports/ports.ts';
import type { OpContext, OpImplementation, OpImplementations, Prepared } from '../../contract/ops/op-implementation.ts';
import { createFileTarget } from '../../trust/gate/targets.ts';
import { applyEdits } from './edits/apply-edits.ts';
import { type CurrentText, currentText, textToChange } from './current-text.ts';
import { keepLineEnds, namedEnds } from './edits/replaced-lines.ts';
import { boundPatch, fileDiff } from './file-diff.ts';
import { FURTHER_PATCH_CHARS } from '../limits.ts';
import { createPathNotFound, locateFile } from './not-found.ts';
import type { FileDeps } from './file-deps.ts';
import { refuseOmissionMark } from './edits/omission-mark.ts';
import { readFilePage, readPicture } from './read-page.ts';
import { isModel, SeenTexts } from '../seen-texts.ts';
import { shownIn } from './shown-in.ts';

type FileOp = Extract<OpName, 'fs.read' | 'fs.list' | 'fs.write' | 'fs.edit'>;
type OwnDeps = Pick<FileDeps, 'paths' | 'documents' | 'beforeImages' | 'editor' | 'ownFolders' | 'wall'>;
export type SeenFileDeps = OwnDeps & { readonly seen: SeenTexts };

export function fileOps(own: OwnDeps, seen = new SeenTexts(own.beforeImages)): Pick<OpImplementations, FileOp> {
	const deps = { ...own, seen };
	return { 'fs.read': readOp(deps), 'fs.list': listFolderOp(deps), 'fs.write': writeOp(deps), 'fs.edit': editOp(deps) };
}

function readOp(deps: SeenFileDeps): OpImplementation<'fs.read'> {
	return {
		async prepare({ path, offset, limit, raw }, { caller, signal }) {
			const paths = await pathsFor(deps, path, caller, signal);
			const located = await locateFile(paths, path, signal);
			return {
				targets: [createFileTarget(located, 'read')],
				detail: { kind: 'path', path: located.path },
				async run(context) {
					const picture = await readPicture(deps, located, context);
					if (picture !== undefined) {
						return picture;
					}
					return await readFilePage(deps, located, { offset, limit, raw }, context);
				},
			};
		},
	};
}

function listFolderOp(deps: SeenFileDeps): OpImplementation<'fs.list'> {
	return {
		async prepare({ path }, { caller, signal }) {
			const paths = await pathsFor(deps, path, caller, signal);
			const scope = paths.resolveScope(path);
			const [asked] = scope;
			if (asked === undefined || scope.length > 1) {
				const entries = paths.folders.map(({ name }) => ({ name, kind: 'folder' as const }));
				const run = () => Promise.resolve({ path: '.', entries, truncated: false });
				return { targets: [], detail: { kind: 'path', path: '.' }, run };
			}
			const located = await paths.locate(asked);
			if (located.kind === 'missing') {
				throw await createPathNotFound(paths, located, signal);
			}
			return {
				// The names in a folder are no secret, whatever the files hold.
				targets: [{ ...createFileTarget(located, 'read'), isSecret: false, isProtected: false }],
				detail: { kind: 'path', path: located.path },
				run: async (context) => ({ path: located.path, ...(await shownIn(deps, located, context.signal)) }),
			};
		},
	};
}

function writeOp(deps: SeenFileDeps): OpImplementation<'fs.write'> {
	return {
		async prepare({ path, content }, { caller, signal }) {
			const located = await deps.paths.locate(deps.paths.resolve(path));
			if (located.kind === 'missing') {
				refuseMark(caller, located, undefined, content);
				refuseForeign(located, content);
				return prepareWrite(deps, located, undefined, content);
			}
			refuseUnlessFile(located);
			const current = await textToChange(deps, located, signal);
			const { text } = current;
			await deps.seen.refuseUnknown(caller, located, text);
			refuseMark(caller, located, text, content);
			// A model writes LF, whatever it has read.
			const after = isModel(caller) ? keepLineEnds(text, content) : content;
			const keptEnds = after === content ? undefined : namedEnds(text);
			return prepareTextChange(deps, located, current, after, keptEnds === undefined ? {} : { keptEnds });
		},
	};
}

function editOp(deps: SeenFileDeps): OpImplementation<'fs.edit'> {
	return {
		async prepare({ path, edits }, { caller, signal }) {
			const located = await locateFile(deps.paths, path, signal);
			const current = await textToChange(deps, located, signal);
			const { text } = current;
			const { text: after, loosely } = applyEdits(located.path, text, edits);
			refuseMark(caller, located, text, after);
			return prepareTextChange(deps, located, current, after, { loosely });
		},
	};
}

/** Prepares that a file of this text gets another one. */
export function prepareTextChange(
	deps: SeenFileDeps,
	located: Located,
	current: CurrentText,
	after: string,
	origin?: WriteOrigin,
): Prepared<FileWritten> {
	refuseForeign(located, after, current.encoding);
	refuseGuessed(located, current.text, after, current);
	return prepareWrite(deps, located, current.text, after, origin);
}

function refuseMark(caller: Caller, { path }: Located, before: string | undefined, after: string): void {
	if (isModel(caller)) {
		refuseOmissionMark(path, before, after);
	}
}

/** Before anybody is asked: the encoding of the file may not have all characters of its new text. */
function refuseForeign({ path }: Located, after: string, encoding = USUAL_ENCODING): void {
	encodeText(path, after, encoding);
}

/** A new character beyond ASCII could become another one, and the file would then have two encodings. */
function refuseGuessed(
	{ path }: Located,
	before: string,
	after: string,
	{ encoding = USUAL_ENCODING, others }: Pick<CurrentText, 'encoding' | 'others'>,
): void {
	if (others === undefined) {
		return;
	}
	const known = new Set(before);
	const isSafe = (each: string) =>
		each <= '\u007f' || known.has(each) || (others.length > 0 && isSameIn(each, [encoding, ...others]));
	const character = Array.from(after).find((each) => !isSafe(each));
	if (character !== undefined) {
		const shown = JSON.stringify(character);
		const message = `the encoding of ${path} is only guessed to be ${encoding}, so ${shown}, which the file does not have, is not written: write ASCII, or have the user name the encoding, in files.encoding of the editor or with --encoding of the command line`;
		const said = text(
			'The encoding of "{path}" is only a guess ({encoding}). Set files.encoding for it, or --encoding of the command line, then new characters can be written.',
			{ path, encoding },
		);
		throw new ProwessError('INVALID_PARAMS', message, { path, encoding, said });
	}
}

interface WriteOrigin {
	/** Text that the caller asked for, where the user wrote another one. */
	readonly proposed?: string;
	readonly loosely?: readonly LooseEdit[];
	readonly keptEnds?: FileWritten['keptEnds'];
}

/** From here on the new text is fixed: it is shown, and it is what is written. */
function prepareWrite(
	deps: SeenFileDeps,
	located: Located,
	before: string | undefined,
	after: string,
	{ proposed = after, loosely = [], keptEnds }: WriteOrigin = {},
): Prepared<FileWritten> {
	const { path } = located;
	const diff = fileDiff(path, before, after);
	const told = {
		...(loosely.length === 0 ? {} : { loosely: [...loosely] }),
		...(keptEnds === undefined ? {} : { keptEnds }),
		...(proposed === after ? {} : { byUser: diffForModel(path, proposed, after) }),
	};
	const withText = (text: string) => {
		const { added, removed } = fileDiff(path, proposed, text);
		return { prepared: prepareWrite(deps, located, before, text, { proposed, loosely }), added, removed };
	};
	return {
		targets: [createFileTarget(located, 'write')],
		detail: { kind: 'diff', diff },
		proposal: {
			path,
			before,
			after,
			withText,
			verify: async (signal) => void (await requireUnchanged(deps, located, before, signal)),
		},
		async run(context) {
			// A user who leaves all of it out has the file left as it is.
			const isLeftOut = after === before && proposed !== after;
			if (isLeftOut) {
				return { ...boundPatch(diff), ...told };
			}
			const { result: saved, problems } = await writeAndLook(deps, located, before, after, context);
			const found = problems.length === 0 ? {} : { problems };
			return saved === after
				? { ...boundPatch(diff), ...told, ...found }
				: { ...boundPatch(fileDiff(path, before, saved)), ...told, ...found, onSave: diffForModel(path, after, saved) };
		},
	};
}

/** For the model, beside the whole of what was written. */
function diffForModel(path: string, from: string, to: string): Pick<FileDiff, 'added' | 'removed' | 'patch'> {
	const { added, removed, patch } = boundPatch(fileDiff(path, from, to), FURTHER_PATCH_CHARS);
	return { added, removed, patch };
}

/** Only a model wants to know at once what its change has broken. */
async function writeAndLook(
	deps: SeenFileDeps,
	located: Located,
	before: string | undefined,
	after: string,
	context: OpContext,
): Promise<NewProblems<string>> {
	const writeChange = () => writeFileText(deps, located, before, after, context);
	return deps.editor === undefined || !isModel(context.caller)
		? { result: await writeChange(), problems: [] }
		: await deps.editor.withNewProblems(located.absolutePath, writeChange, context.signal);
}

/** Resolves with the text that the file holds now: of an open document what the editor saved, else `after`. */
async function writeFileText(
	deps: SeenFileDeps,
	located: Located,
	before: string | undefined,
	after: string,
	{ caller, signal }: OpContext,
): Promise<string> {
	const { documents, beforeImages, seen } = deps;
	const { path, absolutePath } = located;
	// Read before the before-image is kept, so that a change in between keeps no image of a write that never was.
	const now = await requireUnchanged(deps, located, before, signal);
	await beforeImages.keep({ caller, path, absolutePath, before });
	const isKnown = before === undefined || (await seen.knows(caller, located, before));
	signal.throwIfAborted();
	let saved = before === undefined ? undefined : await documents.writeOpen(absolutePath, before, after, signal);
	if (saved === undefined) {
		await writeText(now, before, after, signal);
		saved = after;
	}
	if (isKnown) {
		seen.saw(caller, now, saved);
	} else {
		seen.touched(caller, now);
	}
	beforeImages.written({ caller, absolutePath, after: saved });
	return saved;
}

/** The file as it lies there now. Rejects with FILE_CHANGED when it is another one, or holds another text than `before`. */
async function requireUnchanged(
	{ paths, documents }: SeenFileDeps,
	{ path, realPath }: Located,
	before: string | undefined,
	signal: AbortSignal,
): Promise<Located> {
	const now = await paths.locate(paths.resolve(path));
	const isSame =
		now.realPath === realPath &&
		(before === undefined
			? now.kind === 'missing'
			: now.kind !== 'missing' && (await currentText({ documents }, now, signal)).text === before);
	if (!isSame) {
		throw new ProwessError('FILE_CHANGED', `${path} has changed since it was read: read it again`, { path });
	}
	return now;
}

/** Returns the paths of the workspace, or of the folder of a capability whose files this caller may read. */
async function pathsFor(
	{ paths, ownFolders }: SeenFileDeps,
	path: string,
	caller: Caller,
	signal: AbortSignal,
): Promise<WorkspacePaths> {
	if (!isAbsolute(path) || caller.kind === 'user' || paths.toWorkspacePath(path) !== undefined) {
		return paths;
	}
	const isInsideFolder = (folder: string) => path === folder || path.startsWith(`${folder}${sep}`);
	const { folders, data } = await ownFolders(caller, signal);
	const own = [...folders, ...data].find(isInsideFolder);
	return own === undefined ? paths : new WorkspacePaths({ folders: [{ name: basename(own), path: own }] });
}
