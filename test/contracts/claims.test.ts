/**
 * Holds every claim to one contract: runs of schedules, steps of goals and runs of scripts, on real files and by real
 * processes.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { goalMigrations } from '../../src/features/goal/goal-migrations.ts';
import { GoalStore } from '../../src/features/goal/goal-store.ts';
import { RestoreMarks } from '../../src/trust/checkpoints/restore/restore-marks.ts';
import { scheduleMigrations } from '../../src/features/schedule/schedule-migrations.ts';
import { ScheduleStore } from '../../src/features/schedule/schedule-store.ts';
import { scriptMigrations, ScriptStore } from '../../src/features/script/script-store.ts';
import { newId } from '../../src/protocol/rpc/ids.ts';
import { ProwessError } from '../../src/protocol/errors/errors.ts';
import { isProcessRunning, readProcessStart, visibleHere } from '../../src/store/running-process.ts';
import { openMigratedDatabase } from '../../src/store/open-database.ts';
import { storeLimits } from '../../src/store/limits.ts';
import type { ClaimHolder } from '../../src/store/threads/lease-holder.ts';
import { processClaimHolder, parseProcessName } from '../../src/store/threads/process-lease-holder.ts';
import { tempDir } from '../support/temp-dir.ts';
import { waitFor } from '../support/wait-for.ts';

/** Claim on a single piece of work, as a process sees it. */
interface Claimant {
	/** Returns true when this process holds the work after the call. */
	take(): boolean;
	/** Writes down that it begins. False, or CLAIM_LOST: it is another's. */
	begin(): boolean;
	end(): boolean;
	dispose(): void;
}

const id = 'sch_1';
const threadId = newId('thr');

/** Throws what is no refusal. */
function isRefused(work: () => unknown, code: string): boolean {
	try {
		work();
		return false;
	} catch (error) {
		assert.ok(error instanceof ProwessError, String(error));
		assert.equal(error.code, code);
		return true;
	}
}

const kinds: Readonly<Record<string, (home: string, holder: ClaimHolder) => Claimant>> = {
	'A run of a schedule': (home, holder) => {
		const store = new ScheduleStore(openMigratedDatabase(join(home, 'schedules.db'), scheduleMigrations).db, holder);
		if (store.get(id) === undefined) {
			const how = {
				zone: 'UTC',
				words: '',
				folder: '',
				mode: 'ask',
				asks: 'refuse',
				missed: 'once',
				mostMissed: 1,
			} as const;
			store.add(id, { kind: 'prompt', text: 'look', pattern: '0 0 1 1 *', ...how }, Date.now() - 60 * 60_000);
		}
		const run = () => store.runs(id)[0] ?? assert.fail('there is no run');
		return {
			take: () => store.claim(() => true).length === 1,
			begin: () => store.started(run()),
			end: () => store.ended(run(), 'done'),
			dispose: () => store.dispose(),
		};
	},
	'A step of a goal': (home, holder) => {
		const store = new GoalStore(openMigratedDatabase(join(home, 'goals.db'), goalMigrations).db, holder);
		if (store.get(id) === undefined) {
			store.add(id, { title: 'Ship it', folder: '/w', mode: 'agent', steps: [{ text: 'a', after: [] }] });
		}
		return {
			take: () => store.claim(id) !== undefined,
			begin: () => store.started(id, 1),
			end: () => store.ended(id, 1, { state: 'done', reason: null }),
			dispose: () => store.dispose(),
		};
	},
	'A run of a script': (home, holder) => {
		const store = new ScriptStore(openMigratedDatabase(join(home, 'scripts.db'), scriptMigrations).db, holder);
		return {
			take: () => !isRefused(() => store.claim('run_1', { hash: 'h', folder: '/w' }, false), 'INVALID_STATE'),
			begin: () => !isRefused(() => store.begun('run_1', 'a', 0, newId('op')), 'CLAIM_LOST'),
			end: () => {
				const isLost = isRefused(() => store.ended('run_1', 'a', 0, null), 'CLAIM_LOST');
				assert.equal(
					isRefused(() => store.done('run_1'), 'CLAIM_LOST'),
					isLost,
				);
				store.release('run_1');
				return !isLost;
			},
			dispose: () => store.dispose(),
		};
	},
	'A restore of a thread': (home, holder) => {
		const marks = new RestoreMarks(home, holder);
		return {
			take: () => marks.take(threadId),
			begin: () => !isRefused(() => marks.check(threadId), 'CLAIM_LOST'),
			end: () => {
				const isLost = isRefused(() => marks.check(threadId), 'CLAIM_LOST');
				if (isLost) {
					marks.leave(threadId);
				} else {
					marks.drop(threadId);
				}
				return !isLost;
			},
			dispose: () => {},
		};
	},
};

