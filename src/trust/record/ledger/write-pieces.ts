/** A long text, written to a file of the user's choice as it comes. */
import { open, rename, rm } from 'node:fs/promises';
import { v7 } from 'uuid';
import { fileError } from '../../../machine/paths/file-error.ts';

/** Whole or not at all: what was there stays until the last piece is on the disk. Only the user can read it. */
export async function writePieces(path: string, pieces: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
	const draft = `${path}.${v7()}.tmp`;
	try {
		const file = await open(draft, 'wx', 0o600);
		try {
			for await (const piece of pieces) {
				signal.throwIfAborted();
				await file.writeFile(piece);
			}
			await file.sync();
		} finally {
			await file.close();
		}
		await rename(draft, path);
	} catch (error) {
		await rm(draft, { force: true });
		signal.throwIfAborted();
		throw fileError('write', path, error);
	}
}
