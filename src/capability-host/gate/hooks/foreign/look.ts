/** Looks at the files of hooks that there are: what each says, and whether the user has agreed to what it says now. */
import { readFileSync, statSync } from 'node:fs';
import { messageOf } from '../../../../base/text/message-of.ts';
import { parseJsonc } from '../../../machine/home-files/jsonc.ts';
import type { PlacesPort, WorkspacePort } from '../../../contract/ports/ports.ts';
import { HOOK_FILE_BYTES } from '../limits.ts';
import { type HookFile, hookFiles, type HooksOfPlugin } from './hook-files.ts';
import { hookIdentity, type HookIdentity } from './hook-identity.ts';
import type { KeptHooks } from './kept-hooks.ts';
import { type ForeignHook, readHookFile } from './read-hook-file.ts';

/** `changed`: it said something else, or ran another program, when the user agreed to it. */
export type HookFileState = 'allowed' | 'changed' | 'not allowed' | 'unusable';

export interface SeenHookFile {
	readonly file: HookFile;
	readonly state: HookFileState;
	readonly hooks: readonly ForeignHook[];
	/** Undefined for one that is unusable. */
	readonly identity: HookIdentity | undefined;
	/** In words. */
	readonly problems: readonly string[];
}

interface LookDeps {
	readonly workspace: Pick<WorkspacePort, 'folders' | 'isTrusted'>;
	readonly places: Pick<PlacesPort, 'userHome'>;
	readonly kept: Pick<KeptHooks, 'hashOf'>;
	/** Those that are enabled; absent: there are none. */
	readonly plugins?: (() => Promise<readonly HooksOfPlugin[]>) | undefined;
}

/** Without files that hold no hooks. `isKeptIn`: asked only where there are any. Rejects with INVALID_STATE when it cannot be read what the user has agreed to. */
export async function seenHookFiles(
	{ workspace, places, kept, plugins }: LookDeps,
	isKeptIn: () => Promise<boolean>,
): Promise<{ readonly files: readonly SeenHookFile[]; readonly problems: readonly string[] }> {
	const { files, hasMore } = hookFiles(places, workspace, (await plugins?.()) ?? []);
	const seen: SeenHookFile[] = [];
	for (const file of files) {
		const { hooks, problems } = contentOf(file.path);
		if (hooks.length + problems.length === 0) continue;
		try {
			const identity = hookIdentity(file, hooks, await isKeptIn());
			const agreed = hooks.length === 0 ? undefined : await kept.hashOf(file.path);
			const state = agreed === undefined ? 'not allowed' : agreed === identity.hash ? 'allowed' : 'changed';
			seen.push({ file, state: hooks.length === 0 ? 'unusable' : state, hooks, identity, problems });
		} catch (error) {
			seen.push({ file, state: 'unusable', hooks, identity: undefined, problems: [...problems, messageOf(error)] });
		}
	}
	return { files: seen, problems: hasMore.map((folder) => `${folder}: it holds more files than are read`) };
}

function contentOf(path: string): Pick<SeenHookFile, 'hooks' | 'problems'> {
	try {
		const { size } = statSync(path);
		if (size > HOOK_FILE_BYTES) {
			return { hooks: [], problems: [`${size} bytes, the limit is ${HOOK_FILE_BYTES}`] };
		}
		return readHookFile(parseJsonc(readFileSync(path, 'utf8')), process.platform);
	} catch (error) {
		return { hooks: [], problems: [messageOf(error)] };
	}
}
