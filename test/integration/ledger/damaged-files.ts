/**
 * Damages the databases of a home in every way a disk does, and opens them with the code that the product opens them with.
 * Whatever it was: no crash, a file that can be used, and the damaged one kept as it was found. A seed names the damages.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDamageError } from '../../../src/store/damage.ts';
import { StoreError } from '../../../src/store/store-error.ts';
import { below, pick, seeded } from '../../support/seeded.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { checkpoints, type Kept, ledger, threads } from '../threads/kept-databases.ts';

const PAGE_BYTES = 4_096;
const kinds = [threads, ledger, checkpoints];
const sides = ['', '-wal', '-shm'] as const;
type Files = Partial<Record<(typeof sides)[number], Buffer>>;

/** A file as it lies there while a process has it open: with its log. And as it lies there afterwards. */
interface Sample {
	readonly kind: Kept;
	readonly running: Files;
	readonly closed: Files;
}

function sampleOf(kind: Kept): Sample {
	const path = join(tempDir('sample'), kind.name);
	const close = kind.fill(path);
	const running = filesAt(path);
	close();
	return { kind, running, closed: filesAt(path) };
}

function filesAt(path: string): Files {
	return Object.fromEntries(
		sides.filter((side) => existsSync(path + side)).map((side) => [side, readFileSync(path + side)]),
	);
}

interface Damage {
	readonly what: string;
	apply(path: string, random: () => number, all: readonly Sample[]): void;
}

const damages: readonly Damage[] = [
	{
		what: 'a byte of the header',
		apply: (path, random) => change(path, (bytes) => void (bytes[below(random, 100)] = below(random, 256))),
	},
	{
		what: 'a bit of the first page',
		apply: (path, random) => change(path, (bytes) => flip(bytes, below(random, PAGE_BYTES), random)),
	},
	{
		what: 'some bits anywhere',
		apply: (path, random) =>
			change(path, (bytes) => {
				for (let n = 1 + below(random, 8); n > 0; n -= 1) flip(bytes, below(random, bytes.length), random);
			}),
	},
	{
		what: 'a page overwritten',
		apply: (path, random) =>
			change(path, (bytes) => {
				const at = below(random, bytes.length / PAGE_BYTES) * PAGE_BYTES;
				bytes.fill(below(random, 256), at, at + PAGE_BYTES);
			}),
	},
	{
		what: 'two pages exchanged',
		apply: (path, random) =>
			change(path, (bytes) => {
				const [a, b] = [0, 0].map(() => below(random, bytes.length / PAGE_BYTES) * PAGE_BYTES) as [number, number];
				const page = Buffer.from(bytes.subarray(a, a + PAGE_BYTES));
				bytes.copyWithin(a, b, b + PAGE_BYTES);
				page.copy(bytes, b);
			}),
	},
	{
		what: 'cut short',
		apply: (path, random) => truncateSync(path, below(random, readFileSync(path).length)),
	},
	{ what: 'of no length', apply: (path) => truncateSync(path, 0) },
	{ what: 'text', apply: (path, random) => writeFileSync(path, 'this is no database\n'.repeat(below(random, 1_000))) },
	{ what: 'without its log', apply: (path) => rmSync(`${path}-wal`, { force: true }) },
	{
		what: 'with the log of another',
		apply(path, random, all) {
			const other = pick(
				random,
				all.filter(({ kind }) => !path.endsWith(kind.name)),
			);
			writeFileSync(`${path}-wal`, other.running['-wal'] ?? '');
			rmSync(`${path}-shm`, { force: true });
		},
	},
	{
		what: 'with bits of its log changed',
		apply: (path, random) =>
			change(`${path}-wal`, (bytes) => flip(bytes, below(random, Math.max(1, bytes.length)), random)),
	},
	{
		what: 'with its log cut short',
		apply: (path, random) => change(`${path}-wal`, (bytes) => bytes.subarray(0, below(random, bytes.length + 1))),
	},
	{
		what: 'with the shared memory of another time',
		apply: (path, random) => writeFileSync(`${path}-shm`, Buffer.alloc(32_768, below(random, 256))),
	},
];

function change(path: string, edit: (bytes: Buffer) => Buffer | void): void {
	const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
	writeFileSync(path, edit(bytes) ?? bytes);
}

function flip(bytes: Buffer, at: number, random: () => number): void {
	if (at < bytes.length) {
		bytes[at] = (bytes[at] ?? 0) ^ (1 << below(random, 8));
	}
}

interface DamageReport {
	readonly files: number;
	readonly putAside: number;
	/** Left where they are, and said to be of a later version. */
	readonly refused: number;
	/** Found to be damaged only when they were read. */
	readonly failedInUse: number;
}

/** Damages and opens that many files. Throws at the first that is not treated as promised. */
export function openDamagedFiles(count: number, seed: number): DamageReport {
	const samples = kinds.map(sampleOf);
	const random = seeded(seed);
	const report = { files: 0, putAside: 0, refused: 0, failedInUse: 0 };
	for (let n = 0; n < count; n += 1) {
		const sample = pick(random, samples);
		const damage = damages[n % damages.length] as Damage;
		const from = random() < 0.5 ? 'running' : 'closed';
		const what = `file ${n} of seed ${seed}: ${sample.kind.name} (${from}), ${damage.what}`;
		const folder = tempDir('damaged');
		const path = join(folder, sample.kind.name);
		for (const [side, bytes] of Object.entries(sample[from])) {
			writeFileSync(path + side, bytes);
		}
		damage.apply(path, random, samples);
		report.files += 1;
		try {
			const end = openOne(sample.kind, path);
			report[end] += end === 'files' ? 0 : 1;
		} catch (error) {
			throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
		}
		rmSync(folder, { recursive: true, force: true });
	}
	return report;
}

function openOne(kind: Kept, path: string): keyof DamageReport {
	const before = filesAt(path);
	let opened: ReturnType<Kept['open']>;
	try {
		opened = kind.open(path, false);
	} catch (error) {
		// A log of another database beside it can bring that one's version along.
		const isNewer = error instanceof StoreError ? error.code === 'newer' : /later version/.test(String(error));
		assert.ok(isNewer, String(error));
		assert.deepEqual(readFileSync(path), before['']);
		return 'refused';
	}
	try {
		opened.use();
	} catch (error) {
		assert.ok(isDamageError(error) && opened.aside === undefined, (error as Error).stack);
		opened.close();
		if (kind === threads) {
			return 'failedInUse';
		}
		// Like the host, checks a file thoroughly after a failure.
		const again = kind.open(path, true);
		assert.ok(again.aside !== undefined);
		again.use();
		again.close();
		return 'failedInUse';
	}
	opened.close();
	if (opened.aside === undefined) {
		return 'files';
	}
	// With its log: whoever mends it needs both.
	for (const side of ['', '-wal'] as const) {
		if ((before[side]?.length ?? 0) > 0) {
			assert.deepEqual(readFileSync(opened.aside + side), before[side], side);
		}
	}
	return 'putAside';
}
