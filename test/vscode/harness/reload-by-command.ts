import { waitFor } from '../../support/wait-for.ts';
import type { Workbench } from './workbench.ts';

/** Reloads the window as people do it, who wait for nothing before; resolves in the new one. */
export async function reloadByCommand({ page, runCommand }: Pick<Workbench, 'page' | 'runCommand'>): Promise<void> {
	await page.evaluate(() => void Object.assign(window, { isBefore: true }));
	await runCommand('Developer: Reload Window');
	await waitFor('the new window', () => page.evaluate(() => !('isBefore' in window)).catch(() => false), 40_000);
}
