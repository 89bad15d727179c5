/**
 * What a capability needs beside its manifest to be run. The one rule for the registry, for validation, and for the bytes
 * that are about to run.
 */
import { CAPABILITY_ENTRIES } from '../../protocol/execution.ts';
import { CAPABILITY_FILES, type CapabilityManifest, SKILL_FILE } from '../../protocol/manifest.ts';
import type { ManifestProblem } from '../../protocol/manifest/problem.ts';
import {
	type ManifestPlace,
	type ManifestTexts,
	type ReadManifest,
	readCapabilityManifest,
} from '../../protocol/manifest/read-manifest.ts';

export interface CapabilityFolder extends ManifestPlace {
	/** Those of `CAPABILITY_ENTRIES` that lie in it. */
	readonly programs: readonly string[];
}

/** Its manifest; one with nothing to run cannot be used. */
export function readCapability(texts: ManifestTexts, folder: CapabilityFolder): ReadManifest<CapabilityManifest> {
	const read = readCapabilityManifest(texts, folder);
	const lack = read.manifest && nothingToRun(read.manifest, [...Object.keys(texts), ...folder.programs]);
	return lack === undefined
		? read
		: { manifest: undefined, problems: [lackIn(lack, texts), ...read.problems], raw: read.raw };
}

/** Why it cannot be run, whoever runs it; undefined when it can. `files`: at least those at its top. */
export function nothingToRun({ type, executor }: CapabilityManifest, files: readonly string[]): string | undefined {
	const wanted = [...CAPABILITY_ENTRIES, SKILL_FILE];
	// What another executor than ours needs, nobody here knows.
	const isSkill = type === 'skill' && (executor === undefined || executor === 'skill');
	const enough = isSkill ? wanted : [...CAPABILITY_FILES, ...wanted];
	return files.some((name) => enough.includes(name))
		? undefined
		: `there is nothing to run: none of ${wanted.join(', ')} is in the folder`;
}

function lackIn(message: string, texts: ManifestTexts): ManifestProblem {
	const file = CAPABILITY_FILES.find((name) => texts[name] !== undefined) ?? CAPABILITY_FILES[0];
	return { severity: 'error', message, file, line: 1, column: 1, path: [] };
}
