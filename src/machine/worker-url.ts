import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Built, a worker lies in `dist`; run from the sources, where it is written: `source`, from the folder of this file. */
export function workerUrl(source: string, built: string, dist: string): URL {
	return import.meta.url.endsWith('.ts') ? new URL(source, import.meta.url) : pathToFileURL(join(dist, built));
}
