/**
 * A package that is an executor. An executor asks for no permissions of its own, but runs with those of the
 * capabilities it runs. Therefore the types it runs take the place of permissions wherever these are shown, compared
 * and agreed to.
 */
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { ProwessError } from '../../../protocol/errors.ts';
import { EXECUTOR_FILES, EXECUTORS_FOLDER } from '../../../protocol/manifest.ts';
import { readExecutorManifest } from '../../../protocol/manifest/read-manifest.ts';
import { PORT_PERMISSION } from '../../../protocol/marketplace.ts';
import { text } from '../../../protocol/text/text.ts';
import { describeItemErrors } from '../../registry/items.ts';
import { textOfBytes } from '../../registry/reading/manifest-files.ts';
import type { PackageFile } from '../../package-file.ts';
import type { PackageManifest } from './package-manifest.ts';

/** Undefined when it is none. Rejects with INVALID_EXECUTOR_CONFIG. */
export function executorOfFiles(files: readonly PackageFile[]): PackageManifest | undefined {
	const file = files.find(({ path }) => EXECUTOR_FILES.some((name) => name === path));
	if (file === undefined) {
		return undefined;
	}
	const { manifest, problems } = readExecutorManifest({ [file.path]: decodeExecutorFile(file) });
	if (manifest === undefined) {
		throw createExecutorError(describeItemErrors({ problems }));
	}
	const { name, version, description, author, supportedTypes, entryPoint, channel } = manifest;
	if (!files.some(({ path }) => path === entryPoint)) {
		throw createExecutorError(`its program ${entryPoint} is not in it`);
	}
	return {
		name,
		type: EXECUTORS_FOLDER,
		version,
		description,
		author,
		tags: [],
		permissions: [
			...supportedTypes.map((type) => `run:${type}`).sort(),
			...(channel === 'loopback' ? [PORT_PERMISSION] : []),
		],
		// A program of others, with whatever rights it is lent.
		level: 'RESTRICTED',
	};
}

function decodeExecutorFile({ path, bytes }: PackageFile): string {
	try {
		return textOfBytes(bytes);
	} catch (error) {
		throw createExecutorError(`${path}: ${toErrorMessage(error)}`, error);
	}
}

function createExecutorError(why: string, cause?: unknown): ProwessError {
	return new ProwessError(
		'INVALID_EXECUTOR_CONFIG',
		`the package is refused: ${why}`,
		{ said: text('The package is refused: {why}', { why }) },
		cause,
	);
}
