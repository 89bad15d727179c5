/**
 * Checks actions of people beside a running turn, in the real editor: they give it a message, approve its plan, show it
 * a picture.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { png } from '../../../support/pictures.ts';
import { inOrder } from '../../../support/shuffled-specs.ts';
import type { Chat } from '../../harness/chat.ts';
import { type ScriptedChat, toldIn } from '../../harness/scripted-chat.ts';
import type { Workbench } from '../../harness/workbench.ts';

const write = { name: 'fs_write', input: { path: 'new.txt', content: 'new\n' } };
const look = { name: 'fs_read', input: { path: 'src/cart.ts' } };

export function besideATurn(plain: () => ScriptedChat): void {
	describe('A turn in the editor', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		let workbench: Workbench;
		let chat: Chat;
		before(async () => {
			scripted = plain();
			({ workbench, chat } = scripted);
			await chat.focus();
		});

		// In a narrow chat the mode is a sign, whose name is read aloud.
		const showsMode = (mode: string) => chat.view.getByRole('button', { name: new RegExp(`^Mode: ${mode}`) }).waitFor();
		const file = () => join(workbench.workspace, 'new.txt');

		it('changes nothing in the mode Plan when its plan is refused, and hears why', async () => {
			await chat.newThread();
			await chat.chooseMode('Plan');
			scripted.follow([
				{ toolCalls: [write] },
				{ toolCalls: [{ name: 'plan_write', input: { plan: '# Add a file\n\n1. Write `new.txt`.' } }] },
				{ text: 'Then not.' },
			]);
			await chat.ask('Add a file');
			const dock = await chat.asked('Plan: Add a file');
			await dock.getByRole('button', { name: 'Edit plan' }).click();
			const tab = workbench.page.locator('.tab', { hasText: 'plan.md (proposed)' });
			await tab.waitFor();
			await workbench.page.locator('.monaco-editor .view-line', { hasText: 'Add a file' }).waitFor();
			assert.equal(await workbench.page.locator('.monaco-diff-editor').count(), 0, 'it replaces nothing');
			await workbench.screenshot('works-1-plan');
			assert.equal(existsSync(file()), false);
			await dock.press('4');
			await tab.waitFor({ state: 'detached' });
			await chat.rested();
			assert.match(toldIn(scripted.requests()[1]), /not available in plan mode/);
			assert.equal(existsSync(file()), false);
			await showsMode('Plan');
		});

		it('begins when its plan is approved, in the mode Agent', async () => {
			await chat.newThread();
			await chat.chooseMode('Plan');
			scripted.follow([
				{ toolCalls: [look, { name: 'plan_write', input: { plan: '# Add a file\n\n1. Write `new.txt`.' } }] },
				{ toolCalls: [write] },
				{ text: 'Added.' },
			]);
			await chat.ask('Add a file');
			await chat.press('Plan: Add a file', '1');
			await chat.press('Write new.txt', '1');
			await chat.rested();
			await workbench.screenshot('works-2-approved');
			assert.equal(readFileSync(file(), 'utf8'), 'new\n');
			await showsMode('Agent');
		});

		it('reads a queued message once, after its command, when that is sent now', async () => {
			await chat.newThread();
			await chat.chooseMode('Agent');
			scripted.follow([{ toolCalls: [{ name: 'shell_run', input: { argv: ['sleep', '4'] } }] }, { text: 'Heard.' }]);
			await chat.ask('Wait a little');
			await chat.view.locator('.item.tool.running').waitFor();
			await chat.input.fill('And be brief');
			await chat.input.press('Enter');
			await chat.view.getByRole('list', { name: 'Queued messages' }).waitFor();
			await workbench.screenshot('works-3-queued');
			await chat.view.getByRole('button', { name: 'Send now' }).click();
			await chat.view.locator('.item.user .bubble', { hasText: 'And be brief' }).waitFor();
			await chat.answers.filter({ hasText: 'Heard.' }).waitFor();
			await chat.rested();
			await workbench.screenshot('works-4-steered');
			assert.equal(scripted.requests().length, 2);
			assert.equal(toldIn(scripted.requests()[1]).split('And be brief').length, 2);
		});

		it('is stopped where it gets nowhere, says why, and goes on anyway at a press', async () => {
			await chat.newThread();
			const looks = Array.from({ length: 12 }, (_, n) => ({
				toolCalls: [{ name: 'fs_list', input: { pattern: `*.x${n}` } }],
			}));
			// The first one shows something new: that there is nothing.
			scripted.follow([...looks.slice(0, 11), { text: 'There is none.' }]);
			await chat.ask('Find it');
			const notice = chat.view.locator('.item.notice', { hasText: 'the agent got nowhere' });
			await notice.waitFor();
			await workbench.screenshot('works-7-nowhere');
			assert.equal(scripted.requests().length, 11);
			await notice.getByRole('button', { name: 'Go on anyway' }).click();
			await chat.answers.filter({ hasText: 'There is none.' }).waitFor();
			await chat.rested();
			await workbench.screenshot('works-8-gone-on');
			assert.equal(scripted.requests().length, 12);
		});

		it('shows the model a picture that was pasted', async () => {
			await chat.newThread();
			scripted.follow([{ text: 'A square.' }]);
			await chat.input.evaluate((field, base64) => {
				const data = new DataTransfer();
				const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
				data.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
				field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }));
			}, png(40, 30).toString('base64'));
			await chat.view.locator('.chip-picture').waitFor();
			await workbench.screenshot('works-5-pasted');
			await chat.ask('What is this?');
			await chat.answers.filter({ hasText: 'A square.' }).waitFor();
			await chat.rested();
			await workbench.screenshot('works-6-shown');
			assert.match(toldIn(scripted.requests()[0]), /data:image\/png;base64,/);
		});
	});
}
