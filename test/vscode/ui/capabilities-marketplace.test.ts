import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type HttpSite, httpSite } from '../../support/http-site.ts';
import { indexFolder, writeFiles } from '../../support/marketplace-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { inOrder } from '../../support/shuffled-specs.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Workbench } from '../harness/workbench.ts';
import { type CapabilityViews, openCapabilityViews } from '../harness/capability-views.ts';

describe('The marketplace in the editor', function () {
	inOrder(this);
	let index: string;
	let kit: string;
	let site: HttpSite;
	let answer = (response: ServerResponse): unknown =>
		response.end(JSON.stringify({ prowessIndex: 1, name: 'site', capabilities: [] }));
	let workbench: Workbench;
	let views: CapabilityViews;
	before(async () => {
		index = await indexFolder([{ name: 'greet' }, { name: 'haiku', type: 'power', permissions: ['git'] }]);
		kit = tempDir('kit');
		writeFiles(kit, {
			'.claude-plugin/plugin.json': JSON.stringify({ name: 'kit', version: '1.0.0', description: 'Tidies up' }),
			'skills/tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies the notes\n---\nTidy them.\n',
			'commands/go.md': '---\ndescription: Goes on\n---\nGo on.\n',
		});
		site = await httpSite((_request, response) => answer(response));
		({ workbench, views } = await openCapabilityViews('Marketplace', {
			workspace: { 'notes.txt': 'one\n', 'src/sum.js': '// one\n// TODO: add\n' },
			settings: {
				'prowess.marketplace.indexes': [
					{ location: index },
					{ location: kit },
					{ location: `http://127.0.0.1:${site.port}` },
				],
				'prowess.http.allowHosts': ['127.0.0.1'],
			},
		}));
	});
	after(async () => {
		await workbench?.close();
		await site?.close();
	});

	const disabled = (version: string) =>
		views
			.row('greet')
			.filter({ hasText: `disabled · yours · ${version}` })
			.waitFor();
	const enabled = (version: string) =>
		views
			.row('greet')
			.filter({ hasText: `yours · ${version}`, hasNotText: 'disabled' })
			.waitFor();

	/** Has the command be a part in effect, or not. */
	const choosesParts = async (isGoOn: boolean) => {
		await pluginRow('Choose Parts…');
		const part = views.form.locator('.monaco-list-row', { hasText: 'Command go' });
		await part.waitFor();
		const box = part.getByRole('checkbox');
		if (((await box.getAttribute('aria-checked')) === 'true') !== isGoOn) await box.click();
		await workbench.screenshot(`marketplace-8-parts-${isGoOn ? 'on' : 'off'}`);
		await views.form.getByRole('button', { name: 'OK' }).click();
	};
	const uninstalls = () => pluginRow('Uninstall…');
	/** The row of the plugin itself, below those of its parts. */
	const pluginRow = async (action: string) => {
		const row = views.row('kit').filter({ hasText: '1.0.0', hasNotText: 'kit:' }).first();
		await row.getByRole('button', { name: 'More actions' }).click();
		await row.getByRole('menuitem', { name: action }).click();
	};

	it('shows what there is, and searches it', async () => {
		await views.row('greet').filter({ hasText: 'skill 1.0.0' }).waitFor();
		await views.row('haiku').filter({ hasText: 'power 1.0.0' }).waitFor();
		await workbench.screenshot('marketplace-1-available');
		await workbench.runCommand('Prowess: Search Marketplace');
		await waitFor('the keyboard in the search', () =>
			views.view.getByRole('searchbox').evaluate((field) => field.matches(':focus') && document.hasFocus()),
		);
		await workbench.page.keyboard.type('hello gree');
		await views.row('haiku').waitFor({ state: 'detached' });
		await views.open('greet');
		const page = await views.page('greet');
		await page.getByText('skill 1.0.0').waitFor();
		await page.getByText('None.').waitFor();
		await page.locator('li', { hasText: 'capability.yaml' }).waitFor();
		assert.equal(await page.getByText(/^[0-9a-f]{64}$/).count(), 2);
		await workbench.screenshot('marketplace-2-details');
	});

	it('offers public collections without a request, and what is built in to try first', async () => {
		await views.search('');
		await views.show('Marketplace');
		await views
			.row('anthropics/skills')
			.filter({ hasText: '18 skills' })
			.getByRole('button', { name: 'Add' })
			.waitFor();
		await workbench.screenshot('marketplace-3-collections');
		const sections = await views.view.locator('h2').allInnerTexts();
		assert.ok(
			sections.findIndex((title) => title.includes('Available')) <
				sections.findIndex((title) => title.includes('Public Collections')),
			sections.join(', '),
		);
		await views.press('todo-report', 'Run');
		const form = await views.page('Run todo-report');
		const tags = form.getByRole('group', { name: /^tags/ });
		await tags.getByRole('button', { name: 'Remove entry 4' }).click();
		await workbench.screenshot('marketplace-3-rows');
		await form.getByRole('button', { name: 'Run', exact: true }).click();
		const run = await views.page('Run of todo-report');
		await workbench.screenshot('marketplace-3-drawn');
		await run.getByRole('link', { name: 'src/sum.js:2' }).click();
		await workbench.page.locator('.tab.active').getByText('sum.js', { exact: true }).first().waitFor();
		await views.search('hello gree');
	});

	it('installs after showing permissions, and stays disabled', async () => {
		await views.press('greet', 'Install…');
		const dialog = workbench.page.locator('.monaco-dialog-box');
		await dialog.getByText('Install the skill greet 1.0.0?').waitFor();
		await dialog.getByText('Permissions: none').waitFor();
		assert.equal(await dialog.getByText('In short').count(), 0, 'it says that something can be changed');
		await workbench.screenshot('marketplace-3-asked');
		await dialog.getByRole('button', { name: 'Install for You' }).click();
		const done = views.toast('Installed greet 1.0.0. It stays disabled until you enable it.');
		await done.waitFor();
		await views.row('greet').filter({ hasText: 'installed' }).waitFor();
		await views.search('');
		await views.show('Installed');
		await views.row('greet').filter({ hasText: 'disabled · yours · 1.0.0' }).waitFor();
		assert.ok(existsSync(join(workbench.home, '.prowess/capabilities/skill/greet/capability.yaml')));
		await done.getByRole('button', { name: 'Enable' }).click();
		await enabled('1.0.0');
	});

	it('runs what is enabled from its page', async () => {
		await views.show('Marketplace');
		await views.search('gree');
		await views.open('greet');
		const page = await views.page('greet');
		const actions = page.getByRole('group', { name: 'Actions' }).getByRole('button');
		await actions.filter({ hasText: 'Run…' }).waitFor();
		assert.match((await actions.allInnerTexts())[0] ?? '', /Run…/);
		await views.search('');
		await views.show('Installed');
	});

	it('acts on the row that is pressed, also while an index is read again', async () => {
		const disabledList = () => readFileSync(join(workbench.home, '.prowess/disabled-capabilities.json'), 'utf8');
		const asked = Promise.withResolvers<() => void>();
		const atOnce = answer;
		answer = (response) => asked.resolve(() => atOnce(response));
		await workbench.runCommand('Prowess: Check Marketplace for Updates');
		const answerNow = await asked.promise;
		await views.press('greet', 'Disable');
		await waitFor('the capability to be disabled', () => disabledList().includes('skill/greet'));
		answer = atOnce;
		answerNow();
		await disabled('1.0.0');
		await views.press('greet', 'Enable');
		await enabled('1.0.0');
	});

	it('updates after showing what the other version may do more', async () => {
		await indexFolder([{ name: 'greet', version: '2.0.0', permissions: ['shell'], level: 'RESTRICTED' }], {}, index);
		await workbench.runCommand('Prowess: Check Marketplace for Updates');
		await views.row('greet').filter({ hasText: 'Update available: 2.0.0' }).waitFor();
		// Other pages lie before it.
		await workbench.page.locator('.tab').getByText('greet', { exact: true }).first().click();
		const page = await views.page('greet');
		const update = page.getByRole('button', { name: 'Update…' });
		await page.getByText('skill 2.0.0').waitFor();
		await page.getByText('2.0.0, 1.0.0').waitFor();
		await update.waitFor();
		await views.view.getByRole('tab', { name: 'Installed 1 update' }).waitFor();
		await views.press('Update available: 2.0.0', 'Update…');
		const dialog = workbench.page.locator('.monaco-dialog-box');
		await dialog.getByText('Added permissions: run commands').waitFor();
		await dialog.getByText('In short: can run commands').waitFor();
		await workbench.screenshot('marketplace-4-update');
		await dialog.getByRole('button', { name: 'Update' }).click();
		await disabled('2.0.0');
		await page.getByText('2.0.0 · yours · disabled').waitFor();
		await update.waitFor({ state: 'detached' });
		await workbench.screenshot('marketplace-5-updated');
	});

	it('names what the other version may do no more as what it was', async () => {
		await indexFolder([{ name: 'greet', version: '3.0.0', permissions: [], level: 'MONITORED' }], {}, index);
		await workbench.runCommand('Prowess: Check Marketplace for Updates');
		await views.press('Update available: 3.0.0', 'Update…');
		const dialog = workbench.page.locator('.monaco-dialog-box');
		await dialog.getByText('Removed permissions: ').waitFor();
		const lines = (await dialog.innerText()).split('\n');
		assert.ok(lines.includes('Removed permissions: run commands'), lines.join('\n'));
		await dialog.getByRole('button', { name: 'Cancel' }).click();
		rmSync(join(index, 'skill-greet-3.0.0.zip'));
		await indexFolder([], {}, index);
		await workbench.runCommand('Prowess: Check Marketplace for Updates');
		await views.row('greet').filter({ hasText: 'Update available' }).waitFor({ state: 'detached' });
	});

	it('rolls back after a question that says to which version, and forward again', async () => {
		const dialog = workbench.page.locator('.monaco-dialog-box');
		const asksToRollBack = async (question: string, answer: string) => {
			await views.press('greet', 'Roll Back');
			await dialog.getByText(question).waitFor();
			await dialog.getByRole('button', { name: answer, exact: true }).click();
			await dialog.waitFor({ state: 'detached' });
		};
		await asksToRollBack('Roll back greet from 2.0.0 to 1.0.0?', 'Cancel');
		await disabled('2.0.0');
		await asksToRollBack('Roll back greet from 2.0.0 to 1.0.0?', 'Roll Back');
		await disabled('1.0.0');
		await workbench.screenshot('marketplace-5-rolled-back');
		await asksToRollBack('Roll back greet from 1.0.0 to 2.0.0?', 'Roll Back');
		await disabled('2.0.0');
	});

	it('gives what the project overrides, and says so', async () => {
		await views.press('greet', 'Enable');
		await enabled('2.0.0');
		await views.press('greet', 'Override in This Project');
		const manifest = join(workbench.workspace, '.prowess/capabilities/skill/greet/capability.yaml');
		await waitFor('the copy', () => existsSync(manifest));
		await views.row('greet').filter({ hasText: 'this project · overrides yours' }).waitFor();
		await workbench.page.locator('.editor-instance .view-line', { hasText: 'name: greet' }).waitFor();
		await workbench.runCommand('Prowess: Show Effective Overrides');
		const page = await views.page('Effective Overrides');
		const table = page.locator('section', { hasText: 'skill greet' });
		await table.getByText(join(workbench.workspace, '.prowess/capabilities/skill/greet')).waitFor();
		await table.locator('tr', { hasText: 'Overridden' }).getByText('yours').waitFor();
		await workbench.screenshot('marketplace-6-overrides');
	});

	it('shows what the agent is told of with a prompt, and why', async () => {
		await workbench.runCommand('Prowess: Show What the Agent Knows of Capabilities');
		const page = await views.page('What the Agent Knows');
		const row = page.locator('tr', { hasText: 'skill/greet' });
		await row.getByText('of the workspace', { exact: true }).waitFor();
		await page.getByRole('textbox', { name: 'prompt' }).fill('Now /greet me');
		await page.getByRole('button', { name: 'Show' }).click();
		await row.getByText('of the workspace; the prompt names it').waitFor();
		assert.equal(await page.getByRole('textbox', { name: 'prompt' }).inputValue(), 'Now /greet me');
		await workbench.screenshot('marketplace-7-offer');
	});

	it('switches the parts of a plugin that are chosen', async () => {
		await views.show('Marketplace');
		await views.press('Tidies up', 'Install…');
		const dialog = workbench.page.locator('.monaco-dialog-box');
		await dialog.getByRole('button', { name: 'Install for You' }).click();
		const done = views.toast('Installed kit 1.0.0');
		await done.getByRole('button', { name: 'Enable' }).click();
		await views.show('Installed');
		await views.row('kit:tidy').waitFor();
		await views.row('kit:go').waitFor();
		await choosesParts(false);
		await views.row('kit:go').filter({ hasText: 'disabled' }).waitFor();
		await views.row('kit:tidy').filter({ hasNotText: 'disabled' }).waitFor();
		await choosesParts(true);
		await views.row('kit:go').filter({ hasNotText: 'disabled' }).waitFor();
	});

	it('asks what becomes of the data of a plugin that is uninstalled, and does that', async () => {
		const data = join(workbench.home, '.prowess/plugin-data/kit');
		mkdirSync(data, { recursive: true });
		writeFileSync(join(data, 'kept.txt'), 'kept\n');
		const dialog = workbench.page.locator('.monaco-dialog-box');
		const folder = join(workbench.home, '.prowess/capabilities/plugins/kit');
		await uninstalls();
		await dialog.getByText(data).waitFor();
		await dialog.getByRole('button', { name: 'Uninstall and Keep Data' }).click();
		await waitFor('the plugin to go', () => !existsSync(folder));
		assert.ok(existsSync(join(data, 'kept.txt')));
		await views.row('kit:tidy').waitFor({ state: 'detached' });
		await views.show('Marketplace');
		await views.press('Tidies up', 'Install…');
		await dialog.getByRole('button', { name: 'Install for You' }).click();
		await waitFor('the plugin', () => existsSync(folder));
		await views.show('Installed');
		await uninstalls();
		await dialog.getByRole('button', { name: 'Uninstall and Remove Data' }).click();
		await waitFor('the plugin and its data to go', () => !existsSync(folder) && !existsSync(data));
	});

	it('has its pages again after the window was loaded again', async () => {
		const loaded = workbench.page.waitForEvent('load', { timeout: 60_000 });
		await workbench.runCommand('Developer: Reload Window');
		await loaded;
		const page = await views.page('What the Agent Knows');
		await page.getByText('of the workspace; the prompt names it').waitFor();
	});
});
