/** Finds what a worktree has that its base has not. Git only names candidates: what counts are the bytes on the disk. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { forceRemoveFolder } from '../../machine/home-files/remove-entries.ts';
import { appliedEntry, listApplied } from './applied-content.ts';
import { listFiles } from './copy-folder.ts';
import { isSameEntry, readEntry, type FileEntry } from './file-entry.ts';
import { MAX_WORKTREE_FILES, MAKE_TIMEOUT_MS } from './limits.ts';
import { chunkNames, UserRepository } from './repository.ts';
import type { WorktreeChange, WorktreeChanges, WorktreeLosses, WorktreeRecord } from './worktree.ts';
import type { WorktreeRecords } from './worktree-records.ts';

interface Looking {
	readonly records: WorktreeRecords;
	/** Variables of commands. */
	readonly environment: Readonly<Record<string, string>>;
}

/** A changed file, with the content on both sides. */
export interface ComparedFile {
	readonly path: string;
	/** Undefined: there was, or is, no such file. */
	readonly base: FileEntry | undefined;
	readonly now: FileEntry | undefined;
}

interface ComparedTree extends Pick<WorktreeChanges, 'submodules' | 'outside'> {
	readonly files: readonly ComparedFile[];
	/** Undefined for a copy. */
	readonly repository: UserRepository | undefined;
}

export async function openTree(
	{ records, environment }: Looking,
	record: WorktreeRecord,
	signal: AbortSignal,
): Promise<UserRepository | undefined> {
	return record.kind === 'copy' ? undefined : await UserRepository.open(records.treeOf(record), environment, signal);
}

export async function findChanges(
	looking: Looking,
	record: WorktreeRecord,
	signal: AbortSignal,
): Promise<WorktreeChanges> {
	const { files, submodules, outside } = await compareFiles(looking, record, signal);
	const changes = files.map(({ path, base, now }): WorktreeChange => {
		return { path, kind: base === undefined ? 'added' : now === undefined ? 'deleted' : 'changed' };
	});
	return { changes, submodules, outside };
}

/** Compares with what the worktree was made from, or with what was applied last. */
export async function compareFiles(
	looking: Looking,
	record: WorktreeRecord,
	signal: AbortSignal,
): Promise<ComparedTree> {
	const repository = await openTree(looking, record, signal);
	const found =
		repository === undefined
			? await compareCopy(looking, record, signal)
			: await compareTree(looking, repository, record, signal);
	return { ...found, files: found.files.filter(({ base, now }) => !isSameEntry(base, now)) };
}

async function compareCopy({ records }: Looking, record: WorktreeRecord, signal: AbortSignal): Promise<ComparedTree> {
	const baseFolder = records.baseOf(record.name);
	const work = records.workOf(record);
	const [before, after] = await Promise.all(
		[baseFolder, work].map((folder) => listFiles(folder, MAX_WORKTREE_FILES * 2, signal)),
	);
	const brought = new Set(record.extras.map(({ path }) => path));
	const paths = [...new Set([...(before?.files ?? []), ...(after?.files ?? [])].map(({ path }) => path))].filter(
		(path) => !brought.has(path) && path !== '.git' && !path.startsWith('.git/'),
	);
	const files: ComparedFile[] = [];
	for (const path of paths.sort()) {
		signal.throwIfAborted();
		const base = await readEntry(join(baseFolder, path));
		const now = await readEntry(join(work, path));
		if (!isSameEntry(base, now)) files.push({ path, base, now });
	}
	return { files, submodules: [], outside: [], repository: undefined };
}

/** Arguments of Git for all that is in no commit, in submodules too. */
const UNCOMMITTED = [
	'status',
	'--porcelain=v2',
	'-z',
	'--untracked-files=all',
	'--no-renames',
	'--ignore-submodules=none',
];

async function compareTree(
	{ records }: Looking,
	repository: UserRepository,
	record: WorktreeRecord,
	signal: AbortSignal,
): Promise<ComparedTree> {
	const { base, name, prefix } = record;
	const raw = ['--raw', '--no-renames', '--no-abbrev', '-z', '--ignore-submodules=none'];
	const committed = parseRaw(await repository.git(['diff', ...raw, base, 'HEAD', '--'], signal));
	const uncommitted = parseStatus(await repository.git(UNCOMMITTED, signal));
	const modules = new Set([...committed, ...uncommitted].flatMap((each) => (each.isSubmodule ? [each.path] : [])));
	const overlay = records.baseOf(name);
	const applied = (await listApplied(overlay, signal)).map((path) => atRoot(prefix, path));
	const brought = new Set(record.extras.map(({ path }) => atRoot(prefix, path)));
	const all = new Set([...committed.map(({ path }) => path), ...uncommitted.map(({ path }) => path), ...applied]);
	const candidates = [...all].filter((path) => !modules.has(path) && !brought.has(path)).sort();
	const isInside = (path: string) => prefix === '' || path.startsWith(`${prefix}/`);
	const inside = candidates.filter(isInside);
	const belowFolder = (path: string) => (prefix === '' ? path : path.slice(prefix.length + 1));
	const files = await withBase(records, repository, record, inside, signal, async (scratch) => {
		const compared: ComparedFile[] = [];
		for (const path of inside) {
			signal.throwIfAborted();
			const last = await appliedEntry(overlay, belowFolder(path));
			const before = last === 'none' ? await readEntry(join(scratch, path)) : last;
			compared.push({
				path: belowFolder(path),
				base: noFolder(before),
				now: noFolder(await readEntry(join(repository.root, path))),
			});
		}
		return compared;
	});
	const outside = candidates.filter((path) => !isInside(path));
	return { files, submodules: [...modules].sort(), outside, repository };
}

