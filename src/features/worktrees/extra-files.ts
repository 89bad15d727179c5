/** Files that are not in Git and may be needed all the same: `.env`, `node_modules`, caches. Each is copied, linked or left out. */
import { lstat, mkdir, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findErrno } from '../../machine/paths/file-error.ts';
import { copyFolder } from './copy-folder.ts';
import type { UserRepository } from './repository.ts';
import type { ExtraFound, ExtraWay, WorktreeRecord } from './worktree.ts';
import type { WorktreeRecords } from './worktree-records.ts';

type Table = Readonly<Record<string, ExtraWay>>;

/** Asks the user about entries that no table names; resolves with a way for each. */
export type AskAboutExtras = (found: readonly ExtraFound[]) => Promise<Readonly<Record<string, ExtraWay>>>;

/** The way that a table has for a path: by the path itself, else by its last name; `*` stands for any part of a name. */
export function extraWay(table: Table, path: string): ExtraWay | undefined {
	const found = Object.entries(table).find(([pattern]) => fitsPattern(pattern, path));
	return found?.[1];
}

function fitsPattern(pattern: string, path: string): boolean {
	const place = pattern.includes('/') ? path : basename(path);
	const words = pattern.replace(/\/$/, '').split('*');
	const exact = words.map((each) => each.replaceAll(/[\\^$.+?()[\]{}|/-]/g, String.raw`\$&`));
	return new RegExp(`^${exact.join('[^/]*')}$`).test(place);
}

/** Entries of the workspace folder that Git does not keep, a folder of them as one. */
async function findExtras(
	repository: UserRepository,
	folder: string,
	tables: readonly Table[],
	signal: AbortSignal,
): Promise<ExtraFound[]> {
	const here = repository.at(folder);
	const others = ['ls-files', '--others', '--directory', '--no-empty-directory', '-z'];
	const listed = await here.names([...others, '--ignored', '--exclude-standard'], signal);
	const own = new Set(['.prowess/', '.git/', '.git']);
	return listed
		.filter((entry) => !own.has(entry))
		.map((entry) => {
			const path = entry.replace(/\/$/, '');
			const way = tables.map((table) => extraWay(table, path)).find((each) => each !== undefined);
			return { path, isFolder: entry.endsWith('/'), way };
		});
}

/** The same with the user's choice for each; what has none yet is asked about, and kept. Without a repository: what has one. */
export async function chooseExtras(
	{ records, table }: { readonly records: WorktreeRecords; table(): Table },
	repository: UserRepository | undefined,
	askAbout: AskAboutExtras | undefined,
	signal: AbortSignal,
): Promise<ExtraFound[]> {
	const choices = await records.choices();
	if (repository === undefined) {
		return Object.entries({ ...choices.files, ...table() }).map(([path, way]) => ({ path, way, isFolder: true }));
	}
	const found = await findExtras(repository, records.project, [table(), choices.files], signal);
	const open = found.filter(({ way }) => way === undefined);
	if (askAbout === undefined || open.length === 0) return found;
	const answers = await askAbout(open);
	await records.choose({ ...choices, files: { ...choices.files, ...answers } });
	return found.map((each) => ({ ...each, way: each.way ?? answers[each.path] }));
}

/** Brings along what is copied or linked; what is there already stays. Resolves with what was brought. */
export async function bringExtras(
	from: string,
	to: string,
	extras: readonly ExtraFound[],
	signal: AbortSignal,
): Promise<WorktreeRecord['extras']> {
	const brought: WorktreeRecord['extras'] = [];
	for (const { path, way } of extras) {
		if (way !== 'copy' && way !== 'link') continue;
		const source = join(from, path);
		const target = join(to, path);
		try {
			await lstat(target);
			continue;
		} catch (error) {
			if (findErrno(error) !== 'ENOENT') throw error;
		}
		await mkdir(dirname(target), { recursive: true });
		if (way === 'copy') {
			await copyFolder(source, target, () => false, signal);
		} else {
			await symlink(source, target, 'junction');
		}
		brought.push({ path, way });
	}
	return brought;
}
