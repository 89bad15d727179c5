/** Chromium for the workbench, with nothing but the loopback interface to reach. */

import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { kit } from './kit.ts';

export interface OpenBrowser {
	/** A page with a storage of its own, as in a browser that was never here; its console goes to the log file. */
	newPage(): Promise<Page>;
	close(): Promise<void>;
}

export async function openBrowser(logFile: string): Promise<OpenBrowser> {
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
			'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE *.localhost',
		],
	});
	// The plain server answers this with 405; without a key secrets live in memory only and are gone after a reload.
	const key = randomBytes(32);
	return {
		async newPage() {
			const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
			await page.route('**/mint-key', (route) =>
				route.fulfill({ status: 200, contentType: 'application/octet-stream', body: key }),
			);
			page.on('console', (message) => appendFileSync(logFile, `[${message.type()}] ${message.text()}\n`));
			page.on('pageerror', (error) => appendFileSync(logFile, `[uncaught] ${error.stack ?? error.message}\n`));
			return page;
		},
		close: () => browser.close(),
	};
}
