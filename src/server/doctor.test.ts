import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tempDir } from '../../test/support/temp-dir.ts';
import type { ProviderConfig } from '../protocol/turn/models.ts';
import { readSettings } from '../protocol/settings/read-settings.ts';
import { inEnglish } from '../protocol/text/text.ts';
import type { Database } from '../store/database.ts';
import { openMigratedDatabase } from '../store/open-database.ts';
import { threadMigrations } from '../store/threads/thread-migrations.ts';
import { checkServerHealth } from './doctor.ts';

describe('The health of the server', () => {
	let db: Database;
	beforeEach(() => {
		db = openMigratedDatabase(join(tempDir(), 'threads.db'), threadMigrations).db;
	});
	afterEach(() => db.dispose());

	function saidOfProviders(...providers: readonly ProviderConfig[]): string {
		const checks = checkServerHealth(db, {
			putAside: undefined,
			workspace: { folders: [], trusted: true, platform: process.platform },
			settings: { ...readSettings(() => undefined).settings, 'prowess.providers': [...providers] },
			passedOver: [],
			refused: [],
			windows: [],
			learned: [],
		});
		const check = checks.find(({ name }) => inEnglish(name) === 'Providers');
		return check === undefined ? '' : inEnglish(check.detail);
	}
	const provider = (id: string, baseUrl: string): ProviderConfig => ({
		id,
		kind: 'openai-compatible',
		baseUrl,
		models: [],
	});

	it('names each provider, and says that none is connected only where there is none', () => {
		const [one, two] = [provider('one', 'https://one.test/v1'), provider('two', 'https://two.test/v1')];
		assert.match(saidOfProviders(), /^None connected/);
		assert.deepEqual([saidOfProviders(one), saidOfProviders(one, two)], ['one.', 'one, two.']);
	});

	it('says to which host a key and code travel unencrypted', () => {
		const said = saidOfProviders(provider('plain', 'http://models.example.org/v1'));
		assert.match(said, /^plain\. Your key and your code travel unencrypted to models\.example\.org\.$/);
	});
});
