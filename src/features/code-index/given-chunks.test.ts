import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { Database } from '../../store/database.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import { indexMigrations } from './index-migrations.ts';
import { IndexStore } from './index-store.ts';

describe('Places in the code that a provider has placed', () => {
	let db: Database;
	beforeEach(() => {
		({ db } = openMigratedDatabase(join(tempDir('home'), 'index.db'), indexMigrations));
	});
	afterEach(() => db.dispose());

	it('are those of its present model, and the others wait for it', () => {
		const store = new IndexStore(db);
		const { given } = store;
		const chunk = (symbol: string) => ({ startLine: 1, endLine: 2, symbol, text: `function ${symbol}() {}` });
		store.put({ path: 'src/a.ts', size: 1, changedAt: 1 }, [chunk('sendMail'), chunk('computeTax')]);
		const waiting = (model: string, count = 9) => given.unplaced(model, count).map(({ symbol }) => symbol);
		assert.deepEqual([waiting('acme/one'), waiting('acme/one', 1)], [['sendMail', 'computeTax'], ['sendMail']]);
		const [{ number, ...place } = assert.fail('nothing waits')] = given.unplaced('acme/one', 1);
		assert.deepEqual({ ...place }, { path: 'src/a.ts', start_line: 1, end_line: 2, symbol: 'sendMail' });
		const vector = Int8Array.of(1, 2);
		given.place('acme/one', number, vector);
		assert.deepEqual([waiting('acme/one'), waiting('acme/two')], [['computeTax'], ['sendMail', 'computeTax']]);
		assert.deepEqual(given.nearest({ model: 'acme/one', vector }, '', 9), [number]);
		assert.deepEqual(given.nearest({ model: 'acme/two', vector }, '', 9), []);
	});
});
