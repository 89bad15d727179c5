/**
 * Lets stories that need the same settings take turns in one window, because opening one costs more than most stories.
 * Each finds its own files and an empty thread. The window is set back after each story; leftovers that cannot be set
 * back fail the story, by name. Threads, records and answers of earlier stories stay in the home: a story that needs a
 * new home, another language or a first start opens a window of its own.
 */

import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PermissionLevel } from '../../../src/protocol/permission-level.ts';
import { waitFor } from '../../support/wait-for.ts';
import { windowSize } from './browser.ts';
import type { Chat } from './chat.ts';
import { openScriptedChat, type ScriptedChat } from './scripted-chat.ts';
import type { Workbench } from './workbench.ts';
import { copySample, type Files, writeFiles } from './workspace.ts';

/** Longest waits: `seen`, until the window shows what was changed on the disk; `gone`, until what was closed has gone. */
const limitsMs = { seen: 60_000, gone: 40_000 } as const;

interface StoryNeeds {
	/** All files of the workspace. Default: those of the sample project. */
	readonly workspace?: Files;
}

/** Gives a story the window, until it closes its chat. */
export type TakeWindow = (needs?: StoryNeeds) => Promise<ScriptedChat>;

/** Names of the levels in the chat. */
const levels: Readonly<Record<PermissionLevel, string>> = {
	manual: 'Manual',
	ask: 'Ask',
	edit: 'Edit freely',
	auto: 'Auto',
	full: 'Full',
};

/** A suite of these stories, in any order. The first of them that runs opens the window, with these user settings. */
export function inOneWindow(
	title: string,
	settings: Readonly<Record<string, unknown>>,
	stories: readonly ((take: TakeWindow) => void)[],
): void {
	describe(title, () => {
		let opened: ScriptedChat | undefined;
		let home: readonly string[] = [];

		const take: TakeWindow = async (needs = {}) => {
			if (opened === undefined) {
				opened = await openScriptedChat({ ...needs, settings });
				home = readdirSync(opened.workbench.home);
			} else {
				await give(opened, needs);
			}
			const scripted = opened;
			await untilReady(scripted.chat, settings);
			return {
				...scripted,
				async close() {
					scripted.follow([]);
					const left = [...(await setBack(scripted)), ...newFilesIn(scripted.workbench.home, home)];
					assert.equal(left.join('\n'), '', `left behind in the window:\n${left.join('\n')}`);
				},
			};
		};

		for (const story of stories) story(take);
		after(() => opened?.close());
	});
}

/** Gives the window the files of the story, and waits until it has seen them. */
async function give({ workbench }: ScriptedChat, { workspace }: StoryNeeds): Promise<void> {
	const { workspace: folder } = workbench;
	for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
	if (workspace === undefined) copySample(folder);
	else writeFiles(folder, workspace);
	await waitFor(
		'the files of the story',
		async () => isSame(await shownFiles(workbench), readdirSync(folder)),
		limitsMs.seen,
	);
}

/** Begins an empty thread in the mode Agent, once the chat has the level that the settings say. */
async function untilReady(chat: Chat, settings: Readonly<Record<string, unknown>>): Promise<void> {
	await chat.focus();
	await chat.newThread();
	await chat.chooseMode('Agent');
	const level = (settings['prowess.approvals.level'] ?? 'ask') as PermissionLevel;
	await chat.view.getByRole('button', { name: `Permission level: ${levels[level]}` }).waitFor();
}

/** Names in the folder, as the explorer shows them. A folder with a single folder in it is a row with both names. */
function shownFiles({ page }: Workbench): Promise<readonly string[]> {
	return page
		.locator('.explorer-folders-view [role="treeitem"][aria-level="1"]')
		.evaluateAll((rows) => rows.map((row) => row.querySelector('.label-name')?.textContent ?? ''));
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
	return some.toSorted().join('\n') === others.toSorted().join('\n');
}

/** Closes what is open in the window. Returns what is left all the same. */
async function setBack({ workbench, chat, model }: ScriptedChat): Promise<readonly string[]> {
	const { page, runCommand } = workbench;
	const isGone = (what: string) => page.locator(what).first().waitFor({ state: 'detached', timeout: limitsMs.gone });
	const has = async (what: string) => (await page.locator(what).count()) > 0;

	const dialogs = await page.locator('.monaco-dialog-box').allInnerTexts();
	for (let n = 0; n < dialogs.length; n += 1) await page.keyboard.press('Escape');
	const others = page
		.context()
		.pages()
		.filter((each) => each !== page);
	for (const other of others) await other.close();
	await page.setViewportSize(windowSize);

	await chat.focus();
	const stop = chat.view.getByRole('button', { name: 'Stop', exact: true });
	const turns = await stop.count();
	if (turns > 0) await stop.click();
	await chat.input.fill('');

	if (await has(terminals)) {
		await runCommand('Terminal: Kill All Terminals');
		await isGone(terminals);
	}
	if (await has(tabs)) await runCommand('View: Close All Editors');
	// The editor asks about a text that is not saved, and keeps its tab.
	await Promise.race([isGone(tabs), page.locator('.monaco-dialog-box').waitFor({ timeout: limitsMs.gone })]);
	const editors = await page.locator(tabs).allInnerTexts();
	if (await page.locator('.part.panel').isVisible()) await runCommand('View: Hide Panel');
	if (await has(toasts)) {
		await runCommand('Notifications: Clear All Notifications');
		await isGone(toasts);
	}
	if (!(await page.locator('.explorer-folders-view').isVisible())) await runCommand('View: Show Explorer');
	await page.locator('.explorer-folders-view').waitFor();
	if (await has(openFolders)) {
		await runCommand('Collapse Folders in Explorer');
		await isGone(openFolders);
	}
	return [
		...dialogs.map((text) => `the dialog ${text}`),
		...others.map((other) => `the page ${other.url()}`),
		...(turns > 0 ? [`a turn that runs, after ${model.requests.length} requests`] : []),
		...editors.map((name) => `the editor ${name}`),
	];
}

const tabs = '.editor-group-container .tabs-container .tab';
const terminals = '.terminal-wrapper';
const toasts = '.notification-toast';
const openFolders = '.explorer-folders-view [role="treeitem"][aria-expanded="true"]';

function newFilesIn(home: string, before: readonly string[]): readonly string[] {
	return readdirSync(home)
		.filter((name) => !before.includes(name) && name !== '.prowess')
		.map((name) => `the file ~/${name}`);
}
