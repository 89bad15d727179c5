/**
 * The real VS Code with the packaged extension installed, as a user has it: for tests of what is seen and clicked.
 * It runs without VS Code's test driver, which would hide notifications and forbid dialogs.
 */

import { copyFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { kit } from './kit.ts';
import { watchScreen } from './last-seen.ts';
import { startTestServer, type Trust } from './server.ts';
import { copySample, type Files, writeFiles } from './workspace.ts';

const limitsMs = { workbench: 60_000, step: 40_000, palette: 2_000 } as const;

export interface WorkbenchOptions {
	/** Default: the packaged extension, `dist/prowess.vsix`. */
	readonly vsix?: string;
	/** The path of an existing folder, or files to make one of. Default: a copy of the sample project. */
	readonly workspace?: string | Files;
	/** User settings on top of the quiet ones. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** Added to the environment of the extension host, for example the address of a scripted model. */
	readonly env?: NodeJS.ProcessEnv;
	/** Default: `off`. */
	readonly trust?: Trust;
	/** Another extension beside ours: its folder in the repository. */
	readonly companion?: string;
	/** Of the editor and of us, such as `de`; default: English. */
	readonly language?: string;
}

/** A window of VS Code, in a browser of its own. */
export interface EditorWindow {
	readonly page: Page;
	/** The chat. */
	webview(): FrameLocator;
	/** Runs a command by its title, category included, from the palette. */
	runCommand(title: string): Promise<void>;
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
	close(): Promise<void>;
}

let opened = 0;

export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'wb-')));
	const logName = `workbench-${process.pid}-${++opened}`;
	mkdirSync(kit.artifacts, { recursive: true });
	const workspace = makeWorkspace(folder, options.workspace);
	const { vsix = kit.vsix, settings, env, trust, companion, language } = options;
	if (companion !== undefined) {
		// Before VS Code makes its list of what is installed.
		cpSync(join(kit.root, companion), join(folder, 'extensions', basename(companion)), { recursive: true });
	}
	const server = await startTestServer({ folder, vsix, settings, env, trust });
	const browser = await openBrowser(join(kit.artifacts, `${logName}.console.log`)).catch(async (error: unknown) => {
		await server.stop();
		throw error;
	});

	const url = server.url(workspace);
	const openWindow = async () => {
		const page = await browser.newPage();
		watchScreen(page);
		page.setDefaultTimeout(limitsMs.step);
		if (language !== undefined) {
			// As a language pack does; the texts of VS Code itself stay English without one.
			await page.addInitScript(`Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { value: '${language}' })`);
		}
		await page.goto(url, { waitUntil: 'commit' });
		await untilShown(page);
		return {
			page,
			webview: () => chatFrameIn(page),
			runCommand: (title: string) => runCommand(page, title),
		};
	};
	const close = async () => {
		await browser.close();
		await server.stop();
		copyFileSync(server.logFile, join(kit.artifacts, `${logName}.server.log`));
		rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
	};

	try {
		const window = await openWindow();
		const { page } = window;
		return {
			...window,
			url,
			workspace,
			home: join(folder, 'home'),
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
		// What is still there may be the last palette, on its way out.
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
