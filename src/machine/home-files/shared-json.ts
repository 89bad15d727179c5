/**
 * Small JSON file of the home that all hosts share. The file is read again only when its metadata differ, changed under
 * a lock, and is on the disk when a change resolves.
 */
import { lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { inEnglish, text, type Text } from '../../protocol/text/text.ts';
import type { z } from '../../protocol/text/zod.ts';
import { findErrno } from '../paths/file-error.ts';
import { readIfThere, replaceDurably } from './durable-file.ts';
import { withLock } from './file-lock.ts';
import { folderLook } from './folder-look.ts';

interface SharedJsonOptions<T> {
	/** Absolute. */
	readonly path: string;
	readonly schema: z.ZodType<T>;
	/** Value that counts when there is no file. */
	readonly empty: T;
	/** Consequence of a file that cannot be read, as the end of a sentence. */
	readonly consequence: Text;
	/** Sentence for a change that no longer fits the schema: the fault, and what to do. */
	readonly misfit: string;
}

export class SharedJson<T> {
	readonly #options: SharedJsonOptions<T>;
	#known: { readonly stamp: string; readonly value: T } | undefined;
	/** The folder, as it was when the file was not in it. */
	#missingIn: string | undefined;

	constructor(options: SharedJsonOptions<T>) {
		this.#options = options;
	}

	/**
	 * Reads the file as it is no earlier than the call. Rejects with INVALID_STATE, saying what to do, when the file
	 * cannot be read.
	 */
	async read(): Promise<T> {
		const { path, empty } = this.#options;
		// Before the file: whatever comes between the two looks is seen by the second one.
		const folder = this.#known === undefined ? await folderLook(dirname(path)) : undefined;
		if (folder !== undefined && folder === this.#missingIn) {
			return empty;
		}
		const stats = await stat(path, { bigint: true }).catch(() => undefined);
		if (stats === undefined) {
			this.#known = undefined;
			// A link that leads nowhere may lead somewhere without a change of this folder.
			this.#missingIn = (await isPathPresent(path)) ? undefined : folder;
			return empty;
		}
		const stamp = [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
		if (this.#known?.stamp !== stamp) {
			this.#known = { stamp, value: await this.#readNow() };
		}
		return this.#known.value;
	}

	/** Nobody changes it meanwhile. Rejects as `read` does, and when it no longer fits; then nothing has changed. */
	async change(changed: (value: T) => T, signal: AbortSignal): Promise<void> {
		const { path, schema, misfit } = this.#options;
		const changeUnderLock = async () => {
			const before = await this.#readNow();
			const after = changed(before);
			if (after === before) {
				return;
			}
			if (!schema.safeParse(after).success) {
				throw new ProwessError('INVALID_STATE', misfit, {
					path,
					said: text('{path} is full. Revoke some entries first.', { path }),
				});
			}
			await replaceDurably(path, `${JSON.stringify(after, null, '\t')}\n`);
		};
		await withLock(`${path}.db`, changeUnderLock, signal);
	}

	async #readNow(): Promise<T> {
		const { path, schema, empty, consequence } = this.#options;
		try {
			const text = await readIfThere(path);
			return text === undefined ? empty : schema.parse(JSON.parse(text));
		} catch (error) {
			const message = `${path} cannot be read, so ${inEnglish(consequence)}. Repair it, or move it away`;
			throw new ProwessError(
				'INVALID_STATE',
				message,
				{
					path,
					said: text('{path} cannot be read, so {consequence}. Repair it, or move it away.', { path, consequence }),
				},
				error,
			);
		}
	}
}

async function isPathPresent(path: string): Promise<boolean> {
	try {
		await lstat(path);
		return true;
	} catch (error) {
		return findErrno(error) !== 'ENOENT';
	}
}
