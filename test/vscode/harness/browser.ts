/** Chromium for the workbench, with nothing but the loopback interface to reach. */

import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { kit } from './kit.ts';

/** Longest wait for the address that keeps a process. */
const keepingMs = 10_000;

/** Size of a window when it opens, in CSS pixels. */
export const windowSize = { width: 1280, height: 800 } as const;

export interface OpenBrowser {
	/** A page with a storage of its own, as in a browser that was never here; its console goes to the log file. */
	newPage(logFile: string): Promise<Page>;
	/**
	 * Keeps the process of the pages at this address after the last of them is closed, for the next page there: what it
	 * has compiled is a quarter of the start of a window. Shows `blank`, an address beside it that loads nothing.
	 */
	keepProcess(blank: string): Promise<void>;
	/** Ends what `keepProcess` began, once a page is there. */
	dropKept(): Promise<void>;
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
			'--process-per-site',
			// VS Code notes many stacks while it starts, and V8 would parse each function on them a second time: a tenth of the start.
			'--js-flags=--no-enable-lazy-source-positions',
			'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE *.localhost',
		],
	});
	// The plain server answers this with 405; without a key secrets live in memory only and are gone after a reload.
	const key = randomBytes(32);
	const newContext = () => browser.newContext({ viewport: windowSize, reducedMotion: 'reduce' });
	/** Serves one window at a time, and is set back after each. Further windows have a context of their own. */
	let lasting: BrowserContext | undefined;
	let kept: Page | undefined;
	const others = (context: BrowserContext) => context.pages().filter((page) => page !== kept);
	const dropKept = async () => {
		const dropped = kept;
		kept = undefined;
		await dropped?.close();
	};
	return {
		dropKept,
		async newPage(logFile) {
			lasting ??= await newContext();
			const context = others(lasting).length === 0 ? lasting : await newContext();
			const page = await context.newPage();
			await answerMintKey(page, key);
			await page.addInitScript(endAnimations);
			page.on('console', (message) => appendFileSync(logFile, `[${message.type()}] ${message.text()}\n`));
			page.on('pageerror', (error) => appendFileSync(logFile, `[uncaught] ${error.stack ?? error.message}\n`));
			return page;
		},
		async keepProcess(blank) {
			if (lasting === undefined || kept !== undefined || !browser.isConnected()) return;
			kept = await lasting.newPage();
			// A server that has ended has no process to keep, nor has one that does not answer.
			await kept.goto(blank, { timeout: keepingMs }).catch(dropKept);
		},
		async closePages() {
			const open = browser.contexts().flatMap((context) => others(context).map((page) => page.url()));
			for (const context of browser.contexts()) {
				if (context !== lasting || kept === undefined) await context.close();
				else await setBack(context, kept);
			}
			if (kept === undefined) lasting = undefined;
			return open;
		},
		isOpen: () => browser.isConnected(),
		close: () => browser.close(),
	};
}

/** Closes the pages, all but this one, and forgets what they have stored and were allowed. */
async function setBack(context: BrowserContext, kept: Page): Promise<void> {
	for (const page of context.pages()) if (page !== kept) await page.close();
	const session = await context.newCDPSession(kept);
	await session.send('Storage.clearDataForOrigin', { origin: new URL(kept.url()).origin, storageTypes: 'all' });
	await session.detach();
	await context.clearCookies();
	await context.clearPermissions();
}

/** Answers this one request. `Page.route` would stop each request of the window on its way, and turn off the cache. */
async function answerMintKey(page: Page, key: Buffer): Promise<void> {
	const session = await page.context().newCDPSession(page);
	session.on('Fetch.requestPaused', ({ requestId }) => {
		const responseHeaders = [{ name: 'Content-Type', value: 'application/octet-stream' }];
		const answer = { requestId, responseCode: 200, responseHeaders, body: key.toString('base64') };
		// A window that was closed meanwhile needs no answer.
		session.send('Fetch.fulfillRequest', answer).catch(() => undefined);
	});
	await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/mint-key' }] });
}

/**
 * Runs in each frame. VS Code turns its progress bars for as long as something is under way, and each turn would be drawn
 * without a GPU. An animation that ends at once still has its end.
 */
function endAnimations(): void {
	const still = new CSSStyleSheet();
	still.replaceSync(
		'*, ::before, ::after { animation-duration: 1ms !important; animation-iteration-count: 1 !important; }',
	);
	document.adoptedStyleSheets.push(still);
}
