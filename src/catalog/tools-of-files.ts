/** Reads the tools of a capability that runs in a worker from its files, without running any of them. */
import { type CapabilityManifest, workerPrograms } from '../protocol/capability/manifest.ts';
import { type WorkerTool, workerTools } from '../protocol/manifest/worker-tools.ts';
import { type CapabilityFiles, readCapabilityFiles } from './capability-files.ts';

export type WithTools = Pick<CapabilityManifest, 'name' | 'runtime' | 'entryPoint'>;

/** None where no worker runs. The first of several tools with one name is taken. */
export function toolsOfFiles(manifest: WithTools, { files }: Pick<CapabilityFiles, 'files'>): readonly WorkerTool[] {
	const { runtime } = manifest;
	if (runtime === undefined) return [];
	const programs = workerPrograms(
		manifest,
		files.map(({ path }) => path),
	);
	const all = programs.flatMap((program, at) => {
		const text = files.find(({ path }) => path === program)?.bytes.toString('utf8') ?? '';
		return workerTools(runtime, text).map((tool) => (at === 0 ? tool : { ...tool, program }));
	});
	return all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at);
}

/**
 * Returns the tools of a capability from its folder at the time of the call, for choosing one; undefined for a
 * capability that runs in no worker.
 */
export async function readWorkerTools(manifest: WithTools, folder: string): Promise<readonly WorkerTool[] | undefined> {
	return manifest.runtime === undefined ? undefined : toolsOfFiles(manifest, await readCapabilityFiles(folder));
}
