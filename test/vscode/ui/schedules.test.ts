import assert from 'node:assert/strict';
import { copyFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { User } from '../../integration/cli/cli-process.ts';
import { openWorkbench, type Workbench } from '../harness/workbench.ts';

const FILE = 'schedules.db';

describe('A window in which Prowess is not used', () => {
	let workbench: Workbench | undefined;
	afterEach(async () => {
		await workbench?.close();
		workbench = undefined;
	});

	/** Home of somebody with a reminder that has fallen due. */
	const homeWithReminder = async (text: string) => {
		const user = new User();
		const { code, stderr } = await user.runs(['schedule', 'add', 'tomorrow at 9', text, '--reminder']);
		assert.equal(code, 0, stderr);
		const db = new DatabaseSync(join(user.home, FILE));
		db.prepare('UPDATE schedule SET next_due = ?').run(Date.now() - 90_000);
		db.close();
		return user.home;
	};
	const reminder = (text: string) => workbench?.page.locator('.notification-toast').filter({ hasText: text }).waitFor();

	it('runs what was due before it was opened', async () => {
		const before = await homeWithReminder('Look at the build');
		workbench = await openWorkbench({ fillHome: (home) => cpSync(before, home, { recursive: true }) });
		await reminder('Look at the build');
		await workbench.screenshot('schedules-4-not-used');
	});

	it('runs what is scheduled elsewhere while it is open, also as the first there ever was', async () => {
		workbench = await openWorkbench({ fillHome: () => undefined });
		copyFileSync(join(await homeWithReminder('Call Ada'), FILE), join(workbench.home, '.prowess', FILE));
		await reminder('Call Ada');
	});
});
