/**
 * Decides which files a capability needs beside its manifest to be run. The registry, validation, and the check of the
 * bytes that are about to run all use this one rule.
 */
import { CAPABILITY_ENTRIES, hasProgramEntry, RUN_BY, RUN_NAMES } from '../../../protocol/execution/execution.ts';
import {
	CAPABILITY_FILES,
	type CapabilityManifest,
	SKILL_FILES,
	workerEntry,
} from '../../../protocol/capability/manifest.ts';
import type { Executor } from '../../executors.ts';
import { createTopPlace, type ManifestProblem, manifestProblem } from '../../../protocol/manifest/problem.ts';
import { text, type Text } from '../../../protocol/text/text.ts';
import {
	type ManifestPlace,
	type ManifestTexts,
	type ReadManifest,
	readCapabilityManifest,
} from '../../../protocol/manifest/read-manifest.ts';

export interface CapabilityFolder extends ManifestPlace {
	/** Names of files that may be run, as `runnableFilesIn` has them. */
	readonly runnable: readonly string[];
}

/** Where none of our executors runs it, a manifest is enough: what another needs, nobody here knows. */
const ANYTHING: readonly string[] = [...CAPABILITY_FILES, ...CAPABILITY_ENTRIES, ...SKILL_FILES];

/** Reads the manifest of a capability; one with nothing to run cannot be used. */
export function readCapability(texts: ManifestTexts, folder: CapabilityFolder): ReadManifest<CapabilityManifest> {
	const read = readCapabilityManifest(texts, folder);
	const lack = read.manifest && describeNothingToRun(read.manifest, [...Object.keys(texts), ...folder.runnable]);
	return lack === undefined
		? read
		: { manifest: undefined, problems: [lackIn(lack, texts), ...read.problems], raw: read.raw };
}

/** Why it cannot be run; undefined when it can. `files`: at least those at its top. */
export function describeNothingToRun(manifest: CapabilityManifest, files: readonly string[]): Text | undefined {
	const { type, executor = type } = manifest;
	const entry = workerEntry(manifest);
	// Skips an entry in a folder of its own: a later check, where all files are known, looks for it.
	const wanted = entry === undefined ? (RUN_BY.get(executor) ?? ANYTHING) : [entry];
	if (entry !== undefined && !RUN_NAMES.includes(entry)) return undefined;
	return files.some((path) => wanted.includes(path.split('/', 1)[0] ?? path))
		? undefined
		: text('there is nothing to run: none of {names} is in the folder', {
				names: wanted.filter((name) => name !== 'skill.md').join(', '),
			});
}

/** True when code of the capability itself runs; otherwise one of our executors carries out its written content. */
export function runsOwnCode(
	{ type, runtime, executor: named = type }: Pick<CapabilityManifest, 'type' | 'executor' | 'runtime'>,
	executor: Pick<Executor, 'folder'>,
	files: readonly string[],
): boolean {
	return executor.folder !== undefined || runtime !== undefined || hasProgramEntry(named, files);
}

function lackIn(words: Text, texts: ManifestTexts): ManifestProblem {
	const file = CAPABILITY_FILES.find((name) => texts[name] !== undefined) ?? CAPABILITY_FILES[0];
	return manifestProblem('error', words, createTopPlace(file));
}
