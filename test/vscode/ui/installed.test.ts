import assert from 'node:assert/strict';
import { activityBarIcon, openWorkbench, type Workbench } from '../harness/workbench.ts';

describe('The installed extension', () => {
	let workbench: Workbench;
	before(async () => {
		workbench = await openWorkbench();
	});
	after(() => workbench.close());

	it('has its icon in the activity bar', async () => {
		await activityBarIcon(workbench.page).click();
		await workbench.screenshot('activity-bar');
		assert.equal(await activityBarIcon(workbench.page).isVisible(), true);
	});

	it('shows the chat in the secondary side bar', async () => {
		await workbench.runCommand('Prowess: Focus Chat');
		await workbench.page.locator('.part.auxiliarybar .composite.title').waitFor();
		await workbench.webview().locator('body').waitFor();
		await workbench.screenshot('chat');
	});
});
