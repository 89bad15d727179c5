/** Ops on knowledge that only an editor has. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { OpName } from '../../protocol/op-table/ops.ts';
import { text } from '../../protocol/text/text.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';
import type { EditorPort } from '../../contract/ports/ports.ts';
import type { OpImplementations, Prepared } from '../../contract/ops/op-implementation.ts';
import { createFileTarget } from '../../trust/gate/targets.ts';
import { createPathNotFound } from '../files/not-found.ts';
import type { FileDeps } from '../files/file-deps.ts';

type EditorOp = Extract<OpName, `editor.${string}`>;

export function editorOps(deps: Pick<FileDeps, 'editor' | 'paths'>): Pick<OpImplementations, EditorOp> {
	return {
		'editor.diagnostics': {
			async prepare({ path }, { signal }) {
				const editor = requireEditor(deps, 'editor.diagnostics');
				const place = path === undefined ? undefined : await locateExisting(deps, path, signal);
				return prepareEditorOp(place, 'Problems', (now) => editor.diagnostics(place?.absolutePath, now));
			},
		},
		'editor.symbols': {
			async prepare({ path, query }, { signal }) {
				const editor = requireEditor(deps, 'editor.symbols');
				const place = path === undefined ? undefined : await locateExisting(deps, path, signal);
				const wanted = { absolutePath: place?.absolutePath, query };
				return prepareEditorOp(place, `Symbols ${query ?? ''}`.trim(), (now) => editor.symbols(wanted, now));
			},
		},
		'editor.references': {
			async prepare({ path, line, symbol }, { signal }) {
				const editor = requireEditor(deps, 'editor.references');
				const place = await locateExisting(deps, path, signal);
				const wanted = { absolutePath: place.absolutePath, line, symbol };
				return prepareEditorOp(place, `References of ${symbol}`, (now) => editor.references(wanted, now));
			},
		},
	};
}

function requireEditor({ editor }: Pick<FileDeps, 'editor'>, op: EditorOp): EditorPort {
	if (editor === undefined) {
		throw new ProwessError('NOT_AVAILABLE_HERE', `${op} needs an editor; this host has none`, {
			op,
			said: text('This needs an editor.'),
		});
	}
	return editor;
}

function prepareEditorOp<R>(
	place: Located | undefined,
	text: string,
	ask: (signal: AbortSignal) => Promise<R>,
): Prepared<R> {
	return {
		targets: place === undefined ? [] : [createFileTarget(place, 'read')],
		detail: place === undefined ? { kind: 'text', text } : { kind: 'path', path: place.path },
		run: (context) => ask(context.signal),
	};
}

async function locateExisting({ paths }: Pick<FileDeps, 'paths'>, path: string, signal: AbortSignal): Promise<Located> {
	const place = await paths.locate(paths.resolve(path));
	if (place.kind === 'missing') {
		throw await createPathNotFound(paths, place, signal);
	}
	return place;
}
