/**
 * Restores what has one name: a file with its bytes and permissions, a link, a folder or nothing, if it is still as it was seen.
 * Links are never followed. An op of the host, for the user only.
 */
import { dirname, sep } from 'node:path';
import * as z from '../../../protocol/text/zod.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { defineOp } from '../../../protocol/ops/define-op.ts';
import type { OpWork } from '../../../contract/ops/perform-op.ts';
import type { DocumentPort } from '../../../contract/ports/ports.ts';
import { removeEmptyFolder } from '../../../machine/paths/remove-file.ts';
import { replaceEntry } from '../../../machine/paths/replace-entry.ts';
import type { LocatedEntry, WorkspacePaths } from '../../../machine/paths/workspace-paths.ts';
import { UNDO_TIMEOUT_MS } from '../limits.ts';
import { type FileContent, readFileContent, toFileEntry } from './file-content.ts';
import { text } from '../../../protocol/text/text.ts';

const putContentDef = defineOp({
	/** `shown`: the path as people read it. */
	params: z.object({ path: z.string(), shown: z.string(), from: z.string(), to: z.string() }),
	result: z.object({ path: z.string() }),
	risk: 'CONTROLLED',
	permission: 'workspace.write',
	effect: 'write',
	timeoutMs: UNDO_TIMEOUT_MS,
	title: ({ shown }) => text('Restore {path}', { path: shown }),
	present: ({ path }) => `Restored ${path}.`,
});

interface PutDeps {
	readonly paths: WorkspacePaths;
	readonly documents: Pick<DocumentPort, 'readOpen'>;
	/** The host itself is about to write there. */
	expect(absolutePath: string): void;
}

interface Put {
	readonly to: FileContent;
	/** Topmost folder that goes with a file that goes, when it is empty then. */
	readonly newFolder: string | null;
	/** Runs with what the file holds before, right before it changes. */
	onChanging(now: FileContent, located: LocatedEntry): Promise<void>;
}

export function putContent({ paths, documents, expect }: PutDeps, { to, newFolder, onChanging }: Put): OpWork {
	const requireUnchanged = async (path: string, from: string, signal: AbortSignal) => {
		const located = await paths.locateEntry(paths.resolveFound(path));
		const now = await readFileContent(located, signal);
		if (now.state !== from || (await documents.readOpen(located.absolutePath))?.unsaved === true) {
			throw new ProwessError('FILE_CHANGED', `${located.path} has changed since it was looked at`, {
				path: located.path,
			});
		}
		return { located, now };
	};
	return {
		op: 'change.restore',
		def: putContentDef,
		async prepare(raw, { signal }) {
			const { path, from } = putContentDef.params.parse(raw);
			const { located } = await requireUnchanged(path, from, signal);
			const { absolutePath, isSecret, isProtected } = located;
			return {
				targets: [{ kind: 'file', access: 'write', path: located.path, absolutePath, isSecret, isProtected }],
				detail: { kind: 'path', path: located.path },
				async run(context) {
					const { located: again, now } = await requireUnchanged(path, from, context.signal);
					await onChanging(now, again);
					expect(absolutePath);
					const [entryNow, entryTo] = [toFileEntry(now), toFileEntry(to)];
					if (entryNow !== undefined && entryTo !== undefined) {
						await replaceEntry(again, entryNow, entryTo, context.signal);
					}
					if (entryTo?.kind === 'none') {
						await removeNewFolders(again, newFolder);
					}
					return { path: located.path };
				},
			};
		},
	};
}

/** Removes the folders that were made for what went, from the lowest up, as far as nothing else is in them. */
async function removeNewFolders({ realRoot, realPath }: LocatedEntry, newFolder: string | null): Promise<void> {
	for (let empty = dirname(realPath); newFolder !== null && isWithinFolder(empty, newFolder); empty = dirname(empty)) {
		if (!(await removeEmptyFolder(realRoot, empty))) {
			return;
		}
	}
}

function isWithinFolder(folder: string, outer: string): boolean {
	return folder === outer || folder.startsWith(`${outer}${sep}`);
}
