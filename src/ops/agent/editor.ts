/** Ops on what only an editor has: what it knows, and comments beside lines. */
import type { OpName, OpResult } from '../../protocol/op-table/ops.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';
import type { OpImplementations, Prepared } from '../../contract/ops/op-implementation.ts';
import { createFileTarget } from '../../trust/gate/targets.ts';
import { createPathNotFound } from '../files/not-found.ts';
import { type FileDeps, requireEditor } from '../files/file-deps.ts';
import { isSecretName } from '../../machine/paths/names/secret-names.ts';

type EditorOp = Exclude<Extract<OpName, `editor.${string}`>, 'editor.refactor'>;

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
			async prepare({ path, line, symbol, what }, { signal }) {
				const editor = requireEditor(deps, 'editor.references');
				const place = await locateExisting(deps, path, signal);
				const wanted = { absolutePath: place.absolutePath, line, symbol, what };
				return prepareEditorOp(place, `References of ${symbol}`, async (now) =>
					withoutSecretLines(await editor.references(wanted, now)),
				);
			},
		},
		'editor.comment': {
			async prepare({ comment, path = '', line = 1, ...said }, { signal }) {
				const editor = requireEditor(deps, 'editor.comment');
				const detail = { kind: 'text' as const, text: said.text };
				if (comment !== undefined) {
					return { targets: [], detail, run: (now) => editor.comment({ answers: comment, ...said }, now.signal) };
				}
				const place = await locateExisting(deps, path, signal);
				const written = { absolutePath: place.absolutePath, path: place.path, line, ...said };
				// The line that it is about is kept, and goes to the model with the user's answer.
				const targets = [createFileTarget(place, 'read')];
				return { targets, detail, run: (now) => editor.comment(written, now.signal) };
			},
		},
	};
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

/** Reading a secret file is asked about, so a place in one says where it is, and no more. */
function withoutSecretLines(found: OpResult<'editor.references'>): OpResult<'editor.references'> {
	const references = found.references.map((each) =>
		isSecretName(each.path.split('/')) ? { ...each, text: '' } : each,
	);
	return { ...found, references };
}

async function locateExisting({ paths }: Pick<FileDeps, 'paths'>, path: string, signal: AbortSignal): Promise<Located> {
	const place = await paths.locate(paths.resolve(path));
	if (place.kind === 'missing') {
		throw await createPathNotFound(paths, place, signal);
	}
	return place;
}
