/**
 * Writes a new capability. Existing files stay as they are, and an incompletely written capability is removed again.
 */
import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { findErrno, fileError } from '../../machine/paths/file-error.ts';
import { FolderDescriptor } from '../../machine/paths/folder-descriptor.ts';

/** Forms of a new skill, the usual one first. */
export const SKILL_FORMS = ['program', 'node-worker', 'python-worker', 'instructions'] as const;
export type SkillForm = (typeof SKILL_FORMS)[number];

/** The type under which a template makes an executor, with a capability for it. */
export const EXECUTOR_TEMPLATE = 'executor';

/** A folder below that of all capabilities, with texts by their path in it; the manifest first. */
export interface TemplateFolder {
	readonly folder: string;
	readonly files: Readonly<Record<string, string>>;
}

/**
 * `folder` below `within`, with `files` as texts by their paths. Rejects with ALREADY_EXISTS when something is there, and
 * with PATH_OUTSIDE_WORKSPACE when a link is on the way to it: then nothing is created.
 */
export async function writeNewCapability(
	within: string,
	folder: string,
	files: Readonly<Record<string, string>>,
): Promise<void> {
	try {
		const names = relative(within, folder).split(sep);
		const name = names.pop() ?? '';
		const parent = await enterParentFolder(await realpath(within), names, folder);
		try {
			await mkdir(parent.at(name));
			await parent.verify();
		} finally {
			await parent.close();
		}
	} catch (error) {
		if (findErrno(error) === 'EEXIST') {
			throw new ProwessError('ALREADY_EXISTS', `${folder} is there already; choose another name`, { path: folder });
		}
		throw fileError('write', folder, error);
	}
	try {
		for (const [path, text] of Object.entries(files)) {
			await mkdir(dirname(join(folder, path)), { recursive: true });
			await writeFile(join(folder, path), text, { flag: 'wx' });
		}
	} catch (error) {
		await rm(folder, { recursive: true, force: true });
		throw fileError('write', folder, error);
	}
}

/** The folder it comes into, entered step by step without following a link. */
async function enterParentFolder(within: string, names: readonly string[], folder: string): Promise<FolderDescriptor> {
	try {
		return await FolderDescriptor.enter(within, names);
	} catch (error) {
		const isLink = ['ELOOP', 'ENOTDIR'].includes(findErrno(error) ?? '');
		if (isLink || (isProwessError(error) && error.code === 'FILE_CHANGED')) {
			const message = `${folder}: a link or a file is on the way to it below ${within}`;
			throw new ProwessError('PATH_OUTSIDE_WORKSPACE', message, { path: folder }, error);
		}
		throw error;
	}
}
