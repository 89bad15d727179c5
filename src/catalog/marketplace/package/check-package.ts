/** Files that are a capability or an executor: with a manifest at the top, and nothing asked for that was not announced. */
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { readExecutorManifest } from '../../../protocol/manifest/read-manifest.ts';
import { compareRisk, type RiskLevel } from '../../../protocol/ops/risk.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { type IndexEntry, PORT_PERMISSION } from '../../../protocol/capability/marketplace.ts';
import {
	CAPABILITY_MANIFESTS,
	capabilityManifestsIn,
	EXECUTOR_FILES,
	EXECUTORS_FOLDER,
} from '../../../protocol/capability/manifest.ts';
import { PLUGIN_MANIFEST, PLUGINS_FOLDER } from '../../../protocol/capability/plugin.ts';
import { inEnglish, text } from '../../../protocol/text/text.ts';
import { permissionsOfParts, pluginOfFiles } from '../../plugins/plugin-of-files.ts';
import { describeItemErrors } from '../../registry/items.ts';
import { textOfBytes } from '../../registry/reading/manifest-files.ts';
import { manifestOfFiles } from '../../registry/reading/manifest-of-files.ts';
import { describeNothingToRun } from '../../registry/sources/what-it-runs.ts';
import { contentHash, createExtractionError, type PackageFile } from '../../package-file.ts';

/** Facts from the manifest of a package, in the form of an index entry. */
type PackageManifest = Omit<IndexEntry, 'download' | 'sha256' | 'size' | 'signature' | 'key' | 'level'> & {
	readonly level: RiskLevel;
};

/** A package that may be installed. */
export interface CheckedPackage {
	readonly manifest: PackageManifest;
	readonly files: readonly PackageFile[];
	readonly contentHash: string;
	/** SHA-256 of the archive; for a folder, the content hash. */
	readonly sha256: string;
}

const MANIFESTS: readonly string[] = [PLUGIN_MANIFEST, ...EXECUTOR_FILES, ...CAPABILITY_MANIFESTS];

function hasManifest(files: readonly PackageFile[]): boolean {
	const paths = files.map(({ path }) => path);
	return paths.some((path) => MANIFESTS.includes(path)) || capabilityManifestsIn(paths).length > 0;
}

/** Facts that an index announced about the package. */
type AnnouncedPackage = Pick<IndexEntry, 'name' | 'type' | 'version' | 'permissions' | 'level'>;

/**
 * `announced` undefined: whatever it is. `called`: what it is called where its files do not say it. Rejects with EXTRACTION_FAILED when there is no manifest, with
 * INVALID_CAPABILITY_CONFIG when it is wrong or another one than was announced.
 */
export function checkPackage(
	all: readonly PackageFile[],
	sha256: string | undefined,
	announced: (AnnouncedPackage & { readonly isUntold?: boolean }) | undefined,
	called: string | undefined = announced?.name,
): CheckedPackage {
	const files = withoutTopFolder(all);
	const hash = contentHash(files);
	const manifest = readPackageManifest(files, called);
	if (announced !== undefined) {
		refuseOthers(manifest, announced);
	}
	return { manifest, files, contentHash: hash, sha256: sha256 ?? hash };
}

/** An archive of a folder holds the folder, one of its content does not. */
function withoutTopFolder(files: readonly PackageFile[]): readonly PackageFile[] {
	const top = files[0]?.path.split('/')[0] ?? '';
	const prefix = `${top}/`;
	return hasManifest(files) || !files.every(({ path }) => path.startsWith(prefix))
		? files
		: files.map(({ path, bytes }) => ({ path: path.slice(prefix.length), bytes }));
}

function readPackageManifest(files: readonly PackageFile[], called: string | undefined): PackageManifest {
	if (!hasManifest(files)) {
		throw createExtractionError('the package', `it has none of ${MANIFESTS.join(', ')} at its top`);
	}
	const plugin = pluginOfFiles(files);
	if (plugin !== undefined) {
		const { name, version, description, author, tags } = plugin.manifest;
		const permissions = permissionsOfParts(plugin.parts);
		return { name, type: PLUGINS_FOLDER, version, description, author, tags, permissions, level: 'RESTRICTED' };
	}
	const executor = executorOfFiles(files);
	if (executor !== undefined) {
		return executor;
	}
	// The type comes from the manifest alone, because a package lies in no folder that names a type.
	const manifest = manifestOfFiles(files, 'the package', { name: called, type: undefined });
	const lack = describeNothingToRun(
		manifest,
		files.map(({ path }) => path),
	);
	if (lack !== undefined) {
		throw createPackageError(inEnglish(lack));
	}
	return manifest;
}

/**
 * Refuses a package that differs from its announcement: the user who read the index and agreed must not get something
 * else.
 */
function refuseOthers(manifest: PackageManifest, announced: AnnouncedPackage & { readonly isUntold?: boolean }): void {
	const said = announced.isUntold === true ? (['name', 'type'] as const) : (['name', 'type', 'version'] as const);
	for (const field of said) {
		if (manifest[field] !== announced[field]) {
			throw createPackageError(`its manifest says ${field} "${manifest[field]}", the index "${announced[field]}"`);
		}
	}
	if (announced.isUntold === true) return;
	const more = manifest.permissions.filter((each) => !announced.permissions.includes(each));
	if (more.length > 0) {
		throw createPackageError(`it asks for ${more.join(', ')}, which the index does not say`);
	}
	if (announced.level !== undefined && compareRisk(manifest.level, announced.level) > 0) {
		throw createPackageError(`its level is ${manifest.level}, the index says ${announced.level}`);
	}
}

function createPackageError(what: string, cause?: unknown): ProwessError {
	return new ProwessError(
		'INVALID_CAPABILITY_CONFIG',
		`the package is refused: ${what}`,
		{ said: text('The package is refused: {why}', { why: what }) },
		cause,
	);
}

/**
 * Facts of a package that is an executor; undefined when it is none. An executor asks for no permissions of its own, but
 * runs with those of the capabilities it runs. Therefore the types it runs take the place of permissions wherever these
 * are shown, compared and agreed to. Throws INVALID_EXECUTOR_CONFIG.
 */
function executorOfFiles(files: readonly PackageFile[]): PackageManifest | undefined {
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
