import { openWorkbench, type Workbench } from '../harness/workbench.ts';

describe('A setting that cannot be read', () => {
	let workbench: Workbench;

	before(async () => {
		workbench = await openWorkbench({
			settings: { 'prowess.chat.notify': 'yes', 'prowess.approvals.deny': 'shell.run git push' },
		});
	});

	after(() => workbench.close());

	it('is named in the window with what it means, and is one click away; the gravest first', async () => {
		const { page } = workbench;
		await workbench.runCommand('Prowess: Focus on Chat');
		const said = page.locator('.notification-toast', { hasText: 'asks about every action' });
		await said.getByText('prowess.approvals.deny').waitFor();
		await said.getByRole('button', { name: 'Open Setting' }).click();
		await page.locator('.settings-editor').getByText('Approvals: Deny').first().waitFor();
	});
});
