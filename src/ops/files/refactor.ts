/** editor.refactor, without what only the first one needs. */
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import { textToChange } from './current-text.ts';
import { keepLineEnds } from './edits/replaced-lines.ts';
import { requireEditor } from './file-deps.ts';
import { prepareTextChange, type SeenFileDeps } from './files.ts';
import { locateFile } from './not-found.ts';
import type { RefactoredFiles } from './refactored-files.ts';

export function refactorOp(deps: SeenFileDeps): Pick<OpImplementations, 'editor.refactor'> {
	return {
		'editor.refactor': {
			async prepare(params, { signal }) {
				const editor = requireEditor(deps, 'editor.refactor');
				const { prepareRefactoring } = await import('./refactored-files.ts');
				const files: RefactoredFiles = {
					locate: (path, until) => locateFile(deps.paths, path, until),
					read: (located, until) => textToChange(deps, located, until),
					change: (located, current, after, looksAfter) => {
						const looking = looksAfter ? deps : { ...deps, editor: undefined };
						return prepareTextChange(looking, located, current, keepLineEnds(current.text, after));
					},
				};
				return await prepareRefactoring(files, editor, params, signal);
			},
		},
	};
}
