/**
 * Lets stories that need the same settings take turns in one window, because opening one costs more than most stories.
 * Each finds its own files and an empty thread. Editors, terminals, notices on the screen, open folders and the size of
 * the window are set back after each story. Whatever else of the window is not as it was fails the story, by name: a
 * dialog, a page, a turn, an unsaved text, another level, changed user settings, a file in the home. The next story then
 * opens another window. Processes are named when the window closes, without the story. All that Prowess keeps stays:
 * threads, records, answers, memories and used tokens. A story that needs a new home, another language or a first start
 * opens a window of its own.
 */

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Locator } from 'playwright-core';
import { toErrorMessage } from '../../../src/base/text/message-of.ts';
import type { PermissionLevel } from '../../../src/protocol/ops/permission-level.ts';
import { waitFor } from '../../support/wait-for.ts';
import { windowSize } from './browser.ts';
import type { Chat } from './chat.ts';
import { openScriptedChat, type ScriptedChat } from './scripted-chat.ts';
import type { Workbench } from './workbench.ts';
import { copySample, type Files, writeFiles } from './workspace.ts';

/**
 * Longest waits: `seen`, until the window shows what was changed on the disk; `gone`, until what was closed has gone;
 * `level`, until a new thread shows its level.
 */
const limitsMs = { seen: 60_000, gone: 40_000, level: 10_000 } as const;

/**
 * Gives a story the window with these files in its workspace, until the story closes its chat. Default: the files of the
 * sample project. The window must be able to show each name at the top: the explorer hides `.git`.
 */
export type TakeWindow = (workspace?: Files) => Promise<ScriptedChat>;

interface SharedWindow {
	readonly take: TakeWindow;
	close(): Promise<void>;
}

type Settings = Readonly<Record<string, unknown>>;

/** Names of the levels in the chat. */
const levels = { ask: 'Ask first', edit: 'Edit freely' } as const satisfies Partial<Record<PermissionLevel, string>>;

/**
 * Declares a suite of these stories, which must not need each other. The first that runs opens the window, with these
 * user settings.
 */
export function inOneWindow(title: string, settings: Settings, stories: readonly ((take: TakeWindow) => void)[]): void {
	describe(title, () => {
		const window = shareWindow(settings);
		for (const story of stories) story(window.take);
		after(() => window.close());
	});
}

/** Opens a window when the first story takes it, and another one after a story that has not left it as it was. */
export function shareWindow(settings: Settings): SharedWindow {
	let opened: ScriptedChat | undefined;
	const close = async () => {
		const closing = opened;
		opened = undefined;
		await closing?.close();
	};
	const orClose = async <T>(step: () => Promise<T>): Promise<T> => {
		try {
			return await step();
		} catch (error) {
			const [closed] = await Promise.allSettled([close()]);
			if (closed.status === 'fulfilled') throw error;
			throw new Error(`${toErrorMessage(error)}\n${toErrorMessage(closed.reason)}`, { cause: error });
		}
	};
	const giveBack = async (scripted: ScriptedChat, before: KeptOutside) => {
		scripted.follow([]);
		const left = [...(await setBack(scripted, settings)), ...changesSince(before, scripted.workbench)];
		if (left.length > 0) throw new Error(['left behind in the window:', ...left].join('\n'));
	};
	return {
		close,
		async take(workspace) {
			const shown = opened;
			const scripted = (opened ??= await openScriptedChat({ ...(workspace && { workspace }), settings }));
			return orClose(async () => {
				if (shown !== undefined) await give(scripted.workbench, workspace);
				await untilReady(scripted.chat, settings);
				const before = keptOutside(scripted.workbench);
				return { ...scripted, close: () => orClose(() => giveBack(scripted, before)) };
			});
		},
	};
}

/** Gives the window the files of the story, and waits until it has seen them. */
async function give(workbench: Workbench, workspace: Files | undefined): Promise<void> {
	const { workspace: folder } = workbench;
	const isShown = async () => isDeepStrictEqual(await shownFiles(workbench), readdirSync(folder).toSorted());
	const untilShown = async (what: string) => {
		// The editor hears of files by events of the system, and one can be lost when many come at once: a further file
		// has it read the folder again.
		await waitFor(what, isShown, limitsMs.seen / 6).catch(async () => {
			const further = join(folder, 'further.txt');
			writeFileSync(further, '');
			await waitFor(what, isShown, limitsMs.seen / 6).catch(() => {});
			rmSync(further);
		});
		await waitFor(what, isShown, limitsMs.seen);
	};
	for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
	// The names may be the same as before, so the window first has to see that the earlier files have gone.
	await untilShown('the end of the earlier files');
	if (workspace === undefined) copySample(folder);
	else writeFiles(folder, workspace);
	await untilShown('the files of the story');
}

