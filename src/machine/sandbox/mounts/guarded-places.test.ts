import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { GUARDED_PLACES, GUARDED_SETTLED_MS, SCANNED_DEPTH } from '../limits.ts';
import { GuardedPlaces } from './guarded-places.ts';
import { readGuardedFolder, type ReadFolder } from './read-folder.ts';

/** Without a second look, some of these miss what is moved. */
const LOOKS = 500;

/** Gives a folder another name, and yet another. */
const MOVE = `
const { renameSync } = require('node:fs');
const { parentPort, workerData: root } = require('node:worker_threads');
parentPort.postMessage('begun');
for (let at = 0; ; at++) {
	renameSync(root + '/d' + at, root + '/d' + (at + 1));
	const until = performance.now() + 2;
	while (performance.now() < until);
}
`;

describe('The search for what a sandbox guards', () => {
	let root: string;
	let guarded: GuardedPlaces;
	beforeEach(() => {
		root = tempDir('workspace');
		guarded = new GuardedPlaces();
	});

	function write(...paths: readonly string[]): void {
		for (const path of paths) {
			mkdirSync(dirname(join(root, path)), { recursive: true });
			writeFileSync(join(root, path), '');
		}
	}
	const found = () => guarded.find(root).map(({ path }) => path.slice(root.length + 1));

	it('ends 64 levels deep, and says that it did not find all', () => {
		const deep = Array.from({ length: SCANNED_DEPTH - 1 }, () => 'd').join('/');
		write(`${deep}/.env`, `${deep}/d/.env`);
		assert.deepEqual(found(), [`${deep}/.env`]);
		assert.equal(guarded.isComplete(root), false);
	});

	it('ends where a path is too long, and says so', () => {
		// Step by step, as a command goes there.
		const name = 'd'.repeat(200);
		const script = `for each in $(seq 1 25); do mkdir ${name} && cd -P ${name}; done; touch .env`;
		execFileSync('sh', ['-c', script], { cwd: root });
		assert.deepEqual(found(), []);
		assert.equal(guarded.isComplete(root), false);
		execFileSync('rm', ['-rf', name], { cwd: root });
		assert.deepEqual([found(), guarded.isComplete(root)], [[], true]);
	});

	it('finds what lies behind more folders, and deeper, than an ordinary repository has', () => {
		for (let folder = 0; folder < 900; folder++) write(`f${folder}/one.txt`);
		write('.env', 'f0/deep/.env', '1/2/3/4/5/6/7/8/9/.env');
		assert.deepEqual(found(), ['.env', 'f0/deep/.env', '1/2/3/4/5/6/7/8/9/.env']);
		assert.equal(guarded.isComplete(root), true);
	});

	it('names pipes and sockets apart', () => {
		if (process.platform === 'win32') return;
		write('a/one.txt');
		execFileSync('mkfifo', [join(root, 'a', '.gitignore')]);
		assert.deepEqual(found(), []);
		assert.deepEqual(guarded.findOdd(root), [join(root, 'a', '.gitignore')]);
	});

	it('leaves out what tools make, and is complete without it', () => {
		for (const folder of ['node_modules', 'venv', '.venv', 'target', '__pycache__']) write(`${folder}/.env`);
		write('src/.env');
		assert.deepEqual(
			found().filter((path) => path.endsWith('.env')),
			['src/.env'],
		);
		assert.equal(guarded.isComplete(root), true);
	});

	it('ends at 400 files, and says so', () => {
		for (let file = 0; file < GUARDED_PLACES; file++) write(`f${file % 20}/${file}.pem`);
		write('f0/last.pem');
		assert.equal(found().length, GUARDED_PLACES);
		assert.equal(guarded.isComplete(root), false);
	});

	it('takes no more places from one folder than are guarded at all, and one to tell that there are more', () => {
		for (let file = 0; file < GUARDED_PLACES + 50; file++) write(`${file}.pem`);
		const look = readGuardedFolder(root, [], undefined, Number.POSITIVE_INFINITY);
		assert.equal(look?.folder.places.length, GUARDED_PLACES + 1);
		assert.equal(found().length, GUARDED_PLACES);
		assert.equal(guarded.isComplete(root), false);
	});

	it('goes on in a folder where the time of an earlier look has ended, and from the start once it has changed', async () => {
		for (let file = 0; file < 2_500; file++) write(`many/${file}.txt`);
		write('many/.env', 'many/a/.env');
		const path = join(root, 'many');
		await waitFor('a settled folder', () => Date.now() - statSync(path).ctimeMs > GUARDED_SETTLED_MS);
		const looks: (number | undefined)[] = [];
		let known: ReadFolder | undefined;
		do {
			known = readGuardedFolder(path, ['many'], known, Number.NEGATIVE_INFINITY)?.folder;
			looks.push(known?.readEntries);
		} while (known?.readEntries !== undefined);
		assert.ok(known !== undefined && looks.length > 5, `${looks.length} looks`);
		assert.deepEqual([known.places.map((place) => place.path), known.folders], [[join(path, '.env')], ['a']]);
		write('many/late.pem');
		const again = readGuardedFolder(path, ['many'], known, Number.POSITIVE_INFINITY);
		assert.equal(again?.isWhole, true);
		assert.deepEqual(again.folder.places.map((place) => place.path).sort(), [
			join(path, '.env'),
			join(path, 'late.pem'),
		]);
	});

	it('finds a file that was exchanged for a second name of a secret one, in a large folder', () => {
		for (let file = 0; file < 2_500; file++) write(`many/${file}.txt`);
		write('.env');
		assert.deepEqual(found(), ['.env']);
		rmSync(join(root, 'many/7.txt'));
		linkSync(join(root, '.env'), join(root, 'many/7.txt'));
		assert.deepEqual(found(), ['.env', 'many/7.txt']);
	});

	it('misses nothing in a folder that is moved while it looks, or names the folder', async () => {
		write('d0/.env', ...Array.from({ length: 50 }, (_, folder) => `a${folder}/one.txt`));
		const mover = new Worker(MOVE, { eval: true, workerData: root });
		await once(mover, 'message');
		const missed: string[] = [];
		for (let each = 0; each < LOOKS; each++) {
			const places = found();
			if (places.length === 0 && guarded.goneIn(root) === undefined) missed.push(`look ${each}`);
		}
		await mover.terminate();
		assert.deepEqual(missed, []);
		assert.equal(found().length, 1);
		assert.equal(guarded.goneIn(root), undefined);
	});

	it('finds what came into a folder whose time of change was set back, also where tools fill it', async () => {
		const then = new Date(2020, 1, 1);
		write('src/one.txt', 'node_modules/a/one.txt');
		for (const path of ['src', 'node_modules/a']) utimesSync(join(root, path), then, then);
		await waitFor('settled folders', () => Date.now() - statSync(join(root, 'src')).ctimeMs > GUARDED_SETTLED_MS);
		await guarded.lookAtTools(root);
		assert.deepEqual(found(), []);
		write('src/.env', 'node_modules/a/.git/HEAD');
		for (const path of ['src', 'node_modules/a']) utimesSync(join(root, path), then, then);
		await guarded.lookAtTools(root);
		assert.deepEqual(found(), ['src/.env', 'node_modules/a/.git']);
	});

	it('finds what came since', () => {
		write('src/one.txt');
		assert.deepEqual(found(), []);
		write('src/.env');
		assert.deepEqual(found(), ['src/.env']);
	});
});
