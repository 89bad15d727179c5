import assert from 'node:assert/strict';
import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../test/support/temp-dir.ts';
import { journalFor, journalOn } from './journal.ts';

describe('the journal of a database', () => {
	for (const [disk, type] of [
		['NFS', 0x6969],
		['CIFS', 0xff534d42],
		['CIFS, as a number with a sign', -11_317_950],
		['9P', 0x01021997],
		['FUSE', 0x65735546],
	] as const) {
		it(`is not shared memory on ${disk}`, () => {
			assert.equal(journalOn('/home/me/.prowess/ledger.db', type, 'linux'), 'TRUNCATE');
		});
	}

	it('is not shared memory on a share of Windows', () => {
		assert.equal(journalOn(String.raw`\\server\share\ledger.db`, 0, 'win32'), 'TRUNCATE');
		assert.equal(journalOn(String.raw`C:\Users\me\ledger.db`, 0, 'win32'), 'WAL');
	});

	it('is the write-ahead log on the disks of this machine', () => {
		for (const type of [0xef53, 0x01021994, 0x9123683e, 0x794c7630]) {
			assert.equal(journalOn('/home/me/.prowess/ledger.db', type, 'linux'), 'WAL');
		}
		// A number that means a disk of another machine elsewhere.
		assert.equal(journalOn('/Users/me/.prowess/ledger.db', 0x6969, 'darwin'), 'WAL');
	});

	it('is looked up for the folder of a file that is not there yet', () => {
		const path = join(tempDir(), 'a.db');
		assert.equal(journalFor(path), journalOn(path, statfsSync(join(path, '..')).type, process.platform));
	});
});
