import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { threadMigrations } from '../../../src/store/threads/thread-migrations.ts';
import { openWorkbench, type Workbench } from '../harness/workbench.ts';

const later = threadMigrations.length + 1;

describe('Conversations that a later version wrote', () => {
	let home: string;
	let workbench: Workbench;
	before(async () => {
		home = realpathSync(mkdtempSync(join(tmpdir(), 'newer-')));
		mkdirSync(join(home, '.prowess'), { mode: 0o700 });
		const db = new DatabaseSync(join(home, '.prowess', 'threads.db'));
		db.exec(`CREATE TABLE later (x TEXT); PRAGMA user_version = ${later}`);
		db.close();
		workbench = await openWorkbench({ env: { PROWESS_HOME: join(home, '.prowess') } });
	});
	after(async () => {
		await workbench?.close();
		rmSync(home, { recursive: true, force: true });
	});

	it('are left alone, and the chat says at once to update', async () => {
		await workbench.runCommand('Prowess: Focus Chat');
		const banner = workbench.webview().locator('.banner.error', { hasText: 'The agent is not running' });
		await banner.getByText('Update Prowess').waitFor();
		assert.doesNotMatch((await banner.textContent()) ?? '', /too often/u);
		await workbench.screenshot('newer-store');
		const db = new DatabaseSync(join(home, '.prowess', 'threads.db'), { readOnly: true });
		assert.equal(db.prepare('PRAGMA user_version').get()?.['user_version'], later);
		db.close();
	});
});
