/** Ops on files. Paths are relative to a workspace folder, or `folder-name/…` in a multi-root workspace. */
import { linesWithHidden } from '../../../../base/text/hidden-characters.ts';
import { cutText, nameInList } from '../../../../base/text/one-line.ts';
import { ImageType } from '../../images.ts';
import * as z from '../../../text/zod.ts';
import { defineOp, notForModels } from '../../define-op.ts';
import { text } from '../../../text/text.ts';
import { FileProblem, presentProblem } from '../agent/editor.ts';

const filePath = z.string().min(1).max(4096);

/** Difference that a write made to a file, for the diff view and the changed-files bar. */
export const FileDiff = z.object({
	path: z.string(),
	created: z.boolean(),
	added: z.int().nonnegative(),
	removed: z.int().nonnegative(),
	/** Unified diff; cut to a bounded size for display, the checkpoint holds the whole. */
	patch: z.string(),
});
export type FileDiff = z.infer<typeof FileDiff>;

/** Edit that was taken although its `find` is not to the letter what the file had, in the one place that it can mean. */
const LooseEdit = z.object({
	/** From 1. */
	edit: z.int().positive(),
	line: z.int().positive(),
	differs: z.enum(['line numbers', 'form of accents', 'punctuation', 'trailing space', 'indentation']),
});
export type LooseEdit = z.infer<typeof LooseEdit>;

export const FileWritten = FileDiff.extend({
	/** Absent if all edits were found to the letter. */
	loosely: z.array(LooseEdit).optional(),
	/** Line ends that the file had, where the new text came with others and was given these. */
	keptEnds: z.enum(['CRLF', 'CR', 'mixed']).optional(),
	/** Changes by savers of the editor, such as a formatter on save; absent if they left the text alone. */
	onSave: FileDiff.pick({ added: true, removed: true, patch: true }).optional(),
	/** Changes by the user to the proposed text before they allowed it; absent if they took it as it was. */
	byUser: FileDiff.pick({ added: true, removed: true, patch: true }).optional(),
	/** Errors and warnings that the editor found since; absent without an editor and where it found none. */
	problems: z.array(FileProblem).optional(),
});
export type FileWritten = z.infer<typeof FileWritten>;

const FileRead = z.object({
	path: z.string(),
	text: z.string(),
	startLine: z.int().positive(),
	endLine: z.int().nonnegative(),
	/** Absent of a file so large that its lines were not counted to the end. */
	totalLines: z.int().nonnegative().optional(),
	truncated: z.boolean(),
	/** The text is what the user sees in an unsaved editor. */
	unsaved: z.boolean(),
	/** Encoding of the file, unless it is UTF-8 without a mark; edits keep it. */
	encoding: z.string().optional(),
	/** The text is that of a notebook's cells, not what the file holds; for models alone. */
	cells: z.literal(true).optional(),
	/** Pages of a PDF whose text this is; for models alone. */
	pdfPages: z.int().nonnegative().optional(),
	/** Picture in the file, which has no text then; for the agent alone. */
	image: z.object({ type: ImageType, width: z.int(), height: z.int(), data: z.string() }).optional(),
});

export const fsRead = defineOp({
	params: z.strictObject({
		path: filePath,
		offset: z.int().positive().optional(),
		limit: z.int().positive().max(5000).optional(),
		raw: z.boolean().optional(),
	}),
	result: FileRead,
	risk: 'MONITORED',
	permission: 'workspace.read',
	effect: 'read',
	timeoutMs: 30_000,
	tool: 'Read a picture, a PDF, a notebook (as JSON if raw), or text: each line after its number and a tab. offset (from 1) and limit count lines.',
	title: ({ path, offset }) =>
		offset === undefined ? text('Read {path}', { path }) : text('Read {path} from line {line}', { path, line: offset }),
	media: ({ path, image }) => (image === undefined ? [] : [{ data: image.data, name: path }]),
	present: presentRead,
});

const CELLS =
	'[the cells of a notebook; the file holds them as JSON: read it with raw before you edit or replace it, and edit that text]';

const PDF_NOTE =
	'[the text of a PDF in the order in which it is drawn; columns and tables may be mixed up, pictures are left out]';

/** A longer line is that of a bundle or of data: it would fill the window, and says little. */
const MAX_LINE_CHARS = 2_000;

/** A line as a reader gets it. Looks at its length alone: a search for long lines in a text looks at each place of short ones. */
function shortLine(line: string): string {
	if (line.length <= MAX_LINE_CHARS) {
		return line;
	}
	const kept = cutText(line, MAX_LINE_CHARS);
	return `${kept} [${line.length - kept.length + 1} more characters of this line; search finds what is in them]`;
}

