/** From what somebody wants to run to the capability itself, and from its bytes to the manifest that counts. */
import { ProwessError } from '../../protocol/errors.ts';
import { type CapabilityManifest, MANIFEST_FILE } from '../../protocol/manifest.ts';
import type { Capability, CapabilitySource } from '../registry/capability-source.ts';
import { parseManifest } from '../registry/read-manifest.ts';
import type { Executor } from './executors.ts';
import type { CapabilityFiles } from './snapshot.ts';
import type { StartOptions } from './start-options.ts';

export type ExecutorFor = (type: string) => Executor | undefined;

/** Rejects with EXECUTOR_NOT_FOUND, also when there is no such capability either, and with CAPABILITY_NOT_FOUND (S3-02, S3-03). */
export async function findCapability(
	source: CapabilitySource,
	wanted: StartOptions['capability'],
	executorFor: ExecutorFor,
): Promise<Capability> {
	if ('folder' in wanted) {
		return await source.at(wanted.folder);
	}
	if (wanted.type !== undefined) {
		executorOf(wanted.type, executorFor);
	}
	const found = await source.find(wanted.name, wanted.type);
	if (found === undefined) {
		const what = wanted.type === undefined ? wanted.name : `${wanted.type} ${wanted.name}`;
		throw new ProwessError('CAPABILITY_NOT_FOUND', `there is no capability "${what}"`, { ...wanted });
	}
	return found;
}

export function executorOf(type: string, executorFor: ExecutorFor): Executor {
	const executor = executorFor(type);
	if (executor === undefined) {
		throw new ProwessError('EXECUTOR_NOT_FOUND', `there is no executor for capabilities of type "${type}"`, { type });
	}
	return executor;
}

/** As it is in the very bytes that will run. */
export function manifestIn({ files }: CapabilityFiles, { path, manifest }: Capability): CapabilityManifest {
	const file = files.find((each) => each.path === MANIFEST_FILE);
	const own = parseManifest(file?.bytes.toString('utf8') ?? '', `${path}/${MANIFEST_FILE}`);
	if (own.name !== manifest.name || own.type !== manifest.type) {
		throw new ProwessError('INVALID_CAPABILITY_CONFIG', `${path}: its manifest changed while it was read`, { path });
	}
	return own;
}
