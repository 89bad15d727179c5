import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { threadMigrations } from '../../../src/store/threads/thread-migrations.ts';
import { openWorkbench, type Workbench } from '../harness/workbench.ts';

const later = threadMigrations.length + 1;

describe('Conversations that a later version wrote', () => {
	let workbench: Workbench;
	before(async () => {
		workbench = await openWorkbench({
			fillHome(home) {
				const db = new DatabaseSync(join(home, 'threads.db'));
				db.exec(`CREATE TABLE later (x TEXT); PRAGMA user_version = ${later}`);
				db.close();
			},
		});
	});
	after(() => workbench?.close());

	it('are left alone, and the chat says at once to update', async () => {
		await workbench.runCommand('Prowess: Focus Chat');
		const banner = workbench.webview().locator('.banner.error', { hasText: 'The agent is not running' });
		await banner.getByText('Update Prowess').waitFor();
		assert.doesNotMatch((await banner.textContent()) ?? '', /too often/u);
		await workbench.screenshot('newer-store');
		const db = new DatabaseSync(join(workbench.home, '.prowess', 'threads.db'), { readOnly: true });
		assert.equal(db.prepare('PRAGMA user_version').get()?.['user_version'], later);
		db.close();
	});
});
