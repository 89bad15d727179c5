/**
 * Opens the real VS Code with the packaged extension installed, as a user has it: for tests of what is seen and
 * clicked. VS Code's test driver is off, because it would hide notifications and forbid dialogs.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { kit } from './kit.ts';
import { watchScreen } from './last-seen.ts';
import { takePlace } from './pool.ts';
import type { StorySettings } from './server.ts';
import { copySample, type Files, writeFiles } from './workspace.ts';

const limitsMs = { workbench: 60_000, step: 40_000, palette: 2_000, leave: 20_000 } as const;

export interface WorkbenchOptions extends StorySettings {
	/** The path of an existing folder, or files to make one of. Default: a copy of the sample project. */
	readonly workspace?: string | Files;
	/** Fills the home of Prowess, an empty folder, before a window opens. Default: there is none. */
	readonly fillHome?: (folder: string) => void | Promise<void>;
	/** Another extension beside ours: its folder in the repository. */
	readonly companion?: string;
	/** Language of the editor and of our extension, such as `de`. Default: English. */
	readonly language?: string;
}

/** A window of VS Code, in a browser of its own. */
export interface EditorWindow {
	readonly page: Page;
	/** The chat. */
	webview(): FrameLocator;
	/** Runs a command by its title, category included, from the palette. */
	runCommand(title: string): Promise<void>;
	/** Crashes the page without notice; its extension host waits for it to come back until the workbench is closed. */
	crash(): Promise<void>;
	/** Closes the window as a person does: VS Code hears of it, and ends its extension host at once. */
	close(): Promise<void>;
}

export interface Workbench extends EditorWindow {
	readonly url: string;
	/** The folder that is open. */
	readonly workspace: string;
	/** The home folder that the extension host sees. */
	readonly home: string;
	/** The process of the VS Code server, above the extension host and all that the extension starts. */
	readonly serverPid: number;
	/** Writes `artifacts/<name>.png`. */
	screenshot(name: string): Promise<void>;
	/** Reloads the window; its extension host ends and a new one starts. */
	reload(): Promise<void>;
	/** Another window on the same folder; its browser has stored nothing. */
	openWindow(): Promise<EditorWindow>;
	/** Closes all windows. Rejects with what the story has left behind. */
	close(): Promise<void>;
}

let opened = 0;

