/** Looks at one file of hooks: what it says, and whether the user has agreed to what it says now. Loaded where there is one. */
import { realpath } from 'node:fs/promises';
import { parseJsonc } from '../../../../base/text/jsonc.ts';
import { toErrorMessage } from '../../../../base/text/message-of.ts';
import { decodeUtf16 } from '../../../../base/text/utf16.ts';
import { findErrno } from '../../../../machine/paths/file-error.ts';
import { readRegularFile, unlinkedPath } from '../../../../machine/paths/reading/read-regular-file.ts';
import { HOOK_FILE_BYTES } from '../limits.ts';
import type { ForeignHookFile } from './hook-files.ts';
import { hookIdentity, type HookIdentity } from './hook-identity.ts';
import type { KeptHooks } from './kept-hooks.ts';
import { type ForeignHook, readHookFile } from './read-hook-file.ts';

/** `changed`: it said something else, or ran another program, when the user agreed to it. */
export type HookFileState = 'allowed' | 'changed' | 'not allowed' | 'unusable';

export interface SeenHookFile {
	readonly file: ForeignHookFile;
	readonly state: HookFileState;
	readonly hooks: readonly ForeignHook[];
	/** Undefined for one that is unusable. */
	readonly identity: HookIdentity | undefined;
	/** In words. */
	readonly problems: readonly string[];
}

/** Undefined: it holds no hooks. `isKeptIn`: asked only where there are any. Rejects as `seenHookFiles` does. */
export async function lookAtHookFile(
	file: ForeignHookFile,
	kept: Pick<KeptHooks, 'hashOf'>,
	isKeptIn: () => Promise<boolean>,
): Promise<SeenHookFile | undefined> {
	const { hooks, problems } = await readFileHooks(file);
	if (hooks.length + problems.length === 0) return undefined;
	try {
		const identity = await hookIdentity(file, hooks, await isKeptIn());
		const agreed = hooks.length === 0 ? undefined : await kept.hashOf(file.path);
		const state = agreed === undefined ? 'not allowed' : agreed === identity.hash ? 'allowed' : 'changed';
		return { file, state: hooks.length === 0 ? 'unusable' : state, hooks, identity, problems };
	} catch (error) {
		return { file, state: 'unusable', hooks, identity: undefined, problems: [...problems, toErrorMessage(error)] };
	}
}

/** A link is followed only in the home of the user, where nobody else makes one. A file that has just gone holds no hooks. */
async function readFileHooks({
	path,
	folder,
	programs,
	plugin,
}: ForeignHookFile): Promise<Pick<SeenHookFile, 'hooks' | 'problems'>> {
	const root = folder ?? (plugin === undefined ? undefined : programs);
	try {
		const place = root === undefined ? await realpath(path) : await unlinkedPath(path, root);
		const bytes = await readRegularFile(place, HOOK_FILE_BYTES);
		return readHookFile(parseJsonc(decodeUtf16(bytes) ?? bytes.toString('utf8')), process.platform);
	} catch (error) {
		return { hooks: [], problems: findErrno(error) === 'ENOENT' ? [] : [toErrorMessage(error)] };
	}
}
