/** The views of capabilities as a person sees and uses them, and the lists, messages and pages that belong to them. */

import type { Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

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
	/** Waits for the preview of a page. What it shows is not read: VS Code may take a minute to fill one on a slow machine. */
	page(title: string): Promise<void>;
}

export function capabilityViewsIn({ page }: Workbench): CapabilityViews {
	const form = page.locator('.quick-input-widget');
	const row = (text: string) => page.locator('.pane-body .monaco-list-row').filter({ hasText: text });
	const toggle = async (name: string, wanted: 'true' | 'false') => {
		const head = page.locator('.pane-header', { hasText: name });
		await head.waitFor();
		if ((await head.getAttribute('aria-expanded')) !== wanted) await head.click();
	};
	return {
		form,
		open: (name) => toggle(name, 'true'),
		close: (name) => toggle(name, 'false'),
		row,
		async press(text, action) {
			await row(text).hover();
			await row(text).getByRole('button', { name: action }).click();
		},
		toast: (text) => page.locator('.notification-toast', { hasText: text }),
		choose: (item) => form.locator('.monaco-list-row', { hasText: item }).first().click(),
		async answer(text) {
			await form.locator('input').fill(text);
			await form.locator('input').press('Enter');
		},
		page: (title) => page.locator('.tab.active', { hasText: `Preview ${title}.md` }).waitFor(),
	};
}
