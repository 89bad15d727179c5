/** Ops on files. Paths are relative to a workspace folder, or `folder-name/…` in a multi-root workspace. */
import { linesWithHidden } from '../../base/hidden-characters.ts';
import { cutText } from '../../base/cut-text.ts';
import * as z from '../zod.ts';
import { defineOp, notForModels } from './define-op.ts';

const path = z.string().min(1).max(4096);

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

const FileWritten = FileDiff.extend({
	/** Changes by savers of the editor, such as a formatter on save; absent if they left the text alone. */
	onSave: FileDiff.pick({ added: true, removed: true, patch: true }).optional(),
	/** Changes by the user to the proposed text before they allowed it; absent if they took it as it was. */
	byUser: FileDiff.pick({ added: true, removed: true, patch: true }).optional(),
});
export type FileWritten = z.infer<typeof FileWritten>;

export const fsRead = defineOp({
	params: z.strictObject({
		path,
		offset: z.int().positive().optional(),
		limit: z.int().positive().max(5000).optional(),
	}),
	result: z.object({
		path: z.string(),
		text: z.string(),
		startLine: z.int().positive(),
		endLine: z.int().nonnegative(),
		totalLines: z.int().nonnegative(),
		truncated: z.boolean(),
		/** The text is what the user sees in an unsaved editor. */
		unsaved: z.boolean(),
	}),
	risk: 'MONITORED',
	permission: 'workspace.read',
	effect: 'read',
	timeoutMs: 30_000,
	tool: 'Read a text file; offset (from 1) and limit count lines.',
	title: ({ path, offset }) => `Read ${path}${offset === undefined ? '' : ` from line ${offset}`}`,
	present: (r) => {
		const part = `[lines ${r.startLine}-${r.endLine} of ${r.totalLines}; read on with offset ${r.endLine + 1}]`;
		return [withShortLines(r.text), ...(r.truncated ? [part] : []), ...hiddenNote(r)].join('\n');
	},
});

/** A longer line is that of a bundle or of data: it would fill the window, and says little. */
const MAX_LINE_CHARS = 2_000;
const TOO_LONG = new RegExp(`[^\\n]{${MAX_LINE_CHARS + 1},}`, 'g');

function withShortLines(text: string): string {
	return text.replace(TOO_LONG, (line) => {
		const kept = cutText(line, MAX_LINE_CHARS);
		return `${kept} [${line.length - kept.length + 1} more characters of this line; search finds what is in them]`;
	});
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
	params: z.strictObject({ path: path.default('.') }),
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
	title: ({ path }) => `List ${path}`,
	present: (r) =>
		(r.entries.map((e) => (e.kind === 'folder' ? `${e.name}/` : e.name)).join('\n') || '(empty)') +
		(r.truncated ? '\n[more entries not shown]' : ''),
});

export const fsFind = defineOp({
	params: z.strictObject({
		pattern: z.string().min(1).max(1000),
		path: path.default('.'),
		limit: z.int().positive().max(5000).default(200).meta(notForModels),
	}),
	result: z.object({ paths: z.array(z.string()), truncated: z.boolean() }),
	risk: 'MONITORED',
	permission: 'workspace.read',
	effect: 'read',
	timeoutMs: 60_000,
	tool: 'Find files by a glob, except ignored ones.',
	sharedTool: { of: 'fs.list', by: 'pattern' },
	title: ({ pattern }) => `Find files ${pattern}`,
	present: (r) =>
		(r.paths.join('\n') || 'No file matches.') + (r.truncated ? '\n[more matches not shown; ask for less]' : ''),
});

