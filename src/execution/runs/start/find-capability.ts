/** From what somebody wants to run to the capability itself, and from its bytes to the manifest that counts. */
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { CapabilityManifest } from '../../../protocol/capability/manifest.ts';
import type { Capability, CapabilitySource } from '../../../catalog/registry/sources/capability-source.ts';
import { type WholeManifest, wholeManifestOfFiles } from '../../../catalog/registry/reading/manifest-of-files.ts';
import { describeNothingToRun } from '../../../catalog/registry/sources/what-it-runs.ts';
import type { Executor } from '../../../catalog/executors.ts';
import type { WorkerRuntime } from '../../../protocol/execution/worker.ts';
import { inEnglish, text } from '../../../protocol/text/text.ts';
import type { CapabilityFiles } from '../../../catalog/capability-files.ts';
import type { StartOptions } from './start-options.ts';

export type ExecutorFor = CapabilitySource['executorFor'];

/** Rejects with EXECUTOR_NOT_FOUND, also when there is no such capability either, and with CAPABILITY_NOT_FOUND (S3-02, S3-03). */
export async function findCapability(
	source: CapabilitySource,
	wanted: StartOptions['capability'],
	executorFor: ExecutorFor,
): Promise<Capability> {
	if ('folder' in wanted) {
		return await source.at(wanted.folder);
	}
	const { name, type } = wanted;
	if (type !== undefined && (await executorFor(type, undefined)) === undefined) {
		const isThere = await source.find(name, type).then(
			(capability) => capability !== undefined,
			() => true,
		);
		throw noExecutor(type, undefined, isThere ? '' : `, nor a ${type} "${name}"`);
	}
	const found = await source.find(name, type);
	if (found === undefined) {
		const what = type === undefined ? name : `${type} ${name}`;
		throw new ProwessError('CAPABILITY_NOT_FOUND', `there is no capability "${what}"`, {
			...wanted,
			said: text('There is no capability "{name}".', { name: what }),
		});
	}
	return found;
}

export type WorkerExecutor = (runtime: WorkerRuntime) => Executor;

/** The worker of its `runtime`, the one that its manifest names, or that of its type. */
export async function resolveExecutor(
	{ type, executor: pin, runtime }: Pick<CapabilityManifest, 'type' | 'executor' | 'runtime'>,
	executorFor: ExecutorFor,
	workerFor: WorkerExecutor,
): Promise<Executor> {
	if (runtime !== undefined && pin === undefined) {
		return workerFor(runtime);
	}
	const executor = await executorFor(type, pin);
	if (executor === undefined) {
		throw noExecutor(type, pin, '');
	}
	return executor;
}

function noExecutor(type: string, pin: string | undefined, andNot: string): ProwessError {
	const what = pin === undefined ? 'no executor' : `no executor "${pin}"`;
	const said =
		pin === undefined
			? text('There is no executor for capabilities of type "{type}".', { type })
			: text('There is no executor "{name}" for capabilities of type "{type}".', { name: pin, type });
	const facts = andNot === '' ? { type, said } : { type };
	return new ProwessError('EXECUTOR_NOT_FOUND', `there is ${what} for capabilities of type "${type}"${andNot}`, facts);
}

/**
 * Reads the manifest from the very bytes that will run, with all fields that are written in it, for its executor.
 * Throws INVALID_CAPABILITY_CONFIG when its name or type has changed, and ACTION_BLOCK_NOT_FOUND when the program that
 * it runs has gone meanwhile.
 */
export function manifestIn({ files }: CapabilityFiles, { path, manifest }: Capability): WholeManifest {
	const { manifest: own, written } = wholeManifestOfFiles(files, path, manifest);
	if (own.name !== manifest.name || own.type !== manifest.type) {
		throw new ProwessError('INVALID_CAPABILITY_CONFIG', `${path}: its manifest changed while it was read`, {
			path,
			said: text('{path}: its manifest changed while it was read', { path }),
		});
	}
	const lack = describeNothingToRun(
		own,
		files.map((file) => file.path),
	);
	if (lack !== undefined) {
		throw new ProwessError('ACTION_BLOCK_NOT_FOUND', `${path}: ${inEnglish(lack)}`, {
			path,
			said: text('{at}: {problem}', { at: path, problem: lack }),
		});
	}
	return { manifest: own, written };
}
