import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CHANGE_STEPS } from '../../../src/catalog/marketplace/change.ts';
import { capabilityFiles, filesBelow, indexFolder, marketplaceScene, never } from '../../support/marketplace-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { type MarketplaceOrder, perform } from './marketplace-acts.ts';
import { specProgram } from '../../support/programs.ts';

const program = specProgram(join(import.meta.dirname, 'marketplace-program.ts'));
const ref = { name: 'greet', scope: 'global' } as const;

/** `through`: another program that runs it, e.g. a shell with lower limits. */
async function runs(
	order: MarketplaceOrder,
	through: readonly string[] = [],
): Promise<{ code: number | null; signal: string | null; stderr: string }> {
	const [command, ...words] = [...through, process.execPath, '--no-warnings', program, JSON.stringify(order)];
	// Temporary files lie in the workspace and go with it: a killed process removes none.
	const env = { ...process.env, TMPDIR: order.workspace };
	const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'pipe'], env });
	let stderr = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
	const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
	return { code, signal, stderr };
}

/** Between them the disk is neither as before nor as after. */
const halves = ['move in', 'lock', 'keep'] as const;

/** Versions present before each act, and the versions that may be present after it was killed: old, new. */
const acts = [
	{ act: 'install', before: [], versions: [undefined, '2.0.0'], steps: ['stage', ...halves] },
	{ act: 'update', before: ['1.0.0'], versions: ['1.0.0', '2.0.0'], steps: ['fetch', ...CHANGE_STEPS] },
	{ act: 'rollBack', before: ['1.0.0', '2.0.0'], versions: ['2.0.0', '1.0.0'], steps: halves },
	{ act: 'remove', before: ['1.0.0'], versions: ['1.0.0', undefined], steps: halves },
] as const;

describe('an installation that is killed', function () {
	this.timeout(60_000);

	for (const { act, before, versions, steps } of acts) {
		for (const dieBefore of steps) {
			const isDone = dieBefore === 'keep' || dieBefore === 'clean';
			const [old, changed] = versions;
			const after = isDone ? changed : old;
			it(`${act}, before "${dieBefore}": the next host has ${after ?? 'nothing'}, whole, and no leftovers`, async () => {
				const location = await indexFolder([]);
				const home = tempDir('home');
				const { marketplace } = marketplaceScene([location], { home });
				for (const version of before) {
					await indexFolder([{ version }], {}, location);
					await marketplace.search({ refresh: true }, never);
					await marketplace.install({ capability: { name: 'greet' }, scope: 'global' }, never);
					await marketplace.setEnabled(ref, true, never);
				}
				await indexFolder([{ version: '2.0.0' }], {}, location);

				// Once for each act, as it runs in the product.
				const isWholeHost = dieBefore === 'move in';
				const { signal } = await runs({ home, workspace: tempDir('workspace'), location, act, dieBefore, isWholeHost });
				assert.equal(signal, 'SIGKILL');

				await marketplace.recover(never);
				const path = join(home, 'capabilities/skill/greet');
				const versionsNow = async () =>
					(await marketplace.installed()).map(({ version, isModified }) => (isModified ? 'modified' : version));
				assert.deepEqual(await versionsNow(), after === undefined ? [] : [after]);
				assert.equal(existsSync(join(home, 'marketplace/journal.json')), false);
				if (after === undefined) {
					assert.equal(existsSync(path), false);
				} else {
					assert.deepEqual(filesBelow(path), capabilityFiles({ version: after }));
				}
				// And it can be done again.
				if (after !== changed) {
					await perform(marketplace, act);
					assert.deepEqual(await versionsNow(), changed === undefined ? [] : [changed]);
					assert.deepEqual(readdirSync(join(home, 'marketplace/staging')), []);
				}
			});
		}
	}
});

describe('two installations at once', function () {
	this.timeout(60_000);

	it('of the same capability, by two processes, end in one whole capability', async () => {
		const location = await indexFolder([{ version: '1.0.0' }]);
		const home = tempDir('home');
		const order = { home, workspace: tempDir('workspace'), location, act: 'install', isWholeHost: true } as const;
		const ends = await Promise.all([runs(order), runs(order), runs(order)]);
		assert.deepEqual(ends, Array(3).fill({ code: 0, signal: null, stderr: '' }));
		const [only, ...others] = await marketplaceScene([location], { home }).marketplace.installed();
		assert.deepEqual(
			[only?.version, only?.isModified, only?.previousVersion, others.length],
			['1.0.0', false, null, 0],
		);
		const files = Object.entries(capabilityFiles()).map(([path, text]) => [`skill/greet/${path}`, text]);
		assert.deepEqual(filesBelow(join(home, 'capabilities')), Object.fromEntries(files));
		assert.deepEqual(readdirSync(join(home, 'marketplace/staging')), []);
	});
});

describe('an installation for which there is no room', function () {
	this.timeout(60_000);
	const large = { files: { 'large.bin': Buffer.alloc(5 * 1_048_576, 'x') } };

	it('leaves the old version when a file grows beyond what the system lets it', async () => {
		const location = await indexFolder([{ version: '1.0.0' }]);
		const home = tempDir('home');
		const { marketplace } = marketplaceScene([location], { home });
		await marketplace.install({ capability: { name: 'greet' }, scope: 'global' }, never);
		await indexFolder([{ version: '2.0.0', ...large }], {}, location);
		const order = { home, workspace: tempDir('workspace'), location, act: 'update', isWholeHost: true } as const;
		// In blocks of 512 or 1024 bytes, as the shell has it.
		const { code, stderr } = await runs(order, ['/bin/sh', '-c', 'ulimit -f 3000; exec "$@"', 'sh']);
		assert.deepEqual([code, /^EXTRACTION_FAILED: .*cannot be unpacked/m.test(stderr)], [1, true], stderr);
		assert.deepEqual(filesBelow(join(home, 'capabilities/skill/greet')), capabilityFiles({ version: '1.0.0' }));
		assert.deepEqual(readdirSync(join(home, 'marketplace/staging')), []);
	});

	it('leaves the old version on a full disk, and goes on when there is room again', async function () {
		const home = tempDir('home');
		// Needs the right to mount; without it the test is reported as skipped.
		if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', home]).status !== 0) {
			this.skip();
		}
		try {
			const location = await indexFolder([{ version: '1.0.0' }]);
			const { marketplace } = marketplaceScene([location], { home });
			await marketplace.install({ capability: { name: 'greet' }, scope: 'global' }, never);
			await marketplace.setEnabled(ref, true, never);
			await indexFolder([{ version: '2.0.0', permissions: ['http'], ...large }], {}, location);
			await assert.rejects(marketplace.update(ref, undefined, never), {
				code: 'EXTRACTION_FAILED',
				message: /the disk is full/,
			});
			const [only] = await marketplace.installed();
			assert.deepEqual([only?.version, only?.isModified, only?.isEnabled], ['1.0.0', false, true]);
			assert.deepEqual(readdirSync(join(home, 'marketplace/staging')), []);
			await indexFolder([{ version: '2.0.0' }], {}, location);
			assert.equal((await marketplace.update(ref, undefined, never)).version, '2.0.0');
		} finally {
			spawnSync('umount', [home]);
		}
	});
});
