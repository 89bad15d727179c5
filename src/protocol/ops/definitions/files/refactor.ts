/** Changes that the editor's language servers work out, exact where a text would be a guess. */
import * as z from '../../../text/zod.ts';
import { text } from '../../../text/text.ts';
import { defineOp } from '../../define-op.ts';
import { symbolPlace } from '../agent/editor.ts';
import { FileWritten, furtherChanges } from './files.ts';

/** Files that the card of a change draws. */
const DRAWN_FILES = 50;

export const editorRefactor = defineOp({
	params: z.strictObject({
		path: symbolPlace.path,
		what: z.enum(['rename', 'fix', 'format']),
		line: symbolPlace.line.optional(),
		symbol: symbolPlace.symbol.optional(),
		/** New name. */
		to: z.string().min(1).max(500).optional(),
		/** Title of the fix. */
		title: z.string().min(1).max(500).optional(),
	}),
	result: z.object({
		files: z.array(FileWritten),
		/** Name of a command that the fix would run besides, and that was not run; absent: there is none. */
		notRun: z.string().optional(),
	}),
	risk: 'CONTROLLED',
	permission: 'workspace.write',
	effect: 'write',
	timeoutMs: 60_000,
	tool: 'Exact changes by the language server: rename a symbol everywhere, fix a line by the title of a fix (the error lists them), format.',
	isRare: true,
	title: ({ what, path, line = 0, symbol = '', to = '', title = '…' }) =>
		what === 'rename'
			? text('Rename {symbol} to {name} everywhere', { symbol, name: to })
			: what === 'fix'
				? text('Apply "{title}" at {path}:{line}', { title, path, line })
				: text('Format {path}', { path }),
	drawn: ({ files }) => ({
		view: 'diff',
		rows: files.slice(0, DRAWN_FILES).map(({ path, patch }) => ({ place: { path }, patch, isCut: false })),
		total: files.length,
	}),
	present: ({ files, notRun }) =>
		[
			...files.map((each) => `Edited ${each.path} (+${each.added} -${each.removed} lines).${furtherChanges(each)}`),
			...(notRun === undefined ? [] : [`[not run: the command ${notRun} of this fix]`]),
		].join('\n'),
});
