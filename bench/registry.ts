/** The registry of capabilities: a first look at all of them, a look after one change, and what the host's loop feels of it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { builtInExecutors } from '../src/capability-host/execution/executors.ts';
import { CapabilityRegistry } from '../src/capability-host/registry/capability-registry.ts';
import { inParallel } from '../src/capability-host/registry/in-parallel.ts';
import { SCAN_WIDTH, SETTLED_MS } from '../src/capability-host/registry/limits.ts';
import { testHost } from '../test/support/host-ports.ts';
import { type Figure, ms, paired, ratio } from './measure.ts';

const ROUNDS = 5;

export async function registryFigures(): Promise<Figure[]> {
	return [...(await figuresOf(1_000)), ...(await figuresOf(5_000))];
}

async function figuresOf(count: number): Promise<Figure[]> {
	const folder = mkdtempSync(join(tmpdir(), 'prowess-bench-'));
	try {
		const [home, workspace] = [join(folder, 'home'), join(folder, 'workspace')];
		const skills = join(workspace, '.prowess/capabilities/skill');
		for (let at = 0; at < count; at += 1) {
			writeCapability(join(skills, `capability-${at}`), at);
		}
		mkdirSync(home);
		const { ports } = testHost({ home, workspace });
		const create = () => new CapabilityRegistry({ ports, executors: builtInExecutors(ports.places.dist) });
		// What was written just now is read twice, lest a change is missed.
		await wait(SETTLED_MS);
		const known = create();
		await known.refresh();
		let longest = 0;
		const times = await paired(ROUNDS, {
			bare: () => timed(() => readAll(skills)),
			cold: async () => {
				const delay = monitorEventLoopDelay({ resolution: 1 });
				delay.enable();
				const registry = create();
				const time = await timed(() => registry.refresh());
				delay.disable();
				longest = Math.max(longest, delay.max / 1e6);
				registry.dispose();
				return time;
			},
			again: async () => {
				writeCapability(join(skills, 'capability-0'), Math.random());
				return await timed(() => known.refresh());
			},
		});
		known.dispose();
		const row = (what: string, name: string, bar: number | undefined): Figure => ({
			goal: 'registry',
			what: `${count} capabilities, ${what}, against reading the same folders and files`,
			measured: `${ratio(times[name])} (${ms(times[name]?.value)} / ${ms(times['bare']?.value)})`,
			bar: bar === undefined ? 'reported' : `<= ${bar}x`,
			met: bar === undefined ? undefined : (times[name]?.ratio ?? Infinity) <= bar,
		});
		return [
			row('all read for the first time', 'cold', count === 1_000 ? 2 : undefined),
			row('looked at again after one has changed', 'again', undefined),
			{
				goal: 'registry',
				what: `${count} capabilities, longest that the host's loop stood still meanwhile`,
				measured: ms(longest),
				bar: '<= 50 ms',
				met: longest <= 50,
			},
		];
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const before = performance.now();
	await work();
	return performance.now() - before;
}

/** As few calls as it can be done with, as many at a time as ours. */
async function readAll(root: string): Promise<void> {
	await inParallel(await readdir(root, { withFileTypes: true }), SCAN_WIDTH, async ({ name }) => {
		const files = await readdir(join(root, name), { withFileTypes: true });
		await Promise.all(
			files.filter((file) => file.name.endsWith('.yaml')).map((file) => readFile(join(root, name, file.name), 'utf8')),
		);
	});
}

function writeCapability(folder: string, version: number): void {
	mkdirSync(folder, { recursive: true });
	writeFileSync(
		join(folder, 'capability.yaml'),
		[
			`name: ${folder.split(/[\\/]/).at(-1)}`,
			'type: skill',
			`version: ${JSON.stringify(`1.0.${version}`)}`,
			'description: Counts what is still to be done in the files of the workspace',
			'level: MONITORED',
			'permissions: [workspace.read]',
			'tags: [todo, report]',
			'inputs:',
			'  - { name: path, type: string, required: true, description: Where to look }',
			'  - { name: limit, type: number, default: 20 }',
			'outputs:',
			'  - { name: report, type: string }',
			'',
		].join('\n'),
	);
	writeFileSync(join(folder, 'index.js'), 'export const execute = () => 1;\n');
}
