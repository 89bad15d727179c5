/** Undo of a file that the thread created: removes it if it still holds what was seen. An op of the host, for the user only. */
import { lstat, unlink } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import * as z from '../../protocol/text/zod.ts';
import { ProwessError } from '../../protocol/errors.ts';
import { defineOp } from '../../protocol/ops/define-op.ts';
import type { Work } from '../contract/perform-op.ts';
import { FolderDescriptor } from '../machine/paths/folder-descriptor.ts';
import { readContent } from '../machine/paths/reading/read-content.ts';
import type { Located, WorkspacePaths } from '../machine/paths/workspace-paths.ts';
import { UNDO_TIMEOUT_MS } from './limits.ts';

const def = defineOp({
	params: z.object({ path: z.string(), expected: z.string() }),
	result: z.object({ path: z.string() }),
	risk: 'CONTROLLED',
	permission: 'workspace.write',
	effect: 'write',
	timeoutMs: UNDO_TIMEOUT_MS,
	title: ({ path }) => `Undo: remove ${path}`,
	present: ({ path }) => `Removed ${path}.`,
});

export function removeCreated(paths: WorkspacePaths): Work {
	return {
		op: 'change.remove',
		def,
		async prepare(raw, { signal }) {
			const { path, expected } = def.params.parse(raw);
			const located = await paths.locate(paths.resolve(path));
			await refuseIfChanged(located, expected, signal);
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
					await refuseIfChanged(located, expected, context.signal);
					await remove(located);
					return { path: located.path };
				},
			};
		},
	};
}

async function refuseIfChanged(located: Located, expected: string, signal: AbortSignal): Promise<void> {
	if ((await readContent(located, signal)) !== expected) {
		throw new ProwessError('FILE_CHANGED', `${located.path} has changed since it was looked at`, {
			path: located.path,
		});
	}
}

async function remove(located: Located): Promise<void> {
	const below = relative(located.realRoot, located.realPath).split(sep);
	const name = below.pop() ?? '';
	const folder = await FolderDescriptor.reach(located.realRoot, below);
	try {
		const target = folder.at(name);
		if (!(await lstat(target)).isFile()) {
			throw new ProwessError('FILE_CHANGED', `${located.path} is no longer a regular file`, { path: located.path });
		}
		await folder.verify();
		await unlink(target);
		await folder.sync();
	} finally {
		await folder.close();
	}
}
