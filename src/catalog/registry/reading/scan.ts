/** Scans all roots once: finds the items, reads their manifests, and decides which are in force. */
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { inParallel } from '../../../base/parallel-groups.ts';
import {
	capabilityManifestsIn,
	type CapabilityManifest,
	type ExecutorManifest,
	runnableFilesIn,
} from '../../../protocol/capability/manifest.ts';
import { createTopPlace, type ManifestProblem, manifestProblem } from '../../../protocol/manifest/problem.ts';
import { text } from '../../../protocol/text/text.ts';
import {
	type ManifestTexts,
	readExecutorManifest,
	type ReadManifest,
} from '../../../protocol/manifest/read-manifest.ts';
import { commandAsSkill, commandProblems } from '../../command-file.ts';
import { findHiddenCharacter } from './hidden-text.ts';
import type { BuiltInExecutor } from '../../executors.ts';
import { findFolders, type KnownScans } from './find-folders.ts';
import type { ItemFolder } from './listed-folder.ts';
import type { RegistryState } from '../items.ts';
import { READ_AHEAD, SCAN_WIDTH } from '../limits.ts';
import { isSameStamp, Looks } from './looks.ts';
import { ITSELF, type ManifestFiles, readManifestFiles } from './manifest-files.ts';
import { type KnownReading, ScanMemory } from './scan-memory.ts';
import { placedName } from './plugin-place.ts';
import { Pace } from '../watch/pace.ts';
import { capabilityItems, executorItems, type FoundItem } from '../resolve.ts';
import type { Root } from '../sources/roots.ts';
import { readCapability } from '../sources/what-it-runs.ts';

interface Scan {
	readonly state: RegistryState;
	readonly memory: ScanMemory;
	/** Folders to watch for changes; also roots that are not there yet. */
	readonly watched: readonly string[];
}

