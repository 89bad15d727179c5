/** What the user agrees to with a file of hooks: its commands, and the programs beside it and in the workspace that they run. */
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { ProwessError } from '../../../../protocol/errors.ts';
import { text } from '../../../../protocol/text/text.ts';
import { isIn } from '../../../machine/sandbox/mounts/mounts.ts';
import { canonicalJson, sha256 } from '../../../record/store/chain/canonical-json.ts';
import { HOOK_PROGRAM_BYTES, HOOK_PROGRAMS } from '../limits.ts';
import type { HookFile } from './hook-files.ts';
import type { ForeignHook } from './read-hook-file.ts';

export interface HookIdentity {
	/** SHA-256 in hexadecimal. */
	readonly hash: string;
	/** Programs whose content is part of it, absolute. */
	readonly programs: readonly string[];
}

/** Throws with INVALID_STATE when there are so many programs that nobody could look them over. */
export function hookIdentity(
	{ path, folder, programs: beside, plugin }: HookFile,
	hooks: readonly ForeignHook[],
	isKeptIn: boolean,
): HookIdentity {
	if (plugin !== undefined) {
		return ofPlugin(path, beside, hooks, isKeptIn);
	}
	const root = folder ?? beside;
	const named = hooks.flatMap(({ command, cwd }) => wordsOf(command, root, join(root, cwd ?? '.')));
	const found = new Set([...filesIn(beside), ...named].map(realOf).filter((each) => each !== undefined));
	const within = [root, beside].map(realOf).filter((each) => each !== undefined);
	const programs = [...found].filter((each) => within.some((one) => isIn(each, one))).sort();
	if (programs.length > HOOK_PROGRAMS) {
		const message = `${path}: its hooks run more than ${HOOK_PROGRAMS} programs, which nobody could agree to`;
		throw new ProwessError('INVALID_STATE', message, {
			path,
			said: text('{path}: its hooks run more than {n} programs, which nobody could agree to.', {
				path,
				n: HOOK_PROGRAMS,
			}),
		});
	}
	const contents = programs.map((each) => ({ path: each, hash: sha256Of(each) }));
	return { hash: sha256(canonicalJson({ path, hooks, isKeptIn, contents })), programs };
}

/** All files of a plugin are part of it: any of them may be run by another. */
function ofPlugin(path: string, root: string, hooks: readonly ForeignHook[], isKeptIn: boolean): HookIdentity {
	const contents = readdirSync(root, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.sort()
		.map((each) => ({ path: each, hash: sha256(readFileSync(each, 'latin1')) }));
	return { hash: sha256(canonicalJson({ path, hooks, isKeptIn, contents })), programs: [root] };
}

/** Where output goes, unless a command says where: to write there is no use of what is there. */
const REDIRECTED = /(?<=^|[\s\d&])>>?\s*(?:"[^"$`]*"|'[^']*'|[^\s"';|&<>()$`])+/g;

/** Files that a line for the shell may name and use. */
function wordsOf(command: string, folder: string, cwd: string): string[] {
	return command
		.replaceAll(/\$\{?CLAUDE_PROJECT_DIR\}?/g, folder)
		.replaceAll(REDIRECTED, ' ')
		.split(/["'\s;|&<>()=]+/)
		.filter((word) => word !== '' && !word.startsWith('-'))
		.map((word) => (isAbsolute(word) ? word : join(cwd, word)))
		.filter((each) => statSync(each, { throwIfNoEntry: false })?.isFile() === true);
}

function filesIn(folder: string): string[] {
	try {
		return readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.slice(0, 10 * HOOK_PROGRAMS)
			.map((name) => join(folder, name))
			.filter((each) => lstatSync(each).isFile() && !each.endsWith('.json'));
	} catch {
		return [];
	}
}

function realOf(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch {
		return undefined;
	}
}

function sha256Of(path: string): string {
	const { size } = statSync(path);
	if (size > HOOK_PROGRAM_BYTES) {
		throw new ProwessError(
			'INVALID_STATE',
			`${path}: a program of a hook has ${size} bytes, the limit is ${HOOK_PROGRAM_BYTES}`,
			{
				path,
				said: text('{path}: a program of a hook has {size} bytes, the limit is {limit}.', {
					path,
					size,
					limit: HOOK_PROGRAM_BYTES,
				}),
			},
		);
	}
	return sha256(readFileSync(path, 'latin1'));
}
