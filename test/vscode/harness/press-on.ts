import type { Locator, Page } from 'playwright-core';

const attemptMs = 3_000;
const attempts = 10;

/** The buttons of a row hide when it moves away from under the mouse, as it does when others come: it is followed there. */
export async function pressOn(row: Locator, button: string): Promise<void> {
	const shown = row.getByRole('button', { name: button });
	for (let attempt = 1; ; attempt += 1) {
		await row.hover();
		try {
			return await shown.click({ timeout: attemptMs });
		} catch (error) {
			if (attempt === attempts) throw error;
		}
	}
}

/**
 * Presses the keys of a shortcut of the chat until it has done what it does. The editor hears a moment late that the chat
 * has the keyboard, from its page; a person then presses again.
 */
export async function pressShortcut(page: Page, keys: readonly string[], done: Locator): Promise<void> {
	for (let attempt = 1; ; attempt += 1) {
		for (const key of keys) await page.keyboard.press(key);
		try {
			return await done.waitFor({ timeout: attemptMs });
		} catch (error) {
			if (attempt === attempts) throw error;
		}
	}
}
