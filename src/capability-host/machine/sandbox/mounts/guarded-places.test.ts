import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '../../../../../test/support/temp-dir.ts';
import { GUARDED_PLACES, SCANNED_FOLDERS } from '../limits.ts';
import { GuardedPlaces } from './guarded-places.ts';

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

	it('ends 8 levels deep, and says that it did not find all', () => {
		write('1/2/3/4/5/6/7/.env', '1/2/3/4/5/6/7/8/.env');
		assert.deepEqual(found(), ['1/2/3/4/5/6/7/.env']);
		assert.equal(guarded.isComplete(root), false);
	});

	it('ends after 600 folders, those nearest to the root first, and says so', () => {
		for (let folder = 0; folder < SCANNED_FOLDERS; folder++) write(`f${folder}/one.txt`);
		write('.env', 'f0/deep/.env');
		assert.deepEqual(found(), ['.env']);
		assert.equal(guarded.isComplete(root), false);
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

	it('finds what came since', () => {
		write('src/one.txt');
		assert.deepEqual(found(), []);
		write('src/.env');
		assert.deepEqual(found(), ['src/.env']);
	});
});