for (const [kind, open] of Object.entries(kinds)) {
	describe(kind, () => {
		let home: string;
		let children: ChildProcess[];
		let opened: { dispose(): void }[];
		beforeEach(() => {
			home = tempDir('home');
			children = [];
			opened = [];
		});
		afterEach(async () => {
			opened.toReversed().forEach((each) => each.dispose());
			await Promise.all(children.map(kill));
		});

		/** A process that holds claims; `named`: how it is called, of what this one is called. */
		function claimant(named = (owner: string) => owner) {
			const holder = processClaimHolder('cli', home);
			const owner = named(holder.owner);
			const work = open(home, { ...holder, owner });
			opened.push(holder, work);
			/** Backdates the holder's file, as if the process had been silent for `ms`. */
			const isSilentFor = (ms: number) => {
				const at = (Date.now() - ms) / 1_000;
				utimesSync(join(home, 'holders', parseProcessName(owner).id), at, at);
			};
			return { ...work, isSilentFor };
		}
		const inContainer = (owner: string) => [...owner.split('/').slice(0, 4), `${visibleHere()}0`, '1'].join('/');
		async function inProcess() {
			const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
			children.push(child);
			await once(child, 'spawn');
			const pid = child.pid ?? 0;
			const ofChild = (owner: string) =>
				[hostname(), pid, parseProcessName(owner).id, 'cli', visibleHere(), readProcessStart(pid) ?? ''].join('/');
			return { child, pid, other: claimant(ofChild) };
		}
		/** Starts a process that is heard of and whose clock is `offMs` ahead. Resolves after its second sign of life. */
		async function beatWithClock(offMs: number) {
			const module = new URL('../../src/store/threads/process-lease-holder.ts', import.meta.url).href;
			const script = `
				const now = Date.now;
				Date.now = () => now() + ${offMs};
				const { processClaimHolder } = await import(${JSON.stringify(module)});
				const holder = processClaimHolder('cli', ${JSON.stringify(home)}, 20);
				holder.beat();
				process.stdout.write(holder.owner);
				process.stdin.resume();
			`;
			const args = ['--input-type=module', '-e', script];
			const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
			children.push(child);
			const owner = String((await once(child.stdout, 'data'))[0]);
			const file = join(home, 'holders', parseProcessName(owner).id);
			utimesSync(file, 1, 1);
			await waitFor('its next sign of life', () => statSync(file).mtimeMs > 1_000);
			return { owner, now: () => Date.now() + offMs };
		}
		async function kill(child: ChildProcess) {
			if (child.exitCode === null && child.signalCode === null) {
				child.kill('SIGKILL');
				await once(child, 'exit');
			}
		}
		const late = storeLimits.claimMs + 1_000;
		/** Backdates the stored rows, as if the claim itself had been made `ms` ago. */
		const ageRows = (ms = 30 * storeLimits.maxLeaseMs) => {
			const at = Date.now() - ms;
			for (const [file, column] of [
				['schedules.db', 'started_at'],
				['scripts.db', 'created_at'],
			] as const) {
				if (existsSync(join(home, file))) {
					const db = new DatabaseSync(join(home, file));
					db.prepare(`UPDATE run SET ${column} = ?`).run(at);
					db.close();
				}
			}
			const mark = join(home, 'restoring', threadId);
			if (existsSync(mark)) {
				utimesSync(mark, at / 1_000, at / 1_000);
			}
		};

		it('is left to a process in another container for as long as that is heard of', () => {
			const other = claimant(inContainer);
			assert.equal(other.take(), true);
			assert.equal(claimant().take(), false);
			other.isSilentFor(storeLimits.claimMs - 10_000);
			assert.equal(claimant().take(), false);
			assert.deepEqual([other.begin(), other.end()], [true, true]);
		});

		for (const minutes of [-10, 10]) {
			it(`is left to a process of another machine whose clock is ${minutes} minutes ahead`, async () => {
				const off = await beatWithClock(minutes * 60_000);
				const owner = inContainer(off.owner);
				const work = open(home, { ...off, owner, isAlive: () => false, beat: () => {} });
				opened.push(work);
				assert.equal(work.take(), true);
				ageRows(-minutes * 60_000);
				assert.deepEqual([claimant(inContainer).take(), claimant().take()], [false, false]);
				assert.deepEqual([work.begin(), work.end()], [true, true]);
			});
		}

		it('is taken over from one that is not heard of any more, which writes nothing of it when it comes back', () => {
			const other = claimant(inContainer);
			other.take();
			other.isSilentFor(late);
			ageRows();
			const next = claimant();
			assert.equal(next.take(), true);
			assert.deepEqual([other.begin(), other.end()], [false, false]);
			assert.deepEqual([next.begin(), next.end()], [true, true]);
		});

		it('is taken over from one that was ahead of a clock that was put back', () => {
			const other = claimant(inContainer);
			other.take();
			other.isSilentFor(-late);
			ageRows();
			assert.equal(claimant().take(), true);
		});

		it('is left to a process of this machine that is suspended, and taken over when that is gone', async () => {
			const { child, pid, other } = await inProcess();
			assert.equal(other.take(), true);
			child.kill('SIGSTOP');
			other.isSilentFor(30 * storeLimits.maxLeaseMs);
			ageRows();
			assert.equal(claimant().take(), false);
			await kill(child);
			await waitFor('its end', () => !isProcessRunning(pid));
			assert.equal(claimant().take(), true);
		});

		it('is taken over from an older version on a host that is gone', () => {
			const old = claimant((owner) => ['deadhost', 4242, parseProcessName(owner).id, 'cli'].join('/'));
			old.take();
			old.isSilentFor(30 * storeLimits.maxLeaseMs);
			ageRows();
			assert.equal(claimant().take(), true);
		});

		it('is left to an older version that runs on this host', async () => {
			const { child } = await inProcess();
			const old = claimant((owner) => [hostname(), child.pid, parseProcessName(owner).id, 'cli'].join('/'));
			old.take();
			old.isSilentFor(30 * storeLimits.maxLeaseMs);
			ageRows();
			assert.equal(claimant().take(), false);
		});
	});
}
