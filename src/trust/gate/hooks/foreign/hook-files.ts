/** Files in which other agents keep hooks: those of each folder of the workspace, and the user's. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PlacesPort, WorkspacePort } from '../../../../contract/ports/ports.ts';
import { MAX_HOOK_FILES } from '../limits.ts';

export interface ForeignHookFile {
	/** Absolute. */
	readonly path: string;
	/** Folder of the workspace that it lies in; undefined: it is the user's. */
	readonly folder: string | undefined;
	/** Folder with the programs that its hooks usually run. */
	readonly programs: string;
	/** Plugin that it is a part of; absent: none. */
	readonly plugin?: string;
	/** Folder that the plugin keeps its data in, made when one of its hooks runs. */
	readonly data?: string;
}

/** Where an enabled plugin keeps its hooks. */
export interface HooksOfPlugin {
	/** Name of the plugin. */
	readonly name: string;
	readonly root: string;
	/** Folder that it keeps its data in, whether it is there or not. */
	readonly data: string;
	/** File with its hooks. */
	readonly path: string;
	/** Folder of the workspace that it lies in; undefined: it is the user's. */
	readonly folder: string | undefined;
}

/** Files with hooks in the folder of a program, each with the folder in which its programs usually lie. */
const HOOK_SETTINGS = [
	['.claude', 'settings.json'],
	['.claude', 'settings.local.json'],
	['.cursor', 'hooks.json'],
	['.gemini', 'settings.json'],
] as const;

/** None of a workspace that is not trusted. `hasMore`: folders that hold more files than are read, in words. */
export function hookFiles(
	{ userHome }: Pick<PlacesPort, 'userHome'>,
	{ folders, isTrusted }: Pick<WorkspacePort, 'folders' | 'isTrusted'>,
	plugins: readonly HooksOfPlugin[] = [],
): { readonly files: readonly ForeignHookFile[]; readonly hasMore: readonly string[] } {
	const hasMore: string[] = [];
	const listSettings = (base: string, folder: string | undefined) =>
		HOOK_SETTINGS.map(([program, name]) => ({
			path: join(base, program, name),
			folder,
			programs: join(base, program, 'hooks'),
		})).filter(({ path }) => existsSync(path));
	const listFolderFiles = (programs: string, folder: string | undefined) => {
		const names = jsonFilesIn(programs);
		if (names.length > MAX_HOOK_FILES) {
			const left = names.length - MAX_HOOK_FILES;
			hasMore.push(
				`${programs}: it holds ${names.length} files of hooks; the first ${MAX_HOOK_FILES} are read, ${left} are left out`,
			);
		}
		return names.slice(0, MAX_HOOK_FILES).map((name) => ({ path: join(programs, name), folder, programs }));
	};
	const files = [
		...(isTrusted ? folders : []).flatMap(({ path }) => [
			...listFolderFiles(join(path, '.github', 'hooks'), path),
			...listSettings(path, path),
		]),
		...listFolderFiles(join(userHome, '.copilot', 'hooks'), undefined),
		...listSettings(userHome, undefined),
		...plugins
			.filter(({ path }) => existsSync(path))
			.map(({ name, root, data, path, folder }) => ({ path, folder, programs: root, plugin: name, data })),
	];
	return { files, hasMore };
}

function jsonFilesIn(folder: string): string[] {
	try {
		return readdirSync(folder)
			.filter((name) => name.endsWith('.json'))
			.sort();
	} catch {
		return [];
	}
}
