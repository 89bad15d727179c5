import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { waitFor } from '../../support/wait-for.ts';
import { type Chat, chatIn } from '../harness/chat.ts';
import { activityBarIcon, openWorkbench, type Workbench } from '../harness/workbench.ts';

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
		'# Counting\n\nIt counts ![a picture](https://example.org/p.png).\n',
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
	before(async () => {
		workbench = await openWorkbench({ workspace: files });
		chat = chatIn(workbench);
		await activityBarIcon(workbench.page).click();
		await view('Installed').waitFor();
	});
	after(() => workbench?.close());

	it('are shown by type, the one that cannot be used with its reason', async () => {
		await row('count-lines').filter({ hasText: 'this project · 1.2.0' }).waitFor();
		await row('skill/broken').filter({ hasText: 'level' }).waitFor();
		await workbench.screenshot('capabilities-1-installed');
	});

	it('run from the palette, with a form that says what is wrong, after a consent', async () => {
		await workbench.runCommand('Prowess: Run Capability');
		const form = workbench.page.locator('.quick-input-widget');
		await form.locator('.monaco-list-row', { hasText: 'count-lines' }).click();
		await form.getByText('path: A file of the workspace').waitFor();
		await form.locator('input').press('Enter');
		await form.getByText('This is needed.').waitFor();
		await answer(form, 'notes.txt');
		await form.getByText('factor (optional)').waitFor();
		await answer(form, 'ten');
		await form.getByText('Type a number, like 12 or 0.5.').waitFor();
		await workbench.screenshot('capabilities-2-form');
		await answer(form, '10');
		await form.locator('.monaco-list-row', { hasText: 'Yes' }).click();

		await chat.press('Run the skill count-lines 1.2.0', '1');
		await toast('count-lines: 30 LINES').waitFor();
		await workbench.screenshot('capabilities-3-done');
		await toast('count-lines: 30 LINES').getByRole('button', { name: 'Open' }).click();
		await page('30 LINES');
		await workbench.screenshot('capabilities-4-execution');
	});

	it('offer what was typed the last time', async () => {
		await row('count-lines').hover();
		await row('count-lines').getByRole('button', { name: 'Run Capability' }).click();
		const form = workbench.page.locator('.quick-input-widget');
		await form.getByText('path: A file of the workspace').waitFor();
		assert.equal(await form.locator('input').inputValue(), 'notes.txt');
		await form.locator('input').press('Enter');
		await form.getByText('factor (optional)').waitFor();
		await form.getByRole('button', { name: 'Back' }).click();
		await form.getByText('path: A file of the workspace').waitFor();
		await workbench.page.keyboard.press('Escape');
	});

	it('are seen while they run, and stopped where they are seen', async () => {
		await view('Executions').click();
		await row('count-lines').filter({ hasText: 'completed' }).waitFor();
		await row('wait-forever').hover();
		await row('wait-forever').getByRole('button', { name: 'Run Capability' }).click();
		await chat.press('Run the skill wait-forever 1.0.0', '1');
		const running = row('wait-forever').filter({ hasText: '25 % · waiting for the end' });
		await running.waitFor();
		await workbench.screenshot('capabilities-5-running');
		await running.hover();
		await running.getByRole('button', { name: 'Stop Capability' }).click();
		await row('wait-forever').filter({ hasText: 'stopped' }).waitFor();
		await toast('wait-forever was stopped.').waitFor();
		await workbench.screenshot('capabilities-6-stopped');
	});

	it('show all that is known of them, without loading what others put into their README', async () => {
		await row('count-lines').filter({ hasText: '1.2.0' }).click();
		await page('It counts a picture.');
		await page('workspace.read');
		await workbench.screenshot('capabilities-7-details');
	});

	it('are begun from a template that runs', async () => {
		await workbench.runCommand('Prowess: New Capability');
		const form = workbench.page.locator('.quick-input-widget');
		await form.locator('.monaco-list-row', { hasText: 'does one thing' }).click();
		await form.locator('.monaco-list-row', { hasText: 'In this project' }).click();
		await form.getByText('Its name, which is that of its folder').waitFor();
		await answer(form, 'Count Lines');
		await form.getByText('Lower-case letters, digits and hyphens, at most 64.').waitFor();
		await answer(form, 'fresh');
		await form.getByText('What it does, in one sentence').waitFor();
		await answer(form, 'Counts: "lines"');
		await row('fresh').waitFor();
		const manifest = join(workbench.workspace, '.prowess/capabilities/skill/fresh/capability.yaml');
		await waitFor('the manifest', () => existsSync(manifest), 10_000);
		assert.match(readFileSync(manifest, 'utf8'), /^name: fresh\ntype: skill\n/);
		await workbench.screenshot('capabilities-8-new');
	});

	/** The head of a view in the side bar. */
	function view(name: string): Locator {
		return workbench.page.locator('.pane-header', { hasText: name });
	}

	function row(name: string): Locator {
		return workbench.page.locator('.pane-body .monaco-list-row').filter({ hasText: name });
	}

	function toast(text: string): Locator {
		return workbench.page.locator('.notification-toast', { hasText: text });
	}

	/** Waits for the Markdown preview that shows this. */
	async function page(text: string): Promise<void> {
		const frames = () =>
			Promise.all(
				workbench.page.frames().map((frame) =>
					frame
						.locator('body')
						.innerText()
						.catch(() => ''),
				),
			);
		await waitFor(`a page with "${text}"`, async () => (await frames()).some((shown) => shown.includes(text)), 20_000);
	}

	async function answer(form: Locator, text: string): Promise<void> {
		await form.locator('input').fill(text);
		await form.locator('input').press('Enter');
	}
});
