/** The view of capabilities as a person sees and uses it, and the lists, messages and pages that belong to them. */

import type { FrameLocator, Locator } from 'playwright-core';
import {
	activityBarIcon,
	capabilitiesFrameIn,
	openWorkbench,
	pageFrameIn,
	type Workbench,
	type WorkbenchOptions,
} from './workbench.ts';

/** A tab with a page of its own starts slowly where others want the processor too. */
const PAGE_MS = 60_000;

export interface CapabilityViews {
	/** The page of the view. */
	readonly view: FrameLocator;
	/** The input or list that is asked in. */
	readonly form: Locator;
	/** Shows a tab of the view. */
	show(tab: CapabilitiesTabName): Promise<void>;
	/** The rows of the tab that hold this text. */
	row(text: string): Locator;
	/** Opens what the name of a row opens. */
	open(text: string): Promise<void>;
	/** A button on a row, or an entry of its menu. */
	press(text: string, action: string): Promise<void>;
	/** Types into the search of the view. */
	search(text: string): Promise<void>;
	toast(text: string): Locator;
	choose(item: string): Promise<void>;
	answer(text: string): Promise<void>;
	/** Fills the fields of a form by their names, and sends it. */
	fillIn(title: string, values: Readonly<Record<string, string>>): Promise<void>;
	/** Opens the page *Automation* at one of its tabs. */
	automation(
		tab: 'Agents' | 'Goals' | 'Jobs' | 'Schedules' | 'Watches' | 'Scripts' | 'Memory' | 'Browsers',
	): Promise<Locator>;
	/** The page in the tab of this title, once it shows what it is about. */
	page(title: string): Promise<Locator>;
}

type CapabilitiesTabName = 'Installed' | 'Marketplace' | 'MCP' | 'Runs';

/** A workbench with the view open at one of its tabs, and room for the rows. */
export async function openCapabilityViews(
	tab: CapabilitiesTabName,
	options: WorkbenchOptions,
): Promise<{ readonly workbench: Workbench; readonly views: CapabilityViews }> {
	const workbench = await openWorkbench(options);
	const views = capabilityViewsIn(workbench);
	try {
		await openCapabilities(workbench);
		await views.show(tab);
		return { workbench, views };
	} catch (error) {
		await workbench.close();
		throw error;
	}
}

/** Opens the side bar of Prowess, the view as large as it gets. */
export async function openCapabilities({ page }: Workbench): Promise<void> {
	await activityBarIcon(page).click();
	const overview = page.locator('.pane-header', { hasText: /^(?:Overview|Übersicht)/ });
	await overview.waitFor();
	if ((await overview.getAttribute('aria-expanded')) === 'true') await overview.click();
}

export function capabilityViewsIn(workbench: Workbench): CapabilityViews {
	const { page } = workbench;
	const form = page.locator('.quick-input-widget');
	const view = capabilitiesFrameIn(page);
	const row = (text: string) => view.locator('.capability-row').filter({ hasText: text });
	const shownPage = async (title: string) => {
		await page.locator('.tab.active').getByText(title, { exact: true }).first().waitFor();
		const shown = pageFrameIn(page).locator('main.page[aria-busy="false"]');
		await shown.getByRole('heading', { name: title, level: 1, exact: true }).waitFor({ timeout: PAGE_MS });
		return shown;
	};
	return {
		view,
		form,
		async automation(tab) {
			await workbench.runCommand('Prowess: Show Automation');
			const shown = await shownPage('Automation');
			const name = new RegExp(`^${tab}\\b`);
			await shown.getByRole('tab', { name }).click();
			await shown.getByRole('tabpanel', { name }).waitFor();
			return shown;
		},
		async show(tab) {
			await view.getByRole('tab', { name: tab }).click();
			await view.getByRole('tab', { name: tab, selected: true }).waitFor();
			await view.locator('main[aria-busy="false"]').waitFor();
		},
		row,
		open: (text) => row(text).locator('.capability-name').first().click(),
		async press(text, action) {
			const on = row(text).first();
			await on.waitFor();
			const button = on.locator('.capability-buttons > button').and(on.getByRole('button', { name: action }));
			if ((await button.count()) > 0) {
				await button.click();
			} else {
				await on.getByRole('button', { name: 'More actions' }).click();
				await on.getByRole('menuitem', { name: action }).click();
			}
		},
		search: (text) => view.getByRole('searchbox').fill(text),
		toast: (text) => page.locator('.notification-toast', { hasText: text }),
		async choose(item) {
			const rows = form.locator('.monaco-list-row', { hasText: item });
			// The list draws only the rows that are in sight.
			if ((await rows.count()) === 0) await form.locator('input').fill(item);
			await rows.first().click();
		},
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
