/**
 * Computes the identity that the user agrees to with a file of hooks: its commands, and the programs beside it and in
 * the workspace that they run.
 */
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { messageOf } from '../../../../base/text/message-of.ts';
import { ProwessError } from '../../../../protocol/errors.ts';
import { text } from '../../../../protocol/text/text.ts';
import { readRegularFile } from '../../../../machine/paths/reading/read-regular-file.ts';
import { isIn } from '../../../../machine/sandbox/mounts/mounts.ts';
import { canonicalJson, sha256 } from '../../../record/store/chain/canonical-json.ts';
import { HOOK_PROGRAM_BYTES, HOOK_PROGRAMS, PLUGIN_BYTES, PLUGIN_FILES } from '../limits.ts';
import type { HookFile } from './hook-files.ts';
import type { ForeignHook } from './read-hook-file.ts';

export interface HookIdentity {
	/** SHA-256 in hexadecimal. */
	readonly hash: string;
	/** Programs whose content is part of it, absolute. */
	readonly programs: readonly string[];
}

/**
 * Rejects with INVALID_STATE when there are so many programs that nobody could look them over, and when one of them cannot be
 * read as it is: it is a device or a pipe, or too large.
 */
export async function hookIdentity(
	{ path, folder, programs: beside, plugin }: HookFile,
	hooks: readonly ForeignHook[],
	isKeptIn: boolean,
): Promise<HookIdentity> {
	if (plugin !== undefined) {
		return ofPlugin(path, beside, hooks, isKeptIn);
	}
	const root = folder ?? beside;
	const roots = [root, beside];
	const within = roots.map(realOf).filter((each) => each !== undefined);
	const isWithin = (real: string) => within.some((one) => isIn(real, one));
	const named = hooks.flatMap(({ command, cwd }) => wordsOf(command, root, join(root, cwd ?? '.')));
	const found = named.flatMap((each) => {
		const real = realOf(each);
		return real === undefined || isFolder(real) ? [] : [{ path: each, real }];
	});
	const inside = found.filter(({ real }) => isWithin(real)).map(({ real }) => real);
	const programs = [...new Set([...filesBeside(beside, isWithin), ...inside])].sort();
	// Programs outside are not the project's to change, but the target of a link inside the project is.
	const links = found.filter(({ path: each, real }) => !isWithin(real) && roots.some((one) => isIn(each, one)));
	if (programs.length + links.length > HOOK_PROGRAMS) {
		const message = `${path}: its hooks run more than ${HOOK_PROGRAMS} programs, which nobody could agree to`;
		throw new ProwessError('INVALID_STATE', message, {
			path,
			said: text('{path}: its hooks run more than {n} programs, which nobody could agree to.', {
				path,
				n: HOOK_PROGRAMS,
			}),
		});
	}
	const contents: object[] = [];
	for (const each of programs) {
		const { hash } = await hashOf(each, HOOK_PROGRAM_BYTES);
		contents.push({ path: each, hash });
	}
	for (const { path: each, real } of links) {
		if (!statSync(real).isFile()) throw unreadable(each, 'it is a link to something that is not a regular file');
		contents.push({ path: each, leadsTo: real });
	}
	return { hash: sha256(canonicalJson({ path, hooks, isKeptIn, contents })), programs };
}

/** All files of a plugin are part of it: any of them may be run by another. */
async function ofPlugin(
	path: string,
	root: string,
	hooks: readonly ForeignHook[],
	isKeptIn: boolean,
): Promise<HookIdentity> {
	const files = entriesBelow(root, PLUGIN_FILES, () => false).map((entry) => {
		const each = join(entry.parentPath, entry.name);
		if (!entry.isFile()) throw unreadable(each, 'it is neither a file nor a folder; a plugin may hold no links');
		return each;
	});
	const contents: object[] = [];
	let room = PLUGIN_BYTES;
	for (const each of files.sort()) {
		const { hash, bytes } = await hashOf(each, room);
		room -= bytes;
		contents.push({ path: each, hash });
	}
	return { hash: sha256(canonicalJson({ path, hooks, isKeptIn, contents })), programs: [root] };
}

/** Where output goes, unless a command says where: to write there is no use of what is there. */
const REDIRECTED = /(?<=^|[\s\d&])>>?\s*(?:"[^"$`]*"|'[^']*'|[^\s"';|&<>()$`])+/g;

/** Returns the words of a shell line that may name programs or files, as paths; most of them do not exist. */
function wordsOf(command: string, folder: string, cwd: string): string[] {
	const line = command.replaceAll(/\$\{?CLAUDE_PROJECT_DIR\}?/g, folder).replaceAll(REDIRECTED, ' ');
	// A quote may end a word, or stand within one: "$CLAUDE_PROJECT_DIR"/guard.sh.
	return [line, line.replaceAll(/["']/g, '')]
		.flatMap((each) => each.split(/["'\s;|&<>()=]+/))
		.filter((word) => word !== '' && !word.startsWith('-'))
		.map((word) => (isAbsolute(word) ? word : join(cwd, word)));
}

/** Real paths of the files in the folder of programs; what is a link counts where a command names it. */
function filesBeside(folder: string, isWithin: (realPath: string) => boolean): string[] {
	const real = realOf(folder);
	if (real === undefined || !isFolder(real)) return [];
	return entriesBelow(real, 10 * HOOK_PROGRAMS, isWithin)
		.filter((entry) => entry.isFile() && !entry.name.endsWith('.json'))
		.map((entry) => join(entry.parentPath, entry.name));
}

/**
 * Lists the entries below a folder that are not folders. Links to folders are followed where `isFollowed` says so, each
 * folder once.
 */
function entriesBelow(folder: string, most: number, isFollowed: (realPath: string) => boolean): Dirent[] {
	const found: Dirent[] = [];
	const folders = new Set([folder]);
	for (const next of folders) {
		for (const entry of readdirSync(next, { withFileTypes: true })) {
			const path = join(next, entry.name);
			const leadsTo = entry.isSymbolicLink() ? realOf(path) : undefined;
			if (entry.isDirectory()) folders.add(path);
			else if (leadsTo !== undefined && isFollowed(leadsTo) && isFolder(leadsTo)) folders.add(leadsTo);
			else found.push(entry);
			if (found.length + folders.size > most) throw unreadable(folder, `it holds more than ${most} files and folders`);
		}
	}
	return found;
}

function realOf(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch {
		return undefined;
	}
}

function isFolder(realPath: string): boolean {
	return statSync(realPath, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function hashOf(realPath: string, most: number): Promise<{ readonly hash: string; readonly bytes: number }> {
	try {
		const bytes = await readRegularFile(realPath, most);
		return { hash: sha256(bytes.toString('latin1')), bytes: bytes.length };
	} catch (error) {
		throw unreadable(realPath, messageOf(error));
	}
}

function unreadable(path: string, why: string): ProwessError {
	return new ProwessError('INVALID_STATE', `${path} cannot be used by a hook: ${why}`, {
		path,
		said: text('{path} cannot be used by a hook: {why}', { path, why }),
	});
}
