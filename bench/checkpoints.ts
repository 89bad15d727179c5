/**
 * Benchmark of undo: an image before a write, and the scans of a folder around a command, against a tree that Git
 * writes of the same folder; the disk space they take; and the search without ripgrep.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostStore, storeWorker } from '../src/trust/record/store/thread/host-store.ts';
import { JavaScriptSearch } from '../src/machine/search/javascript-search.ts';
import { probeRipgrep } from '../src/machine/search/ripgrep/probe-ripgrep.ts';
import { RipgrepSearch } from '../src/machine/search/ripgrep/ripgrep-search.ts';
import { commandEnvironment } from '../src/machine/environment.ts';
import { WorkspaceSweeps } from '../src/machine/sweep/workspace-sweeps.ts';
import { seeded } from '../test/support/seeded.ts';
import { type Figure, ms, paired, ratio } from './measure.ts';

const FILES = 10_000;
const FILES_IN_FOLDER = 50;
const FILE_CHARS = 4_000;
const ROUNDS = 7;
const IMAGES = 200;

/** Folder of the ripgrep binary that comes with the editor the specs run in. */
const EDITORS_RIPGREP = join(
	import.meta.dirname,
	'../.tools/vscode/node_modules/code-server/lib/vscode/node_modules/@vscode/ripgrep-universal/bin',
	`${process.platform}-${process.arch}/rg`,
);

const source = (path: string) => new URL(`../src/${path}`, import.meta.url);

export async function checkpointFigures(): Promise<Figure[]> {
	const root = mkdtempSync(join(tmpdir(), 'checkpoints-'));
	const [work, home] = [join(root, 'work'), join(root, 'home')];
	try {
		const paths = project(work);
		return [...(await imageFigures(work, home, paths)), ...(await searchFigures(work))];
	} finally {
		rmSync(root, { recursive: true, force: true });
	}
}

async function imageFigures(work: string, home: string, paths: readonly string[]): Promise<Figure[]> {
	const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: work, stdio: 'ignore' });
	git('init', '-q');
	git('add', '-A');
	const store = new HostStore(
		storeWorker(source('trust/record/store/thread/worker.ts')),
		{ home, writer: 'bench' },
		{ onMovedAside() {}, onAnchored() {}, onNotAnchored() {} },
	);
	const sweeps = new WorkspaceSweeps({
		workerUrl: source('machine/sweep/worker.ts'),
		home,
		folders: () => [work],
		keptBytes: () => 200 * 1024 * 1024,
		onFailed: (error) => {
			throw error;
		},
	});
	const begin = () => sweeps.before('bench', () => () => Promise.resolve());
	let n = 0;
	const change = () => writeFileSync(paths[(n += 1)] ?? '', textOf(n + FILES));
	const image = async () => {
		const bytes = Buffer.from(textOf((n += 1)));
		const before = `${createHash('sha256').update(bytes).digest('hex')} 644`;
		const at = { threadId: 'thr_bench', turnId: 'trn_bench', path: `${n}`, absolutePath: join(work, `${n}`) };
		await store.call('keepImage', { ...at, before, newFolder: null, bytes });
	};
	try {
		const first = await timed(begin);
		const sizeBefore = sizeOf(join(home, 'sweeps'));
		const measured = await paired(ROUNDS, {
			git: () => {
				change();
				return timed(() => {
					git('add', '-A');
					git('write-tree');
				});
			},
			image: async () => (await timed(async () => repeated(IMAGES, image))) / IMAGES,
			// Reads what the other variants have changed; then nothing is left to read.
			sweep: async () => {
				await begin().then((looks) => looks?.end());
				return await timed(async () => {
					await (await begin())?.end();
				});
			},
		});
		const images = ROUNDS * IMAGES;
		await store.close();
		const diskOfImage = sizeOf(home, 'checkpoints.db') / Math.max(1, images);
		return [
			{
				goal: 'G15',
				what: `image before a write of a file of ${FILE_CHARS} characters, durable, to \`git add -A\` and a tree of ${FILES} files`,
				measured: `${ratio(measured['image'])} (${ms(measured['image']?.value)} / ${ms(measured['git']?.value)})`,
				bar: '<= 0.01x',
				met: (measured['image']?.ratio ?? 1) <= 0.01,
			},
			{
				goal: 'G15',
				what: `both looks around a command that changes nothing, ${FILES} files, to the same`,
				measured: `${ratio(measured['sweep'])} (${ms(measured['sweep']?.value)})`,
				bar: 'none',
				met: undefined,
			},
			{
				goal: 'G15',
				what: `first look at ${FILES} files, which copies them`,
				measured: `${ms(first)}, ${mb(sizeBefore)} for ${mb(FILES * FILE_CHARS)} of text`,
				bar: 'none',
				met: undefined,
			},
			{
				goal: 'G15',
				what: `disk that an image of ${FILE_CHARS} characters takes, with its rows`,
				measured: `${Math.round(diskOfImage)} bytes`,
				bar: 'none',
				met: undefined,
			},
		];
	} finally {
		await sweeps.close();
		await store.close();
	}
}

