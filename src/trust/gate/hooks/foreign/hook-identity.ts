/**
 * Computes the identity that the user agrees to with a file of hooks: its commands, the programs beside it and in the
 * workspace that they run, and what those run in turn.
 */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { toErrorMessage } from '../../../../base/text/message-of.ts';
import { ProwessError } from '../../../../protocol/errors/errors.ts';
import { text } from '../../../../protocol/text/text.ts';
import { findRealPlace, isExistingFolder } from '../../../../machine/paths/is-folder.ts';
import { readRegularFile } from '../../../../machine/paths/reading/read-regular-file.ts';
import { isInFolder } from '../../../../machine/sandbox/mounts/mounts.ts';
import { canonicalJson, sha256 } from '../../../record/store/chain/canonical-json.ts';
import { HOOK_PROGRAM_BYTES, HOOK_PROGRAMS, PLUGIN_BYTES, MAX_PLUGIN_HOOK_FILES } from '../limits.ts';
import type { ForeignHookFile } from './hook-files.ts';
import { reachedPrograms } from './reached-programs.ts';
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
	{ path, folder, programs: beside, plugin }: ForeignHookFile,
	hooks: readonly ForeignHook[],
	isKeptIn: boolean,
): Promise<HookIdentity> {
	if (plugin !== undefined) {
		return ofPlugin(path, beside, hooks, isKeptIn);
	}
	const root = folder ?? beside;
	const roots = [root, beside];
	const within = roots.map(findRealPlace).filter((each) => each !== undefined);
	const isWithin = (real: string) => within.some((one) => isInFolder(real, one));
	const written = hooks.flatMap(({ command, cwd }) => listCommandPaths(command, root, join(root, cwd ?? '.')));
	const found = written.flatMap((each) => {
		const real = findRealPlace(each);
		return real === undefined || isExistingFolder(real) ? [] : [{ path: each, real }];
	});
	const inside = found.filter(({ real }) => isWithin(real)).map(({ real }) => real);
	const named = [...new Set([...filesBeside(beside, isWithin), ...inside])].sort();
	const commands = hooks.map(({ command, cwd }) => ({
		text: command.replaceAll(REDIRECTED, ' '),
		from: [join(root, cwd ?? '.')],
	}));
	const { programs: reached, scripts } = reachedPrograms(commands, named, isWithin);
	const programs = [...named, ...reached].sort();
	// Programs outside are not the project's to change, but the target of a link inside the project is.
	const links = found.filter(({ path: each, real }) => !isWithin(real) && roots.some((one) => isInFolder(each, one)));
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
		const { hash } = await hashProgramFile(each, HOOK_PROGRAM_BYTES);
		contents.push({ path: each, hash });
	}
	for (const { path: each, real } of links) {
		if (!statSync(real).isFile())
			throw createUnusableError(each, 'it is a link to something that is not a regular file');
		contents.push({ path: each, leadsTo: real });
	}
	for (const { path: each, name, text: script } of scripts) contents.push({ path: each, name, script: sha256(script) });
	const manifests = new Set(scripts.map((each) => each.path));
	return { hash: sha256(canonicalJson({ path, hooks, isKeptIn, contents })), programs: [...programs, ...manifests] };
}

/** All files of a plugin are part of it: any of them may be run by another. */
async function ofPlugin(
	path: string,
	root: string,
	hooks: readonly ForeignHook[],
	isKeptIn: boolean,
): Promise<HookIdentity> {
	const files = entriesBelow(root, MAX_PLUGIN_HOOK_FILES, () => false).map((entry) => {
		const each = join(entry.parentPath, entry.name);
		if (!entry.isFile())
			throw createUnusableError(each, 'it is neither a file nor a folder; a plugin may hold no links');
		return each;
	});
	const contents: object[] = [];
	let room = PLUGIN_BYTES;
	for (const each of files.sort()) {
		const { hash, bytes } = await hashProgramFile(each, room);
		room -= bytes;
		contents.push({ path: each, hash });
	}
	return { hash: sha256(canonicalJson({ path, hooks, isKeptIn, contents })), programs: [root] };
}

/** Where output goes, unless a command says where: to write there is no use of what is there. */
const REDIRECTED = /(?<=^|[\s\d&])>>?\s*(?:"[^"$`]*"|'[^']*'|[^\s"';|&<>()$`])+/g;

/** Returns the words of a shell line that may name programs or files, as paths; most of them do not exist. */
function listCommandPaths(command: string, folder: string, cwd: string): string[] {
	const line = command.replaceAll(/\$\{?CLAUDE_PROJECT_DIR\}?/g, folder).replaceAll(REDIRECTED, ' ');
	// A quote may end a word, or stand within one: "$CLAUDE_PROJECT_DIR"/guard.sh.
	return [line, line.replaceAll(/["']/g, '')]
		.flatMap((each) => each.split(/["'\s;|&<>()=]+/))
		.filter((word) => word !== '' && !word.startsWith('-'))
		.map((word) => (isAbsolute(word) ? word : join(cwd, word)));
}

/** Real paths of the files in the folder of programs; what is a link counts where a command names it. */
function filesBeside(folder: string, isWithin: (realPath: string) => boolean): string[] {
	const real = findRealPlace(folder);
	if (real === undefined || !isExistingFolder(real)) return [];
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
			const leadsTo = entry.isSymbolicLink() ? findRealPlace(path) : undefined;
			if (entry.isDirectory()) folders.add(path);
			else if (leadsTo !== undefined && isFollowed(leadsTo) && isExistingFolder(leadsTo)) folders.add(leadsTo);
			else found.push(entry);
			if (found.length + folders.size > most)
				throw createUnusableError(folder, `it holds more than ${most} files and folders`);
		}
	}
	return found;
}

async function hashProgramFile(
	realPath: string,
	most: number,
): Promise<{ readonly hash: string; readonly bytes: number }> {
	try {
		const bytes = await readRegularFile(realPath, most);
		return { hash: sha256(bytes.toString('latin1')), bytes: bytes.length };
	} catch (error) {
		throw createUnusableError(realPath, toErrorMessage(error));
	}
}

function createUnusableError(path: string, why: string): ProwessError {
	return new ProwessError('INVALID_STATE', `${path} cannot be used by a hook: ${why}`, {
		path,
		said: text('{path} cannot be used by a hook: {why}', { path, why }),
	});
}
