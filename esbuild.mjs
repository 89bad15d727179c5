// Builds every bundle of scripts/build/bundles.ts into dist/. Runs on the pinned Node: `npm run build`, `npm run watch`.
//   --production  minified, as it is packaged      --watch  again at every change      --meta  prints the largest inputs

import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { buildOptions } from './scripts/build/build-options.ts';
import { bundles, copies } from './scripts/build/bundles.ts';
import { bundleBytes, measureFirstTurns } from './scripts/build/first-turn.ts';
import { problemMatcher } from './scripts/build/problem-matcher.ts';
import { buildTeamPackage } from './scripts/build/team-package.ts';

const root = import.meta.dirname;
const dist = join(root, 'dist');
const { values: flags } = parseArgs({
	options: {
		production: { type: 'boolean', default: false },
		watch: { type: 'boolean', default: false },
		meta: { type: 'boolean', default: false },
	},
});

const wanted = bundles(root);

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
for (const { from, to } of copies) cpSync(join(root, from), join(dist, to));

if (flags.watch) await watch();
else await buildOnce();

async function watch() {
	for (const bundle of wanted) {
		const options = buildOptions(root, bundle, flags.production);
		const context = await esbuild.context({
			...options,
			plugins: [...(options.plugins ?? []), problemMatcher(bundle.name)],
		});
		await context.watch();
	}
}

async function buildOnce() {
	const results = await Promise.all(wanted.map(buildOrExplain));
	await buildTeamPackage(root, join(dist, 'team'));
	/** @type {Record<string, esbuild.Metafile>} */
	const meta = {};
	for (const { name, metafile } of results) if (metafile !== undefined) meta[name] = metafile;
	if (results.some(({ metafile }) => metafile === undefined)) {
		process.exitCode = 1;
		return;
	}
	writeFileSync(join(dist, 'meta.json'), JSON.stringify({ production: flags.production, bundles: meta }));
	for (const [name, metafile] of Object.entries(meta)) {
		console.log(`${name}: ${kB(bundleBytes(metafile))} kB`);
		if (flags.meta) console.log(await esbuild.analyzeMetafile(metafile));
	}
	for (const { place, bytes, budgetBytes } of flags.production ? measureFirstTurns(wanted, meta) : []) {
		console.log(`a first turn ${place} loads ${kB(bytes)} of ${kB(budgetBytes)} kB`);
	}
}

/** @param {import('./scripts/build/bundles.ts').Bundle} bundle */
async function buildOrExplain(bundle) {
	try {
		mkdirSync(dirname(join(dist, bundle.out)), { recursive: true });
		const { metafile } = await esbuild.build({ ...buildOptions(root, bundle, flags.production), metafile: true });
		return { name: bundle.name, metafile };
	} catch (error) {
		const { errors } = /** @type {esbuild.BuildFailure} */ (error);
		if (errors === undefined) throw error;
		const lines = await esbuild.formatMessages(errors, { kind: 'error', color: process.stderr.isTTY });
		console.error(`${bundle.name}: does not build\n${lines.join('')}`);
		return { name: bundle.name, metafile: undefined };
	}
}

/** @param {number} bytes */
function kB(bytes) {
	return Math.ceil(bytes / 1000);
}
