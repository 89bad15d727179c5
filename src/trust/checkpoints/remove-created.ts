/** Undo of a file that the thread created: removes it if it still holds what was seen. An op of the host, for the user only. */
import * as z from '../../protocol/text/zod.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { defineOp } from '../../protocol/ops/define-op.ts';
import type { OpWork } from '../../contract/ops/perform-op.ts';
import { readContent } from '../../machine/paths/reading/read-content.ts';
import { removeFile } from '../../machine/paths/remove-file.ts';
import type { Located, WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import { UNDO_TIMEOUT_MS } from './limits.ts';
import { text } from '../../protocol/text/text.ts';

const removeCreatedDef = defineOp({
	params: z.object({ path: z.string(), expected: z.string() }),
	result: z.object({ path: z.string() }),
	risk: 'CONTROLLED',
	permission: 'workspace.write',
	effect: 'write',
	timeoutMs: UNDO_TIMEOUT_MS,
	title: ({ path }) => text('Undo: remove {path}', { path }),
	present: ({ path }) => `Removed ${path}.`,
});

export function removeCreated(paths: WorkspacePaths): OpWork {
	return {
		op: 'change.remove',
		def: removeCreatedDef,
		async prepare(raw, { signal }) {
			const { path, expected } = removeCreatedDef.params.parse(raw);
			const located = await paths.locate(paths.resolve(path));
			await refuseIfTextChanged(located, expected, signal);
			return {
				targets: [
					{
						kind: 'file',
						access: 'write',
						path: located.path,
						absolutePath: located.absolutePath,
						isSecret: located.isSecret,
						isProtected: located.isProtected,
					},
				],
				detail: { kind: 'path', path: located.path },
				async run(context) {
					await refuseIfTextChanged(located, expected, context.signal);
					await removeFile(located);
					return { path: located.path };
				},
			};
		},
	};
}

async function refuseIfTextChanged(located: Located, expected: string, signal: AbortSignal): Promise<void> {
	if ((await readContent(located, signal)) !== expected) {
		throw new ProwessError('FILE_CHANGED', `${located.path} has changed since it was looked at`, {
			path: located.path,
		});
	}
}
