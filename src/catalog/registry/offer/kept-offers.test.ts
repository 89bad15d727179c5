import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testHost } from '../../../../test/support/host-ports.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { mostValuable, pickShelfPlaces } from '../../../protocol/offer/capability-values.ts';
import { NOTHING_USED } from '../../../protocol/ops/capability-value.ts';
import { builtInExecutors } from '../../executors.ts';
import { isInForce } from '../items.ts';
import { MAX_KEPT_OFFERS, MAX_READ_AGAIN } from '../limits.ts';
import { scanRoots } from '../reading/scan.ts';
import { ScanMemory } from '../reading/scan-memory.ts';
import { restoreScanMemory, serializeScanMemory } from '../reading/written-memory.ts';
import { EnabledCapabilities } from '../sources/enabled-capabilities.ts';
import { type Root, listRoots } from '../sources/roots.ts';
import { KeptOffers } from './kept-offers.ts';
import type { CapabilityManifest } from '../../../protocol/capability/manifest.ts';
import { createWordIndex } from './word-index.ts';
import { type KeptColumns, readOffer, writtenOffer } from './written-offer.ts';

/**
 * Folder without fresh files: its `capabilities` were written long ago, and files that are new on the disk are never
 * kept.
 */
const dist = join(import.meta.dirname, '../../../../dist');
const beginning = { text: 'Review the changes and write a test', paths: [] };

