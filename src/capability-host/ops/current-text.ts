/** The text of a file as the user sees it: of an open document its buffer, else the disk. */
import { readText } from '../machine/paths/read-file.ts';
import type { Located } from '../machine/paths/workspace-paths.ts';
import type { OpDeps } from './op-deps.ts';

export async function currentText(
	{ documents }: Pick<OpDeps, 'documents'>,
	located: Located,
	signal: AbortSignal,
): Promise<{ readonly text: string; readonly unsaved: boolean }> {
	const open = documents.readOpen(located.absolutePath);
	if (open !== undefined) {
		return open;
	}
	const { text } = await readText(located, signal);
	return { text, unsaved: false };
}
