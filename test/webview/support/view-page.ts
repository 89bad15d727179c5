/** The built view in a tab of a real Chromium, with a fake extension at the other end of its messages. */
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
			// Turns off the animations of the browser's own window, which nobody sees.
			'--animation-duration-scale=0',
			'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
		],
	});
}

export interface ViewPage {
	readonly page: Page;
	readonly extension: FakeExtension;
	/** Forbidden acts of the page: dialogs, foreign requests, navigations, policy violations, errors. */
	readonly offences: string[];
	/** Paths that it asked for, also those that the browser had kept. */
	readonly requests: string[];
	/** Posts anything at all to the view, as a frame from the extension. */
	post(frame: unknown): Promise<void>;
	/**
	 * Reloads the page as an editor does: frames that the page posts as it goes still arrive, whereas a browser's own
	 * reload would drop them.
	 */
	reload(): Promise<void>;
	close(): Promise<void>;
}

export interface OpenOptions {
	/** Default: the chat. */
	readonly face?: Face;
	readonly width?: number;
	readonly height?: number;
	readonly prepare?: (extension: FakeExtension) => void;
}

/** A tab that shows one view after the other, each as if it were the first: nothing stored, no pointer over it, an extension of its own. */
export interface Tab {
	readonly page: Page;
	/** Ends the view before. */
	show(options?: OpenOptions): Promise<ViewPage>;
	/** Ends the view, and draws nothing more. */
	rest(): Promise<void>;
}

/** State that belongs to a single view. */
interface Story {
	readonly number: number;
	readonly offences: string[];
	readonly requests: string[];
	receive(frame: unknown): void;
}

let stories = 0;

/** Opens it in a page of the browser or of one of its contexts, with a storage of its own. */
export async function openView(place: Pick<Browser, 'newPage'>, site: Site, options?: OpenOptions): Promise<ViewPage> {
	return (await openTab(place, site)).show(options);
}

export async function openTab(place: Pick<Browser, 'newPage'>, site: Site): Promise<Tab> {
	const page = await place.newPage();
	let story: Story | undefined;
	watch(page, site, () => story);
	// Frames that the previous page posts as it goes must not reach the next one.
	await page.exposeFunction('postToExtension', (from: string, frame: unknown) => {
		if (from === String(story?.number)) story?.receive(frame);
	});
	await page.addInitScript(inPage);
	return {
		page,
		async show({ face = 'chat', width = 420, height = 800, prepare } = {}) {
			const isFirst = story === undefined;
			const own: Story = { number: ++stories, offences: [], requests: [], receive: () => {} };
			story = own;
			const { extension, post } = connect(page, own, () => story === own);
			prepare?.(extension);
			if (!isFirst) await page.mouse.move(-1, -1);
			const size = page.viewportSize();
			if (size?.width !== width || size.height !== height) await page.setViewportSize({ width, height });
			await page.goto(site.pageUrl(face, own.number));
			const { offences, requests } = own;
			const reload = async () => {
				await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
				await page.reload();
			};
			return { page, extension, offences, requests, post, reload, close: () => page.close() };
		},
		async rest() {
			story = undefined;
			await page.goto(site.emptyUrl);
		},
	};
}

/** Runs in the page, before all scripts. */
function inPage(): void {
	const own = window as unknown as Record<string, unknown>;
	const post = own['postToExtension'] as (from: string, frame: unknown) => void;
	const story = new URLSearchParams(location.search).get('story') ?? '';
	if (window === window.top && sessionStorage.getItem('story') !== story) {
		sessionStorage.clear();
		sessionStorage.setItem('story', story);
	}
	own['acquireVsCodeApi'] = () => ({
		postMessage: (frame: unknown) => post(story, frame),
		getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') as unknown,
		setState: (state: unknown) => sessionStorage.setItem('state', JSON.stringify(state)),
	});
	document.addEventListener('securitypolicyviolation', (event) => {
		post(story, { violation: `${event.violatedDirective} ${event.blockedURI}` });
	});
}

/** The extension's end of a view in the page. */
function connect(page: Page, story: Story, isShown: () => boolean): Pick<ViewPage, 'extension' | 'post'> {
	let posting: Promise<void> = Promise.resolve();
	const waiting: unknown[] = [];
	const post = (frame: unknown): Promise<void> => {
		waiting.push(frame);
		// Posts frames one batch after the other, each with all frames that have come meanwhile, so that frames keep
		// their order.
		posting = posting.then(() => (isShown() ? postAll(page, waiting.splice(0)) : undefined)).catch(() => {});
		return posting;
	};
	const extension = new FakeExtension({
		post: (frame) => void post(frame),
		listen(listener) {
			story.receive = (frame) => {
				if (typeof frame === 'object' && frame !== null && 'violation' in frame) {
					story.offences.push(`policy: ${String(frame.violation)}`);
				} else {
					listener(frame);
				}
			};
			return toDisposable(() => {
				story.receive = () => {};
			});
		},
	});
	return { extension, post };
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

function watch(page: Page, site: Site, story: () => Story | undefined): void {
	const note = (offence: string) => void story()?.offences.push(offence);
	page.on('dialog', (dialog) => {
		note(`dialog: ${dialog.message()}`);
		void dialog.dismiss();
	});
	page.on('request', (request) => {
		story()?.requests.push(new URL(request.url()).pathname);
		const isOwn =
			[site.origin, `blob:${site.origin}/`].some((own) => request.url().startsWith(own)) || request.url() === 'data:,';
		if (!isOwn) {
			note(`request: ${request.url()}`);
		}
	});
	page.on('framenavigated', (frame) => {
		if (!frame.url().startsWith(`${site.origin}/page`) && frame.url() !== 'about:blank') {
			note(`navigation: ${frame.url()}`);
		}
	});
	page.on('popup', (popup) => note(`popup: ${popup.url()}`));
	page.on('pageerror', (error) => note(`error: ${error.message}`));
}
