/** Holds all folders of the home in which processes have entries of their own to one contract. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeScratch, sweepScratch } from '../../src/execution/processes/scratch.ts';
import { removeLeftCopies } from '../../src/machine/sandbox/copy/workspace-copy.ts';
import { SandboxFolders } from '../../src/machine/sandbox/sandbox-folders.ts';
import { LEFT_ELSEWHERE_MS, listLeftBehind, ownName } from '../../src/store/left-behind.ts';
import { tempDir } from '../support/temp-dir.ts';
import { waitFor } from '../support/wait-for.ts';

const GONE = 2 ** 22 + 1;
/** The name that a process with that number has in another container. */
const elsewhere = (pid: number) =>
	ownName().replace(/^\d+@..../, (own) => `${pid}@${own.endsWith('0') ? '1111' : '0000'}`);

describe('What processes leave behind', () => {
	let folder: string;
	beforeEach(() => {
		folder = tempDir('left');
	});

	function make(at: string, name: string, ageMs = 0): string {
		const path = join(at, name);
		mkdirSync(path, { recursive: true });
		utimesSync(path, (Date.now() - ageMs) / 1_000, (Date.now() - ageMs) / 1_000);
		return name;
	}

	it('is theirs for as long as they run, and what others named is nobody’s here to judge', () => {
		make(folder, `${ownName()}a`);
		make(folder, `${process.pid}-as-older-versions`);
		make(folder, 'a name');
		const left = [make(folder, `${ownName().replace(/^\d+/, `${GONE}`)}b`), make(folder, `${GONE}-as-older-versions`)];
		assert.deepEqual(listLeftBehind(folder).toSorted(), left.toSorted());
	});

	it('is left to a process of another container, whose number is gone here or another’s, until it is old', () => {
		make(folder, `${elsewhere(GONE)}a`, LEFT_ELSEWHERE_MS - 60_000);
		make(folder, `${elsewhere(process.pid)}b`, LEFT_ELSEWHERE_MS - 60_000);
		const old = make(folder, `${elsewhere(process.pid)}c`, LEFT_ELSEWHERE_MS + 60_000);
		assert.deepEqual(listLeftBehind(folder), [old]);
	});

	it('is nothing where no folder is', () => {
		assert.deepEqual(listLeftBehind(join(folder, 'absent')), []);
	});

	it('is not swept with the folders of executions, commands and copies while another container uses it', async () => {
		const [living, gone] = [`${elsewhere(GONE)}a`, `${GONE}-b`];
		const places = ['scratch', join('sandbox', 'commands'), 'trials'].map((name) => join(folder, name));
		places.forEach((place) => [living, gone].forEach((name) => make(place, name)));
		const own = basename(makeScratch(places[0] ?? ''));
		new SandboxFolders(folder).removeLeft();
		await Promise.all([sweepScratch(places[0] ?? ''), removeLeftCopies(folder)]);
		await waitFor('the sweep of commands', () => !readdirSync(places[1] ?? '').includes(gone));
		const left = places.map((place) => readdirSync(place).toSorted());
		assert.deepEqual(left, [[living, own].toSorted(), [living], [living]]);
	});
});
