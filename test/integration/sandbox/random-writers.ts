/**
 * Random mixtures of the files, links and folders that the agent, the user and other runs make in one folder, with real commands
 * in the sandbox: nothing of anybody else's may count as a command's own.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, relative } from 'node:path';
import {
	type CommandChanges,
	type CommandLooks,
	WorkspaceSweeps,
} from '../../../src/machine/sweep/workspace-sweeps.ts';
import { SandboxScene } from '../../support/sandbox-scene.ts';
import { below, pick, seeded } from '../../support/seeded.ts';
import { waitFor } from '../../support/wait-for.ts';

const NAMES = ['a.txt', 'b.txt', 'src/c.ts', 'src/d.ts', 'docs/e.md', 'new.txt'];
const LINKS = ['link', 'src/link'];
const ROUNDS = 4;
/** Steps of the clock that stamps files, on either side of a write. */
const CLOCK_MS = 100;

/** Number of changes that counted as a command's own. Throws at the first that was not. */
export async function writeAtRandom(seed: number): Promise<number> {
	const random = seeded(seed);
	const scene = new SandboxScene(Object.fromEntries(NAMES.slice(0, -1).map((name) => [name, 'start\n'])));
	execFileSync('mkfifo', [scene.path('pipe')]);
	const open = () =>
		new WorkspaceSweeps({
			workerUrl: new URL('../../../src/machine/sweep/worker.ts', import.meta.url),
			home: scene.prowessHome,
			folders: () => [scene.workspace],
			keptBytes: () => 1_000_000,
			onFailed: (error) => assert.fail(String(error)),
			shownMs: Number.POSITIVE_INFINITY,
		});
	const [sweeps, beside] = [open(), open()];
	let own = 0;
	let count = 0;
	const mark = (who: string) => `${who} ${(count += 1)}\n`;
	/** A path, and what makes of it a file, a link or a folder that tells whose it is. */
	const make = (who: string) => {
		const target = mark(who).trim().replace(' ', '-');
		return pick(random, [
			() => {
				const path = pick(random, NAMES);
				return { path, line: `echo '${target}' > ${path}`, act: () => writeFileSync(scene.path(path), `${target}\n`) };
			},
			() => {
				const path = pick(random, LINKS);
				const act = () => {
					rmSync(scene.path(path), { force: true });
					symlinkSync(target, scene.path(path));
				};
				return { path, line: `ln -sfn ${target} ${path}`, act };
			},
			() => ({ path: target, line: `mkdir ${target}`, act: () => mkdirSync(scene.path(target)) }),
		])();
	};
	const write = (who: string) => make(who).act();
	const otherRunWrites = () => {
		const { path, act } = make('other');
		beside.expect(scene.path(path));
		act();
	};
	const judge = (found: CommandChanges) => {
		for (const { absolutePath, after, isShown } of found.changes.filter((each) => each.isShown)) {
			own += 1;
			const bytes = after?.kind === 'folder' ? Buffer.from(basename(absolutePath)) : after?.bytes;
			const held = bytes === undefined ? 'gone' : Buffer.from(bytes).toString();
			const shown = `seed ${seed}: ${relative(scene.workspace, absolutePath)} holds ${held}`;
			assert.ok(isShown && held.startsWith('agent'), shown);
		}
	};
	const look = (at: WorkspaceSweeps, owner: string, told: typeof judge) =>
		at.before(owner, () => (found) => Promise.resolve(told(found)));
	const command = async (looks: CommandLooks | undefined, rests: boolean, meanwhile: () => Promise<void>) => {
		const { line } = make('agent');
		const rested = Promise.withResolvers<void>();
		const covered = Promise.withResolvers<void>();
		let wroteMs = Number.POSITIVE_INFINITY;
		const ended = scene.sh(`${line}${rests ? '; read x < pipe' : ''}`, {
			onRested(time) {
				looks?.rested(time);
				if (time.toMs - time.fromMs > 0) rested.resolve();
				if (time.toMs > wroteMs + CLOCK_MS) covered.resolve();
			},
		});
		if (rests) {
			// Stamps of files lie between two looks at the processes that all show rest.
			await rested.promise;
			await meanwhile();
			wroteMs = Date.now();
			await covered.promise;
			await writeFile(scene.path('pipe'), '\n');
		}
		await ended;
		await looks?.end();
	};
	const kinds: readonly (() => Promise<void>)[] = [
		// Alone: its change is its own.
		async () => command(await look(sweeps, 'one', judge), false, () => Promise.resolve()),
		// The user, or an op of another run, writes while it rests.
		async () =>
			command(await look(sweeps, 'one', judge), true, () => {
				for (let left = 1 + below(random, 3); left > 0; left--) pick(random, [() => write('user'), otherRunWrites])();
				return Promise.resolve();
			}),
		// A command of another run is at work meanwhile.
		async () => {
			const other = await look(beside, 'two', () => undefined);
			const looks = await look(sweeps, 'one', judge);
			write('other');
			await command(looks, false, () => Promise.resolve());
			await other?.end();
		},
		// Between commands, anybody writes.
		() => {
			pick(random, [() => write('user'), otherRunWrites])();
			return Promise.resolve();
		},
	];
	try {
		for (let round = 0; round < ROUNDS; round++) await pick(random, kinds)();
		// Writes of others in the millisecond in which a look begins may be before it or after it.
		const endMs = Date.now();
		await waitFor('the next millisecond', () => Date.now() > endMs);
		await kinds[0]?.();
		assert.ok(own > 0, `seed ${seed}: nothing was shown to be the agent's`);
		assert.ok(NAMES.some((each) => readFileSync(scene.path(each), 'utf8') !== ''));
		return own;
	} finally {
		await Promise.all([sweeps.close(), beside.close()]);
		await scene.close();
		// Not at the end of the run: the folders of many mixtures take longer to remove than a hook may last.
		for (const folder of [scene.workspace, scene.prowessHome, scene.userHome]) {
			rmSync(folder, { recursive: true, force: true });
		}
	}
}
