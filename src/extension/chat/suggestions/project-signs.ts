/** Signs in the files of a project of work that waits there: a comment that says so, and a manifest that knows tests. */
import { join } from 'node:path';
import { orAborted } from '../../../base/time/bounded-wait.ts';
import { isObjectValue } from '../../../base/text/lenient.ts';
import { readRegularFile, unlinkedPath } from '../../../machine/paths/reading/read-regular-file.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { readNpmManifest } from '../../shown/workspace-state.ts';

interface ProjectFile {
	readonly path: string;
	/** Root of the workspace that it lies in. */
	readonly folder: string;
}

/** Manifests of tools that always know how tests run. */
const TEST_MARKS = ['pyproject.toml', 'Cargo.toml', 'go.mod'];

/**
 * Finds the first comment that says TODO or FIXME, in the order of the files. Links, large files and what cannot be read are
 * passed over. Rejects with the signal's reason.
 */
export async function findMarkedLine(
	files: readonly ProjectFile[],
	signal: AbortSignal,
): Promise<{ readonly path: string; readonly line: number } | undefined> {
	for (const { path, folder } of files) {
		const text = await orAborted(readCode(path, folder), signal);
		const at = text.split('\n').findIndex((line) => /(?:\/\/|#|\/\*|\*|--|<!--)\s*(?:TODO|FIXME)\b/.test(line));
		if (at !== -1) return { path, line: at + 1 };
	}
	return undefined;
}

async function readCode(path: string, folder: string): Promise<string> {
	try {
		const bytes = await readRegularFile(await unlinkedPath(path, folder), extensionLimits.suggestTaskFileBytes);
		return bytes.toString('utf8');
	} catch {
		return '';
	}
}

/** True when a manifest at the top of the folder says how tests run. */
export async function hasTests(folder: string): Promise<boolean> {
	const scripts = (await readNpmManifest(folder))?.['scripts'];
	if (isObjectValue(scripts) && typeof scripts['test'] === 'string') return true;
	const marks = TEST_MARKS.map((mark) => unlinkedPath(join(folder, mark), folder).then(() => true));
	return Promise.any(marks).catch(() => false);
}