/** Each line after its number and a tab, as answers cite it; `fs.edit` knows such numbers when they are copied. */
function presentRead(r: z.output<typeof FileRead>): string {
	if (r.image !== undefined) {
		return `[picture, ${r.image.type}, ${r.image.width}x${r.image.height}]`;
	}
	if (r.totalLines === 0) {
		return `[${r.path} is empty]`;
	}
	const lines = (r.text.endsWith('\n') ? r.text.slice(0, -1) : r.text).split('\n');
	const numbered = lines.map((line, index) => `${r.startLine + index}\t${shortLine(line)}`);
	const readOn = r.truncated ? `; read on with offset ${r.endLine + 1}` : '';
	const ofAll = r.totalLines === undefined ? '' : ` of ${r.totalLines}`;
	const isPart = r.truncated || r.startLine > 1;
	return [
		...numbered,
		...(isPart ? [`[lines ${r.startLine}-${r.endLine}${ofAll}${readOn}]`] : []),
		...(r.encoding === undefined ? [] : [`[encoding ${r.encoding}, which edits keep]`]),
		...(r.cells === true ? [CELLS] : []),
		...(r.pdfPages === undefined ? [] : [PDF_NOTE]),
		...(r.unsaved ? ['[as the user sees it in the editor, not saved]'] : []),
		...hiddenNote(r),
	].join('\n');
}

const MAX_NAMED_LINES = 20;

/** For the model, which reads hidden characters as escapes. */
function hiddenNote({ text, startLine }: { readonly text: string; readonly startLine: number }): string[] {
	const lines = linesWithHidden(text).map((line) => startLine + line - 1);
	const named = lines.slice(0, MAX_NAMED_LINES).join(', ') + (lines.length > MAX_NAMED_LINES ? ', …' : '');
	const how = 'fs_edit finds such a line by the same escapes, and writes the characters';
	return lines.length === 0 ? [] : [`[\\u{…} stands for an invisible character of the file, in line ${named}; ${how}]`];
}

export const fsList = defineOp({
	params: z.strictObject({ path: filePath.default('.') }),
	result: z.object({
		path: z.string(),
		entries: z.array(
			z.object({ name: z.string(), kind: z.enum(['file', 'folder', 'link']), size: z.int().nonnegative().optional() }),
		),
		truncated: z.boolean(),
	}),
	risk: 'MONITORED',
	permission: 'workspace.read',
	effect: 'read',
	timeoutMs: 30_000,
	tool: 'List a folder.',
	title: ({ path }) => text('List {path}', { path }),
	present: (r) =>
		(r.entries.map((e) => nameInList(e.name) + (e.kind === 'folder' ? '/' : '')).join('\n') || '(empty)') +
		(r.truncated ? '\n[more entries not shown]' : ''),
});

export const fsFind = defineOp({
	params: z.strictObject({
		pattern: z.string().min(1).max(1000),
		path: filePath.default('.'),
		limit: z.int().positive().max(5000).default(200).meta(notForModels),
		/** Also tells files from what they were before. */
		marks: z.boolean().optional().meta(notForModels),
	}),
	result: z.object({
		paths: z.array(z.string()),
		truncated: z.boolean(),
		/** Mark of each path: another one once the file has changed. */
		marks: z.array(z.string()).optional(),
		/** First ignored files that match, where no other does. */
		ignored: z.array(z.string()).optional(),
	}),
	risk: 'MONITORED',
	permission: 'workspace.read',
	effect: 'read',
	timeoutMs: 60_000,
	tool: 'Find files by a glob, except ignored ones.',
	sharedTool: { of: 'fs.list', by: 'pattern' },
	title: ({ pattern }) => text('Find files {pattern}', { pattern }),
	present: (r) =>
		(r.paths.map(nameInList).join('\n') || noFileMatches(r.ignored)) +
		(r.truncated ? '\n[more matches not shown; ask for less]' : ''),
});

function noFileMatches(ignored: readonly string[] = []): string {
	return ignored.length === 0
		? 'No file matches.'
		: `No file matches but ignored ones: ${ignored.map(nameInList).join(', ')}. Name their folder as path to find more.`;
}

