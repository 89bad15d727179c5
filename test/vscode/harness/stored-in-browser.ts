/**
 * Waits until VS Code in a browser has stored a text: it writes the data of extensions some time after they asked for
 * it, and a reload does not wait for the write.
 */
import type { Page } from 'playwright-core';
import { waitFor } from '../../support/wait-for.ts';

const limitMs = 20_000;

/** Resolves once the text is in the storage of the window or its workspace. */
export async function storedInBrowser(page: Page, text: string): Promise<void> {
	await waitFor(`"${text}" in the storage`, () => page.evaluate(isStored, text), limitMs);
}

/** Runs in the page. */
async function isStored(text: string): Promise<boolean> {
	for (const { name = '' } of await indexedDB.databases()) {
		if (!name.startsWith('vscode-web-state-db')) continue;
		const values = await new Promise<readonly unknown[]>((resolve) => {
			const opening = indexedDB.open(name);
			opening.onerror = () => resolve([]);
			opening.onsuccess = () => {
				const db = opening.result;
				const [table] = db.objectStoreNames;
				if (table === undefined) return resolve([]);
				const reading = db.transaction(table).objectStore(table).getAll();
				reading.onsuccess = () => resolve(reading.result);
				reading.onerror = () => resolve([]);
				db.close();
			};
		});
		if (values.some((value) => String(value).includes(text))) return true;
	}
	return false;
}
