import type { Workbench } from './workbench.ts';

/** Moves the chat from its side bar to the panel, which shows it. */
export async function moveChatToPanel({ page, runCommand }: Workbench): Promise<void> {
	// A panel that was never open begins with a terminal, which comes to the front again once its shell has started.
	await runCommand('View: Toggle Problems');
	await page.locator('.part.panel .composite.title', { hasText: /problems/i }).waitFor();
	await runCommand('View: Move Secondary Side Bar Views To Panel');
	await page.locator('.part.panel .composite.title', { hasText: /prowess/i }).waitFor();
}
