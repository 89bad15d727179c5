/** The manifest of a capability in bytes that were read before, as the registry would read it from the folder. */
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { join } from 'node:path';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import {
	capabilityManifestsIn,
	type CapabilityManifest,
	isReadBeside,
	runnableFilesIn,
} from '../../../protocol/capability/manifest.ts';
import { type ManifestPlace, readCapabilityManifest } from '../../../protocol/manifest/read-manifest.ts';
import { text } from '../../../protocol/text/text.ts';
import { errorsIn, errorsSaid } from '../items.ts';
import { textOfBytes } from './manifest-files.ts';

/** `known`: for what the file leaves out. Rejects with INVALID_CAPABILITY_CONFIG. */
export function manifestOfFiles(
	files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
	folder: string,
	known: ManifestPlace,
): CapabilityManifest {
	return wholeManifestOfFiles(files, folder, known).manifest;
}

export interface WholeManifest {
	readonly manifest: CapabilityManifest;
	/** All that is written, also what has no meaning here. */
	readonly written: Readonly<Record<string, unknown>>;
}

export function wholeManifestOfFiles(
	files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
	folder: string,
	known: ManifestPlace,
): WholeManifest {
	const texts: Record<string, string> = {};
	const paths = files.map(({ path }) => path);
	const manifests = capabilityManifestsIn(paths);
	for (const { path, bytes } of files) {
		if (!manifests.includes(path)) continue;
		try {
			texts[path] = textOfBytes(bytes);
		} catch (error) {
			if (isReadBeside(path)) continue;
			const why = toErrorMessage(error);
			throw new ProwessError(
				'INVALID_CAPABILITY_CONFIG',
				`${join(folder, path)}: ${why}`,
				{ path: folder, said: text('{path} cannot be read: {why}', { path: join(folder, path), why }) },
				error,
			);
		}
	}
	const { manifest, problems, raw } = readCapabilityManifest(texts, { ...known, runnable: runnableFilesIn(paths) });
	if (manifest === undefined) {
		throw new ProwessError('INVALID_CAPABILITY_CONFIG', errorsIn(folder, { problems }), {
			path: folder,
			said: errorsSaid(folder, { problems }),
		});
	}
	return { manifest, written: raw };
}
