/** Worktrees in the editor, with a real repository: a thread works in one from this window, and its work comes home or is discarded. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inOrder } from '../../support/shuffled-specs.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Chat } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';
import type { Workbench } from '../harness/workbench.ts';

describe('A worktree', function () {
	inOrder(this);
	let scripted: ScriptedChat;
	let workbench: Workbench;
	let chat: Chat;
	let folder: string;
	before(async () => {
		folder = tempDir('repository');
		mkdirSync(join(folder, 'src'));
		writeFileSync(join(folder, 'src/cart.ts'), 'export const total = 1;\nexport const tax = 2;\n');
		writeFileSync(join(folder, '.gitignore'), '.env\n');
		writeFileSync(join(folder, '.env'), 'PLACE=here\n');
		git('init', '-q', '--initial-branch=main');
		git('add', '.');
		git('commit', '-qm', 'first');
		const settings = { 'prowess.approvals.level': 'edit' };
		scripted = await openScriptedChat({ workspace: folder, settings });
		({ workbench, chat } = scripted);
		await chat.focus();
	});
	after(() => scripted?.close());

	const git = (...words: readonly string[]) =>
		execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], {
			cwd: folder,
			encoding: 'utf8',
		});
	const box = () => workbench.page.locator('.quick-input-widget');
	const row = (text: string) => box().locator('.monaco-list-row', { hasText: text }).first();
	const toast = (text: string | RegExp) => workbench.page.locator('.notification-toast', { hasText: text });
	const read = (path: string) => readFileSync(join(folder, path), 'utf8');
	const treeOf = (name: string) => {
		const all = join(workbench.home, '.prowess', 'worktrees');
		return join(all, readdirSync(all)[0] ?? '', name);
	};

	async function choose(...texts: readonly string[]): Promise<void> {
		await workbench.runCommand('Prowess: Worktrees…');
		for (const text of texts) await row(text).click();
	}
	async function types(prompt: string, text: string): Promise<void> {
		await box().getByText(prompt).waitFor();
		await box().locator('input[type="text"]').fill(text);
		await workbench.page.keyboard.press('Enter');
	}
	async function works(path: string, content: string): Promise<void> {
		scripted.follow([
			{ toolCalls: [{ name: 'fs_read', input: { path } }] },
			{ toolCalls: [{ name: 'fs_write', input: { path, content } }] },
			{ text: 'Changed.' },
		]);
		await chat.ask('Change it');
		await chat.rested();
	}
	async function clearToasts(): Promise<void> {
		await workbench.runCommand('Notifications: Clear All Notifications');
	}

	it('is made for a new thread in the same window, after what it needs was asked once', async () => {
		await choose('New Thread in a Worktree…');
		await types('Name of the worktree', 'parser');
		await box().getByText('Git ignores .env').waitFor();
		await row('Copy').click();
		await types('Command that each new worktree', '');
		await chat.view.locator('.thread-folder', { hasText: 'parser' }).waitFor();
		assert.equal(readFileSync(join(treeOf('parser'), '.env'), 'utf8'), 'PLACE=here\n');
	});

	it('has the edits of its thread, which the folder has not', async () => {
		await works('src/cart.ts', 'export const total = 10;\nexport const tax = 2;\n');
		assert.equal(read('src/cart.ts'), 'export const total = 1;\nexport const tax = 2;\n');
		assert.match(readFileSync(join(treeOf('parser'), 'src/cart.ts'), 'utf8'), /total = 10/);
		await chat.view.getByText('src/cart.ts').first().waitFor();
		await workbench.screenshot('worktrees-1-thread');
	});

	it('shows its changes against what it was made from, without its folder being opened', async () => {
		await choose();
		// A folder of the user, and a small one.
		assert.match(await row('parser').innerText(), / · [1-9]\d* B[^]*~\/.*\/parser/);
		await workbench.screenshot('worktrees-0-list');
		await row('parser').click();
		await row('Show Changes').click();
		const diff = workbench.page.locator('.multiDiffEntry, .multi-diff-root-floating-menu, .diff-editor').first();
		await diff.waitFor();
		await workbench.page.getByText('total = 10').first().waitFor();
		await workbench.screenshot('worktrees-2-changes');
		await workbench.page.setViewportSize({ width: 700, height: 800 });
		await workbench.screenshot('worktrees-2-changes-narrow');
		await workbench.page.setViewportSize({ width: 1_280, height: 900 });
		await workbench.runCommand('View: Close All Editors');
	});

	it('conflicts in the merge editor and writes nothing before it is saved there', async () => {
		writeFileSync(join(folder, 'src/cart.ts'), 'export const total = 5;\nexport const tax = 2;\n');
		await choose('parser', 'Apply');
		await toast('both sides have changed the same lines').getByRole('button', { name: 'Open Merge Editor' }).click();
		await workbench.page.locator('.merge-editor').first().waitFor();
		await workbench.page.getByText('total = 10').first().waitFor();
		await workbench.screenshot('worktrees-3-merge-editor');
		assert.equal(read('src/cart.ts'), 'export const total = 5;\nexport const tax = 2;\n');
		await workbench.runCommand('File: Revert File').catch(() => {});
		await workbench.runCommand('View: Close All Editors');
		await clearToasts();
	});

	it('is applied where nothing conflicts, as uncommitted changes of the folder', async () => {
		git('checkout', '-q', '--', '.');
		await choose('parser', 'Apply');
		await toast('1 file was changed in this folder.').waitFor();
		assert.equal(read('src/cart.ts'), 'export const total = 10;\nexport const tax = 2;\n');
		await clearToasts();
		git('checkout', '-q', '--', '.');
	});

	it('is rebased and merged by Git', async () => {
		writeFileSync(join(folder, 'other.txt'), 'other\n');
		git('add', '.');
		git('commit', '-qm', 'other');
		await choose('parser', 'Rebase');
		await toast('Done: parser').waitFor();
		assert.equal(existsSync(join(treeOf('parser'), 'other.txt')), true);
		await clearToasts();
		await choose('parser', 'Merge');
		await toast('Done: parser').waitFor();
		assert.match(git('show', 'HEAD:src/cart.ts'), /total = 10/);
		await clearToasts();
	});

	it('becomes a branch', async () => {
		await choose('New Thread in a Worktree…');
		await types('Name of the worktree', 'topic');
		await chat.view.locator('.thread-folder', { hasText: 'topic' }).waitFor();
		await works('src/cart.ts', 'export const total = 7;\n');
		await choose('topic', 'Make a Branch');
		const dialog = workbench.page.locator('.monaco-dialog-box', { hasText: 'Keep the branch of topic?' });
		const isAsked = await dialog.waitFor({ timeout: 3_000 }).then(
			() => true,
			() => false,
		);
		if (isAsked) await dialog.getByRole('button', { name: 'Keep Branch' }).click();
		await toast('Its work is on the branch prowess/topic.').waitFor();
		assert.match(git('show', 'prowess/topic:src/cart.ts'), /total = 7/);
		assert.equal(existsSync(treeOf('topic')), false);
		await clearToasts();
	});

	it('is opened in a window of its own', async () => {
		const opened = workbench.page.context().waitForEvent('page');
		await choose('parser', 'Open in a Window');
		const page = await opened;
		await page.waitForURL((url) => url.searchParams.get('folder') === treeOf('parser'));
		await page.locator('.explorer-folders-view [role="treeitem"]', { hasText: 'other.txt' }).waitFor();
		await page.close();
	});

	it('is discarded after a question that says what is lost, with all that is left of it', async () => {
		writeFileSync(join(treeOf('parser'), 'draft.txt'), 'draft\n');
		await choose('parser', 'Discard…');
		const dialog = workbench.page.locator('.monaco-dialog-box', { hasText: 'Discard the worktree parser?' });
		await dialog.getByText('draft.txt').waitFor();
		await workbench.screenshot('worktrees-4-discard');
		await dialog.getByRole('button', { name: 'Discard', exact: true }).click();
		// The branch is the last to go.
		await waitFor('its branch to go', () => git('branch', '--list', 'prowess/parser') === '');
		assert.equal(existsSync(treeOf('parser')), false);
		assert.equal(git('worktree', 'list').trim().split('\n').length, 1);
	});
});
