/** The files of a capability: read once, and named by a hash over all of them, which is what the person agrees to. */
import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ProwessError } from '../protocol/errors/errors.ts';
import { commandAsSkill } from './command-file.ts';
import { readRegularFile } from '../machine/paths/reading/read-regular-file.ts';
import { text } from '../protocol/text/text.ts';
import { MAX_FILE_DEPTH, MAX_FILES, MAX_TOTAL_BYTES } from './limits.ts';

export interface CapabilityFile {
	/** Relative, with slashes. */
	readonly path: string;
	readonly bytes: Buffer;
}

/** The files of a capability, as they are now. */
export interface CapabilityFiles {
	readonly hash: string;
	readonly files: readonly CapabilityFile[];
}

/**
 * Reads the files of a capability and their hash; a command that is one file yields the SKILL.md it stands for. Rejects
 * with INVALID_CAPABILITY_CONFIG for content that cannot be copied as it is: links, too much, things that are no files.
 */
export async function readCapabilityFiles(folder: string): Promise<CapabilityFiles> {
	const isOneFile = (await lstat(folder)).isFile();
	const files = isOneFile ? [await readCommandAsSkill(folder)] : await readTree(folder, 1, MAX_FILES);
	return { hash: hashCapabilityFiles(files), files };
}

async function readCommandAsSkill(path: string): Promise<CapabilityFile> {
	const text = (await readPlainFile(path)).toString('utf8');
	return { path: 'SKILL.md', bytes: Buffer.from(commandAsSkill(text, path)) };
}

/** `depth` is that of its own files; more than `most` are refused. */
export async function readTree(folder: string, depth: number, most: number): Promise<CapabilityFile[]> {
	const files: CapabilityFile[] = [];
	await readInto(folder, '', depth, files, { bytes: 0, most });
	return files;
}

export function hashCapabilityFiles(files: readonly CapabilityFile[]): string {
	const hash = createHash('sha256');
	for (const { path, bytes } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
		const content = createHash('sha256').update(bytes).digest('hex');
		hash.update(`${JSON.stringify(path)} ${content}\n`);
	}
	return hash.digest('hex');
}

async function readInto(
	root: string,
	below: string,
	depth: number,
	files: CapabilityFile[],
	size: { bytes: number; readonly most: number },
): Promise<void> {
	const createFileError = (path: string, problem: string) =>
		new ProwessError('INVALID_CAPABILITY_CONFIG', `${join(root, path)}: ${problem}`, { path: join(root, path) });
	for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
		const path = below === '' ? entry.name : `${below}/${entry.name}`;
		if (entry.isDirectory()) {
			if (depth >= MAX_FILE_DEPTH) throw createFileError(path, `folders deeper than ${MAX_FILE_DEPTH}`);
			await readInto(root, path, depth + 1, files, size);
		} else if (!entry.isFile()) {
			throw createFileError(path, 'it is neither a file nor a folder; a capability may hold no links');
		} else {
			if (files.length >= size.most) throw createFileError(below, `more than ${size.most} files`);
			const { size: bytes } = await lstat(join(root, path));
			size.bytes += bytes;
			if (size.bytes > MAX_TOTAL_BYTES) throw createFileError(below, `more than ${MAX_TOTAL_BYTES} bytes`);
			files.push({ path, bytes: await readPlainFile(join(root, path)) });
		}
	}
}

/** Not through a link that has taken its place, and not one that never ends. */
async function readPlainFile(path: string): Promise<Buffer> {
	try {
		return await readRegularFile(path, MAX_TOTAL_BYTES);
	} catch (error) {
		const said = text('{path}: it changed while it was read.', { path });
		throw new ProwessError('INVALID_CAPABILITY_CONFIG', `${path}: it changed while it was read`, { path, said }, error);
	}
}
