/** Cases of capabilities in VS Code's own Test Explorer. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { processTree, waitUntilGone } from '../../../support/processes.ts';
import { inOrder } from '../../../support/shuffled-specs.ts';
import { waitFor } from '../../../support/wait-for.ts';
import type { TakeWindow } from '../../harness/one-window.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';

const folder = '.prowess/capabilities/skill/noting';
const files = {
	[`${folder}/capability.yaml`]:
		'# Notes\nname: noting\ntype: skill\nversion: 1.0.0\ndescription: Notes\nlevel: CONTROLLED\npermissions: [workspace.write, http]\ninputs:\n  - { name: waits, type: boolean, default: false }\n',
	[`${folder}/index.mjs`]: `export async function execute({ waits }, { host }) {
	if (waits) await new Promise((_, reject) => setTimeout(reject, 60_000));
	await host.fs.write({ path: 'notes.md', content: 'hello' });
}
`,
	[`${folder}/tests/writes.yaml`]: 'name: writes a note\nexpect: { files: { notes.md: hello } }\n',
	[`${folder}/tests/fails.yaml`]: 'name: writes another note\nexpect:\n  files:\n    notes.md: bye\n',
	[`${folder}/tests/wrong.yaml`]: '# Wrong\napprove: full\nexpect: {}\n',
};

export function capabilityTests(take: TakeWindow): void {
	describe('The cases of a capability in the editor', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		before(async () => {
			scripted = await take(files);
		});
		after(() => scripted?.close());

		const row = (name: string) =>
			scripted.workbench.page.locator('.test-explorer [role="treeitem"]').filter({ hasText: name });
		const runs = (name: string, state: string) => row(name).locator(`.codicon-testing-${state}-icon`).first().waitFor();
		const open = async (path: string) => {
			const { page } = scripted.workbench;
			await page.keyboard.press('Control+P');
			await page.locator('.quick-input-widget input').fill(path);
			await page
				.locator('.quick-input-widget .monaco-list-row')
				.filter({ hasText: basename(path) })
				.first()
				.click();
		};

		const lens = (title: string) =>
			scripted.workbench.page.locator('.codelens-decoration a', { hasText: new RegExp(`${title}$`) }).first();

		it('are in its test view by their names, and those that have come since when the view is refreshed', async () => {
			const { workbench } = scripted;
			await open(`${folder}/capability.yaml`);
			await lens('Run Tests').waitFor();
			await workbench.runCommand('Testing: Focus on Test Explorer View');
			await row('skill/noting').first().waitFor();
			await row('skill/noting').first().click();
			await workbench.page.keyboard.press('ArrowRight');
			for (const name of ['writes a note', 'writes another note', 'wrong']) await row(name).waitFor();
			writeFileSync(join(workbench.workspace, folder, 'tests/more.yaml'), 'name: more\nexpect: {}\n');
			await workbench.runCommand('Test: Refresh Tests');
			await row('more').waitFor();
		});

		it('say what failed at the line that expects it, and leave the folder alone', async () => {
			const { workbench } = scripted;
			const { page } = workbench;
			await workbench.runCommand('Test: Run All Tests');
			await runs('writes a note', 'passed');
			await runs('writes another note', 'failed');
			await runs('wrong', 'error');
			await runs('more', 'passed');
			await workbench.screenshot('capability-tests-1-results');
			await row('writes another note').dblclick();
			await page.locator('.tab.active').getByText('fails.yaml').waitFor();
			const said = page.locator('.monaco-editor').getByText('notes.md holds "hello", "bye" expected').first();
			await said.waitFor();
			await workbench.screenshot('capability-tests-2-place');
			assert.equal(existsSync(join(workbench.workspace, 'notes.md')), false);
		});

		it('are run from above the names of the capability and of the case', async () => {
			const text = join(scripted.workbench.workspace, folder, 'tests/fails.yaml');
			writeFileSync(text, readFileSync(text, 'utf8').replace('bye', 'hello'));
			await open(`${folder}/tests/fails.yaml`);
			await lens('Run Test').click();
			await runs('writes another note', 'passed');
			await open(`${folder}/capability.yaml`);
			await lens('Run Tests').waitFor();
			await lens('Run').waitFor();
			await scripted.workbench.screenshot('capability-tests-3-lens');
		});

		it('that run are stopped with the run, and their processes with them', async () => {
			const { workbench } = scripted;
			const waits = join(workbench.workspace, folder, 'tests/more.yaml');
			writeFileSync(waits, 'name: waits long\nparams: { waits: true }\nexpect: {}\n');
			await workbench.runCommand('Test: Refresh Tests');
			await row('waits long').waitFor();
			const running = () =>
				processTree(workbench.serverPid).flatMap(({ pid, commandLine }) =>
					commandLine.includes('cli.mjs capability test ') ? [pid] : [],
				);
			await workbench.runCommand('Test: Run All Tests');
			await waitFor('the program of the case', () => running().length > 0);
			const pids = running();
			await workbench.runCommand('Test: Cancel Test Run');
			await waitUntilGone(pids);
			await runs('waits long', 'skipped');
		});
	});
}
