/** Files that the words of `prowess run` name: pictures with --image, and files and folders of the workspace with @. */
import { statSync } from 'node:fs';
import { basename, resolve, sep } from 'node:path';
import type { ContextRef } from '../../protocol/thread/context.ts';
import { checkedImage, imageTooLarge, MAX_IMAGE_BYTES, refuseManyImages } from '../../protocol/ops/images.ts';
import { readRegularFileSync } from '../../machine/paths/reading/read-regular-file.ts';
import { UsageError } from '../terminal/usage-error.ts';

export interface NamedImage {
	readonly name: string;
	/** Base64. */
	readonly data: string;
}

/** Throws for a file that cannot be read, is no picture, is too large, and for too many. Reads none that is too large. */
export function namedImages(files: readonly string[], folder: string): NamedImage[] {
	refuseManyImages(files.length);
	return files.map((file) => {
		const path = resolve(folder, file);
		let bytes: Buffer;
		try {
			const { size } = statSync(path);
			if (size > MAX_IMAGE_BYTES) {
				throw imageTooLarge(file, size);
			}
			bytes = readRegularFileSync(path, MAX_IMAGE_BYTES);
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			if (code === 'ENOENT' || code === 'ENOTDIR') {
				throw new UsageError(`run: --image: there is no file "${file}"`);
			}
			if (code === 'EISDIR' || code === 'EACCES') {
				throw new UsageError(`run: --image: "${file}" cannot be read: ${code}`);
			}
			throw error;
		}
		checkedImage(bytes, file);
		return { name: basename(file), data: bytes.toString('base64') };
	});
}

/** Words of a prompt; what merely looks like one, such as the name of a package, names nothing that is there. */
const PROMPT_REFERENCE = /(?<=^|[\s(])@([^\s@]+)/g;
const MAX_REFERENCES = 100;

/**
 * Returns the files and folders of the workspace that a prompt names with @, each once. They are read later, through
 * the broker.
 */
export function namedReferences(prompt: string, workspace: string): ContextRef[] {
	const found = new Map<string, ContextRef>();
	for (const [, word = ''] of prompt.matchAll(PROMPT_REFERENCE)) {
		for (const path of [word, word.replace(/[.,;:!?)]+$/, '')]) {
			const kind = findPathKind(path, workspace);
			if (kind !== undefined) {
				found.set(path, { kind, path: path.replace(/\/+$/, '') });
				break;
			}
		}
	}
	const codebase: readonly ContextRef[] = /(?<=^|[\s(])@codebase\b/.test(prompt) ? [{ kind: 'codebase' }] : [];
	return [...codebase, ...found.values()].slice(0, MAX_REFERENCES);
}

function findPathKind(path: string, workspace: string): 'file' | 'folder' | undefined {
	const absolute = resolve(workspace, path);
	if (path === '' || !absolute.startsWith(workspace + sep)) {
		return undefined;
	}
	const stat = statSync(absolute, { throwIfNoEntry: false });
	return stat?.isFile() === true ? 'file' : stat?.isDirectory() === true ? 'folder' : undefined;
}
