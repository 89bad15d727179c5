import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import type { RunningRecord } from '../../../src/execution/runs/executions-of-hosts.ts';
import { processTree, waitUntilGone } from '../../support/processes.ts';
import { programs } from '../../support/programs.ts';
import { waitFor } from '../../support/wait-for.ts';
import { violationsIn } from '../harness/axe.ts';
import { type CapabilityViews, openCapabilityViews } from '../harness/capability-views.ts';
import { type Chat, chatIn } from '../harness/chat.ts';
import { reloadByCommand } from '../harness/reload-by-command.ts';
import { storedInBrowser } from '../harness/stored-in-browser.ts';
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

/** Waits until it is stopped, and says so. */
const WAITS = `
	progress('waiting for the end', 0.25);
	await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));`;

/**
 * Returns the files of a skill. Each spec that changes the state of a skill has one of its own; the version tells the
 * skill's row from those of its runs.
 */
function skill(name: string, version: string, manifest: string, program: string): Record<string, string> {
	const folder = `.prowess/capabilities/skill/${name}`;
	return {
		[`${folder}/capability.yaml`]: `name: ${name}\ntype: skill\nversion: ${version}\n${manifest}\n`,
		[`${folder}/index.js`]: `export async function execute({ path }, { host, progress, signal }) {\n${program}\n}\n`,
		// Too large for a process that stands by: it gets one of its own.
		[`${folder}/padding.txt`]: ' '.repeat(300_000),
	};
}

const READS = `level: MONITORED
permissions: [workspace.read]
inputs:
  - { name: path, type: string, description: A file of the workspace, required: true }
  - { name: factor, type: number }`;
const COUNTS = "\tconst { text } = await host.fs.read({ path });\n\treturn text.split('\\n').length + ' lines';";

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
	'.prowess/capabilities/skill/two-voices/capability.yaml':
		'name: two-voices\ntype: skill\nversion: 4.4.0\nlevel: MONITORED\nruntime: node-worker\n',
	'.prowess/capabilities/skill/two-voices/index.js': `
/**
 * Says it aloud.
 * @param {string} words - What to say
 */
export async function shout({ words }) { return words.toUpperCase() + '!'; }
/** Says it softly. */
export async function whisper() { return 'hush'; }
`,
	...skill('ask-again', '2.1.0', READS, COUNTS),
	...skill('for-agents', '2.2.0', READS, COUNTS),
	...skill('trusted', '2.3.0', READS, COUNTS),
	...skill('in-work', '2.4.0', 'level: SAFE', "\treturn 'first';"),
	...skill('wait-forever', '3.0.0', 'description: Waits until it is stopped\nlevel: SAFE', WAITS),
	...skill('wait-for-others', '3.1.0', 'level: SAFE', WAITS),
	...skill('wait-alone', '3.2.0', 'level: SAFE', WAITS),
	...skill('wait-below', '3.3.0', 'level: SAFE', WAITS),
	...skill(
		'starts-another',
		'3.4.0',
		'level: MONITORED\npermissions: [capabilities]',
		"\tawait host.capability.start({ name: 'wait-below' });",
	),
	'.claude/commands/office/fill.md':
		'---\ndescription: Fills: a form\nargument-hint: "[file]"\n---\nFill $ARGUMENTS in\u200b.\n',
	'.github/prompts/letter.prompt.md': '---\ndescription: Writes a letter\n---\nWrite to ${input:whom}.\n',
	'.codebolt/capabilities/executors/blocks/executor.yaml': 'name: blocks\nsupportedTypes: [pipeline]\n',
	'.codebolt/capabilities/executors/blocks/dist/index.js': "require('@codebolt/codeboltjs');",
	'.codebolt/capabilities/pipeline/builds/capability.yaml':
		'name: builds\ntype: pipeline\nversion: 7.7.0\ndescription: Builds\n',
	'.codebolt/capabilities/pipeline/builds/index.js': '',
	'.prowess/capabilities/skill/broken/capability.yaml': 'name: broken\ntype: skill\nversion: 1.0.0\nlevel: HARMLESS\n',
};

