import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../support/wait-for.ts';
import { type CapabilityViews, openCapabilityViews } from '../harness/capability-views.ts';
import { type Chat, chatIn } from '../harness/chat.ts';
import type { Workbench } from '../harness/workbench.ts';

const COUNT = `name: count-lines
type: skill
version: 1.2.0
description: Counts the lines of a file
level: MONITORED
permissions: [workspace.read]
inputs:
  - { name: path, type: string, description: A file of the workspace, required: true }
  - { name: factor, type: number, default: 1 }
  - { name: loud, type: boolean }
`;

const files = {
	'notes.txt': 'one\ntwo\nthree',
	'.prowess/capabilities/skill/count-lines/capability.yaml': COUNT,
	'.prowess/capabilities/skill/count-lines/README.md':
		'# Counting\n\nIt counts ![a picture](https://example.org/p.png), <script>see()</script> [here](javascript:see())' +
		' and <img src=x onerror=see()>.\n\n\u001b[31mRed\u001b[0m and \u202eback\u202c. See [the code](index.js).\n\n' +
		'>'.repeat(50_000),
	'.prowess/capabilities/skill/count-lines/index.js': `
export async function execute({ path, factor, loud }, { host, progress }) {
	progress('counting', 0.5);
	const { text } = await host.fs.read({ path });
	return text.split('\\n').length * factor + (loud ? ' LINES' : ' lines');
}
`,
	'.prowess/capabilities/skill/wait-forever/capability.yaml':
		'name: wait-forever\ntype: skill\nversion: 1.0.0\ndescription: Waits until it is stopped\nlevel: SAFE\n',
	'.prowess/capabilities/skill/wait-forever/index.js': `
export async function execute(_, { progress, signal }) {
	progress('waiting for the end', 0.25);
	await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}
`,
	'.prowess/capabilities/skill/broken/capability.yaml': 'name: broken\ntype: skill\nversion: 1.0.0\nlevel: HARMLESS\n',
};

