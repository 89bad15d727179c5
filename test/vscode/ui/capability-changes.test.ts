import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
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
};

describe('What a capability changes outside of a thread', () => {
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

	it('is said when it ends, and undone from its page', async () => {
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
});