export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
	const { settings, trust, companion, language, organisation } = options;
	const place = await takePlace({ settings, trust, companion, organisation });
	const { server, browser, folder, home } = place;
	const logFile = join(kit.artifacts, `workbench-${process.pid}-${++opened}.console.log`);
	const windows = new Set<Page>();

	const openWindow = async () => {
		const page = await browser.newPage(logFile);
		windows.add(page);
		watchScreen(page);
		page.setDefaultTimeout(limitsMs.step);
		if (language !== undefined) {
			// Sets the language as a language pack does; the texts of VS Code itself stay English without a pack.
			await page.addInitScript(`Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { value: '${language}' })`);
		}
		await page.goto(url, { waitUntil: 'commit' });
		await browser.dropKept();
		await untilShown(page);
		return {
			page,
			webview: () => chatFrameIn(page),
			runCommand: (title: string) => runCommand(page, title),
			close: () => closeWindow(page),
			async crash() {
				const session = await page.context().newCDPSession(page);
				// A crashed page does not answer, so the reply is not awaited.
				void session.send('Page.crash').catch(() => undefined);
			},
		};
	};
	const close = async () => {
		if (url !== '') await browser.keepProcess(new URL('/favicon.ico', url).href);
		for (const page of windows) await closeWindow(page);
		await place.giveBack();
	};

	let url = '';
	try {
		if (options.fillHome !== undefined) {
			mkdirSync(join(home, '.prowess'), { mode: 0o700 });
			await options.fillHome(join(home, '.prowess'));
		}
		const workspace = makeWorkspace(folder, options.workspace);
		url = server.url(workspace);
		const window = await openWindow();
		const { page } = window;
		return {
			...window,
			url,
			workspace,
			home,
			serverPid: server.pid,
			screenshot: async (name) => void (await page.screenshot({ path: join(kit.artifacts, `${name}.png`) })),
			reload: async () => {
				await page.reload({ waitUntil: 'commit' });
				await untilShown(page);
			},
			openWindow,
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}

function makeWorkspace(folder: string, wanted: WorkbenchOptions['workspace']): string {
	if (typeof wanted === 'string') return wanted;
	const workspace = join(folder, 'workspace');
	if (wanted === undefined) copySample(workspace);
	else writeFiles(workspace, wanted);
	return workspace;
}

async function closeWindow(page: Page): Promise<void> {
	if (page.isClosed()) return;
	// A page that does not answer is closed all the same; processes that it leaves running are then reported by name.
	await page.goto('about:blank', { timeout: limitsMs.leave }).catch(() => undefined);
	await page.close();
}

/** The workbench is there and knows our contributions; the palette would not show what comes later. */
async function untilShown(page: Page): Promise<void> {
	await page.locator('.monaco-workbench').waitFor({ timeout: limitsMs.workbench });
	await activityBarIcon(page).waitFor({ timeout: limitsMs.workbench });
}

/** The container `prowess` in the activity bar. VS Code builds the class from the container's id. */
export function activityBarIcon(page: Page): Locator {
	return page.locator('.activitybar .action-label[class*="activity-workbench-view-extension-prowess"]').first();
}

/** The page of ours in the tab that is shown. */
export function pageFrameIn(page: Page): FrameLocator {
	return page
		.locator(`iframe.webview.ready[src*="extensionId=${kit.extensionId}"]:not([src*="purpose=webviewView"])`)
		.filter({ visible: true })
		.contentFrame()
		.locator('#active-frame')
		.contentFrame();
}

/**
 * Webviews hang off the root of the workbench, not off the view that shows them. A style ties the parent of each to the place
 * that it covers; the address tells those of views from those of tabs, until the view is hidden and shown again, after which
 * it looks like a tab's: then it must be the only one beside the capabilities.
 */
function chatFrameIn(page: Page): FrameLocator {
	const ofView = "contains(@src, 'purpose=webviewView')";
	return page
		.locator(`xpath=${others}[${ofView} or not(${others}[${ofView}])]`)
		.filter({ visible: true })
		.first()
		.contentFrame()
		.locator('#active-frame')
		.contentFrame();
}

/** The page of the view *Capabilities*. */
export function capabilitiesFrameIn(page: Page): FrameLocator {
	return page
		.locator(`xpath=${ours}[${placeOfFrame} = ${placeOfCapabilities}]`)
		.filter({ visible: true })
		.contentFrame()
		.locator('#active-frame')
		.contentFrame();
}

const ours = `//iframe[contains(@class, 'webview ready') and contains(@src, 'extensionId=${kit.extensionId}')]`;
const valueIn = (style: string, property: string) =>
	`substring-before(substring-after(concat(${style}, ';'), '${property}:'), ';')`;
/** Name of the place that a frame covers. */
const placeOfFrame = valueIn("ancestor::*[contains(@style, 'position-anchor:')][1]/@style", 'position-anchor');
const paneOfCapabilities =
	"//div[contains(concat(' ', @class, ' '), ' pane ')][.//h3[.='Capabilities' or .='Fähigkeiten']]";
const placeOfCapabilities = valueIn(
	`(${paneOfCapabilities}//*[contains(@style, 'anchor-name:')])[1]/@style`,
	'anchor-name',
);
const others = `${ours}[not(${placeOfFrame} = ${placeOfCapabilities})]`;

/**
 * The palette lists what is known when it opens and does not listen before the workbench has settled, so both are tried
 * again until the command is there.
 */
async function runCommand(page: Page, title: string): Promise<void> {
	const input = page.locator('.quick-input-widget input[type="text"]');
	const row = page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first();
	const started = performance.now();
	while (performance.now() - started < limitsMs.step) {
		await page.keyboard.press('F1');
		// The input that is found may belong to the last palette, which is closing.
		if (!(await works(input.fill(`>${title}`, { timeout: limitsMs.palette })))) continue;
		if (await works(row.waitFor({ timeout: limitsMs.palette }))) return page.keyboard.press('Enter');
		await page.keyboard.press('Escape');
	}
	throw new Error(`the command "${title}" was not in the palette within ${limitsMs.step} ms`);
}

function works(step: Promise<void>): Promise<boolean> {
	return step.then(
		() => true,
		() => false,
	);
}
