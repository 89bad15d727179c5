import type { Locator } from 'playwright-core';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';
import { capabilitiesFrameIn, pageFrameIn, type Workbench } from '../harness/workbench.ts';
import { openCapabilities } from '../harness/capability-views.ts';

const folder = '.prowess/capabilities/skill';
const files = {
	[`${folder}/broken/capability.yaml`]:
		'name: broken\ntype: skill\nversion: 1.0.0\ndescription: d\nlevel: HARMLESS\ntags: a\n',
	[`${folder}/deploy/capability.yaml`]: `name: deploy
type: skill
version: 1.0.0
level: PRIVILEGED
permissions: [secrets]
inputs:
  - { name: source, type: string, format: file, required: true }
  - { name: key, type: string, format: secret, required: true }
`,
	[`${folder}/deploy/index.js`]: 'export const execute = ({ source, key }) => `${source} ${key}`;\n',
	'src/notes.txt': 'one\n',
};

describe('A window in German', () => {
	let scripted: ScriptedChat;
	let workbench: Workbench;
	let row: (text: string) => Locator;
	before(async () => {
		scripted = await openScriptedChat({ workspace: files, language: 'de' });
		({ workbench } = scripted);
		await openCapabilities(workbench);
		const view = capabilitiesFrameIn(workbench.page);
		row = (text) => view.locator('.capability-row').filter({ hasText: text });
		await workbench.page.setViewportSize({ width: 1_280, height: 1_200 });
	});
	after(() => scripted?.close());

	it('names in German what the agent does and what it asks for', async () => {
		const { view } = scripted.chat;
		scripted.follow([
			{ toolCalls: [{ name: 'fs_read', input: { path: 'src/notes.txt' } }] },
			{ toolCalls: [{ name: 'fs_write', input: { path: 'new.txt', content: 'new\n' } }] },
			{ text: 'Fertig.' },
		]);
		await workbench.runCommand('Prowess: Zum Chat');
		const input = view.locator('.composer-field');
		await input.fill('Schreib es');
		await input.press('Enter');
		await view.locator('.card-title', { hasText: 'Lesen: src/notes.txt' }).waitFor();
		const dock = view.locator('.dock.approval[data-settled="true"]');
		await dock.getByRole('heading', { name: 'Schreiben: new.txt' }).waitFor();
		await view.getByText(/^Erlaubnis nötig: Schreiben: new\.txt\./).waitFor({ state: 'attached' });
		await workbench.screenshot('german-0-asked');
		await input.press('1');
		await view.locator('article.assistant', { hasText: 'Fertig.' }).waitFor();
	});

	it('has a self-check in German', async () => {
		await workbench.runCommand('Prowess: Selbstprüfung');
		const report = workbench.page
			.locator('iframe.webview.ready[src*="extensionId=vscode.markdown-language-features"]')
			.contentFrame()
			.locator('#active-frame')
			.contentFrame();
		await report.getByText('Alle Prüfungen bestanden.').waitFor();
		await report.getByText('Arbeitsbereich').first().waitFor();
		await workbench.screenshot('german-5-doctor');
		await workbench.runCommand('View: Close All Editors');
	});

	it('says in German what is wrong with a manifest, in the view and at its line', async () => {
		const broken = row('skill/broken');
		await broken.getByText('capability.yaml:5: level: erwartet wird eines von "SAFE"').waitFor();
		await row('deploy').getByText('capability.yaml:1: description fehlt').waitFor();
		await row('deploy').getByText('Fragt, bevor sie läuft').waitFor();
		await workbench.screenshot('german-1-capabilities');
		await broken.locator('.capability-name').click();
		const editor = workbench.page.locator('.editor-instance');
		await editor.locator('.squiggly-error').first().waitFor();
		await editor.locator('.view-line', { hasText: 'HARMLESS' }).click();
		await workbench.page.keyboard.press('F8');
		await workbench.page.getByText('level: erwartet wird eines von', { exact: false }).first().waitFor();
		await workbench.screenshot('german-2-problem');
		await workbench.page.keyboard.press('Escape');
	});

	it('says in German what the capabilities of Prowess do, and what their inputs are', async () => {
		const { page } = workbench;
		await row('Listet offene Kommentare wie TODO und FIXME').getByRole('button', { name: 'Ausführen…' }).click();
		const form = pageFrameIn(page).locator('main.page[aria-busy="false"]');
		await form.getByText('Listet offene Kommentare wie TODO und FIXME').waitFor();
		await form.getByText('Gesuchte Wörter').waitFor();
		await workbench.screenshot('german-6-own');
	});

	it('has a form that takes a file of the workspace and a secret by its name', async () => {
		const { page } = workbench;
		await row('deploy').getByRole('button', { name: 'Ausführen…' }).click();
		const form = pageFrameIn(page).locator('main.page[aria-busy="false"]');
		const source = form.getByRole('textbox', { name: 'source' });
		await source.fill('src/none.txt');
		await form.getByRole('button', { name: 'Neues Geheimnis speichern…' }).click();
		const box = page.locator('.quick-input-widget');
		await box.getByText('Name, unter dem').waitFor();
		await box.locator('input').fill('deploy-key');
		await page.keyboard.press('Enter');
		await box.locator('input[type="password"]').fill('a-key-of-nobody-at-all');
		await page.keyboard.press('Enter');
		await form.getByRole('option', { name: 'deploy-key' }).waitFor({ state: 'attached' });
		await form.getByRole('button', { name: 'Ausführen', exact: true }).click();
		await form.getByText('Im Arbeitsbereich gibt es keine Datei src/none.txt.').waitFor();
		await workbench.screenshot('german-3-form');
		await source.fill('src/notes.txt');
		await form.getByText('Im Arbeitsbereich gibt es keine Datei').waitFor({ state: 'detached' });
	});

	it('says in German what a watch has found', async () => {
		const { page } = workbench;
		await workbench.runCommand('Prowess: Automatisierung anzeigen');
		const automation = pageFrameIn(page).locator('main.page[aria-busy="false"]');
		await automation.getByRole('tab', { name: /^Beobachtungen/ }).click();
		await automation.getByRole('button', { name: 'Beobachtung hinzufügen…' }).click();
		const box = page.locator('.quick-input-widget');
		for (const answer of ['wenn sich src/** ändert', '']) {
			await box.locator('input').fill(answer);
			await page.keyboard.press('Enter');
		}
		await automation.getByText('1 Datei').waitFor();
		await workbench.screenshot('german-7-watch');
	});
});
