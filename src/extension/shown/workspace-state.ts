/** Reads the workspace state that the page needs; `view/start` and each change tell it to the page. */
import { join } from 'node:path';
import { isObjectValue, parseJsonOrUndefined } from '../../base/text/lenient.ts';
import type { WorkspacePort } from '../../contract/ports/ports.ts';
import { readRegularFile, unlinkedPath } from '../../machine/paths/reading/read-regular-file.ts';
import type { WorkspaceState } from '../../protocol/pages/chat-view.ts';

/** The name in the manifest of the sample project, for which the tour is written. */
const SAMPLE = 'prowess-sample';

const MOST_MANIFEST_BYTES = 1_000_000;

export async function readWorkspaceState(workspace: WorkspacePort): Promise<WorkspaceState> {
	const [first] = workspace.folders;
	return {
		trusted: workspace.isTrusted,
		folders: workspace.folders.map(({ path }) => path),
		isSample: first !== undefined && workspace.isTrusted && (await readNpmManifest(first.path))?.['name'] === SAMPLE,
	};
}

/** `package.json` at the top of a folder, as others wrote it. Undefined: none is there, or none that can be read; also where it is a link. */
export async function readNpmManifest(folder: string): Promise<Readonly<Record<string, unknown>> | undefined> {
	try {
		const path = await unlinkedPath(join(folder, 'package.json'), folder);
		const manifest = parseJsonOrUndefined((await readRegularFile(path, MOST_MANIFEST_BYTES)).toString('utf8'));
		return isObjectValue(manifest) ? manifest : undefined;
	} catch {
		return undefined;
	}
}
