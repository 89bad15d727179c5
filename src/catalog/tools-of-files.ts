/** Reads the tools of a capability that runs in a worker from its files, without running any of them. */
import { type CapabilityManifest, workerEntry } from '../protocol/capability/manifest.ts';
import { type WorkerTool, workerTools } from '../protocol/manifest/worker-tools.ts';
import { type CapabilityFiles, readCapabilityFiles } from './capability-files.ts';

export type WithTools = Pick<CapabilityManifest, 'name' | 'runtime' | 'entryPoint'>;

/** None where no worker runs. */
export function toolsOfFiles(manifest: WithTools, { files }: Pick<CapabilityFiles, 'files'>): readonly WorkerTool[] {
	const { runtime } = manifest;
	const entry = workerEntry(manifest);
	const file = files.find(({ path }) => path === entry);
	return runtime === undefined || file === undefined ? [] : workerTools(runtime, file.bytes.toString('utf8'));
}

/**
 * Returns the tools of a capability from its folder at the time of the call, for choosing one; undefined for a
 * capability that runs in no worker.
 */
export async function readWorkerTools(manifest: WithTools, folder: string): Promise<readonly WorkerTool[] | undefined> {
	return manifest.runtime === undefined ? undefined : toolsOfFiles(manifest, await readCapabilityFiles(folder));
}
