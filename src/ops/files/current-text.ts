/** The text of a file as the user sees it: of an open document its buffer, else the disk. */
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { readLocatedText } from '../../machine/paths/reading/read-file.ts';
import { text } from '../../protocol/text/text.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';
import type { FileDeps } from './file-deps.ts';

export interface CurrentText {
	readonly text: string;
	readonly unsaved: boolean;
	/** Encoding of a file on the disk; absent for an open document, whose encoding the editor knows. */
	readonly encoding?: string;
	/** Encodings that may be meant instead, where it is a guess; empty: any. Absent: it is sure. */
	readonly others?: readonly string[];
}

export async function currentText(
	{ documents }: Pick<FileDeps, 'documents'>,
	located: Located,
	signal: AbortSignal,
): Promise<CurrentText> {
	const open = await documents.readOpen(located.absolutePath);
	if (open !== undefined) {
		return open;
	}
	return { ...(await readLocatedText(located, signal)), unsaved: false };
}

export async function refuseUnsavedFile(
	{ documents }: Pick<FileDeps, 'documents'>,
	{ path, absolutePath }: Pick<Located, 'path' | 'absolutePath'>,
): Promise<void> {
	if ((await documents.readOpen(absolutePath))?.unsaved === true) {
		const message = `${path} is open with changes that are not saved. Ask the user to save or discard them`;
		const said = text('"{path}" has changes in the editor that are not saved. Save or discard them first.', { path });
		throw new ProwessError('INVALID_STATE', message, { path, said });
	}
}

/** For an op that replaces a part of it or all; a file that is only read in pieces is changed by nothing of ours. */
export async function textToChange(
	deps: Pick<FileDeps, 'documents'>,
	located: Located,
	signal: AbortSignal,
): Promise<CurrentText> {
	try {
		return await currentText(deps, located, signal);
	} catch (error) {
		if (isTooLarge(error)) {
			const message = `${error.message}, so it can be read in parts but not edited or replaced here; a command can change it`;
			throw new ProwessError('FILE_TOO_LARGE', message, error.facts, error);
		}
		throw error;
	}
}

export function isTooLarge(error: unknown): error is ProwessError {
	return isProwessError(error) && error.code === 'FILE_TOO_LARGE';
}
