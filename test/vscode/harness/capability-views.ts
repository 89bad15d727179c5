/** The views of capabilities as a person sees and uses them, and the lists, messages and pages that belong to them. */

import type { Locator } from 'playwright-core';
import { pressOn } from './press-on.ts';
import { activityBarIcon, openWorkbench, pageFrameIn, type Workbench, type WorkbenchOptions } from './workbench.ts';

/** A tab with a page of its own starts slowly where others want the processor too. */
const PAGE_MS = 60_000;

export interface CapabilityViews {
	/** The input or list that is asked in. */
	readonly form: Locator;
	/** Opens a view of the side bar that is closed. */
	open(name: string): Promise<void>;
	/** Closes one that is open, so that the others have room for all of their rows. */
	close(name: string): Promise<void>;
	/** The rows that hold this text. */
	row(text: string): Locator;
	/** A button on a row. */
	press(text: string, action: string): Promise<void>;
	toast(text: string): Locator;
	choose(item: string): Promise<void>;
	answer(text: string): Promise<void>;
	/** Fills the fields of a form by their names, and sends it. */
	fillIn(title: string, values: Readonly<Record<string, string>>): Promise<void>;
	/** The page in the tab of this title, once it shows what it is about. */
	page(title: string): Promise<Locator>;
}

/** A workbench with the side bar of Prowess open at one of its views, and room for the rows. */
export async function openCapabilityViews(
	view: string,
	options: WorkbenchOptions,
): Promise<{ readonly workbench: Workbench; readonly views: CapabilityViews }> {
	const workbench = await openWorkbench(options);
	const views = capabilityViewsIn(workbench);
	try {
		await activityBarIcon(workbench.page).click();
		await views.close('Overview');
		await views.open(view);
		return { workbench, views };
	} catch (error) {
		await workbench.close();
		throw error;
	}
}

export function capabilityViewsIn({ page }: Workbench): CapabilityViews {
	const form = page.locator('.quick-input-widget');
	const row = (text: string) => page.locator('.pane-body .monaco-list-row').filter({ hasText: text });
	const toggle = async (name: string, wanted: 'true' | 'false') => {
		const head = page.locator('.pane-header', { hasText: name });
		await head.waitFor();
		if ((await head.getAttribute('aria-expanded')) !== wanted) await head.click();
	};
	const shownPage = async (title: string) => {
		await page.locator('.tab.active').getByText(title, { exact: true }).first().waitFor();
		const shown = pageFrameIn(page).locator('main.page[aria-busy="false"]');
		await shown.getByRole('heading', { name: title, level: 1, exact: true }).waitFor({ timeout: PAGE_MS });
		return shown;
	};
	return {
		form,
		open: (name) => toggle(name, 'true'),
		close: (name) => toggle(name, 'false'),
		row,
		press: (text, action) => pressOn(row(text), action),
		toast: (text) => page.locator('.notification-toast', { hasText: text }),
		choose: (item) => form.locator('.monaco-list-row', { hasText: item }).first().click(),
		async answer(text) {
			await form.locator('input').fill(text);
			await form.locator('input').press('Enter');
		},
		async fillIn(title, values) {
			const shown = await shownPage(title);
			for (const [name, value] of Object.entries(values)) {
				await shown.getByRole('textbox', { name }).fill(value);
			}
			await shown.getByRole('button', { name: 'Run' }).click();
		},
		page: shownPage,
	};
}