describe('Capabilities in the editor', () => {
	let workbench: Workbench;
	let chat: Chat;
	let views: CapabilityViews;
	before(async () => {
		const options = { workspace: files, companion: 'test/vscode/fixtures/tool-user' };
		({ workbench, views } = await openCapabilityViews('Installed', options));
		chat = chatIn(workbench);
		await workbench.page.setViewportSize({ width: 1_280, height: 1_600 });
	});
	after(() => workbench?.close());
	beforeEach(() => views.show('Installed'));
	/** The row of a run, in its tab. */
	const run = async (name: string) => {
		await views.show('Runs');
		return views.row(name);
	};

	it('are shown by type, the one that cannot be used with its reason', async () => {
		await views.row('count-lines').filter({ hasText: 'this project · 1.2.0' }).waitFor();
		await views.row('skill/broken').filter({ hasText: 'level' }).waitFor();
		await views.view.getByText('Each skill does one task.').waitFor();
		await workbench.screenshot('capabilities-1-installed');
	});

	it('are commands and prompt files, too, with what is wrong with them, in the list after / and as files', async () => {
		const fill = views.row('office-fill');
		await fill.filter({ hasText: 'Fills: a form' }).filter({ hasText: 'this project' }).waitFor();
		await chat.focus();
		await chat.input.fill('/office-f');
		const suggestions = chat.view.getByRole('listbox', { name: 'Suggestions' });
		const offered = suggestions.getByRole('option', { name: 'office-fill' });
		await offered.filter({ hasText: '[file]' }).filter({ hasText: 'this project' }).waitFor();
		await workbench.screenshot('capabilities-1-command');
		await chat.input.fill('/letter');
		await suggestions.getByRole('option', { name: 'letter' }).filter({ hasText: '[whom]' }).waitFor();
		await chat.input.fill('');
		await views.show('Installed');
		await views.press('office-fill', 'Open Manifest');
		await workbench.page.locator('.editor-instance .view-line', { hasText: 'argument-hint' }).waitFor();
		await views.open('office-fill');
		const page = await views.page('office-fill');
		await page.getByText('read line by line instead').waitFor();
		await page.getByText('U+200B').waitFor();
		await page.getByRole('switch', { name: 'Not trusted', checked: false }).click();
		await chat.press('Trust the skill office-fill 1.0.0', '3');
		await chat.confirmKept();
		await fill.filter({ hasText: 'trusted' }).waitFor();
		await workbench.screenshot('capabilities-1-command-trusted');
		writeFileSync(join(workbench.workspace, '.claude/commands/office/fill.md'), 'Send $ARGUMENTS away.\n');
		await fill.filter({ hasText: 'Send $ARGUMENTS away.' }).waitFor();
		await fill.filter({ hasNotText: 'trusted' }).waitFor();
		await page.getByRole('switch', { name: 'Not trusted', checked: false }).waitFor();
	});

	it('are overridden as the skill that a command of the user stands for', async () => {
		const mine = join(workbench.home, '.claude/commands/mine.md');
		mkdirSync(join(mine, '..'), { recursive: true });
		writeFileSync(mine, '---\ndescription: Does what I want\n---\nDo it for $ARGUMENTS.\n');
		await workbench.runCommand('Prowess: Refresh Capabilities');
		await views.row('mine').filter({ hasText: 'yours' }).waitFor();
		await views.press('Does what I want', 'Override in This Project');
		const copy = join(workbench.workspace, '.prowess/capabilities/skill/mine/SKILL.md');
		await waitFor('the copy', () => existsSync(copy));
		await views.row('Does what I want').filter({ hasText: 'this project · overrides yours' }).waitFor();
		await workbench.page.locator('.editor-instance .view-line', { hasText: 'Do it for $ARGUMENTS.' }).waitFor();
	});

	it('run from the palette, with a form that says what is wrong, after a consent', async () => {
		await workbench.runCommand('Prowess: Run Capability');
		await views.choose('count-lines');
		const form = await views.page('Run count-lines');
		await form.getByText('A file of the workspace').waitFor();
		const path = form.getByRole('textbox', { name: 'path' });
		const factor = form.getByRole('textbox', { name: 'factor optional' });
		await factor.fill('ten');
		await factor.press('Enter');
		await form.getByText('Required.').waitFor();
		await form.getByText('Enter a number, for example 12 or 0.5.').waitFor();
		await workbench.screenshot('capabilities-2-form');
		await path.fill('notes.txt');
		await factor.fill('10');
		await form.getByRole('combobox', { name: 'loud optional' }).selectOption('Yes');
		await form.getByRole('button', { name: 'Run' }).click();

		await chat.press('Run the skill count-lines 1.2.0', '1');
		await views.toast('count-lines: 30 LINES').waitFor();
		await workbench.screenshot('capabilities-3-done');
		const page = await views.page('Run of count-lines');
		await page.getByText('30 LINES').waitFor();
		await workbench.screenshot('capabilities-4-execution');
	});

	it('run one of their tools, which is chosen first, and list them on their page', async () => {
		const { form } = views;
		await workbench.runCommand('Prowess: Run Capability');
		await views.choose('two-voices');
		await form.getByText('Says it softly.').waitFor();
		// A page that is drawn anew takes the focus.
		await views.view.getByRole('tab', { name: 'Installed' }).focus();
		await views.choose('shout');
		await views.fillIn('Run two-voices', { words: 'hello' });
		await chat.press('Run the skill two-voices 4.4.0', '1');
		await views.toast('two-voices: HELLO!').waitFor();
		await views.open('this project · 4.4.0');
		const page = await views.page('two-voices');
		await page.getByText('words: string').waitFor();
		await workbench.screenshot('capabilities-4-tools');
	});

	it('name on their page what the consent names, where a manifest of Codebolt says nothing', async () => {
		await views.open('this project · 7.7.0');
		const page = await views.page('builds');
		await page.getByText('workspace.write').waitFor();
		await page.getByText('shell', { exact: true }).waitFor();
	});

	it('say that they need a model, and lead to one, from the message and from the page', async () => {
		await workbench.runCommand('Prowess: Run Capability');
		// The list shows only as many as fit.
		await views.form.locator('input').fill('typescript-advisor');
		await views.choose('typescript-advisor');
		await views.fillIn('Run typescript-advisor', { question: 'Enum or union?' });

		const connecting = views.form.locator('.quick-input-title', { hasText: 'Connect a Model' });
		const message = views.toast('typescript-advisor failed.');
		await message.getByRole('button', { name: 'Connect a Model' }).click();
		await connecting.waitFor();
		await workbench.page.keyboard.press('Escape');

		await views.show('Runs');
		await views.open('typescript-advisor');
		const page = await views.page('Run of typescript-advisor');
		await page.getByRole('button', { name: 'Connect a Model' }).click();
		await connecting.waitFor();
		await workbench.screenshot('capabilities-4-no-model');
		await workbench.page.keyboard.press('Escape');
	});

	it('offer what was typed the last time', async () => {
		await chat.focus();
		await views.press('this project · 2.1.0', 'Run…');
		await views.fillIn('Run ask-again', { path: 'notes.txt', factor: '10' });
		await chat.press('Run the skill ask-again 2.1.0', '1');
		await views.toast('ask-again: 3 lines').waitFor();
		// The question was in view, so nothing called them to it.
		assert.equal(await views.toast('Prowess asks: Run the skill ask-again').count(), 0);
		await (await run('ask-again')).filter({ hasText: 'completed' }).waitFor();
		await views.show('Installed');

		await views.press('this project · 2.1.0', 'Run…');
		const form = await views.page('Run ask-again');
		const value = (name: string) => form.getByRole('textbox', { name }).inputValue();
		assert.deepEqual([await value('path'), await value('factor')], ['notes.txt', '10']);
	});

	it('keep what is typed into a form and not sent over a reload, until Cancel', async () => {
		const pathIs = async (text: string) => {
			const field = (await views.page('Run ask-again')).getByRole('textbox', { name: 'path' });
			await waitFor(`the path ${text}`, async () => (await field.inputValue()) === text, 40_000);
			return field;
		};
		await (await pathIs('notes.txt')).fill('other.txt');
		await storedInBrowser(workbench.page, 'other.txt');
		await reloadByCommand(workbench);
		await pathIs('other.txt');
		await workbench.screenshot('capabilities-5-form-after-reload');
		await (await views.page('Run ask-again')).getByRole('button', { name: 'Cancel' }).click();
		await workbench.page.getByRole('tab', { name: 'Run ask-again' }).waitFor({ state: 'detached' });
		await views.press('this project · 2.1.0', 'Run…');
		await pathIs('notes.txt');
	});

	async function starts(name: string, version: string): Promise<void> {
		await workbench.runCommand('Prowess: Run Capability');
		await views.choose(name);
		await chat.press(`Run the skill ${name} ${version}`, '1');
	}
	async function begins(name: string, version: string): Promise<Locator> {
		await starts(name, version);
		return (await run(name)).filter({ hasText: '25 % · waiting for the end' });
	}
	/**
	 * Returns the processes that run from the copy of a capability. A process that stands by has no copy, and a worker
	 * stays for the next call.
	 */
	const executors = () =>
		processTree(workbench.serverPid)
			.filter(({ commandLine }) => commandLine.includes(join(workbench.home, '.prowess/snapshots')))
			.filter(({ commandLine }) => !/(?:node|python)-worker/.test(commandLine))
			.map(({ pid }) => pid);
	const stopped = async (name: string) => (await run(name)).filter({ hasText: 'stopped' }).waitFor();

	it('are seen while they run, and stopped where they are seen', async () => {
		await (await begins('wait-forever', '3.0.0')).waitFor();
		await workbench.screenshot('capabilities-5-running');
		await views.press('25 % · waiting for the end', 'Stop');
		await stopped('wait-forever');
		await views.toast('wait-forever was stopped.').waitFor();
		await workbench.screenshot('capabilities-6-stopped');
	});

	it('are seen and stopped from a command line, which the view shows', async () => {
		const prowess = async (...words: readonly string[]) => {
			const env = { PATH: process.env['PATH'], HOME: workbench.home };
			return (await promisify(execFile)(process.execPath, [programs.cli, 'capability', ...words], { env })).stdout;
		};
		await (await begins('wait-for-others', '3.1.0')).waitFor();
		const running = JSON.parse(await prowess('ps', '--json')) as readonly Pick<
			RunningRecord,
			'executionId' | 'name' | 'hostPid'
		>[];
		assert.deepEqual(
			running.map(({ name }) => name),
			['wait-for-others'],
		);
		const [{ executionId, hostPid } = assert.fail()] = running;
		assert.ok(processTree(workbench.serverPid).some(({ pid }) => pid === hostPid));
		const pids = executors();
		assert.notEqual(pids.length, 0);
		assert.equal(await prowess('stop', executionId), `skill wait-for-others ${executionId} has ended\n`);
		await waitUntilGone(pids);
		await stopped('wait-for-others');
		assert.deepEqual(JSON.parse(await prowess('ps', '--json')), []);
	});

	it('are all stopped at once, with what they have started', async () => {
		await (await begins('wait-alone', '3.2.0')).waitFor();
		await starts('starts-another', '3.4.0');
		await chat.press('Run the skill wait-below 3.3.0', '1');
		await (await run('wait-below')).filter({ hasText: '25 % · waiting for the end' }).waitFor();
		const pids = executors();
		assert.ok(pids.length >= 3, String(pids));
		await workbench.runCommand('Prowess: Stop All Capabilities');
		for (const name of ['wait-alone', 'starts-another', 'wait-below']) await stopped(name);
		await waitUntilGone(pids);
	});

	it('are found by a refresh when the system has not told of their change', async function () {
		// The system tells of a change by the name it was made with: here one outside of the folder.
		if (process.platform !== 'linux') this.skip();
		const elsewhere = join(workbench.home, 'elsewhere.yaml');
		const folder = join(workbench.workspace, '.prowess/capabilities/skill/unheard');
		writeFileSync(elsewhere, 'name: unheard\ntype: skill\nversion: 4.0.0\n');
		mkdirSync(folder);
		writeFileSync(join(folder, 'index.js'), 'export const execute = () => 1;');
		linkSync(elsewhere, join(folder, 'capability.yaml'));
		await views.row('unheard').filter({ hasText: '4.0.0' }).waitFor();
		writeFileSync(elsewhere, 'name: unheard\ntype: skill\nversion: 4.0.1\n');
		await workbench.runCommand('Prowess: Refresh Capabilities');
		await views.row('unheard').filter({ hasText: '4.0.1' }).waitFor();
	});

	it('are run by the agents of the editor, once its user has said yes', async () => {
		await chat.focus();
		await workbench.runCommand('Tool User: Run for-agents');
		const dialog = workbench.page.locator('.monaco-dialog-box');
		await dialog.getByText('Run for-agents with Prowess?').waitFor();
		await workbench.screenshot('capabilities-7-tool');
		await dialog.getByRole('button', { name: 'Yes' }).click();
		await chat.press('Run the skill for-agents 2.2.0', '1');
		await views.toast('The tool says {"success":true').filter({ hasText: '"result":"3 lines"' }).waitFor();
	});

	it('have a page that shows all that is known of them', async () => {
		await views.open('this project · 1.2.0');
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
		await views.open('this project · 1.2.0');
		const page = await views.page('count-lines');
		await page.getByText('It counts').waitFor();
		await page.getByText('<script>see()</script>').waitFor();
		await page.getByText('>'.repeat(1_000)).first().waitFor();
		await page.getByText('\\u{1b}[31mRed').waitFor();
		await page.getByText('\\u{202e}back').waitFor();
		assert.equal(await page.locator('script, img, [onerror], a[href]').count(), 0);
		assert.equal(await page.getByRole('link', { name: 'here' }).count(), 0);
		await page.getByRole('link', { name: 'the code' }).click();
		await workbench.page.locator('.tab.active', { hasText: 'index.js' }).waitFor();
	});

	it('are not trusted where the user says no, and no toast covers the question', async () => {
		await views.open('this project · 2.3.0');
		const page = await views.page('trusted');
		await page.getByRole('switch', { name: 'Not trusted', checked: false }).click();
		await workbench.page.getByText('Trusting trusted: needs your answer in the chat').waitFor();
		assert.equal(await views.toast('Trusting trusted').count(), 0);
		await chat.press('Trust the skill trusted 2.3.0', '4');
		await chat.dock.waitFor({ state: 'detached' });
		await page.getByText('asks before it runs').waitFor();
		assert.equal(await views.toast('denied').count(), 0);
	});

	it('run as their author changes them after one answer, until they ask for more', async () => {
		const folder = join(workbench.workspace, '.prowess/capabilities/skill/in-work');
		const runs = async (shown: string) => {
			await views.press('this project · 2.4.0', 'Run…');
			if (shown === 'first') {
				const question = await chat.asked('Run the skill in-work 2.4.0');
				await question.getByRole('button', { name: 'More' }).click();
				const answer = chat.view.getByText('Run while I work on it');
				await answer.waitFor();
				await workbench.screenshot('capabilities-8-in-work');
				await answer.click();
			}
			await views.toast(`in-work: ${shown}`).waitFor();
		};
		await runs('first');
		writeFileSync(join(folder, 'index.js'), "export const execute = async () => 'second';\n");
		await runs('second');
		assert.equal(await chat.dock.count(), 0);
		writeFileSync(
			join(folder, 'capability.yaml'),
			'name: in-work\ntype: skill\nversion: 2.4.1\nlevel: MONITORED\npermissions: [workspace.read]\n',
		);
		await views.row('this project · 2.4.1').waitFor();
		await views.press('this project · 2.4.1', 'Run…');
		await chat.press('Run the skill in-work 2.4.1', '4');
	});

	it('are trusted, trusted no more and run from their page', async () => {
		await views.open('this project · 2.3.0');
		const page = await views.page('trusted');
		const [off, on] = [
			page.getByRole('switch', { name: 'Not trusted', checked: false }),
			page.getByRole('switch', { name: 'Trusted', exact: true, checked: true }),
		];
		await off.click();
		await chat.press('Trust the skill trusted 2.3.0', '3');
		await chat.confirmKept();
		await on.waitFor();
		await page.getByText('trusted until its files change').waitFor();
		await workbench.screenshot('capabilities-8-trusted');
		await on.click();
		await off.waitFor();
		await page.getByText('asks before it runs').waitFor();
		await page.getByRole('button', { name: 'Run…' }).click();
		const form = await views.page('Run trusted');
		await form.getByText('A file of the workspace').waitFor();
	});

	it('are searched, from everything to nothing and on to the marketplace', async () => {
		await views.search('counts lines');
		await views.row('count-lines').waitFor();
		await views.row('trusted').waitFor({ state: 'detached' });
		await views.search('no such thing');
		await views.view.getByText('Nothing fits “no such thing”.').waitFor();
		await workbench.screenshot('capabilities-9-nothing');
		await views.view.getByRole('button', { name: 'Search the Marketplace' }).click();
		await views.view.getByRole('tab', { name: 'Marketplace', selected: true }).waitFor();
		await views.view.getByRole('button', { name: 'Clear Search' }).click();
		// Capabilities that came with Prowess are collapsed, away from those that can be installed.
		const there = views.view.getByRole('button', { name: /^Installed or Built In/ });
		await there.and(views.view.locator('[aria-expanded="false"]')).click();
		await views.row('rename-symbol').waitFor();
		assert.deepEqual(await violationsIn(views, workbench), []);
	});

	it('have executors that run them, behind a heading that opens', async () => {
		const head = views.view.getByRole('button', { name: /^Executors/ });
		await head.click();
		await views.row('built in · talent').waitFor();
		await workbench.screenshot('capabilities-9-executors');
		await head.click();
		await views.row('built in · talent').waitFor({ state: 'detached' });
	});

	it('are told what is wrong with their manifest, where it is, and run from it', async () => {
		await views.open('skill/broken');
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
		// For the specs that come after it, in whatever order.
		await workbench.page.keyboard.press('Control+Z');
		await views.row('skill/broken').filter({ hasText: 'level' }).waitFor();
	});

	it('are begun from a template that runs', async () => {
		await workbench.runCommand('Prowess: New Capability');
		const { form } = views;
		for (const kind of [
			'Skill with Tools, in JavaScript',
			'Skill with Tools, in Python',
			'Written Skill',
			'Executor',
		]) {
			await form.locator('.monaco-list-row', { hasText: kind }).waitFor();
		}
		await workbench.screenshot('capabilities-11-types');
		await views.choose('does one task');
		await form.locator('.monaco-list-row', { hasText: 'For you, in every project' }).waitFor();
		await views.choose('In this project');
		await form.getByText('Name (also the folder name)').waitFor();
		await views.answer('Count Lines');
		await form.getByText('Use lower-case letters, digits and hyphens, at most 64.').waitFor();
		await views.answer('trusted');
		await form.getByText('That name is already in use.').waitFor();
		await views.answer('fresh');
		await form.getByText('One-sentence description').waitFor();
		await views.answer('Counts: "lines"');
		await views.row('fresh').waitFor();
		const manifest = join(workbench.workspace, '.prowess/capabilities/skill/fresh/capability.yaml');
		await waitFor('the manifest', () => existsSync(manifest));
		assert.match(readFileSync(manifest, 'utf8'), /^name: fresh\ntype: skill\n/);
		await workbench.screenshot('capabilities-11-new');
	});
});
