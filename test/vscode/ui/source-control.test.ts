/** The source control view of the editor, with a real repository: the message of a commit, and a review of the changes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { inOrder } from '../../support/shuffled-specs.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Chat } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat, toldIn } from '../harness/scripted-chat.ts';
import type { Workbench } from '../harness/workbench.ts';

describe('Source control', function () {
	inOrder(this);
	let scripted: ScriptedChat;
	let workbench: Workbench;
	let chat: Chat;
	let folder: string;
	before(async () => {
		folder = tempDir('repository');
		mkdirSync(join(folder, 'src'));
		writeFileSync(join(folder, 'src/cart.ts'), 'export const total = 1;\n');
		git('init', '-q');
		git('add', '.');
		git('commit', '-qm', 'feat(cart): begin with a total');
		writeFileSync(join(folder, 'src/cart.ts'), 'export const total = 2;\n');
		scripted = await openScriptedChat({ workspace: folder, settings: { 'git.enabled': true } });
		({ workbench, chat } = scripted);
		await workbench.page.getByRole('tab', { name: /^Source Control/ }).click();
	});
	after(() => scripted?.close());

	const git = (...words: readonly string[]) =>
		execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], { cwd: folder });
	const view = () => workbench.page.locator('.scm-view');
	const message = () => view().locator('.scm-editor');
	const typed = async (input: Locator) => (await input.locator('.view-lines').innerText()).replaceAll('\u00a0', ' ');

	async function write(): Promise<void> {
		await view().locator('.scm-editor').hover();
		await workbench.page.getByRole('button', { name: 'Write a Commit Message' }).first().click();
	}

	it('says what the provider says when there is no message, and leaves the input as it was', async () => {
		scripted.follow([{ error: 401, message: 'the key is wrong' }]);
		await write();
		const failed = workbench.page.locator('.notification-toast', { hasText: 'The command failed.' });
		await failed.waitFor();
		assert.equal((await typed(message())).trim(), '');
		await workbench.screenshot('source-control-1-failed');
		await workbench.runCommand('Notifications: Clear All Notifications');
	});

	it('has its commits suggested after @, and the model reads the one that is chosen', async () => {
		scripted.follow([{ text: 'It begins with a total.' }]);
		await chat.focus();
		await chat.newThread();
		await chat.input.pressSequentially('@commit');
		await chat.view.getByRole('option', { name: /^commit [0-9a-f]{8} feat\(cart\): begin with a total/ }).waitFor();
		await workbench.screenshot('source-control-1-commits');
		await chat.input.press('Tab');
		await chat.view.locator('.chips .chip', { hasText: 'commit ' }).waitFor();
		await chat.input.press('Enter');
		await chat.rested();
		assert.match(toldIn(scripted.requests()[0]), /<commit hash=.{0,2}"[0-9a-f]{40}.*\+export const total = 1;/);
	});

	it('has the model write the message of a commit, in the manner of the last ones', async () => {
		scripted.follow([{ text: 'fix(cart): count two' }]);
		await write();
		await waitFor('the message', async () => (await typed(message())).includes('fix(cart): count two'));
		const asked = scripted.requests()[0]?.text ?? '';
		assert.match(asked, /feat\(cart\): begin with a total/);
		assert.match(asked, /\+export const total = 2;/);
		assert.equal(String(git('log', '--format=%s')), 'feat(cart): begin with a total\n');
		await workbench.screenshot('source-control-2-written');
	});

	it('takes what was typed as its beginning, and puts it back when that is wanted', async () => {
		scripted.follow([{ text: 'fix(cart): count two, not one' }]);
		await write();
		const offer = workbench.page.locator('.notification-toast', { hasText: 'with yours as its beginning' });
		await offer.waitFor();
		assert.match(scripted.requests()[0]?.text ?? '', /The user has begun so:[^]*fix\(cart\): count two/);
		await offer.getByRole('button', { name: 'Put Back' }).click();
		await waitFor('the first message', async () => (await typed(message())).trim() === 'fix(cart): count two');
	});

	it('has the agent review the uncommitted changes, and each finding fixed from its line', async () => {
		const finding = { path: 'src/cart.ts', line: 1, text: 'Nothing tests this total.', severity: 'warning' };
		scripted.follow([
			{ toolCalls: [{ name: 'git_diff', input: {} }] },
			{ toolCalls: [{ name: 'editor_comment', input: finding }] },
			{ text: 'One thing, at its line.' },
		]);
		await workbench.runCommand('Prowess: Review Uncommitted Changes');
		await chat.answers.filter({ hasText: 'One thing' }).waitFor();
		await chat.rested();
		assert.match(toldIn(scripted.requests()[0]), /Review the uncommitted changes/);
		await openFile();
		await workbench.page.locator('.comment-range-glyph.comment-thread-unresolved').click();
		await comments().filter({ hasText: 'Nothing tests this total.' }).waitFor();
		await workbench.screenshot('source-control-3-review');
		scripted.follow([
			{ toolCalls: [{ name: 'editor_comment', input: { comment: 'c1', text: 'A test counts it already.' } }] },
			{ text: 'See the answer at its line.' },
		]);
		await comments().hover();
		await comments().getByRole('button', { name: 'Fix' }).click();
		await comments().filter({ hasText: 'A test counts it already.' }).waitFor();
		await chat.rested();
		assert.match(toldIn(scripted.requests()[0]), /<comment name=.{0,2}"c1.{0,2}" path=[^]*Nothing tests this total\./);
		await comments().getByRole('button', { name: 'Remove Comment' }).click();
		await comments().waitFor({ state: 'detached' });
	});

	it('sends comments on lines as one message, and shows the answers below them', async () => {
		await comment('Is this in cents?');
		await workbench.page.getByRole('button', { name: 'Keep Comment' }).click();
		await comments().filter({ hasText: 'Not sent yet' }).waitFor();
		await workbench.screenshot('source-control-4-comment');
		scripted.follow([
			{ toolCalls: [{ name: 'editor_comment', input: { comment: 'c2', text: 'No, in euros.' } }] },
			{ text: 'Answered at its line.' },
		]);
		await comments().getByRole('button', { name: 'Send Comments' }).first().click();
		await comments().filter({ hasText: 'No, in euros.' }).waitFor();
		await chat.rested();
		const [asked] = scripted.requests();
		assert.match(toldIn(asked), /See my comment\.[^]*export const total = 2;[^]*Is this in cents\?/);
		assert.match(JSON.stringify(asked?.body['tools']), /"editor_comment"/);
		await workbench.screenshot('source-control-5-answered');
	});

	const comments = () => workbench.page.locator('.review-widget');

	async function openFile(): Promise<void> {
		const { page } = workbench;
		await page.keyboard.press('Control+P');
		await page.locator('.quick-input-widget input').fill('cart.ts');
		await page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: 'cart.ts' }).first().click();
		await page.locator('.tab.active').getByText('cart.ts').waitFor();
	}

	/** Writes a comment on the line of the cursor, and leaves it in the input. */
	async function comment(text: string): Promise<void> {
		await openFile();
		await workbench.runCommand('Comments: Add Comment on Current Selection');
		await comments().locator('.monaco-editor').waitFor();
		await workbench.page.keyboard.type(text);
	}
});
