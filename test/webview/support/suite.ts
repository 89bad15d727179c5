/**
 * Shares a browser, a built view and a tab between all spec files of a process: to start a browser takes as long as ten
 * specs, and a new tab as long as the view that it shows. A tab in which a spec failed is not used again.
 */
import { shared } from '../../support/for-the-process.ts';
import { buildView, serveView } from './site.ts';
import { launchBrowser, type OpenOptions, openTab, type Tab, type ViewPage } from './view-page.ts';

/** Where the views are shown. */
export const place = shared(
	async () => {
		const [files, browser] = await Promise.all([buildView(), launchBrowser()]);
		return { files, site: await serveView(files), browser, context: await browser.newContext() };
	},
	({ browser }) => !browser.isConnected(),
);
/** At most one, and only in a browser that runs. */
let resting: Tab | undefined;

/** Registers the hooks; the result opens a view that is closed after its test. */
export function useViews(): { open(options?: OpenOptions): Promise<ViewPage> } {
	const shown = new Set<Tab>();
	before(async function () {
		this.timeout(60_000);
		await place();
	});
	afterEach(async function () {
		const isFailed = this.currentTest?.state === 'failed';
		const tabs = [...shown];
		shown.clear();
		await Promise.all(tabs.map((tab) => (isFailed ? tab.page.close() : giveBack(tab))));
	});
	after(async () => {
		await resting?.rest();
	});
	return {
		async open(options) {
			const tab = await freeTab();
			shown.add(tab);
			const close = async () => {
				if (shown.delete(tab)) await giveBack(tab);
			};
			return { ...(await tab.show(options)), close };
		},
	};
}

async function freeTab(): Promise<Tab> {
	const { context, site } = await place();
	const tab = resting;
	resting = undefined;
	return tab === undefined || tab.page.isClosed() ? openTab(context, site) : tab;
}

async function giveBack(tab: Tab): Promise<void> {
	if (resting === undefined && !tab.page.isClosed()) resting = tab;
	else await tab.page.close();
}
