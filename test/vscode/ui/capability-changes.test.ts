import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../support/wait-for.ts';
import { type CapabilityViews, openCapabilityViews } from '../harness/capability-views.ts';
import { type Chat, chatIn } from '../harness/chat.ts';
import type { Workbench } from '../harness/workbench.ts';

const folder = '.prowess/capabilities/skill/tidy-up';
const files = {
	'notes.txt': 'one\n',
	[`${folder}/capability.yaml`]:
		'name: tidy-up\ntype: skill\nversion: 1.0.0\ndescription: Tidies up\nlevel: CONTROLLED\npermissions: [workspace.write]\n',
	[`${folder}/index.js`]: `export async function execute(_, { host }) {
	await host.fs.write({ path: 'notes.txt', content: 'tidy\\n' });
	await host.fs.write({ path: 'tidied.txt', content: 'yes\\n' });
	return 'tidied';
}
`,
	'work.yaml': `name: Copy the plan
steps:
  - { id: first, op: fs.write, with: { path: first.txt, content: 'one' } }
  - { id: plan, op: fs.read, with: { path: plan.txt } }
  - { id: copy, op: fs.write, with: { path: 'copy.txt', content: 'It says: \${plan.text}' } }
`,
};

describe('Outside of a thread', () => {
	let workbench: Workbench;
	let chat: Chat;
	let views: CapabilityViews;
	before(async () => {
		({ workbench, views } = await openCapabilityViews('Runs', {
			workspace: files,
			settings: { 'prowess.approvals.allow': ['fs.write **'] },
		}));
		chat = chatIn(workbench);
	});
	after(() => workbench?.close());
	const text = (path: string) => readFileSync(join(workbench.workspace, path), 'utf8');

	it('what a capability changes is said when it ends, and undone from its page', async () => {
		await workbench.runCommand('Prowess: Run Capability');
		await views.choose('tidy-up');
		await chat.press('Run the skill tidy-up 1.0.0', '1');
		const ended = views.toast('tidy-up: tidied · Changed files: 2');
		await ended.waitFor();
		await workbench.screenshot('capability-changes-1-ended');
		await ended.getByRole('button', { name: 'Show Changes' }).click();
		await workbench.page.locator('.tab.active').getByText('Changed Files').first().waitFor();
		assert.deepEqual([text('notes.txt'), text('tidied.txt')], ['tidy\n', 'yes\n']);

		await views.open('completed');
		const page = await views.page('Run of tidy-up');
		await page.getByText('notes.txt, tidied.txt').waitFor();
		await workbench.screenshot('capability-changes-2-page');
		await page.getByRole('button', { name: 'Undo All Changes' }).click();
		await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Undo All' }).click();
		await waitFor('the files are as they were', () => text('notes.txt') === 'one\n');
		await waitFor('the new file is gone', () => !existsSync(join(workbench.workspace, 'tidied.txt')));
		await page.getByRole('button', { name: 'Undo All Changes' }).waitFor({ state: 'detached' });
	});

	it('a script is shown before it runs, goes on behind the step that failed, and is kept as a skill', async () => {
		const { page } = workbench;
		const toast = (words: string) => page.locator('.notification-toast').filter({ hasText: words });
		await page.keyboard.press('Control+P');
		await views.form.locator('input').fill('work.yaml');
		await views.form.locator('.monaco-list-row').filter({ hasText: 'work.yaml' }).first().click();
		await page.locator('.tab.active').getByText('work.yaml').waitFor();
		/** Runs it, once all its steps were shown. */
		const runs = async () => {
			await workbench.runCommand('Prowess: Run Script');
			const dialog = page.locator('.monaco-dialog-box');
			await dialog.getByText('Run the script Copy the plan?').waitFor();
			for (const step of ['1. first: ', '2. plan: ', '3. copy: ']) await dialog.getByText(step).waitFor();
			await workbench.screenshot('capability-changes-3-script');
			await dialog.getByRole('button', { name: 'Run Script' }).click();
		};
		await runs();
		await toast('The script stopped at the step plan, line 4. Run it again to go on there.').waitFor();
		await workbench.screenshot('capability-changes-4-stopped');
		assert.deepEqual([text('first.txt'), existsSync(join(workbench.workspace, 'copy.txt'))], ['one', false]);

		// Finished steps are not done again: the first step would be refused, since its file exists.
		writeFileSync(join(workbench.workspace, 'plan.txt'), 'beta\n');
		await runs();
		const done = toast('The script is done: Copy the plan');
		await done.waitFor();
		assert.match(text('copy.txt'), /^It says: .*beta/);
		await done.getByRole('button', { name: 'Keep as Skill…' }).click();
		await views.answer('copy-the-plan');
		await toast('The script is kept as skill/copy-the-plan.').waitFor();
		await views.show('Installed');
		await views.row('copy-the-plan').first().waitFor();
		await workbench.screenshot('capability-changes-5-kept');
	});
});
