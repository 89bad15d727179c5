/** One look at all roots: which items there are, what their manifests say, which are in force. */
import { realpath } from 'node:fs/promises';
import type { CapabilityManifest, ExecutorManifest } from '../../../../protocol/manifest.ts';
import type { ManifestProblem } from '../../../../protocol/manifest/problem.ts';
import {
	type ManifestTexts,
	readExecutorManifest,
	type ReadManifest,
} from '../../../../protocol/manifest/read-manifest.ts';
import type { BuiltInExecutor } from '../../executors.ts';
import { findFolders, type Folder } from './find-folders.ts';
import { inParallel } from '../watch/in-parallel.ts';
import type { RegistryState } from '../items.ts';
import { READ_AHEAD, SCAN_WIDTH } from '../limits.ts';
import { type ManifestFiles, readManifestFiles, stampOf } from './manifest-files.ts';
import { Pace } from '../watch/pace.ts';
import { capabilityItems, executorItems, type Found } from '../resolve.ts';
import type { Root } from '../sources/roots.ts';
import { readCapability } from '../sources/what-it-runs.ts';

export interface KnownReading {
	/** As `stampOf` had it when the files were read. */
	readonly stamp: string;
	readonly read: ReadManifest<unknown>;
}

/** What was read, to be read again only when it has changed. */
export type ScanMemory = Map<string, KnownReading>;

interface Scan {
	readonly state: RegistryState;
	readonly memory: ScanMemory;
	/** Folders to watch for changes; also roots that are not there yet. */
	readonly watched: readonly string[];
}

/** `onRead`: told each capability as soon as it is read. */
export async function scan(
	roots: readonly Root[],
	builtIn: readonly BuiltInExecutor[],
	before: ScanMemory,
	onRead: (found: Found<CapabilityManifest>) => void,
): Promise<Scan> {
	const memory: ScanMemory = new Map();
	const capabilities: Found<CapabilityManifest>[] = [];
	const executors: Found<ExecutorManifest>[] = [];
	const problems: string[] = [];
	const watched: string[] = [];
	const seen = new Set<string>();
	const pace = new Pace();
	for (const root of roots) {
		const real = await realpath(root.path).catch(() => root.path);
		// A workspace may be the very folder that holds what is the user's own.
		if (seen.has(real)) continue;
		seen.add(real);
		const found = await findFolders(root);
		problems.push(...found.problems);
		watched.push(root.path, ...found.visited);
		const readAll = async <Manifest>(
			folders: readonly Folder[],
			read: Reader<Manifest>,
			onEach?: (item: Found<Manifest>) => void,
		) => {
			const items: Found<Manifest>[] = [];
			for (let at = 0; at < folders.length; at += READ_AHEAD) {
				// First the files, then what is in them: threads that read fall asleep meanwhile, and to wake them takes longer than to read.
				const some = await inParallel(folders.slice(at, at + READ_AHEAD), SCAN_WIDTH, async (folder) => {
					return { folder, manifest: await fetched(folder, read, before, memory) };
				});
				for (const { folder, manifest } of some) {
					const { source, layout } = root;
					const item = { path: folder.path, source, layout, folder, read: await pace.take(manifest) };
					onEach?.(item);
					items.push(item);
				}
			}
			return items;
		};
		capabilities.push(...(await readAll(found.capabilities, readCapability, onRead)));
		executors.push(...(await readAll(found.executors, (texts) => readExecutorManifest(texts))));
	}
	const rankedExecutors = await executorItems(executors, builtIn);
	return {
		state: { capabilities: capabilityItems(capabilities, rankedExecutors), executors: rankedExecutors, problems },
		memory,
		watched,
	};
}

type Reader<Manifest> = (texts: ManifestTexts, folder: Folder) => ReadManifest<Manifest>;

/** Reads the files in a folder, unless they are known; what they say is left to whoever has the time. */
async function fetched<Manifest>(
	folder: Folder,
	read: Reader<Manifest>,
	before: ScanMemory,
	memory: ScanMemory,
): Promise<() => ReadManifest<Manifest>> {
	const { path, name, type = '', problem = '', manifests, runnable } = folder;
	const key = [path, name, type, problem, ...manifests, ...runnable].join('\n');
	const known = before.get(key);
	if (known !== undefined && known.stamp === (await stampOf(path, manifests))) {
		memory.set(key, known);
		return () => known.read as ReadManifest<Manifest>;
	}
	const files = await filesOf(folder);
	return () => {
		const result = manifestOf(folder, files, read);
		if (files.stamp !== undefined) memory.set(key, { stamp: files.stamp, read: result });
		return result;
	};
}

/** The manifest in a folder; a file that cannot be read is one of its problems. */
export async function readFolder<Manifest>(folder: Folder, read: Reader<Manifest>): Promise<ReadManifest<Manifest>> {
	return manifestOf(folder, await filesOf(folder), read);
}

async function filesOf({ path, manifests, problem: message }: Folder): Promise<ManifestFiles> {
	if (message === undefined) {
		return await readManifestFiles(path, manifests);
	}
	const problem: ManifestProblem = { severity: 'error', message, file: '', line: 1, column: 1, path: [] };
	return { texts: {}, problems: [problem], stamp: undefined };
}

function manifestOf<Manifest>(
	folder: Folder,
	{ texts, problems }: ManifestFiles,
	read: Reader<Manifest>,
): ReadManifest<Manifest> {
	return problems.length > 0 ? { manifest: undefined, problems, raw: {} } : read(texts, folder);
}
