/** One browser and one built view for all specs of a file. */
import type { Browser, BrowserContext } from 'playwright-core';
import { buildView, type Site, serveView } from './site.ts';
import { launchBrowser, openView, type ViewPage } from './view-page.ts';

type OpenOptions = Parameters<typeof openView>[2];

/** Registers the hooks; the result opens a view that is closed after its test. */
export function useViews(): { open(options?: OpenOptions): Promise<ViewPage>; site(): Site } {
	let browser: Browser | undefined;
	let context: BrowserContext | undefined;
	let site: Site | undefined;
	const opened: ViewPage[] = [];
	before(async function () {
		this.timeout(60_000);
		site = await serveView(await buildView());
		browser = await launchBrowser();
		context = await browser.newContext();
		// The process of the pages ends with the last of them; to start it and to compile the view takes a second each time.
		await (await context.newPage()).goto(`${site.origin}/codicon.css`);
	});
	afterEach(async () => {
		await Promise.all(opened.splice(0).map((view) => view.close()));
	});
	after(async () => {
		await browser?.close();
		await site?.close();
	});
	const builtSite = (): Site => {
		if (site === undefined) {
			throw new Error('the view is not built yet');
		}
		return site;
	};
	return {
		site: builtSite,
		async open(options) {
			if (context === undefined) {
				throw new Error('the browser is not started yet');
			}
			const view = await openView(context, builtSite(), options);
			opened.push(view);
			return view;
		},
	};
}