export const fsWrite = defineOp({
	params: z.strictObject({ path: filePath, content: z.string().max(5_000_000) }),
	result: FileWritten,
	risk: 'CONTROLLED',
	permission: 'workspace.write',
	effect: 'write',
	timeoutMs: 30_000,
	tool: 'Create a file or replace all of it.',
	title: ({ path }) => text('Write {path}', { path }),
	present: (r) =>
		`${r.created ? 'Created' : 'Replaced'} ${r.path} (+${r.added} -${r.removed} lines).${furtherChanges(r)}`,
});

export const fsEdit = defineOp({
	params: z.strictObject({
		path: filePath,
		edits: z
			.array(
				z.strictObject({
					find: z.string().min(1),
					replace: z.string(),
					all: z.boolean().default(false),
				}),
			)
			.min(1)
			.max(200),
	}),
	result: FileWritten,
	risk: 'CONTROLLED',
	permission: 'workspace.write',
	effect: 'write',
	timeoutMs: 30_000,
	tool: 'Replace exact text in a file, unique unless all; edits apply in order, all or none.',
	title: ({ path, edits }) =>
		edits.length > 1 ? text('Edit {path} ({n} edits)', { path, n: edits.length }) : text('Edit {path}', { path }),
	present: (r) => `Edited ${r.path} (+${r.added} -${r.removed} lines).${furtherChanges(r)}`,
});

/** Tells the model that the file holds something else than it wrote, so that its next edit finds the text. */
export function furtherChanges({ loosely = [], keptEnds, byUser, onSave, problems = [] }: FileWritten): string {
	const loose = loosely
		.map(({ edit, line, differs }) => ` Edit ${edit} was taken for line ${line}, although its ${differs} differs.`)
		.join('');
	const ends = keptEnds === undefined ? '' : ` Its line ends stay ${keptEnds}.`;
	const user =
		byUser === undefined
			? ''
			: ` The user edited your text before allowing it (+${byUser.added} -${byUser.removed} lines). Keep it as they want it:\n${byUser.patch}`;
	const found = problems.map((each) => `\n${presentProblem(each)}`);
	const broken = found.length === 0 ? '' : `\nNew problems:${found.join('')}`;
	return loose + ends + user + afterSaving(onSave) + broken;
}

function afterSaving(onSave: FileWritten['onSave']): string {
	return onSave === undefined
		? ''
		: ` The editor changed the text further when it saved the file (+${onSave.added} -${onSave.removed} lines), as a formatter does:\n${onSave.patch}`;
}

export const fsStat = defineOp({
	params: z.strictObject({ path: filePath }),
	result: z.object({
		path: z.string(),
		kind: z.enum(['file', 'folder', 'other']),
		size: z.int().nonnegative(),
		modified: z.iso.datetime(),
	}),
	risk: 'MONITORED',
	permission: 'workspace.read',
	effect: 'read',
	timeoutMs: 30_000,
	tool: 'Kind, size and last change of a file or folder.',
	isRare: true,
	title: ({ path }) => text('Look at {path}', { path }),
	present: (r) => `${r.path}: ${r.kind}, ${r.size} bytes, changed ${r.modified}`,
});

export const fsMakeFolder = defineOp({
	params: z.strictObject({ path: filePath }),
	result: z.object({ path: z.string(), created: z.boolean() }),
	risk: 'CONTROLLED',
	permission: 'workspace.write',
	effect: 'write',
	timeoutMs: 30_000,
	title: ({ path }) => text('Create folder {path}', { path }),
	present: (r) => (r.created ? `Created ${r.path}/.` : `${r.path}/ was there already.`),
});

export const fsMove = defineOp({
	params: z.strictObject({ from: filePath, to: filePath }),
	result: z.object({ from: z.string(), to: z.string(), files: z.int().nonnegative() }),
	risk: 'CONTROLLED',
	permission: 'workspace.write',
	effect: 'write',
	timeoutMs: 60_000,
	tool: 'Move a file or folder; replaces nothing.',
	title: ({ from, to }) => text('Move {from} to {to}', { from, to }),
	present: (r) => `Moved ${r.from} to ${r.to} (files: ${r.files}).`,
});

export const fsDelete = defineOp({
	params: z.strictObject({ path: filePath, recursive: z.boolean().default(false) }),
	result: z.object({ path: z.string(), files: z.int().nonnegative(), undoable: z.boolean() }),
	risk: 'CONTROLLED',
	permission: 'workspace.write',
	effect: 'write',
	timeoutMs: 60_000,
	tool: 'Delete a file or folder.',
	title: ({ path, recursive }) =>
		recursive ? text('Delete {path} with all it holds', { path }) : text('Delete {path}', { path }),
	present: (r) => `Deleted ${r.path} (files: ${r.files}).`,
});