describe('An offer that is kept for the next process', () => {
	let home: string;
	let enabled: EnabledCapabilities;

	let roots: readonly Root[];

	const keptBy = (program: string | undefined, many = 1) =>
		new KeptOffers({ home, programStamp: () => Promise.resolve(program), enabled, many });
	const look = async () => {
		const at = Date.now();
		const seen = await scanRoots(roots, builtInExecutors(dist), new ScanMemory(), () => undefined);
		return { roots, ...seen, at };
	};
	const keep = async (seen: Awaited<ReturnType<typeof look>>, kept = keptBy('one')) => {
		kept.keep(seen);
		await kept.settled();
	};
	const offered = async (program = 'one', count = 3) =>
		(await (await keptBy(program).load(roots))?.best(beginning, count, NOTHING_USED))?.offered;
	const file = () => {
		const [name = ''] = readdirSync(join(home, 'offers'));
		return join(home, 'offers', name);
	};

	const readKept = (path: string) => {
		const bytes = readFileSync(path);
		return JSON.parse(bytes.subarray(8, 8 + bytes.readUInt32LE(0)).toString()) as Pick<KeptColumns, 'key' | 'lookedAt'>;
	};

	beforeEach(() => {
		home = tempDir('home');
		const { ports } = testHost({ home });
		roots = listRoots(ports.workspace, { ...ports.places, dist, home, userHome: home });
		enabled = new EnabledCapabilities(home, join(dist, '../capabilities'));
	});

	it('is what a look at all capabilities gives', async () => {
		const seen = await look();
		await keep(seen);
		const all = seen.state.capabilities
			.filter((each) => isInForce(each) && each.manifest?.modelInvocable === true)
			.flatMap(({ source, manifest }) => (manifest === undefined ? [] : [{ ...manifest, source }]));
		const { best, values } = mostValuable(all, beginning, 3);
		assert.ok(best.length > 0);
		assert.deepEqual(await offered(), {
			best: best.map(({ name, type, source, description }) => ({ name, type, source, description })),
			values,
			total: all.length,
		});
	});

	it('counts as well when the look took what it knows from an earlier process', async () => {
		const first = await look();
		const restored = restoreScanMemory(JSON.parse(JSON.stringify(serializeScanMemory(first.memory))));
		await keep({ ...first, memory: restored });
		assert.equal((await offered())?.total, first.state.capabilities.filter(isInForce).length);
	});

	it('brings what they need, however little that is worth', async () => {
		const item = (name: string, description: string) => {
			return { name, type: 'skill', source: 'global', description, path: join(home, name), files: [] } as const;
		};
		const items = [
			{ ...item('wanted', 'Review the changes and write a test'), requires: ['zz-needed'] },
			item('zz-needed', 'n'),
		].map((each) => ({ ...each, files: [] }));
		const written = { key: 'k', lookedAt: { roots: [], folders: [], links: [] }, index: createWordIndex(items) };
		const path = join(home, 'offer.bin');
		writeFileSync(path, writtenOffer(written, items));
		const read = await readOffer(path, 'k');
		assert.ok(read);
		const { at } = pickShelfPlaces(read.shelf, beginning, 1);
		assert.deepEqual(
			read.items(at)?.map(({ name, requires }) => [name, requires]),
			[
				['wanted', ['zz-needed']],
				['zz-needed', undefined],
			],
		);
	});

	it('does not count once there is one more, or another folder', async () => {
		await keep(await look());
		assert.ok(await offered());
		mkdirSync(join(home, '.claude/skills'), { recursive: true });
		assert.equal(await offered(), undefined);
	});

	/** Keeps the offer of a process in which this capability was another. */
	const keepAsIfItWas = async (of: string, was: Partial<CapabilityManifest>) => {
		const seen = await look();
		for (const { path, manifest } of seen.state.capabilities) {
			if (manifest?.name !== of) continue;
			Object.assign(manifest, was);
			Object.assign(seen.memory.readings.get(path) ?? {}, { stamp: [1, 2, 3, 4] });
		}
		await keep(seen);
		return await (await keptBy('one').load(roots))?.best(beginning, 100, NOTHING_USED);
	};

	it('does not count for a capability that is another now', async () => {
		const { state } = await look();
		const { name = '' } = state.capabilities.find(isInForce)?.manifest ?? {};
		for (const was of [{ name: 'another' }, { type: 'another' }, { requiredCapabilities: ['another'] }]) {
			assert.equal(await keepAsIfItWas(name, was), undefined, Object.keys(was).join());
		}
	});

	it('does not count for many capabilities that have changed', async () => {
		const folder = join(home, 'many');
		const items = Array.from({ length: MAX_READ_AGAIN + 1 }, (_, at) => {
			const [name, path] = [`many${at}`, join(folder, `many${at}`)];
			mkdirSync(path, { recursive: true });
			writeFileSync(join(path, 'SKILL.md'), `---\nname: ${name}\ndescription: Now.\n---\n`);
			const told = { name, type: 'skill', source: 'global', description: 'Before.', path } as const;
			return { ...told, files: [join(path, 'SKILL.md')], stamp: [1, 2, 3, 4] };
		});
		await keep(await look());
		const { key, lookedAt } = readKept(file());
		for (const some of [items.slice(1), items]) {
			writeFileSync(file(), writtenOffer({ key, lookedAt, index: createWordIndex(some) }, some));
			const found = (await offered('one', 100))?.best.map(({ description }) => description);
			assert.deepEqual(found, some === items ? undefined : some.map(() => 'Now.'));
		}
	});

	it('tells a changed description as it is now, and that the offer is outdated', async () => {
		const { state } = await look();
		const { name = '', description } = state.capabilities.find(isInForce)?.manifest ?? {};
		const found = await keepAsIfItWas(name, { description: 'Before.' });
		assert.equal(found?.offered.best.find((each) => each.name === name)?.description, description);
		assert.equal(found?.isOutdated, true);
		assert.equal((await keepAsIfItWas('nobody', {}))?.isOutdated, false);
	});

	it('does not count once another capability is switched off', async () => {
		const seen = await look();
		await keep(seen);
		const folder = seen.state.capabilities.find(isInForce)?.path ?? '';
		await enabled.set(folder, false, new AbortController().signal);
		assert.equal(await offered(), undefined);
		await keep(seen);
		assert.equal((await offered('one', 100))?.best.length, seen.state.capabilities.filter(isInForce).length - 1);
	});

	it('does not count for another program, nor when a byte of it has changed', async () => {
		await keep(await look());
		assert.equal(await offered('two'), undefined);
		const whole = readFileSync(file());
		for (const at of [0, 5, 40, whole.length >> 1, whole.length - 3]) {
			const damaged = Buffer.from(whole);
			damaged.writeUInt8((damaged.readUInt8(at) + 1) % 256, at);
			writeFileSync(file(), damaged);
			assert.equal(await offered('one', 100), undefined, `byte ${at}`);
		}
		for (const cut of [whole.subarray(0, -1), whole.subarray(0, 3), Buffer.alloc(0)]) {
			writeFileSync(file(), cut);
			assert.equal(await offered(), undefined);
		}
	});

	it('takes the place of the oldest when too many are kept', async () => {
		const folder = join(home, 'offers');
		mkdirSync(folder);
		const names = Array.from({ length: MAX_KEPT_OFFERS + 1 }, (_, n) => `other-${n}.bin`);
		for (const [n, name] of names.entries()) {
			writeFileSync(join(folder, name), '');
			utimesSync(join(folder, name), n + 1, n + 1);
		}
		await keep(await look());
		const left = readdirSync(folder);
		assert.deepEqual(
			left.filter((name) => names.includes(name)),
			names.slice(2),
		);
		assert.equal(left.length, MAX_KEPT_OFFERS);
	});

	it('is not written of a few, nor when the program cannot be told from another', async () => {
		await keep(await look(), keptBy('one', 10_000));
		await keep(await look(), keptBy(undefined));
		assert.throws(() => readdirSync(join(home, 'offers')), /ENOENT/);
	});
});
