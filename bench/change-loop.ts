/**
 * Benchmark of an author's loop: a file of a capability is written and the capability runs again, beside the same run
 * without a change. Each run has its consent, its copy and its rows in the ledger, and a process stands by as in the editor.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTrustedBase } from '../src/host/compose.ts';
import { waitFor } from '../test/support/wait-for.ts';
import { nothingOpen, testHost } from '../test/support/host-ports.ts';
import type { Place } from './executions.ts';
import { type Figure, ms, paired } from './measure.ts';

const root = join(import.meta.dirname, '..');
const ROUNDS = 15;
const BAR_MS = 1_000;
const never = new AbortController().signal;

const MANIFEST = 'name: loop\ntype: skill\nversion: 1.0.0\n';
const KINDS = [
	{
		kind: 'skill',
		manifest: MANIFEST,
		file: 'index.mjs',
		write: (at: number) => `export function execute() { return ${at}; }\n`,
	},
	{
		kind: 'node-worker',
		manifest: `${MANIFEST}runtime: node-worker\n`,
		file: 'index.js',
		write: (at: number) => `export async function execute() { return ${at}; }\n`,
	},
] as const;

/** Figures of a change of the program, and of the manifest, for each kind. */
export async function changeFigures({ home }: Place): Promise<Figure[]> {
	const figures: Figure[] = [];
	for (const { kind, manifest, file, write } of KINDS) {
		const at = join(home, `change-${kind}`);
		const host = testHost({
			home: join(at, 'home'),
			workspace: join(at, 'workspace'),
			approvalMode: 'auto',
			editor: nothingOpen,
		});
		const folder = '.prowess/capabilities/skill/loop';
		host.write(`${folder}/capability.yaml`, manifest);
		host.write(`${folder}/${file}`, write(0));
		const places = { ...host.ports.places, dist: join(root, 'dist') };
		const { capabilities, close } = await createTrustedBase({ ...host.ports, places });
		let version = 0;
		const saves = (name: string, text: string) => writeFileSync(join(host.workspace, folder, name), text);
		/** Milliseconds from the save, if there is one, to the result of what was saved. */
		const runs = async (save: () => void) => {
			// An author who types gives a process the time to stand by.
			if (kind === 'skill') await waitFor('a standby', () => capabilities.standbyPids.length > 0);
			const started = performance.now();
			save();
			const caller = { kind: 'user', threadId: null } as const;
			const wish = { capability: { name: 'loop' }, caller, params: {} };
			const { success, result, error } = await capabilities.run(wish, never);
			if (!success || result !== version) throw new Error(error?.message ?? `${String(result)}, not ${version}`);
			return performance.now() - started;
		};
		try {
			await capabilities.run(
				{ capability: { name: 'loop' }, caller: { kind: 'user', threadId: null }, params: {} },
				never,
			);
			const took = await paired(ROUNDS, {
				unchanged: () => runs(() => {}),
				program: () => runs(() => saves(file, write((version += 1)))),
				manifest: () => runs(() => saves('capability.yaml', `${manifest}description: at ${performance.now()}\n`)),
			});
			for (const what of ['program', 'manifest'] as const) {
				const { value = Number.NaN, ratio = Number.NaN } = took[what] ?? {};
				figures.push({
					goal: 'author',
					what: `save of the ${what} of a ${kind} to the result of its next run, to the same run without a change`,
					measured: `${ratio.toFixed(2)}x (${ms(value)} to ${ms(took['unchanged']?.value)})`,
					bar: '<= 1 s',
					met: value <= BAR_MS,
				});
			}
		} finally {
			await close();
		}
	}
	return figures;
}
