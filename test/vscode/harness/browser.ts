/** Chromium for the workbench, with nothing but the loopback interface to reach. */

import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { kit } from './kit.ts';

/** Size of a window when it opens, in CSS pixels. */
export const windowSize = { width: 1280, height: 800 } as const;

export interface OpenBrowser {
	/** A page with a storage of its own, as in a browser that was never here; its console goes to the log file. */
	newPage(logFile: string): Promise<Page>;
	/** Closes every page with all that it has stored, and gives the addresses of those that were still open. */
	closePages(): Promise<readonly string[]>;
	/** Returns true while the browser runs. */
	isOpen(): boolean;
	close(): Promise<void>;
}

export async function openBrowser(): Promise<OpenBrowser> {
	const browser = await chromium.launch({
		executablePath: kit.chromium,
		args: [
			// Root, as in a container, has no other way.
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--disable-dev-shm-usage',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
			'--no-first-run',
			// VS Code notes many stacks while it starts, and V8 would parse each function on them a second time: a tenth of the start.
			'--js-flags=--no-enable-lazy-source-positions',
			'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE *.localhost',
		],
	});
	// The plain server answers this with 405; without a key secrets live in memory only and are gone after a reload.
	const key = randomBytes(32);
	return {
		async newPage(logFile) {
			const context = await browser.newContext({ viewport: windowSize, reducedMotion: 'reduce' });
			const page = await context.newPage();
			await page.route('**/mint-key', (route) =>
				route.fulfill({ status: 200, contentType: 'application/octet-stream', body: key }),
			);
			page.on('console', (message) => appendFileSync(logFile, `[${message.type()}] ${message.text()}\n`));
			page.on('pageerror', (error) => appendFileSync(logFile, `[uncaught] ${error.stack ?? error.message}\n`));
			return page;
		},
		async closePages() {
			const contexts = browser.contexts();
			const open = contexts.flatMap((context) => context.pages().map((page) => page.url()));
			for (const context of contexts) await context.close();
			return open;
		},
		isOpen: () => browser.isConnected(),
		close: () => browser.close(),
	};
}
