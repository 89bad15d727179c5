import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const isSource = import.meta.url.endsWith('.ts');
/** Set by a run of the specs that has built `dist/` from these sources: they start what people get, in a third of the time. */
const isBuilt = process.env['PROWESS_BUILT'] === '1';

/** Folder of our built programs and workers: `dist`, or that beside these sources. Undefined: the sources run as they are. */
export function findBuiltPrograms(dist: string): string | undefined {
	if (!isSource) return dist;
	return isBuilt ? join(dirname(fileURLToPath(import.meta.url)), '../../dist') : undefined;
}

/** Built, a worker lies in `dist`; run from the sources, where it is written: `source`, from the folder of this file. */
export function workerUrl(source: string, built: string, dist: string): URL {
	const folder = findBuiltPrograms(dist);
	return folder === undefined ? new URL(source, import.meta.url) : pathToFileURL(join(folder, built));
}