describe('Capabilities in the editor', () => {
	let workbench: Workbench;
	let chat: Chat;
	let views: CapabilityViews;
	before(async () => {
		const options = { workspace: files, companion: 'test/vscode/fixtures/tool-user' };
		({ workbench, views } = await openCapabilityViews('Executions', options));
		chat = chatIn(workbench);
	});
	after(() => workbench?.close());

	it('are shown by type, the one that cannot be used with its reason', async () => {
		await views.row('count-lines').filter({ hasText: 'this project · 1.2.0' }).waitFor();
		await views.row('skill/broken').filter({ hasText: 'level' }).waitFor();
		await workbench.screenshot('capabilities-1-installed');
	});

	it('run from the palette, with a form that says what is wrong, after a consent', async () => {
		await workbench.runCommand('Prowess: Run Capability');
		const { form } = views;
		await views.choose('count-lines');
		await form.getByText('path: A file of the workspace').waitFor();
		await form.locator('input').press('Enter');
		await form.getByText('This is needed.').waitFor();
		await views.answer('notes.txt');
		await form.getByText('factor (optional)').waitFor();
		await views.answer('ten');
		await form.getByText('Type a number, like 12 or 0.5.').waitFor();
		await workbench.screenshot('capabilities-2-form');
		await views.answer('10');
		await views.choose('Yes');

		await chat.press('Run the skill count-lines 1.2.0', '3');
		await views.toast('count-lines: 30 LINES').waitFor();
		// They were taken to the question, so nothing called them to it.
		assert.equal(await views.toast('Prowess asks').count(), 0);
		await workbench.screenshot('capabilities-3-done');
		await views.toast('count-lines: 30 LINES').getByRole('button', { name: 'Open' }).click();
		const page = await views.page('Run of count-lines');
		await page.getByText('30 LINES').waitFor();
		await workbench.screenshot('capabilities-4-execution');
	});

	it('offer what was typed the last time', async () => {
		await views.press('this project · 1.2.0', 'Run Capability');
		const { form } = views;
		await form.getByText('path: A file of the workspace').waitFor();
		assert.equal(await form.locator('input').inputValue(), 'notes.txt');
		await form.locator('input').press('Enter');
		await form.getByText('factor (optional)').waitFor();
		await form.getByRole('button', { name: 'Back' }).click();
		await form.getByText('path: A file of the workspace').waitFor();
		await workbench.page.keyboard.press('Escape');
	});

	it('are seen while they run, and stopped where they are seen', async () => {
		await views.row('count-lines').filter({ hasText: 'completed' }).waitFor();
		await views.press('wait-forever', 'Run Capability');
		await chat.press('Run the skill wait-forever 1.0.0', '1');
		const running = views.row('wait-forever').filter({ hasText: '25 % · waiting for the end' });
		await running.waitFor();
		await workbench.screenshot('capabilities-5-running');
		await views.press('25 % · waiting for the end', 'Stop Capability');
		await views.row('wait-forever').filter({ hasText: 'stopped' }).waitFor();
		await views.toast('wait-forever was stopped.').waitFor();
		await workbench.screenshot('capabilities-6-stopped');
	});

	it('are run by the agents of the editor, once its user has said yes', async () => {
		await workbench.runCommand('Tool User: Run count-lines');
		const dialog = workbench.page.locator('.monaco-dialog-box');
		await dialog.getByText('Run count-lines with Prowess?').waitFor();
		await workbench.screenshot('capabilities-7-tool');
		await dialog.getByRole('button', { name: 'Yes' }).click();
		await views.toast('The tool says {"success":true').filter({ hasText: '"result":"3 lines"' }).waitFor();
	});

	it('have a page that shows all that is known of them', async () => {
		await views.row('count-lines').filter({ hasText: '1.2.0' }).click();
		const page = await views.page('count-lines');
		await page.getByText('skill 1.2.0').waitFor();
		await page.getByText('Counts the lines of a file').waitFor();
		await page.getByText('this project').waitFor();
		await page.getByText(/^[0-9a-f]{64}$/).waitFor();
		await page.locator('li', { hasText: 'workspace.read' }).getByText('read and search the files').waitFor();
		await page.locator('tr', { hasText: 'factor' }).getByText('number').waitFor();
		await page.locator('li', { hasText: 'README.md' }).getByText('50 kB').waitFor();
		await workbench.screenshot('capabilities-8-details');
	});

	it('have a README of which nothing becomes more than text', async () => {
		const page = await views.page('count-lines');
		await page.getByText('It counts').waitFor();
		await page.getByText('<script>see()</script>').waitFor();
		await page.getByText('>'.repeat(1_000)).waitFor();
		await page.getByText('\\u{1b}[31mRed').waitFor();
		await page.getByText('\\u{202e}back').waitFor();
		assert.equal(await page.locator('script, img, [onerror], a[href]').count(), 0);
		assert.equal(await page.getByRole('link', { name: 'here' }).count(), 0);
		await page.getByRole('link', { name: 'the code' }).click();
		await workbench.page.locator('.tab.active', { hasText: 'index.js' }).waitFor();
	});

	it('are run, trusted no more and overridden from their page', async () => {
		await views.row('count-lines').filter({ hasText: '1.2.0' }).click();
		const page = await views.page('count-lines');
		await page.getByRole('button', { name: 'Untrust' }).click();
		await page.getByText('you are asked before it runs').waitFor();
		await page.getByRole('button', { name: 'Run…' }).click();
		await views.form.getByText('path: A file of the workspace').waitFor();
		await workbench.page.keyboard.press('Escape');
	});

	it('have executors that run them', async () => {
		await views.open('Executors');
		await views.row('built in · talent').waitFor();
		await workbench.screenshot('capabilities-9-executors');
		await views.close('Executors');
	});

	it('are told what is wrong with their manifest, where it is, and run from it', async () => {
		await views.row('skill/broken').click();
		const editor = workbench.page.locator('.editor-instance');
		await editor.locator('.squiggly-error').waitFor();
		await workbench.page
			.locator('.statusbar-item', { hasText: '1' })
			.and(workbench.page.locator('#status\\.problems'))
			.waitFor();
		await editor.locator('.codelens-decoration', { hasText: 'Run' }).waitFor();
		await workbench.screenshot('capabilities-10-manifest');
		await editor.locator('.view-line', { hasText: 'HARMLESS' }).dblclick({ position: { x: 90, y: 5 } });
		await workbench.page.keyboard.type('SAFE');
		await editor.locator('.squiggly-error').waitFor({ state: 'detached' });
	});

	it('are begun from a template that runs', async () => {
		await workbench.runCommand('Prowess: New Capability');
		const { form } = views;
		await views.choose('does one thing');
		await views.choose('In this project');
		await form.getByText('Its name, which is that of its folder').waitFor();
		await views.answer('Count Lines');
		await form.getByText('Lower-case letters, digits and hyphens, at most 64.').waitFor();
		await views.answer('fresh');
		await form.getByText('What it does, in one sentence').waitFor();
		await views.answer('Counts: "lines"');
		await views.row('fresh').waitFor();
		const manifest = join(workbench.workspace, '.prowess/capabilities/skill/fresh/capability.yaml');
		await waitFor('the manifest', () => existsSync(manifest), 10_000);
		assert.match(readFileSync(manifest, 'utf8'), /^name: fresh\ntype: skill\n/);
		await workbench.screenshot('capabilities-11-new');
	});
});