/** Begins an empty thread in the mode Agent, once the chat has the level that the settings say. */
async function untilReady(chat: Chat, settings: Settings): Promise<void> {
	await chat.focus();
	await chat.newThread();
	await chat.chooseMode('Agent');
	await levelOf(chat, settings).waitFor();
}

function levelOf(chat: Chat, settings: Settings): Locator {
	const level = (settings['prowess.approvals.level'] ?? 'ask') as keyof typeof levels;
	return chat.view.getByRole('button', { name: `Permission level: ${levels[level]}` });
}

/**
 * Names in the folder as the explorer shows them, sorted. A folder with a single folder in it is a row with both names.
 */
async function shownFiles({ page }: Workbench): Promise<readonly string[]> {
	const names = await page
		.locator('.explorer-folders-view [role="treeitem"][aria-level="1"]')
		.evaluateAll((rows) => rows.map((row) => row.querySelector('.label-name')?.textContent ?? ''));
	return names.toSorted();
}

/** Closes what is open in the window. Returns what was not as it had been. */
async function setBack({ workbench, chat, model }: ScriptedChat, settings: Settings): Promise<readonly string[]> {
	const { page, runCommand } = workbench;
	const gone = { state: 'detached', timeout: limitsMs.gone } as const;
	const isGone = (what: string) => page.locator(what).first().waitFor(gone);
	const has = async (what: string) => (await page.locator(what).count()) > 0;

	const dialogs = await page.locator(question).allInnerTexts();
	for (let n = 0; n < dialogs.length; n += 1) await page.keyboard.press('Escape');
	const contexts = page.context().browser()?.contexts() ?? [];
	const others = contexts.flatMap((context) => context.pages()).filter((each) => each !== page);
	for (const other of others) await other.close();
	await page.setViewportSize(windowSize);

	await chat.focus();
	const stop = chat.view.getByRole('button', { name: 'Stop', exact: true });
	const turns = await stop.count();
	if (turns > 0) {
		await stop.click();
		await stop.waitFor(gone);
	}
	await chat.newThread();
	await chat.input.fill('');
	const isLevel = await levelOf(chat, settings)
		.waitFor({ timeout: limitsMs.level })
		.then(
			() => true,
			() => false,
		);
	const level = chat.view.getByRole('button', { name: /^Permission level: / });
	const otherLevel = isLevel ? undefined : await level.getAttribute('aria-label');

	if (await has(terminals)) {
		await runCommand('Terminal: Kill All Terminals');
		await isGone(terminals);
	}
	if (await has(tabs)) await runCommand('View: Close All Editors');
	// The editor asks about texts that are not saved, and keeps all its tabs until it has an answer.
	const isClosedOrAsked = async () => !(await has(tabs)) || (await has(question));
	await waitFor('the end of the editors', isClosedOrAsked, limitsMs.gone);
	const unsaved = await page
		.locator(`${tabs}.dirty`)
		.evaluateAll((dirty) => dirty.map((tab) => tab.getAttribute('data-resource-name')));
	if (await has(question)) {
		await page.locator(question).getByRole('button', { name: "Don't Save" }).click();
		await isGone(tabs);
	}
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
		...dialogs.map((text) => `the dialog ${text.replaceAll('\n', ' ')}`),
		...others.map((other) => `the page ${other.url()}`),
		...(turns > 0 ? [`a turn that runs, after ${model.requests.length} requests`] : []),
		...(isLevel ? [] : [`another level: ${otherLevel}`]),
		...unsaved.map((name) => `the unsaved text ${name}`),
	];
}

const question = '.monaco-dialog-box';
const tabs = '.editor-group-container .tabs-container .tab';
const terminals = '.terminal-wrapper';
const toasts = '.notification-toast';
const openFolders = '.explorer-folders-view [role="treeitem"][aria-expanded="true"]';

/** Contents of the places beside the workspace that belong to all stories of a window. */
interface KeptOutside {
	readonly home: readonly string[];
	readonly settings: string;
}

function keptOutside({ home }: Workbench): KeptOutside {
	const settings = readFileSync(join(home, '../user/User/settings.json'), 'utf8');
	return { home: readdirSync(home).filter((name) => name !== '.prowess'), settings };
}

function changesSince(before: KeptOutside, workbench: Workbench): readonly string[] {
	const { home, settings } = keptOutside(workbench);
	return [
		...home.filter((name) => !before.home.includes(name)).map((name) => `the file ~/${name}`),
		...(settings === before.settings ? [] : ['changed user settings']),
	];
}
