import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CHANGE_STEPS } from '../../src/capability-host/marketplace/change.ts';
import { capabilityFiles, filesBelow, indexFolder, marketplaceScene, never } from '../support/marketplace-scene.ts';
import { tempDir } from '../support/temp-dir.ts';
import { type MarketplaceOrder, perform } from './marketplace-acts.ts';

const program = join(import.meta.dirname, 'marketplace-program.ts');
const ref = { name: 'greet', scope: 'global' } as const;

async function runs(order: MarketplaceOrder): Promise<{ code: number | null; signal: string | null; stderr: string }> {
	const child = spawn(process.execPath, ['--no-warnings', program, JSON.stringify(order)], {
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	let stderr = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
	const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
	return { code, signal, stderr };
}

/** Between them the disk is neither as before nor as after. */
const halves = ['move in', 'lock', 'keep'] as const;

/** What there is before each act, and the versions that may be there when it was killed: old, new. */
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

				const { signal } = await runs({ home, workspace: tempDir('workspace'), location, act, dieBefore });
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
		const order = { home, workspace: tempDir('workspace'), location, act: 'install' } as const;
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
