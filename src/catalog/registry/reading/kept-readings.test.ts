import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testHost } from '../../../../test/support/host-ports.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { builtInExecutors } from '../../executors.ts';
import { CapabilityRegistry } from '../capability-registry.ts';
import type { RegistryState } from '../items.ts';
import { KeptReadings } from './kept-readings.ts';
import { ScanMemory } from './scan-memory.ts';

/**
 * Folder without fresh files: its `capabilities` were written long ago, and files that are new on the disk are never
 * kept.
 */
const dist = join(import.meta.dirname, '../../../../dist');

describe('What manifests said, kept for the next process,', () => {
	let home: string;
	let file: string;

	const keptBy = (program: string | undefined) =>
		new KeptReadings({ home, programStamp: () => Promise.resolve(program) });
	/** Returns the state that a process with this program finds; the process then keeps its readings. */
	const foundBy = async (program: string | undefined): Promise<RegistryState> => {
		const { ports } = testHost({ home });
		const kept = keptBy(program);
		const registry = new CapabilityRegistry({
			ports: { ...ports, places: { ...ports.places, dist } },
			executors: builtInExecutors(dist),
			kept,
		});
		try {
			return await registry.state();
		} finally {
			registry.dispose();
			await kept.settled();
		}
	};
	const descriptions = ({ capabilities }: RegistryState) =>
		capabilities.map(({ name, manifest }) => `${name}: ${manifest?.description}`);
	/** Has the file say something else than the manifests do, as `program` would write it. */
	const makeItSay = async (description: string, program: string) => {
		const kept = keptBy(program);
		const memory = await kept.load();
		for (const [path, { read, ...known }] of memory.readings) {
			const manifest = { ...(read.manifest as object), description };
			memory.readings.set(path, { ...known, read: { ...read, manifest } });
		}
		kept.keep(memory);
		await kept.settled();
	};

	beforeEach(() => {
		home = tempDir('home');
		file = join(home, 'manifests.json');
	});

	it('holds what a process has read that ends before it has read all', async () => {
		const { ports, workspace } = testHost({ home });
		for (let at = 0; at < 500; at += 1) {
			const folder = join(workspace, `.prowess/capabilities/skill/a${at}`);
			mkdirSync(folder, { recursive: true });
			writeFileSync(join(folder, 'capability.yaml'), `name: a${at}\ntype: skill\nversion: 1.0.0\ndescription: d\n`);
		}
		const kept = keptBy('one');
		const places = { ...ports.places, dist };
		const registry = new CapabilityRegistry({ ports: { ...ports, places }, executors: builtInExecutors(dist), kept });
		const reading = registry.state();
		// Built-in ones are read first, and only they are old enough to be kept.
		while ((await registry.list(1)).capabilities.length === 0);
		registry.dispose();
		await kept.settled();
		assert.ok((await keptBy('one').load()).readings.size > 0);
		await reading;
	});

	it('counts no more when a byte of it has changed', async () => {
		const read = await foundBy('one');
		await makeItSay('from the file', 'one');
		const text = readFileSync(file, 'utf8');
		for (const damaged of [text.replace('from the file', 'from a thief'), text.slice(0, -9), text.slice(5), '', '{}']) {
			writeFileSync(file, damaged);
			assert.deepEqual(await foundBy('one'), read, damaged.slice(0, 80));
		}
	});

	it('counts no more for another program, which may read otherwise', async () => {
		const read = await foundBy('one');
		await makeItSay('from the file', 'one');
		assert.deepEqual(await foundBy('two'), read);
	});

	it('does not count for a manifest that looks different now', async () => {
		const read = await foundBy('one');
		const kept = keptBy('one');
		const memory = await kept.load();
		for (const [path, { read: before, ...known }] of memory.readings) {
			const manifest = { ...(before.manifest as object), description: 'from the file' };
			memory.readings.set(path, { ...known, stamp: [1, 2, 3, 4], read: { ...before, manifest } });
		}
		kept.keep(memory);
		await kept.settled();
		assert.deepEqual(await foundBy('one'), read);
	});

	it('is not written when the program cannot be told from another', async () => {
		await foundBy(undefined);
		assert.throws(() => statSync(file), /ENOENT/);
	});

	it('is missed by nobody when it cannot be written', async () => {
		rmSync(home, { recursive: true });
		writeFileSync(home, '');
		assert.equal((await keptBy('one').load()).readings.size, 0);
		const kept = keptBy('one');
		kept.keep(
			new ScanMemory([['a', { name: '', key: '', stamp: [1], read: { manifest: {}, problems: [], raw: {} } }]]),
		);
		await kept.settled();
	});

	it('is for its user alone, and spares the next process the reading', async () => {
		await foundBy('one');
		assert.equal(statSync(file).mode & 0o777, 0o600);
		await makeItSay('from the file', 'one');
		const found = descriptions(await foundBy('one'));
		assert.ok(found.length > 0);
		assert.deepEqual(
			found.filter((each) => !each.endsWith(': from the file')),
			[],
		);
	});

	it('is the same as what is read, and is left alone while nothing changes', async () => {
		const read = await foundBy('one');
		const before = statSync(file).ino;
		assert.deepEqual(await foundBy('one'), read);
		assert.equal(statSync(file).ino, before);
	});
});
