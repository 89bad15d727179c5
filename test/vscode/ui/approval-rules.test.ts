import assert from 'node:assert/strict';
import { inOrder } from '../../support/shuffled-specs.ts';
import { type CapabilityViews, capabilityViewsIn } from '../harness/capability-views.ts';
import type { Chat } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';
import type { Workbench } from '../harness/workbench.ts';

const argv = ['node', '-e', '0'];
const command = 'Run node -e 0';
const script = [{ toolCalls: [{ name: 'shell_run', input: { argv } }] }, { text: 'It ran.' }];

describe('A rule for this project', function () {
	inOrder(this);
	let scripted: ScriptedChat;
	let workbench: Workbench;
	let chat: Chat;
	let views: CapabilityViews;
	before(async () => {
		scripted = await openScriptedChat();
		({ workbench, chat } = scripted);
		views = capabilityViewsIn(workbench);
		await chat.focus();
	});
	after(() => scripted?.close());

	it('is saved by the button that says so, and named by the card it lets through', async () => {
		await scripted.begin('Run it', script);
		await chat.press(command, '3');
		await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Cancel' }).click();
		// After `Cancel` no rule is stored, and the question stays open.
		await chat.press(command, '3');
		await chat.confirmKept();
		await chat.rested();
		await scripted.begin('Run it again', script);
		await chat.rested();
		await chat
			.card(command)
			.getByRole('img', { name: `Allowed by your rule for this project: shell.run ${argv.join(' ')}` })
			.waitFor();
		await workbench.screenshot('rules-1-allowed');
		assert.equal(await chat.dock.count(), 0);
	});

	it('is found from the card that it let through', async () => {
		const card = chat.card(command);
		await chat.unfold(card);
		await card.locator('.link-button', { hasText: 'Allowed by your rule for this project' }).click();
		const page = await views.page('Approvals');
		const marked = page.locator('.approval-row[aria-current="true"]');
		await marked.getByRole('button', { name: 'Revoke: Run "node -e 0"' }).waitFor();
		await workbench.screenshot('rules-1-marked');
	});

	it('is what an open question names when it is asked why', async () => {
		await scripted.begin('Run another one', [
			{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', '-e', '1'] } }] },
			{ text: 'Then not.' },
		]);
		const dock = await chat.asked('Run node -e 1');
		await dock.getByRole('button', { name: 'Why am I asked?' }).click();
		const page = await views.page('Why am I asked?');
		await page.getByText('It runs a program.').waitFor();
		await page.getByText('shell.run node -e 1').waitFor();
		await workbench.screenshot('rules-1-why');
		await page.getByRole('button', { name: 'Test a Rule…' }).click();
		const input = views.form.locator('input');
		await input.waitFor();
		assert.equal(await input.inputValue(), 'shell.run node -e 1');
		await input.press('Escape');
		await chat.press('Run node -e 1', '4');
		await chat.rested();
	});

	it('is listed with its question on the page of approvals, and revoked there it is asked about again', async () => {
		await workbench.runCommand('Prowess: Manage Approvals');
		const page = await views.page('Approvals');
		const row = page.getByRole('listitem').filter({ hasText: 'shell.run node -e 0' });
		await page.getByRole('heading', { name: 'This project' }).waitFor();
		await row.getByText(`asked as: ${command}`).waitFor();
		await workbench.screenshot('rules-2-listed');
		await row.getByRole('button', { name: 'Revoke: Run "node -e 0"' }).click();
		await page.getByText('Nothing is allowed until further notice.').waitFor();
		await workbench.screenshot('rules-3-none');
		await scripted.begin('And once more', [script[0] ?? {}, { text: 'Then not.' }]);
		await chat.press(command, '4');
		await chat.rested();
	});

	it('comes and goes on the open page, and a reset asks first and says what goes', async () => {
		await workbench.runCommand('Prowess: Manage Approvals');
		const page = await views.page('Approvals');
		await scripted.begin('Run it for this thread', script);
		await chat.press(command, '2');
		await chat.rested();
		await page.getByRole('heading', { name: 'Threads', exact: true }).waitFor();
		await page.getByText('In the thread “Run it for this thread”').waitFor();
		await page.getByRole('button', { name: 'Reset…' }).click();
		const dialog = workbench.page.locator('.monaco-dialog-box', { hasText: 'Ask about everything again?' });
		await dialog.getByText(`${command}: exactly this`).waitFor();
		await workbench.screenshot('rules-4-reset');
		await dialog.getByRole('button', { name: 'Cancel' }).click();
		await page.getByRole('heading', { name: 'Threads', exact: true }).waitFor();
		await page.getByRole('button', { name: 'Reset…' }).click();
		await dialog.getByRole('button', { name: 'Reset Approvals' }).click();
		await page.getByText('Nothing is allowed until further notice.').waitFor();
		scripted.follow([script[0] ?? {}, { text: 'Then not.' }]);
		await chat.ask('And now');
		await chat.press(command, '4');
		await chat.rested();
	});

	it('is edited before it is saved: a box says what is wrong with it, and the next file that it covers is not asked about', async () => {
		const write = (path: string) => [
			{ toolCalls: [{ name: 'fs_write', input: { path, content: 'by the agent\n' } }] },
			{ text: `There is ${path}.` },
		];
		await scripted.begin('Make the first', write('made-1.txt'));
		await chat.press('Write made-1.txt', '3');
		const dialog = workbench.page.locator('.monaco-dialog-box', { hasText: 'Always allow' });
		await dialog.getByRole('button', { name: 'Edit Rule…' }).click();
		const box = views.form.filter({ hasText: 'Edit Rule' });
		const input = box.locator('input');
		await input.waitFor();
		assert.equal(await input.inputValue(), 'fs.write made-1.txt');
		await input.fill('fs.write **');
		await box.getByText('"**" is too wide.').waitFor();
		await input.fill('fs.write other-*.txt');
		await box.getByText('This rule does not cover what is asked about').waitFor();
		// A wrong rule is not accepted, and the question stays open.
		await input.press('Enter');
		await workbench.screenshot('rules-5-edit');
		await input.fill('fs.write made-*.txt');
		await box.getByText('This rule does not cover').waitFor({ state: 'hidden' });
		await input.press('Enter');
		await views.form.filter({ hasText: 'Where to Allow fs.write made-*.txt' }).waitFor();
		await views.choose('In This Project');
		await chat.answers.filter({ hasText: 'There is made-1.txt.' }).waitFor();
		await chat.rested();
		await scripted.begin('Make the second', write('made-2.txt'));
		await chat.answers.filter({ hasText: 'There is made-2.txt.' }).waitFor();
		assert.equal(await chat.dock.count(), 0);
		await chat
			.card('Write made-2.txt')
			.getByRole('img', { name: 'Allowed by your rule for this project: fs.write made-*.txt' })
			.waitFor();
	});
});
