/**
 * `npm run screenshots`: takes the pictures of the documents, light and dark, from the running product. A real VS Code opens
 * the sample project, the tour follows its script, and each picture lands in docs/images. `npm run screenshots -- browser` takes
 * only those of the browser.
 */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { placeDriver } from '../test/support/page-browser.ts';
import { capabilityViewsIn, openCapabilities } from '../test/vscode/harness/capability-views.ts';
import { chatIn } from '../test/vscode/harness/chat.ts';
import { endPool } from '../test/vscode/harness/pool.ts';
import { openScriptedChat, type ScriptedChat } from '../test/vscode/harness/scripted-chat.ts';
import { openWorkbench, pageFrameIn, type Workbench } from '../test/vscode/harness/workbench.ts';
import { ensureBundles } from './setup/bundles.mjs';
import { ensureChromium } from './setup/chromium.mjs';
import { root } from './setup/paths.mjs';
import { explain } from './setup/step-failed.mjs';
import { ensureVscode } from './setup/vscode.mjs';
import { ensureVsix } from './setup/vsix.mjs';

const themes = { light: 'Default Light Modern', dark: 'Default Dark Modern' } as const;
const size = { width: 1080, height: 680 } as const;
/** Growth of the side bar with the chat, in pixels. */
const chatGrowth = 120;
/** From the edge of that side bar to the handle beside it, in pixels. */
const sashOffset = 2;
const images = join(root, 'docs/images');
const node = process.execPath;
const isBrowserOnly = process.argv[2] === 'browser';
const SHOP = `<!doctype html><title>Cart</title>
<style>body{font:22px sans-serif;margin:40px}td{padding:8px 60px 8px 0}button,input{font:inherit;padding:6px 14px}</style>
<h1>Your cart</h1><table><tr><td>Tea<td>3.00<tr><td>Honey<td>7.50</table><p>Total: <b id="t">10.50</b></p>
<label>Coupon <input id="c"></label>
<button onclick="t.textContent=NaN;console.error('rate is undefined')">Apply</button>`;

try {
	await ensureBundles(node, { isProduction: true });
	await ensureVsix(node);
	process.env['PROWESS_VSCODE_SERVER'] = await ensureVscode(node);
	process.env['PROWESS_CHROMIUM'] = await ensureChromium();
	mkdirSync(images, { recursive: true });
	for (const [name, theme] of Object.entries(themes)) {
		await takePictures(name, theme);
	}
} catch (error) {
	explain(error);
	process.exitCode = 1;
} finally {
	await endPool();
}

async function takePictures(theme: string, colorTheme: string): Promise<void> {
	const settings = {
		'workbench.colorTheme': colorTheme,
		'workbench.secondarySideBar.defaultVisibility': 'visible',
		'editor.minimap.enabled': false,
	};
	const takeOf =
		({ page }: Workbench) =>
		async (picture: string) => {
			const path = join(images, `${picture}-${theme}.png`);
			await page.screenshot({ path });
			console.log(path);
		};
	await pages(settings, takeOf);
	if (isBrowserOnly) return;
	const workbench = await openWorkbench({ settings });
	try {
		await workbench.page.setViewportSize(size);
		await tour(workbench, takeOf(workbench));
		await capabilities(workbench, takeOf(workbench));
	} finally {
		await workbench.close();
	}
	const automatic = { ...settings, 'prowess.approvals.level': 'edit' };
	const scripted = await openScriptedChat({ settings: automatic, workspace: makeRepository() });
	try {
		await scripted.workbench.page.setViewportSize(size);
		await worktrees(scripted, takeOf(scripted.workbench));
	} finally {
		await scripted.close();
	}
}

/** The agent asks before it edits. */
async function tour(workbench: Workbench, take: (picture: string) => Promise<void>): Promise<void> {
	const { page } = workbench;
	const chat = chatIn(workbench);
	await openFile(page, 'cart.ts');
	await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
	await chat.focus();
	await widenChat(page);
	await chat.view.getByRole('button', { name: 'Take the tour (2 minutes, no model)' }).click();
	await chat.press('Run npm test', '1');
	await chat.asked('Edit src/cart.ts');
	await take('chat');
}

async function capabilities(workbench: Workbench, take: (picture: string) => Promise<void>): Promise<void> {
	const { page } = workbench;
	const views = capabilityViewsIn(workbench);
	await openCapabilities(workbench);
	await views.open('test-runner');
	await (await views.page('test-runner')).getByText('Permissions').first().waitFor();
	await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
	await page.locator('.part.auxiliarybar').waitFor({ state: 'hidden' });
	await take('capabilities');
}

