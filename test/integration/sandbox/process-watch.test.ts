/** Tests the count of a sandbox's processes: all that run in it, and at no moment others of the machine. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Writable } from 'node:stream';
import type { Disposable } from '../../../src/base/disposable.ts';
import { excessInWords, watchProcesses } from '../../../src/machine/sandbox/watch/process-watch.ts';
import { listChildProcesses } from '../../../src/machine/sandbox/watch/seen-processes.ts';
import { WATCH_LIMITS } from '../../../src/machine/sandbox/watch/watch-limits.ts';
import { signalWithin } from '../../../src/machine/shell/process-group.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Fewer than run on any machine beside it, and more than a sandbox needs for one program. */
const PROCESSES = 5;
const FLAGS = [
	...['--unshare-user', '--unshare-all', '--die-with-parent'],
	...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
];
const MANY = ['sh', '-c', 'for each in 1 2 3 4 5 6 7 8; do sleep 60 & done; wait'];
const LIMIT_MS = 10_000;

describe('The watch over the processes of a sandbox', function () {
	this.timeout(30_000);
	const children: ChildProcess[] = [];
	const watches: Disposable[] = [];

	before(function () {
		if (bubblewrap === undefined) this.skip();
	});
	afterEach(async () => {
		for (const watch of watches.splice(0)) watch.dispose();
		for (const child of children.splice(0)) {
			if (child.exitCode !== null || child.signalCode !== null) continue;
			signalWithin(child.pid ?? 0, 'SIGKILL');
			await once(child, 'exit');
		}
	});

	const start = (flags: readonly string[]) => {
		const words = [...FLAGS, ...flags, '--', ...MANY];
		const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const;
		const child = spawn(bubblewrap ?? '', words, { detached: true, stdio: [...stdio] });
		for (const pipe of child.stdio) pipe?.on('error', () => undefined);
		children.push(child);
		return child;
	};
	/** Tells what is said of more processes than these. */
	const watch = (child: ChildProcess) => {
		const told: string[] = [];
		const limits = { ...WATCH_LIMITS, processes: PROCESSES };
		watches.push(watchProcesses(child.pid ?? 0, limits, (excess) => told.push(excessInWords(excess))));
		return told;
	};
	const toldOf = (told: readonly string[]) => waitFor('more processes than it may have', () => told[0], LIMIT_MS);

	it('counts nothing of the machine while the sandbox is made, and all of the sandbox from then on', async () => {
		assert.ok(readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length > PROCESSES);
		// In namespaces of its own it waits before it makes mounts: its root, and `/proc` there, are still those of the machine.
		const held = start(['--userns-block-fd', '3', '--info-fd', '4']);
		const first = await waitFor('its first process', () => listChildProcesses(held.pid ?? 0)[0], LIMIT_MS);
		const told = watch(held);
		// Others that are watched later and are told are ended only after several looks at this one.
		for (let at = 0; at < 3; at += 1) assert.match(await toldOf(watch(start([]))), /more than 5 processes/);
		assert.deepEqual(told, []);

		const { uid, gid } = userInfo();
		writeFileSync(`/proc/${first}/setgroups`, 'deny');
		writeFileSync(`/proc/${first}/uid_map`, `${uid} ${uid} 1`);
		writeFileSync(`/proc/${first}/gid_map`, `${gid} ${gid} 1`);
		(held.stdio[3] as Writable).write('..');
		assert.match(await toldOf(told), /more than 5 processes/);
	});

	it('ends nothing for what a single look finds', async () => {
		const child = start([]);
		const told: string[] = [];
		let looks = 0;
		const limits = {
			...WATCH_LIMITS,
			/** Exceeded in every other look, and open files in the others. */
			get processes() {
				looks += 1;
				return looks % 2 === 1 ? 0 : Infinity;
			},
			get openFiles() {
				return looks > 4 ? Infinity : 0;
			},
		};
		watches.push(watchProcesses(child.pid ?? 0, limits, (excess) => told.push(excessInWords(excess))));
		await waitFor('some looks', () => looks > 8, LIMIT_MS);
		assert.deepEqual(told, []);
	});
});
