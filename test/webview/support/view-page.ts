/** The built view in a real Chromium, with a fake extension at the other end of its messages. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { toDisposable } from '../../../src/base/disposable.ts';
import { FakeExtension } from './fake-extension.ts';
import type { Face, Site } from './site.ts';

export function launchBrowser(): Promise<Browser> {
	return chromium.launch({
		executablePath: process.env['PROWESS_CHROMIUM'] ?? '/usr/bin/chromium',
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
			// Pages of one context share a process, and in it the compiled view.
			'--process-per-site',
			'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
		],
	});
}

export interface ViewPage {
	readonly page: Page;
	readonly extension: FakeExtension;
	/** What the page did that it must never do: dialogs, foreign requests, navigations, policy violations, errors. */
	readonly offences: string[];
	/** Posts anything at all to the view, as a frame from the extension. */
	post(frame: unknown): Promise<void>;
	/** As an editor reloads it: what the page says as it goes arrives, which a browser that goes along with it would drop. */
	reload(): Promise<void>;
	close(): Promise<void>;
}

interface OpenOptions {
	/** Default: the chat. */
	readonly face?: Face;
	readonly width?: number;
	readonly height?: number;
	readonly prepare?: (extension: FakeExtension) => void;
}

/** Opens it in a page of the browser or of one of its contexts, with a storage of its own. */
export async function openView(
	place: Pick<Browser, 'newPage'>,
	site: Site,
	options: OpenOptions = {},
): Promise<ViewPage> {
	const { face = 'chat', width = 420, height = 800, prepare } = options;
	const page = await place.newPage();
	await page.setViewportSize({ width, height });
	const offences: string[] = [];
	watch(page, site, offences);

	let receive: (frame: unknown) => void = () => {};
	let posting: Promise<void> = Promise.resolve();
	const waiting: unknown[] = [];
	const post = (frame: unknown): Promise<void> => {
		waiting.push(frame);
		// One after the other, and what has come meanwhile at once: frames keep their order.
		posting = posting.then(() => postAll(page, waiting.splice(0))).catch(() => {});
		return posting;
	};
	const extension = new FakeExtension({
		post: (frame) => void post(frame),
		listen(listener) {
			receive = listener;
			return toDisposable(() => {
				receive = () => {};
			});
		},
	});
	prepare?.(extension);
	await page.exposeFunction('postToExtension', (frame: unknown) => receive(frame));
	await page.addInitScript(() => {
		const own = window as unknown as Record<string, unknown>;
		own['acquireVsCodeApi'] = () => ({
			postMessage: own['postToExtension'],
			getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') as unknown,
			setState: (state: unknown) => sessionStorage.setItem('state', JSON.stringify(state)),
		});
		document.addEventListener('securitypolicyviolation', (event) => {
			(own['postToExtension'] as (frame: unknown) => void)({
				violation: `${event.violatedDirective} ${event.blockedURI}`,
			});
		});
	});
	const listening = receive;
	receive = (frame) => {
		if (typeof frame === 'object' && frame !== null && 'violation' in frame) {
			offences.push(`policy: ${String(frame.violation)}`);
		} else {
			listening(frame);
		}
	};
	await page.goto(site.pageUrl(face));
	const reload = async () => {
		await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
		await page.reload();
	};
	return { page, extension, offences, post, reload, close: () => page.close() };
}

async function postAll(page: Page, frames: readonly unknown[]): Promise<void> {
	if (frames.length === 0) {
		return;
	}
	await page.evaluate((values) => {
		for (const value of values) {
			window.postMessage(value, '*');
		}
	}, frames);
}

function watch(page: Page, site: Site, offences: string[]): void {
	page.on('dialog', (dialog) => {
		offences.push(`dialog: ${dialog.message()}`);
		void dialog.dismiss();
	});
	page.on('request', (request) => {
		const isOwn =
			[site.origin, `blob:${site.origin}/`].some((own) => request.url().startsWith(own)) || request.url() === 'data:,';
		if (!isOwn) {
			offences.push(`request: ${request.url()}`);
		}
	});
	page.on('framenavigated', (frame) => {
		if (!frame.url().startsWith(`${site.origin}/page`) && frame.url() !== 'about:blank') {
			offences.push(`navigation: ${frame.url()}`);
		}
	});
	page.on('popup', (popup) => offences.push(`popup: ${popup.url()}`));
	page.on('pageerror', (error) => offences.push(`error: ${error.message}`));
}