export const searchText = defineOp({
	params: z.strictObject({
		query: z.string().min(1).max(4000),
		regex: z.boolean().default(false),
		caseSensitive: z.boolean().default(false).meta(notForModels),
		path: path.default('.'),
		include: z.string().max(1000).optional(),
		limit: z.int().positive().max(2000).default(100).meta(notForModels),
	}),
	result: z.object({
		matches: z.array(z.object({ path: z.string(), line: z.int().positive(), text: z.string() })),
		truncated: z.boolean(),
		engine: z.enum(['ripgrep', 'javascript']),
	}),
	risk: 'MONITORED',
	permission: 'workspace.read',
	effect: 'read',
	timeoutMs: 60_000,
	tool: 'Search in files; include is a glob.',
	title: ({ query }) => `Search ${JSON.stringify(query)}`,
	present: (r) =>
		(r.matches.map((m) => `${m.path}:${m.line}: ${m.text}`).join('\n') || 'No match.') +
		(r.truncated ? '\n[more matches not shown; ask for less]' : ''),
});

export const fsWrite = defineOp({
	params: z.strictObject({ path, content: z.string().max(5_000_000) }),
	result: FileWritten,
	risk: 'CONTROLLED',
	permission: 'workspace.write',
	effect: 'write',
	timeoutMs: 30_000,
	tool: 'Create a file or replace all of it.',
	title: ({ path }) => `Write ${path}`,
	present: (r) =>
		`${r.created ? 'Created' : 'Replaced'} ${r.path} (+${r.added} -${r.removed} lines).${furtherChanges(r)}`,
});

export const fsEdit = defineOp({
	params: z.strictObject({
		path,
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
	title: ({ path, edits }) => `Edit ${path}${edits.length > 1 ? ` (${edits.length} edits)` : ''}`,
	present: (r) => `Edited ${r.path} (+${r.added} -${r.removed} lines).${furtherChanges(r)}`,
});

/** Tells the model that the file holds something else than it wrote, so that its next edit finds the text. */
function furtherChanges({ byUser, onSave }: FileWritten): string {
	const user =
		byUser === undefined
			? ''
			: ` The user edited your text before allowing it (+${byUser.added} -${byUser.removed} lines). Keep it as they want it:\n${byUser.patch}`;
	return user + afterSaving(onSave);
}

function afterSaving(onSave: FileWritten['onSave']): string {
	return onSave === undefined
		? ''
		: ` The editor changed the text further when it saved the file (+${onSave.added} -${onSave.removed} lines), as a formatter does:\n${onSave.patch}`;
}

export const fsStat = defineOp({
	params: z.strictObject({ path }),
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
	title: ({ path }) => `Look at ${path}`,
	present: (r) => `${r.path}: ${r.kind}, ${r.size} bytes, changed ${r.modified}`,
});

export const fsMakeFolder = defineOp({
	params: z.strictObject({ path }),
	result: z.object({ path: z.string(), created: z.boolean() }),
	risk: 'CONTROLLED',
	permission: 'workspace.write',
	effect: 'write',
	timeoutMs: 30_000,
	title: ({ path }) => `Create folder ${path}`,
	present: (r) => (r.created ? `Created ${r.path}/.` : `${r.path}/ was there already.`),
});

export const fsMove = defineOp({
	params: z.strictObject({ from: path, to: path }),
	result: z.object({ from: z.string(), to: z.string(), files: z.int().nonnegative() }),
	risk: 'CONTROLLED',
	permission: 'workspace.write',
	effect: 'write',
	timeoutMs: 60_000,
	tool: 'Move a file or folder; replaces nothing.',
	title: ({ from, to }) => `Move ${from} to ${to}`,
	present: (r) => `Moved ${r.from} to ${r.to} (files: ${r.files}).`,
});

export const fsDelete = defineOp({
	params: z.strictObject({ path, recursive: z.boolean().default(false) }),
	result: z.object({ path: z.string(), files: z.int().nonnegative(), undoable: z.boolean() }),
	risk: 'CONTROLLED',
	permission: 'workspace.write',
	effect: 'write',
	timeoutMs: 60_000,
	tool: 'Delete a file or folder.',
	title: ({ path, recursive }) => `Delete ${path}${recursive ? ' with all it holds' : ''}`,
	present: (r) => `Deleted ${r.path} (files: ${r.files}).`,
});
