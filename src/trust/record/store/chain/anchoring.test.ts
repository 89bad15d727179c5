import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { join } from 'node:path';
import { tempDir } from '../../../../../test/support/temp-dir.ts';
import { openHostDatabase } from '../open-database.ts';
import { ANCHOR_EVERY_MS } from '../limits.ts';

import { LEDGER_SCHEMA, LedgerStore } from '../ledger-store.ts';
import { AnchorFile, ANCHORS_NAME } from './anchors.ts';
import { Anchoring } from './anchoring.ts';

describe('Anchors that are due', () => {
	beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
	afterEach(() => mock.timers.reset());

	it('are not written for a database that was closed before, which is no failure', () => {
		const home = tempDir('anchoring');
		const { db } = openHostDatabase(join(home, 'ledger.db'), LEDGER_SCHEMA, false);
		const failures: string[] = [];
		const anchoring = new Anchoring({
			file: new AnchorFile(join(home, ANCHORS_NAME)),
			store: new LedgerStore(db, 'writer', () => {}),
			onWritten: () => {},
			onFailed: (why) => void failures.push(why),
		});
		anchoring.count(1);
		anchoring.end();
		db.close();
		mock.timers.tick(ANCHOR_EVERY_MS);
		assert.deepEqual(failures, []);
	});
});