/** `onRead`: told each capability as soon as it is read. `memory`: filled with all that is read. */
export async function scanRoots(
	roots: readonly Root[],
	builtIn: readonly BuiltInExecutor[],
	before: ScanMemory,
	onRead: (found: FoundItem<CapabilityManifest>) => void,
	looks = new Looks(),
	memory = new ScanMemory(),
): Promise<Scan> {
	const capabilities: FoundItem<CapabilityManifest>[] = [];
	const executors: FoundItem<ExecutorManifest>[] = [];
	const problems: string[] = [];
	const watched: string[] = [];
	const seen = new Set<string>();
	const pace = new Pace();
	const known = { before, memory, looks };
	for (const root of roots) {
		const real = await realpath(root.path).catch(() => root.path);
		// A workspace may be the very folder that holds what is the user's own.
		if (seen.has(real)) continue;
		seen.add(real);
		const found = await findFolders(root, known);
		problems.push(...found.problems);
		watched.push(root.path, ...found.visited);
		const readAll = async <Manifest>(
			folders: readonly ItemFolder[],
			read: ManifestReader<Manifest>,
			onEach?: (item: FoundItem<Manifest>) => void,
		) => {
			const items: FoundItem<Manifest>[] = [];
			for (let at = 0; at < folders.length; at += READ_AHEAD) {
				// First the files, then what is in them: threads that read fall asleep meanwhile, and to wake them takes longer than to read.
				const some = folders.slice(at, at + READ_AHEAD);
				const fetched = await inParallel(some, SCAN_WIDTH, (folder) => fetchedFrom(folder, read, known));
				for (const [index, folder] of some.entries()) {
					const { source, layout } = root;
					const result = fetched[index];
					if (result === undefined) continue;
					const item = {
						path: folder.path,
						source,
						layout,
						folder,
						read: typeof result === 'function' ? await pace.take(result) : result,
					};
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

type ManifestReader<Manifest> = (texts: ManifestTexts, folder: ItemFolder) => ReadManifest<Manifest>;

/** Reads the files in a folder, unless they are known; what they say is left to whoever has the time. */
function fetchedFrom<Manifest>(
	folder: ItemFolder,
	read: ManifestReader<Manifest>,
	{ before, memory, looks }: KnownScans,
): ReadManifest<Manifest> | Promise<ReadManifest<Manifest> | (() => ReadManifest<Manifest>)> {
	const { path, name, type = '', problem = '', manifests, runnable } = folder;
	const key = [type, problem, ...manifests, ...runnable].join('\n');
	const reading = before.readings.get(path);
	const known = reading?.key === key && reading.name === name ? reading : undefined;
	const rememberReading = (again: KnownReading) => {
		memory.readings.set(path, again);
		return again.read as ReadManifest<Manifest>;
	};
	const listing = looks.areTrusting ? before.listings.get(path) : undefined;
	if (known !== undefined && listing !== undefined && memory.listings.get(path) === listing)
		return rememberReading(known);
	return (async () => {
		if (known !== undefined && isSameStamp(known.stamp, await looks.stampOf(...joinManifestPaths(path, manifests)))) {
			return rememberReading(known);
		}
		const files = await readFolderManifests(folder);
		return () => {
			const { problems, ...rest } = parseFolderManifest(folder, files, read);
			const result = { ...rest, problems: [...problems, ...hiddenProblems(folder, files)] };
			if (files.stamp !== undefined) memory.readings.set(path, { name, key, stamp: files.stamp, read: result });
			return result;
		};
	})();
}

/** True when folders and the manifests in them are as they were when a trusting scan took them from `memory`. */
export async function areAsKnown(folders: readonly string[], memory: ScanMemory): Promise<boolean> {
	const looks = new Looks();
	for (const path of folders) {
		const { listings, readings } = memory;
		const [listing, reading] = [listings.get(path), readings.get(path)];
		// Skips folders that `memory` does not know: the scan itself looked at them.
		if (listing === undefined || reading === undefined) continue;
		const manifests = joinManifestPaths(path, capabilityManifestsIn(listing.files));
		const isSame =
			isSameStamp(listing.stamp, await looks.stampOf(path)) &&
			isSameStamp(reading.stamp, await looks.stampOf(...manifests));
		if (!isSame) return false;
	}
	return true;
}

function joinManifestPaths(folder: string, names: readonly string[]): string[] {
	return names.map((name) => join(folder, name));
}

/** Reads the capability in a folder alone; undefined when there is no manifest in it. `path`: free of links. */
export async function readCapabilityIn(path: string): Promise<ReadManifest<CapabilityManifest> | undefined> {
	const files: readonly string[] = await readdir(path).catch(() => []);
	const manifests = capabilityManifestsIn(files);
	if (manifests.length === 0) return undefined;
	const runnable = runnableFilesIn(files);
	const folder = { path, name: placedName(path), type: undefined, manifests, runnable, problem: undefined };
	return await readFolder(folder, readCapability);
}

/** The manifest in a folder; a file that cannot be read is one of its problems. */
export async function readFolder<Manifest>(
	folder: ItemFolder,
	read: ManifestReader<Manifest>,
): Promise<ReadManifest<Manifest>> {
	return parseFolderManifest(folder, await readFolderManifests(folder), read);
}

async function readFolderManifests({ path, name, manifests, problem: message }: ItemFolder): Promise<ManifestFiles> {
	if (message === undefined) {
		const read = await readManifestFiles(path, manifests);
		const command = read.texts[ITSELF];
		if (command === undefined) return read;
		return { ...read, texts: { 'SKILL.md': commandAsSkill(command, path, name) }, warnings: commandProblems(command) };
	}
	const problem: ManifestProblem = { severity: 'error', message, file: '', line: 1, column: 1, path: [] };
	return { texts: {}, problems: [problem], stamp: undefined };
}

function parseFolderManifest<Manifest>(
	folder: ItemFolder,
	{ texts, problems, warnings = [] }: ManifestFiles,
	read: ManifestReader<Manifest>,
): ReadManifest<Manifest> {
	if (problems.length > 0) return { manifest: undefined, problems, raw: {} };
	const result = read(texts, folder);
	// The lines of a command that is one file are not those of the SKILL.md it stands for.
	return folder.manifests[0] === ITSELF
		? { ...result, problems: [...result.problems.map((each) => ({ ...each, ...createTopPlace(ITSELF) })), ...warnings] }
		: result;
}

/** Warnings of characters that nobody sees: a package with them is refused. */
function hiddenProblems({ manifests }: ItemFolder, { texts }: ManifestFiles): ManifestProblem[] {
	return Object.entries(texts).flatMap(([name, written]) => {
		const found = findHiddenCharacter(written ?? '');
		if (found === undefined) return [];
		const { line, column, character } = found;
		const at = manifests[0] === ITSELF ? createTopPlace(ITSELF) : { ...createTopPlace(name), line, column };
		return [
			manifestProblem('warning', text('it holds the character {character}, which nobody sees', { character }), at),
		];
	});
}