/** The agent looks at a page of a dev server, and acts on it. */
async function pages(
	settings: Readonly<Record<string, unknown>>,
	takeOf: (workbench: Workbench) => (picture: string) => Promise<void>,
): Promise<void> {
	const program = `require('node:http').createServer((_, r) => r.setHeader('content-type', 'text/html').end(${JSON.stringify(SHOP)}))
		.listen(5173, '127.0.0.1', () => console.log('listening'));`;
	const dev = spawn(node, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
	try {
		const ended = once(dev, 'exit').then(() => {
			throw new Error('the dev server of the pictures has ended; another program may listen at its port, 5173');
		});
		await Promise.race([once(dev.stdout, 'data'), ended]);
		await lookAtCart(settings, takeOf);
	} finally {
		dev.kill();
	}
}

async function lookAtCart(...[settings, takeOf]: Parameters<typeof pages>): Promise<void> {
	const scripted = await openScriptedChat({ settings, fillHome: (home) => placeDriver(home) });
	try {
		const { workbench, chat, follow } = scripted;
		const { page } = workbench;
		await page.setViewportSize(size);
		await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
		await chat.focus();
		await widenChat(page);
		const url = 'http://localhost:5173/cart';
		follow([
			{ toolCalls: [{ name: 'browser_open', input: { url } }] },
			{ toolCalls: [{ name: 'browser_act', input: { act: 'type', ref: 'e13', text: 'SPRING' } }] },
			{ toolCalls: [{ name: 'browser_act', input: { act: 'click', ref: 'e14' } }] },
			{ toolCalls: [{ name: 'browser_look', input: { picture: true } }] },
			{ text: 'The coupon makes the total **NaN**: `rate is undefined`, says the console.' },
		]);
		await chat.newThread();
		await chat.ask('Why is the total wrong with the coupon SPRING?');
		await chat.press(`Open ${url} in the browser`, '1');
		await chat.view.getByText('says the console').first().waitFor();
		await chat.view.locator('img').first().waitFor();
		await chat.view.getByRole('button', { name: 'Watch' }).press('Enter');
		await pageFrameIn(page).locator('.page-picture').waitFor();
		await takeOf(workbench)('browser');
	} finally {
		await scripted.close();
	}
}

/** Repository with one file, in a folder of its own. */
function makeRepository(): string {
	const folder = join(mkdtempSync(join(tmpdir(), 'prowess-pictures-')), 'shop');
	mkdirSync(folder);
	writeFileSync(join(folder, 'cart.ts'), 'export const total = 1;\nexport const tax = 2;\n');
	const git = (...words: readonly string[]) =>
		execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], { cwd: folder });
	git('init', '-q', '--initial-branch=main');
	git('add', '.');
	git('commit', '-qm', 'first');
	return folder;
}

/** A thread has worked in a worktree, and its changes are looked at. */
async function worktrees(
	{ workbench, chat, follow }: ScriptedChat,
	take: (picture: string) => Promise<void>,
): Promise<void> {
	const { page } = workbench;
	const box = page.locator('.quick-input-widget');
	const input = box.locator('input[type="text"]');
	await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
	await chat.focus();
	await widenChat(page);
	await workbench.runCommand('Prowess: Worktrees…');
	await box.locator('.monaco-list-row', { hasText: 'New Thread in a Worktree…' }).first().click();
	for (const [prompt, answer] of [
		['Name of the worktree', 'rounding'],
		['Command that each new worktree', ''],
	] as const) {
		await box.getByText(prompt).waitFor();
		await input.fill(answer);
		await page.keyboard.press('Enter');
	}
	await chat.view.locator('.thread-folder', { hasText: 'rounding' }).waitFor();
	follow([
		{ toolCalls: [{ name: 'fs_read', input: { path: 'cart.ts' } }] },
		{
			toolCalls: [
				{ name: 'fs_write', input: { path: 'cart.ts', content: 'export const total = 1.5;\nexport const tax = 2;\n' } },
			],
		},
		{ text: 'The total is rounded to half a unit now.' },
	]);
	await chat.ask('Round the total');
	await chat.rested();
	await workbench.runCommand('Prowess: Worktrees…');
	await box.locator('.monaco-list-row', { hasText: 'rounding' }).first().click();
	await box.locator('.monaco-list-row', { hasText: 'Show Changes' }).first().click();
	// Where nothing is described, before the diff opens below the pointer.
	await page.mouse.move(size.width / 3, (size.height * 3) / 4);
	await page.getByText('total = 1.5').first().waitFor();
	await page.locator('.monaco-hover').filter({ visible: true }).first().waitFor({ state: 'hidden' });
	await take('worktrees');
}

async function openFile(page: Page, name: string): Promise<void> {
	await page.keyboard.press('Control+P');
	const input = page.locator('.quick-input-widget input[type="text"]');
	await input.fill(name);
	await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().waitFor();
	await page.keyboard.press('Enter');
	await page.locator('.editor-instance .view-line').first().waitFor();
}

/** Drags the edge of the side bar with the chat to the left. */
async function widenChat(page: Page): Promise<void> {
	const bar = await page.locator('.part.auxiliarybar').boundingBox();
	if (bar === null) {
		return;
	}
	const y = bar.y + bar.height / 2;
	await page.mouse.move(bar.x - sashOffset, y);
	await page.mouse.down();
	await page.mouse.move(bar.x - sashOffset - chatGrowth, y, { steps: 5 });
	await page.mouse.up();
}
