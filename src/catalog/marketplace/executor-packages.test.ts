import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { testHost } from '../../../test/support/host-ports.ts';
import { filesBelow, marketplaceScene, never, writeFiles } from '../../../test/support/marketplace-scene.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { builtInExecutors } from '../executors.ts';
import { CapabilityRegistry } from '../registry/capability-registry.ts';
import { EnabledSource } from '../registry/sources/enabled-source.ts';
import { buildIndex, packCapability, writeIndex } from './build-index.ts';

const ref = { name: 'pipes', type: 'executors', scope: 'global' } as const;

/** A program that does nothing, for these types. */
function executorFiles(version: string, types: string, more = 'entryPoint: dist/index.mjs\n') {
	return {
		'executor.yaml': `name: pipes\nversion: ${version}\ndescription: Runs pipelines\nsupportedTypes: ${types}\n${more}`,
		'dist/index.mjs': `// ${version}\n`,
	};
}

async function publish(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
	writeFiles(join(folder, 'executors/pipes'), files);
	await writeIndex(folder, await buildIndex(folder, { name: 'test' }, never));
}

describe('a package that is an executor', () => {
	let folder: string;
	beforeEach(() => {
		folder = tempDir('index');
	});

	for (const [what, files, why] of [
		['has no types', executorFiles('1.0.0', '[]'), /supportedTypes/],
		[
			'lacks its program',
			executorFiles('1.0.0', '[pipeline]', 'entryPoint: dist/other.mjs\n'),
			/dist\/other\.mjs is not in it/,
		],
		[
			'has its program elsewhere',
			executorFiles('1.0.0', '[pipeline]', 'entryPoint: ../index.mjs\n'),
			/below the folder/,
		],
	] as const) {
		it(`is refused when it ${what}`, async () => {
			writeFiles(folder, files);
			await assert.rejects(packCapability(folder, never), { code: 'INVALID_EXECUTOR_CONFIG', message: why });
		});
	}

	it('is refused when it runs other types than the index says', async () => {
		await publish(folder, executorFiles('1.0.0', '[pipeline]'));
		const index = await buildIndex(folder, { name: 'test' }, never);
		const [entry] = index.capabilities;
		assert.ok(entry);
		await writeIndex(folder, { ...index, capabilities: [{ ...entry, permissions: ['run:other'] }] });
		await assert.rejects(marketplaceScene([folder]).marketplace.show({ name: 'pipes' }, never), {
			code: 'INVALID_CAPABILITY_CONFIG',
			message: /asks for run:pipeline, which the index does not say/,
		});
	});

	it('is shown with the types it runs, installed where executors lie, and switched off', async () => {
		await publish(folder, executorFiles('1.0.0', '[pipeline, skill]'));
		const { marketplace, home, enabled } = marketplaceScene([folder]);
		const details = await marketplace.show({ name: 'pipes' }, never);
		assert.deepEqual(
			[details.listing.type, details.permissions, details.level],
			['executors', ['run:pipeline', 'run:skill'], 'RESTRICTED'],
		);
		const installed = await marketplace.install({ capability: { name: 'pipes' }, scope: 'global' }, never);
		const path = join(home, 'capabilities/executors/pipes');
		assert.deepEqual([installed.path, installed.isEnabled], [path, false]);
		assert.deepEqual(filesBelow(path), executorFiles('1.0.0', '[pipeline, skill]'));

		const { ports } = testHost();
		const registry = new CapabilityRegistry({
			ports: { ...ports, places: { ...ports.places, home } },
			executors: builtInExecutors(ports.places.dist),
		});
		const source = new EnabledSource(registry, enabled);
		// Ours goes on running what it would take over.
		assert.equal((await source.executorFor('skill', undefined))?.folder, undefined);
		await assert.rejects(source.executorFor('pipeline', undefined), {
			code: 'CAPABILITY_DISABLED',
			message: /executor for capabilities of type "pipeline" is switched off/,
		});
		await marketplace.setEnabled(ref, true, never);
		assert.equal((await source.executorFor('skill', undefined))?.folder, path);
		assert.equal((await source.executorFor('pipeline', undefined))?.folder, path);
		registry.dispose();
	});

	it('is switched off again by an update with which it runs more, comes back with a roll back, and goes whole', async () => {
		await publish(folder, executorFiles('1.0.0', '[pipeline]'));
		const { marketplace, home } = marketplaceScene([folder]);
		await marketplace.install({ capability: { name: 'pipes' }, scope: 'global' }, never);
		await marketplace.setEnabled(ref, true, never);
		await publish(folder, executorFiles('1.1.0', '[pipeline]'));
		assert.equal((await marketplace.update(ref, undefined, never)).isEnabled, true);
		await publish(
			folder,
			executorFiles('1.2.0', '[pipeline, skill]', 'entryPoint: dist/index.mjs\nchannel: loopback\n'),
		);
		await marketplace.search({ refresh: true }, never);
		const preview = await marketplace.previewUpdate(ref, never);
		assert.deepEqual(preview?.diff.permissions, { added: ['channel:loopback', 'run:skill'], removed: [] });
		const wider = await marketplace.update(ref, preview?.contentHash, never);
		assert.deepEqual([wider.version, wider.isEnabled], ['1.2.0', false]);
		assert.equal((await marketplace.rollBack(ref, never)).version, '1.1.0');
		await marketplace.remove(ref, never);
		assert.equal(existsSync(join(home, 'capabilities/executors/pipes')), false);
		assert.deepEqual(await marketplace.installed(), []);
	});
});
