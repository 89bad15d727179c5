/** Which files are manifests, and what their place says of them. */
import { decodePercentOrSame } from '../../base/text/lenient.ts';
import {
	CAPABILITY_FILES,
	type CapabilityManifest,
	EXECUTOR_FILES,
	type ExecutorManifest,
	SKILL_FILES,
} from '../../protocol/capability/manifest.ts';
import type { ManifestProblem } from '../../protocol/manifest/problem.ts';
import {
	type ManifestTexts,
	readCapabilityManifest,
	readExecutorManifest,
	type ReadManifest,
} from '../../protocol/manifest/read-manifest.ts';
import type { ManifestKind } from './manifest-schema.ts';

export interface ManifestFile {
	readonly kind: ManifestKind;
	readonly name: string;
	/** Folder of the file, as an address. */
	readonly folder: string;
}

/** Undefined for any other file. */
export function manifestFileAt(uri: string): ManifestFile | undefined {
	const slash = uri.lastIndexOf('/');
	const name = uri.slice(slash + 1);
	const folder = uri.slice(0, Math.max(0, slash));
	if (SKILL_FILES.includes(name) || (CAPABILITY_FILES as readonly string[]).includes(name)) {
		return { kind: 'capability', name, folder };
	}
	return (EXECUTOR_FILES as readonly string[]).includes(name) ? { kind: 'executor', name, folder } : undefined;
}

/** With the other manifests of its folder, as far as they are open. */
export function problemsIn({ kind, name, folder }: ManifestFile, texts: ManifestTexts): readonly ManifestProblem[] {
	const read: ReadManifest<CapabilityManifest> | ReadManifest<ExecutorManifest> =
		kind === 'executor' ? readExecutorManifest(texts) : readCapabilityManifest(texts, parseManifestFolder(folder));
	return read.problems.filter(({ file }) => file === name);
}

/** `…/capabilities/<type>/<name>`; elsewhere folders are not sorted by type. */
function parseManifestFolder(folder: string): { readonly name: string; readonly type: string | undefined } {
	const [root, type, name = ''] = folder.split('/').slice(-3).map(decodePercentOrSame);
	return { name, type: root === 'capabilities' ? type : undefined };
}
