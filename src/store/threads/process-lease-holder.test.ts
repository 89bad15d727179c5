/** Names of holders, judged by a real process; those that it cannot see are other ones by their names. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { storeLimits } from '../limits.ts';
import { readProcessStart, visibleHere } from '../running-process.ts';
import { processClaimHolder, parseProcessName } from './process-lease-holder.ts';

const ID = '0b7f9a52-6c1e-4f6b-9d55-0f6f8f1f2a10';

describe('A holder of claims', () => {
	let home: string;
	let holder: ReturnType<typeof processClaimHolder>;
	let child: ChildProcess;
	let pid: number;
	let start: string;
	beforeEach(async () => {
		home = tempDir('home');
		holder = processClaimHolder('cli', home);
		child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
		await once(child, 'spawn');
		pid = child.pid ?? 0;
		start = readProcessStart(pid) ?? '';
	});
	afterEach(async () => {
		holder.dispose();
		if (child.exitCode === null && child.signalCode === null) {
			child.kill('SIGKILL');
			await once(child, 'exit');
		}
	});

	const place = visibleHere();
	const nameOf = (of: { host?: string; pid?: number; place?: string; start?: string }) =>
		[of.host ?? hostname(), of.pid ?? pid, ID, 'cli', of.place ?? place, of.start ?? start].join('/');
	const oldNameOf = (host: string, number: number) => `${host}/${number}/${ID}/cli`;
	/** `ago`: since its last sign of life, in milliseconds; undefined: there was none. */
	const isAlive = (name: string, ago?: number) => holder.isAlive(name, ago === undefined ? 0 : Date.now() - ago);
	const late = storeLimits.claimMs + 1_000;

	it('sees whether a process of this machine runs, whatever it is heard of and the machine is called now', () => {
		assert.equal(isAlive(holder.owner), true);
		assert.equal(isAlive(nameOf({})), true);
		assert.equal(isAlive(nameOf({ host: 'renamed' })), true);
		assert.equal(isAlive(nameOf({ pid: 2 ** 22 + 1 }), 0), false);
		// Our number with another name: the process before us had it.
		assert.equal(isAlive(nameOf({ pid: process.pid, start: readProcessStart(process.pid) ?? '' }), 0), false);
	});

	it('takes no later process for the one that had its number before', function () {
		if (start === '') {
			this.skip();
		}
		assert.equal(isAlive(nameOf({ start: `${Number(start) - 1}` }), 0), false);
	});

	it('takes a process that is suspended for alive, however long it was not heard of', () => {
		child.kill('SIGSTOP');
		assert.equal(isAlive(nameOf({}), 30 * storeLimits.maxLeaseMs), true);
	});

	it('goes by what is heard of those it cannot see: of other machines, other containers and from before a reboot', () => {
		for (const other of [
			nameOf({ place: 'other-boot+1' }),
			nameOf({ place: `${place}0` }),
			nameOf({ host: 'elsewhere', place: 'other-boot+1', pid: process.pid }),
			oldNameOf('elsewhere', process.pid),
		]) {
			const found = [0, storeLimits.claimMs - 1_000, late, undefined].map((ago) => isAlive(other, ago));
			assert.deepEqual(found, [true, true, false, false], other);
		}
	});

	it('lets no clock that was put back keep a claim alive', () => {
		assert.equal(isAlive(nameOf({ place: 'other-boot+1' }), -storeLimits.claimMs + 1_000), true);
		assert.equal(isAlive(nameOf({ place: 'other-boot+1' }), -late), false);
	});

	it('respects a process of an older version that runs here', () => {
		assert.equal(isAlive(oldNameOf(hostname(), pid)), true);
		assert.equal(isAlive(oldNameOf(hostname(), 2 ** 22 + 1), 0), false);
	});

	it('does not trust a number for more than a day where the system does not say when a process started', () => {
		assert.equal(isAlive(nameOf({ start: '' }), storeLimits.maxLeaseMs - 1_000), true);
		assert.equal(isAlive(nameOf({ start: '' }), storeLimits.maxLeaseMs + 1_000), false);
	});

	it('reads nothing beside the signs of life, whatever a name holds', () => {
		const other = ['elsewhere', 1, '..', 'cli', 'other-boot+1', ''].join('/');
		assert.equal(holder.isAlive(other, 0), false);
		assert.deepEqual(parseProcessName('').place, undefined);
		assert.equal(holder.isAlive('', 0), false);
	});

	it('is heard of by those that cannot see it, from its first claim until it is disposed', async () => {
		const other = processClaimHolder('editor', home, 10);
		const owner = [...other.owner.split('/').slice(0, 4), 'other-boot+1', '1'].join('/');
		const file = join(home, 'holders', parseProcessName(owner).id);
		assert.equal(holder.isAlive(owner, 0), false);
		other.beat();
		assert.equal(holder.isAlive(owner, 0), true);
		utimesSync(file, 1, 1);
		await waitFor('the next sign of life', () => statSync(file).mtimeMs > 1_000);
		other.dispose();
		assert.equal(existsSync(file), false);
		assert.equal(holder.isAlive(owner, 0), false);
	});

	it('removes signs of life of holders that were killed long ago', () => {
		holder.beat();
		for (const [name, ago] of [
			['old', storeLimits.maxLeaseMs + 1_000],
			['new', storeLimits.maxLeaseMs - 10_000],
		] as const) {
			const file = join(home, 'holders', name);
			writeFileSync(file, '');
			utimesSync(file, (Date.now() - ago) / 1_000, (Date.now() - ago) / 1_000);
		}
		const other = processClaimHolder('cli', home);
		other.beat();
		other.dispose();
		assert.deepEqual(
			readdirSync(join(home, 'holders')).toSorted(),
			[parseProcessName(holder.owner).id, 'new'].toSorted(),
		);
	});
});