/** Has the base's files as Git would check them out, in a folder for as long as `work` takes. */
async function withBase<T>(
	records: WorktreeRecords,
	repository: UserRepository,
	{ name, base }: WorktreeRecord,
	paths: readonly string[],
	signal: AbortSignal,
	work: (folder: string) => Promise<T>,
): Promise<T> {
	const scratch = records.scratchOf(name);
	await forceRemoveFolder(scratch);
	try {
		if (paths.length > 0) {
			await mkdir(scratch, { recursive: true, mode: 0o700 });
			const environment = { GIT_INDEX_FILE: join(scratch, '.index') };
			const run = { environment, timeoutMs: MAKE_TIMEOUT_MS };
			await repository.git(['read-tree', base], signal, run);
			for (const some of chunkNames(paths)) {
				const there = await repository.names(
					['ls-files', '-z', '--', ...some.map((path) => `:(literal,top)${path}`)],
					signal,
					run,
				);
				const args = ['checkout-index', '--quiet', '--ignore-skip-worktree-bits', `--prefix=${scratch}/files/`, '--'];
				if (there.length > 0) await repository.git([...args, ...there], signal, run);
			}
		}
		return await work(join(scratch, 'files'));
	} finally {
		await forceRemoveFolder(scratch);
	}
}

/** Where a folder is, there is no such file; of a repository inside, which Git names like a folder, something is. */
function noFolder(entry: FileEntry | undefined): FileEntry | undefined {
	return entry?.kind === 'folder' ? undefined : entry;
}

/** Finds what would be gone with the worktree. */
export async function findLosses(
	looking: Looking,
	record: WorktreeRecord,
	signal: AbortSignal,
): Promise<WorktreeLosses> {
	const repository = await openTree(looking, record, signal);
	if (repository === undefined) {
		const { files } = await compareFiles(looking, record, signal);
		return { changed: files.map(({ path }) => path), commits: [], ignored: [] };
	}
	const uncommitted = parseStatus(await repository.git(UNCOMMITTED, signal)).map(({ path }) => path);
	const others = [
		'ls-files',
		'--others',
		'--directory',
		'--no-empty-directory',
		'-z',
		'--ignored',
		'--exclude-standard',
	];
	const brought = record.extras.map(({ path }) => atRoot(record.prefix, path));
	const isBrought = (path: string) => brought.some((each) => path.replace(/\/$/, '') === each);
	const same = await unchangedExtras(looking, record);
	const ignored = (await repository.names(others, signal)).filter(
		(path) => !isBrought(path) || !same.has(path.replace(/\/$/, '')),
	);
	const branch = record.branch ?? '';
	const elsewhere = ['--not', `--exclude=${branch}`, '--branches', '--remotes', '--tags', record.base];
	const commits = await repository.git(['log', '--format=%h %s', 'HEAD', ...elsewhere], signal);
	const changed = uncommitted.filter((path) => !isBrought(path));
	return { changed, commits: commits.split('\n').filter((line) => line !== ''), ignored };
}

/** Brought along and still as in the workspace; folders that were copied are not compared, they count as changed. */
async function unchangedExtras({ records }: Looking, record: WorktreeRecord): Promise<ReadonlySet<string>> {
	const same = new Set<string>();
	for (const { path, way } of record.extras) {
		const [one, other] = await Promise.all(
			[record.project, records.workOf(record)].map((folder) => readEntry(join(folder, path)).catch(() => undefined)),
		);
		if (way === 'link' || (one !== undefined && isSameEntry(one, other))) same.add(atRoot(record.prefix, path));
	}
	return same;
}

function atRoot(prefix: string, path: string): string {
	return prefix === '' ? path : `${prefix}/${path}`;
}

interface NamedChange {
	readonly path: string;
	readonly isSubmodule: boolean;
}

/** `:100644 100644 <id> <id> M`, then the path, each ended by NUL. */
function parseRaw(output: string): NamedChange[] {
	const parts = output.split('\0');
	const found: NamedChange[] = [];
	for (let at = 0; at + 1 < parts.length; at += 2) {
		found.push({ path: parts[at + 1] ?? '', isSubmodule: /^:(?:160000|\d+ 160000)/.test(parts[at] ?? '') });
	}
	return found;
}

function parseStatus(output: string): NamedChange[] {
	return output
		.split('\0')
		.map((line) => {
			const fields = line.split(' ');
			const [kind = '', , submodule = ''] = fields;
			if (kind === '?') return { path: line.slice(2), isSubmodule: false };
			const before = kind === '1' ? 8 : kind === 'u' ? 10 : undefined;
			return before === undefined
				? undefined
				: { path: fields.slice(before).join(' '), isSubmodule: submodule.startsWith('S') };
		})
		.filter((each) => each !== undefined);
}
