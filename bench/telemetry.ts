/**
 * Cost of telemetry that nobody has turned on: a start and a short turn of the command line as it is, against the same sources
 * built without it. The same without it is measured once more: what that differs by is the noise of the machine.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { build, type Plugin } from 'esbuild';
import { buildOptions } from '../scripts/build/build-options.ts';
import { bundles, copies } from '../scripts/build/bundles.ts';
import { childCpuMs, runNode } from './agent.ts';
import { type Figure, ms, paired } from './measure.ts';
import { startModelEndpoint } from './model-endpoint.ts';

const root = join(import.meta.dirname, '..');
const ROUNDS = 40;
const STARTS_BEFORE = 4;
/** Linux counts processor time in 10 ms. */
const TURNS_PER_CPU_TIME = 5;
const MOST = 1.02;

const withoutTelemetry: Plugin = {
	name: 'without-telemetry',
	setup({ onLoad }) {
		onLoad({ filter: /features\/telemetry\/telemetry\.ts$/ }, () => ({
			loader: 'ts',
			contents: `export class Telemetry {
				contexts = { startedBy() {}, startedIn() {} };
				began() {} ended() {} startedIn() {} traceparentOf() {} test() {} async close() {}
			}`,
		}));
	},
};

export async function telemetryFigures(): Promise<Figure[]> {
	const place = mkdtempSync(join(tmpdir(), 'prowess-bench-'));
	const endpoint = await startModelEndpoint();
	try {
		const provider = ['--provider', 'openai-compatible', '--base-url', endpoint.baseUrl, '--model', 'bench'];
		const workspace = join(place, 'workspace');
		mkdirSync(workspace);
		const words = ['run', 'Go.', '--json', '--trust', '--workspace', workspace, ...provider, '--approve', 'never'];
		const variant = async (name: string, plugins: readonly Plugin[]) => {
			const [folder, home] = [join(place, name), join(place, `home-${name}`)];
			await buildProduct(folder, plugins);
			mkdirSync(home, { mode: 0o700 });
			return async () => {
				endpoint.script([{ tool: 'fs_list', input: { path: '.' } }, { text: 'done' }]);
				const started = await runNode([join(folder, 'dist/cli.mjs'), ...words], workspace, home);
				return { first: (endpoint.requests[0]?.arrived ?? Number.NaN) - started, all: performance.now() - started };
			};
		};
		const cut = await variant('cut', [withoutTelemetry]);
		const kept = await variant('kept', []);
		for (let start = 0; start < STARTS_BEFORE; start += 1) {
			await cut();
			await kept();
		}
		const processorTime = async (turn: typeof cut) => {
			const before = childCpuMs();
			for (let round = 0; round < TURNS_PER_CPU_TIME; round += 1) await turn();
			return (childCpuMs() - before) / TURNS_PER_CPU_TIME;
		};
		const measures = {
			'spawn of the CLI to the first model request': async (turn: typeof cut) => (await turn()).first,
			'spawn to exit of a turn with one call': async (turn: typeof cut) => (await turn()).all,
			'processor time of it, all processes': processorTime,
		};
		const figures: Figure[] = [];
		for (const [what, measure] of Object.entries(measures)) {
			const rounds = measure === processorTime ? ROUNDS / 2 : ROUNDS;
			const times = await paired(rounds, {
				cut: () => measure(cut),
				again: () => measure(cut),
				kept: () => measure(kept),
			});
			const [ratio, noise] = [times['kept']?.ratio ?? Infinity, times['again']?.ratio ?? Infinity];
			const took = `${ms(times['kept']?.value)} / ${ms(times['cut']?.value)}`;
			figures.push({
				goal: 'telemetry',
				what: `${what}, telemetry off, against the same without its code`,
				measured: `${ratio.toFixed(3)}x (${took}); without its code, once more: ${noise.toFixed(3)}x`,
				bar: `<= ${MOST}x`,
				met: ratio <= MOST,
			});
		}
		return figures;
	} finally {
		await endpoint.close();
		rmSync(place, { recursive: true, force: true });
	}
}

/** Builds what the command line needs into `folder`, as it is packaged. */
async function buildProduct(folder: string, plugins: readonly Plugin[]): Promise<void> {
	const dist = join(folder, 'dist');
	mkdirSync(dist, { recursive: true });
	for (const name of ['package.json', 'capabilities', 'schemas', 'media', 'l10n', 'sdk']) {
		symlinkSync(join(root, name), join(folder, name));
	}
	for (const { from, to } of copies) cpSync(join(root, from), join(dist, to));
	for (const bundle of bundles(root)) {
		if (bundle.runsIn !== 'node' && bundle.runsIn !== 'program' && bundle.isForPrograms !== true) continue;
		mkdirSync(dirname(join(dist, bundle.out)), { recursive: true });
		const options = buildOptions(root, bundle, true);
		await build({ ...options, outdir: dist, plugins: [...plugins, ...(options.plugins ?? [])] });
	}
}
