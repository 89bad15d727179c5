/**
 * An open folder of the workspace, entered step by step from the root without following links. Names below it are
 * reached through the descriptor, so that moving the folder or swapping it for a link cannot redirect a write.
 * Where descriptors have no names (not Linux), the path is used and checked again by `verify`.
 */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { findErrno } from './file-error.ts';
import { retryWhenStarved } from './retry-when-starved.ts';
import { descriptorPath, hasDescriptorLinks, isSamePath, openVerified, verifyOpen } from './reading/verified-open.ts';

export class FolderDescriptor {
	readonly realPath: string;
	readonly #handle: FileHandle | undefined;

	private constructor(realPath: string, handle: FileHandle | undefined) {
		this.realPath = realPath;
		this.#handle = handle;
	}

	/** Opens `root` and then each of `segments`, creating the ones that are missing. */
	static enter(root: string, segments: readonly string[]): Promise<FolderDescriptor> {
		return FolderDescriptor.#walk(root, segments, true);
	}

	/** Opens `root` and then each of `segments`; rejects with ENOENT when one is missing. */
	static reach(root: string, segments: readonly string[]): Promise<FolderDescriptor> {
		return FolderDescriptor.#walk(root, segments, false);
	}

	static async #walk(root: string, segments: readonly string[], create: boolean): Promise<FolderDescriptor> {
		let folder = new FolderDescriptor(root, hasDescriptorLinks ? await openVerified(root, 'folder') : undefined);
		for (const segment of segments) {
			try {
				const next = await folder.#child(segment, create);
				await folder.close();
				folder = next;
			} catch (error) {
				await folder.close();
				throw error;
			}
		}
		return folder;
	}

	/** The path by which the system reaches `name` in this folder. */
	at(name: string): string {
		return join(this.#handle === undefined ? this.realPath : descriptorPath(this.#handle), name);
	}

	/** Rejects with FILE_CHANGED when the folder no longer lies where it was entered. */
	async verify(): Promise<void> {
		if (this.#handle !== undefined) {
			await verifyOpen(this.#handle, this.realPath);
		} else if (!isSamePath(await realpath(this.realPath), this.realPath)) {
			throw new ProwessError('FILE_CHANGED', `${this.realPath} was replaced by a link`, { path: this.realPath });
		}
	}

	/** Makes renames in it durable. */
	async sync(): Promise<void> {
		await this.#handle?.sync();
	}

	async close(): Promise<void> {
		await this.#handle?.close();
	}

	async #child(name: string, create: boolean): Promise<FolderDescriptor> {
		try {
			if (create) {
				await mkdir(this.at(name));
			}
		} catch (error) {
			if (findErrno(error) !== 'EEXIST') {
				throw error;
			}
		}
		const realPath = join(this.realPath, name);
		if (!hasDescriptorLinks) {
			const child = new FolderDescriptor(realPath, undefined);
			await child.verify();
			return child;
		}
		const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
		const handle = await retryWhenStarved(() => open(this.at(name), flags));
		try {
			await verifyOpen(handle, realPath);
			return new FolderDescriptor(realPath, handle);
		} catch (error) {
			await handle.close();
			throw error;
		}
	}
}
