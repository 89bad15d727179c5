/** Ops on what the editor knows. Without an editor they answer NOT_AVAILABLE_HERE. */
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

const editorPath = z.string().min(1).max(4096);
const readsEditor = { risk: 'MONITORED', permission: 'editor', effect: 'read', timeoutMs: 30_000 } as const;

/** Error or warning of a file; lines and columns count from 1. */
export const FileProblem = z.object({
	path: z.string(),
	line: z.int().positive(),
	column: z.int().positive(),
	severity: z.enum(['error', 'warning', 'information', 'hint']),
	message: z.string(),
	source: z.string().optional(),
});

export function presentProblem({ path, line, column, severity, message }: z.output<typeof FileProblem>): string {
	return `${path}:${line}:${column} ${severity}: ${message}`;
}

export const editorDiagnostics = defineOp({
	params: z.strictObject({ path: editorPath.optional() }),
	result: z.object({
		diagnostics: z.array(FileProblem),
		truncated: z.boolean(),
	}),
	...readsEditor,
	tool: 'Errors and warnings of a file or all.',
	title: ({ path }) => (path === undefined ? text('Read problems') : text('Read problems of {path}', { path })),
	present: (r) =>
		(r.diagnostics.map(presentProblem).join('\n') || 'No problems.') +
		(r.truncated ? '\n[more problems not shown]' : ''),
});

export const editorSymbols = defineOp({
	params: z
		.strictObject({ path: editorPath.optional(), query: z.string().max(500).optional() })
		.refine((p) => p.path !== undefined || p.query !== undefined, 'give a path or a query'),
	result: z.object({
		symbols: z.array(
			z.object({
				name: z.string(),
				kind: z.string(),
				path: z.string(),
				line: z.int().positive(),
				container: z.string().optional(),
			}),
		),
		truncated: z.boolean(),
	}),
	...readsEditor,
	tool: 'Symbols of a path or for a query.',
	title: ({ path, query }) =>
		path === undefined
			? text('Find symbols {query}', { query: JSON.stringify(query) })
			: text('Find symbols in {path}', { path }),
	present: (r) =>
		(r.symbols.map((s) => `${s.path}:${s.line} ${s.kind} ${s.name}`).join('\n') || 'No symbol found.') +
		(r.truncated ? '\n[more symbols not shown]' : ''),
});

/** Place of a symbol, as a model can name it. */
export const symbolPlace = { path: editorPath, line: z.int().positive(), symbol: z.string().min(1).max(500) };

export const editorReferences = defineOp({
	params: z.strictObject({
		...symbolPlace,
		/** Absent: where it is used. */
		what: z.enum(['definition', 'type', 'implementation']).optional(),
	}),
	result: z.object({
		references: z.array(
			z.object({
				path: z.string(),
				line: z.int().positive(),
				/** From 1, in UTF-16 units. */
				column: z.int().positive().optional(),
				text: z.string(),
			}),
		),
		truncated: z.boolean(),
		/** Number of places beyond the workspace, which are left out; absent: none. */
		outside: z.int().positive().optional(),
	}),
	...readsEditor,
	tool: 'Where the symbol on a line is used, or what.',
	sharedTool: { of: 'editor.symbols', by: 'symbol' },
	title: ({ path, line, symbol, what }) => {
		const place = { symbol, path, line };
		switch (what) {
			case 'definition':
				return text('Find the definition of {symbol} at {path}:{line}', place);
			case 'type':
				return text('Find the type of {symbol} at {path}:{line}', place);
			case 'implementation':
				return text('Find implementations of {symbol} at {path}:{line}', place);
			case undefined:
				return text('Find references of {symbol} at {path}:{line}', place);
		}
	},
	present: (r) =>
		(r.references.map((s) => `${s.path}:${s.line}: ${s.text}`).join('\n') || 'No place found.') +
		(r.truncated ? '\n[more places not shown]' : '') +
		(r.outside === undefined ? '' : `\n[beyond the workspace, not shown: ${r.outside}]`),
});
