import assert from 'node:assert/strict';
import { join } from 'node:path';
import { testHost } from '../../../test/support/host-ports.ts';
import { noCapabilities } from '../../../test/support/no-capabilities.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { builtInExecutors } from '../../catalog/executors.ts';
import { CapabilityRegistry } from '../../catalog/registry/capability-registry.ts';
import { KeptReadings } from '../../catalog/registry/reading/kept-readings.ts';
import { capabilityOps } from './capabilities.ts';

/** Folder with `capabilities` that were written long ago; readings of files that are new on the disk are never kept. */
const dist = join(import.meta.dirname, '../../../dist');

describe('Of many capabilities, what the process before has read', () => {
	let home: string;
	const keptBy = () => new KeptReadings({ home, programStamp: () => Promise.resolve('one') });
	const registryOf = (kept: KeptReadings) => {
		const { ports } = testHost({ home });
		const places = { ...ports.places, dist };
		return new CapabilityRegistry({ ports: { ...ports, places }, executors: builtInExecutors(dist), kept, many: 1 });
	};
	/** Has a process look at all, and then what it keeps say something else than the manifests do. */
	const before = async (stamp?: readonly number[]) => {
		const kept = keptBy();
		const registry = registryOf(kept);
		const { capabilities } = await registry.state();
		registry.dispose();
		await kept.settled();
		const memory = await kept.load();
		for (const [path, { read, ...known }] of memory.readings) {
			const manifest = { ...(read.manifest as object), description: 'from the file' };
			memory.readings.set(path, { ...known, stamp: stamp ?? known.stamp, read: { ...read, manifest } });
		}
		kept.keep(memory);
		await kept.settled();
		return capabilities.map(({ manifest }) => manifest?.description ?? '').sort();
	};
	/** Lists what the next process tells with its first request. */
	const told = async () => {
		const registry = registryOf(keptBy());
		registry.prepare();
		const available = (withinMs?: number) => registry.list(withinMs);
		const op = capabilityOps({ capabilities: { ...noCapabilities, available } })['capability.list'];
		const best = { text: 'Fix it.', paths: [], count: 100 };
		const work = await op.prepare({ offset: 0, withinMs: 30_000, best }, {} as never);
		const { capabilities, values, total } = await work.run({ caller: { kind: 'user', threadId: null } } as never);
		assert.equal(values?.length, capabilities.length);
		assert.equal(total, capabilities.length);
		registry.dispose();
		return capabilities.map(({ description }) => description).sort();
	};
	beforeEach(() => {
		home = tempDir('home');
	});

	it('is told before all is looked at, if those that are told look as they did', async () => {
		const read = await before();
		assert.deepEqual(
			await told(),
			read.map(() => 'from the file'),
		);
	});

	it('is not told where one of them looks different now', async () => {
		const read = await before([1, 2, 3, 4]);
		assert.deepEqual(await told(), read);
	});
});
