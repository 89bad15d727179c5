import { inOrder } from '../../support/shuffled-specs.ts';
import { type CapabilityViews, capabilityViewsIn } from '../harness/capability-views.ts';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';

describe('Schedules in the editor', function () {
	inOrder(this);
	let scripted: ScriptedChat;
	let views: CapabilityViews;
	before(async () => {
		scripted = await openScriptedChat({});
		views = capabilityViewsIn(scripted.workbench);
		await scripted.chat.focus();
	});
	after(() => scripted?.close());

	it('are added step by step, and refused with the reason where the time is none', async () => {
		const { workbench } = scripted;
		const { page } = workbench;
		for (const [when, notice] of [
			['sometimes', /no time/],
			['every weekday at 9', /It runs next on/],
		] as const) {
			await workbench.runCommand('Prowess: Add Schedule');
			await views.answer(when);
			await views.answer('List the open TODOs');
			await views.choose('Only read');
			await page.locator('.notification-toast').filter({ hasText: notice }).waitFor();
		}
		await workbench.screenshot('schedules-1-added');
	});

	it('run now, in a thread of their own, and the end leads there', async () => {
		const { workbench, chat } = scripted;
		scripted.follow([{ text: 'There are no open TODOs.' }]);
		await workbench.runCommand('Prowess: Schedules');
		await workbench.screenshot('schedules-2-list');
		await views.choose('List the open TODOs');
		await views.choose('Run Now');
		const toast = workbench.page.locator('.notification-toast').filter({ hasText: 'The scheduled run has ended' });
		await toast.getByRole('button', { name: 'Open Thread' }).click();
		await chat.answers.last().getByText('There are no open TODOs.').waitFor();
		await workbench.screenshot('schedules-3-thread');
	});

	it('are deleted after a question', async () => {
		const { workbench } = scripted;
		await workbench.runCommand('Prowess: Schedules');
		await views.choose('List the open TODOs');
		await views.choose('Delete');
		await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Delete' }).click();
		await workbench.runCommand('Prowess: Schedules');
		await workbench.page.locator('.notification-toast').filter({ hasText: 'Nothing is scheduled' }).waitFor();
	});
});
