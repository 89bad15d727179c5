/** The command line and its server as people get them, whether or not the run has built `dist/`. */
import { copyFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { build, stop } from 'esbuild';
import { buildOptions } from '../../../scripts/build/build-options.ts';
import { type Bundle, bundles } from '../../../scripts/build/bundles.ts';
import { tempDir } from '../../support/temp-dir.ts';

const root = join(import.meta.dirname, '../../..');

/** Builds the chosen bundles into `dist/` of a new folder, beside the built-in capabilities; resolves to the folder. */
export async function buildPrograms(isChosen: (bundle: Bundle) => boolean): Promise<string> {
	const place = tempDir('built');
	for (const bundle of bundles(root).filter(isChosen)) {
		await build({ ...buildOptions(root, bundle, true), outdir: join(place, 'dist') });
	}
	await stop();
	copyFileSync(join(root, 'package.json'), join(place, 'package.json'));
	cpSync(join(root, 'capabilities'), join(place, 'capabilities'), { recursive: true });
	return place;
}