async function searchFigures(work: string): Promise<Figure[]> {
	const environment = commandEnvironment(process.env, process.platform);
	const own = new JavaScriptSearch(source('machine/search/worker.ts'));
	const program = await probeRipgrep([EDITORS_RIPGREP], environment);
	const query = {
		query: 'a needle that is nowhere',
		literal: true,
		caseSensitive: true,
		include: undefined,
		context: 0,
		namesOnly: false,
		usualEncoding: undefined,
		limit: 100,
	};
	const scope = { root: work, segments: [], kind: 'folder' as const };
	const { signal } = new AbortController();
	const what = `search without ripgrep for a text in ${FILES} files, to ripgrep`;
	if (program === undefined) {
		return [{ goal: 'G14', what, measured: 'no ripgrep here', bar: '<= 2x', met: undefined }];
	}
	const ripgrep = new RipgrepSearch(program, environment, own);
	const measured = await paired(ROUNDS, {
		ripgrep: () => timed(() => ripgrep.text(scope, query, signal)),
		own: () => timed(() => own.text(scope, query, signal)),
	});
	return [
		{
			goal: 'G14',
			what,
			measured: `${ratio(measured['own'])} (${ms(measured['own']?.value)} / ${ms(measured['ripgrep']?.value)})`,
			bar: '<= 2x',
			met: (measured['own']?.ratio ?? 9) <= 2,
		},
	];
}

/** Absolute paths of its files. */
function project(work: string): string[] {
	return Array.from({ length: FILES }, (_, at) => {
		const folder = join(work, `folder-${Math.floor(at / FILES_IN_FOLDER)}`);
		if (at % FILES_IN_FOLDER === 0) mkdirSync(folder, { recursive: true });
		const path = join(folder, `file-${at}.ts`);
		writeFileSync(path, textOf(at));
		return path;
	});
}

/** Text like that of a program: words that come again, no two files the same. */
function textOf(seed: number): string {
	const random = seeded(seed);
	const line = () =>
		`\tconst value${Math.floor(random() * 1_000)} = call${Math.floor(random() * 100)}(${Math.floor(random() * 10_000)});\n`;
	let text = '';
	while (text.length < FILE_CHARS) text += line();
	return text.slice(0, FILE_CHARS);
}

async function repeated(times: number, work: () => Promise<unknown>): Promise<void> {
	for (let at = 0; at < times; at += 1) await work();
}

async function timed(work: () => unknown): Promise<number> {
	const started = performance.now();
	await work();
	return performance.now() - started;
}

/**
 * Returns the total bytes of the folder's files whose names start with `named`; a prefix includes a database's side
 * files, which hold writes not yet moved into the database file.
 */
function sizeOf(folder: string, named = ''): number {
	return readdirSync(folder)
		.filter((name) => name.startsWith(named))
		.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

function mb(bytes: number): string {
	return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
