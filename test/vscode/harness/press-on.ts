import type { Locator } from 'playwright-core';

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
