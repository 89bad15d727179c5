/** The registry of capabilities: a first look at all of them, a look after one change, and what the host's loop feels of it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { inParallel } from '../src/base/parallel-groups.ts';
import { builtInExecutors } from '../src/catalog/executors.ts';
import { CapabilityRegistry } from '../src/catalog/registry/capability-registry.ts';
import { SCAN_WIDTH, STAMP_SETTLED_MS } from '../src/catalog/registry/limits.ts';
import { testHost } from '../test/support/host-ports.ts';
import { busiestTurn, type Figure, median, ms, paired, ratio } from './measure.ts';

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
		// Wait first: files written a moment ago are read twice, lest a change is missed.
		await wait(STAMP_SETTLED_MS);
		const known = create();
		await known.refresh();
		const still: Record<'bare' | 'cold', number[]> = { bare: [], cold: [] };
		const times = await paired(ROUNDS, {
			bare: () => watched(still.bare, () => readAll(skills)),
			cold: async () => {
				const registry = create();
				const cpu = await watched(still.cold, () => registry.refresh());
				registry.dispose();
				return cpu;
			},
			again: async () => {
				writeCapability(join(skills, 'capability-0'), Math.random());
				return await cpuOf(() => known.refresh());
			},
		});
		known.dispose();
		const turns: number[] = [];
		for (let round = 0; round < ROUNDS; round += 1) {
			turns.push(await busiestTurn(() => lookTwice(create())));
		}
		const row = (what: string, name: string, bar: number | undefined): Figure => ({
			goal: 'registry',
			what: `CPU of ${count} capabilities, ${what}, against reading the same folders and files`,
			measured: `${ratio(times[name])} (${ms(times[name]?.value)} / ${ms(times['bare']?.value)})`,
			bar: bar === undefined ? 'reported' : `<= ${bar}x`,
			met: bar === undefined ? undefined : (times[name]?.ratio ?? Infinity) <= bar,
		});
		return [
			row('all read for the first time', 'cold', count === 1_000 ? 2 : undefined),
			row('looked at again after one has changed', 'again', undefined),
			{
				goal: 'registry',
				what: `${count} capabilities, longest that the loop stood still while all were read, and while they only were`,
				measured: `${ms(median(still.cold))} / ${ms(median(still.bare))}`,
				bar: '<= 50 ms',
				met: median(still.cold) <= 50,
			},
			{
				goal: 'registry',
				what: `${count} capabilities, most processor time in one turn of the loop while they were read, watched and looked at again`,
				measured: ms(median(turns)),
				bar: '<= 50 ms',
				met: median(turns) <= 50,
			},
		];
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/**
 * Refreshes twice while a listener is registered, as in an editor, where the registry watches the files it has read.
 */
async function lookTwice(registry: CapabilityRegistry): Promise<void> {
	const listening = registry.onDidChange(() => undefined);
	await registry.refresh();
	await registry.refresh();
	listening.dispose();
	registry.dispose();
}

/** Milliseconds of CPU; adds the longest that nothing else could run meanwhile. */
async function watched(still: number[], work: () => Promise<unknown>): Promise<number> {
	const delay = monitorEventLoopDelay({ resolution: 1 });
	delay.enable();
	const cpu = await cpuOf(work);
	delay.disable();
	still.push(delay.max / 1e6);
	return cpu;
}

/** CPU of this process, its threads included: on a shared machine the time says who else was busy. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

/** Reads all files with the fewest calls possible, as many at a time as the registry does. */
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
